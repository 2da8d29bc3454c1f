/**
 * Streams the rows of a checked export: table by table, or post by post with all that belongs to it. They are read
 * again: `checkExport` keeps none, so it must have passed before.
 */
import type { Comment, Tag } from "../../functions/contract/resources.ts";
import { compareCodePoints } from "../lib/text.ts";
import { isoDate } from "./column-rules.ts";
import type { Export } from "./open.ts";
import { cyclesFrom } from "./replies.ts";
import { keyColumns, type CanonicalTable, type Row } from "./canonical-schema.ts";

/** Names of a table's columns. */
type Column<T extends CanonicalTable> = keyof Row<T> & string;

/**
 * The rows of a table, with all columns or some, sorted by columns or in any order.
 * The export was checked, so the rows have their declared types.
 */
export const readRows = <T extends CanonicalTable, C extends Column<T> = Column<T>>(
  source: Export,
  table: T,
  query: { readonly columns?: readonly C[]; readonly orderBy?: readonly Column<T>[] } = {},
): Iterable<Pick<Row<T>, C>> => source.rows(table, query) as Iterable<Pick<Row<T>, C>>;

/**
 * Splits rows that are sorted by post into the rows of each post.
 * Call the returned function with ascending post ids; rows of ids that are not asked for are left out.
 */
function grouped<R extends { readonly post_id: number }>(
  rows: Iterable<R>,
): (postId: number) => R[] {
  const iterator = rows[Symbol.iterator]();
  let next = iterator.next();
  return (postId) => {
    const group: R[] = [];
    while (next.done !== true && next.value.post_id <= postId) {
      if (next.value.post_id === postId) group.push(next.value);
      next = iterator.next();
    }
    return group;
  };
}

/** A post's row with its tags and comments. */
export interface PostRows {
  readonly post: Row<"posts">;
  /** In code point order of their names, each once. */
  readonly tags: readonly Tag[];
  /** Newest first, then by descending id. */
  readonly comments: readonly Comment[];
}

function commentsFrom(rows: readonly Row<"comments">[]): Comment[] {
  const ids = new Set(rows.map((row) => row.comment_id));
  // Where the answered comment was deleted, this one answers the post itself. Where comments answer each other in a circle,
  // one of them does.
  const parents = new Map(
    rows.map(({ comment_id: id, comment_parent: parent }) => [id, ids.has(parent) ? parent : 0]),
  );
  const circular = new Set(cyclesFrom(ids, (id) => parents.get(id)!));
  return rows
    .map((row) => ({
      commentId: row.comment_id,
      commentDateGmt: isoDate(row.comment_date_gmt),
      commentAuthor: row.comment_author,
      commentContent: row.comment_content,
      likesCount: row.likes_count,
      dislikesCount: row.dislikes_count,
      commentParent: circular.has(row.comment_id) ? 0 : parents.get(row.comment_id)!,
    }))
    .sort(
      (a, b) => compareCodePoints(b.commentDateGmt, a.commentDateGmt) || b.commentId - a.commentId,
    );
}

/** Streams the posts of a checked export with their tags and comments, by ascending id. */
export function* postRows(source: Export): Generator<PostRows> {
  const tagNames = new Map<number, string>();
  for (const { tag_id, tag_name } of readRows(source, "tags")) tagNames.set(tag_id, tag_name);
  const linksOf = grouped(readRows(source, "post_tags", { orderBy: ["post_id"] }));
  const commentsOf = grouped(readRows(source, "comments", { orderBy: ["post_id"] }));
  for (const post of readRows(source, "posts", { orderBy: ["post_id"] })) {
    const tagIds = new Set(linksOf(post.post_id).map((link) => link.tag_id));
    const tags = [...tagIds].flatMap((tagId): Tag[] => {
      const tagName = tagNames.get(tagId);
      return tagName === undefined ? [] : [{ tagName, tagId }];
    });
    tags.sort((a, b) => compareCodePoints(a.tagName, b.tagName));
    yield { post, tags, comments: commentsFrom(commentsOf(post.post_id)) };
  }
}

/** The export's own similar posts, best first. Call the returned function with ascending post ids. */
export function givenSimilarPosts(source: Export): (postId: number) => number[] {
  const rankedOf = grouped(
    readRows(source, "similar_posts", { orderBy: keyColumns.similar_posts }),
  );
  return (postId) => rankedOf(postId).map((row) => row.similar_post_id);
}
