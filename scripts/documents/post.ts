/** Rows → Post and SearchHit documents, in the order of their ids. */
import { paths } from "../../functions/contract/http.ts";
import type {
  Comment,
  Post,
  PostSummary,
  SearchHit,
  Tag,
} from "../../functions/contract/resources.ts";
import { compareCodePoints } from "../lib/code-points.ts";
import type { Export } from "../export/open.ts";
import type { CanonicalTable, Row } from "../export/schema.ts";
import { httpUrl, isoDate } from "../export/column-rules.ts";
import { mostSimilar } from "../similar/similar-posts.ts";

/** The rows of a table. The export was checked, so the rows are of their declared types. */
export const rowsOf = <T extends CanonicalTable>(
  source: Export,
  table: T,
  ...orderBy: readonly (keyof Row<T> & string)[]
): Iterable<Row<T>> => source.rows(table, ...orderBy) as unknown as Iterable<Row<T>>;

/** Makes the address of a post's page. */
export type PostUrl = (postId: number) => string;

/**
 * A function that gives the rows of one post after another, from rows sorted by post.
 * It must be asked for ascending post ids; rows of ids that are passed over are left out.
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

/** A post's row with what belongs to it, everything but its relations to other posts. */
export interface PostRows {
  readonly post: Row<"posts">;
  /** In code point order of their names, each once. */
  readonly tags: readonly Tag[];
  /** Newest first, then by descending id. */
  readonly comments: readonly Comment[];
}

function commentsFrom(rows: readonly Row<"comments">[]): Comment[] {
  const ids = new Set(rows.map((row) => row.comment_id));
  return rows
    .map((row) => ({
      commentId: row.comment_id,
      commentDateGmt: isoDate(row.comment_date_gmt),
      commentAuthor: row.comment_author,
      commentContent: row.comment_content,
      likesCount: row.likes_count,
      dislikesCount: row.dislikes_count,
      // The answered comment may have been deleted: then this one stands on the post itself.
      commentParent: ids.has(row.comment_parent) ? row.comment_parent : 0,
    }))
    .sort((a, b) =>
      a.commentDateGmt === b.commentDateGmt
        ? b.commentId - a.commentId
        : a.commentDateGmt < b.commentDateGmt
          ? 1
          : -1,
    );
}

/** Streams the posts of a checked export with their tags and comments, by ascending id. */
export function* postRows(source: Export): Generator<PostRows> {
  const tagNames = new Map<number, string>();
  for (const { tag_id, tag_name } of rowsOf(source, "tags")) tagNames.set(tag_id, tag_name);
  const linksOf = grouped(rowsOf(source, "post_tags", "post_id"));
  const commentsOf = grouped(rowsOf(source, "comments", "post_id"));
  for (const post of rowsOf(source, "posts", "post_id")) {
    const tagIds = new Set(linksOf(post.post_id).map((link) => link.tag_id));
    const tags = [...tagIds].flatMap((tagId): Tag[] => {
      const tagName = tagNames.get(tagId);
      return tagName === undefined ? [] : [{ tagName, tagId }];
    });
    tags.sort((a, b) => compareCodePoints(a.tagName, b.tagName));
    yield { post, tags, comments: commentsFrom(commentsOf(post.post_id)) };
  }
}

/** The export's own similar posts: a function to be asked for ascending post ids. */
export function givenSimilarPosts(source: Export): (postId: number) => number[] {
  const rankedOf = grouped(rowsOf(source, "similar_posts", "post_id", "rank", "similar_post_id"));
  return (postId) => rankedOf(postId).map((row) => row.similar_post_id);
}

/** File of a post, relative to the snapshot's folder. */
export const postFile = (postId: number): string => `${paths.posts.slice(1)}${postId}.json`;

/** The id and title of a post. */
export type PostTitle = Pick<Post, "postId" | "postTitle">;

/** What a post's document needs to know of other posts. */
export interface Neighbourhood {
  readonly previous: PostTitle | undefined;
  readonly next: PostTitle | undefined;
  /** Ids, best first. Those without a title, the post itself and all beyond the limit are left out. */
  readonly similar: Iterable<number>;
  readonly titleOf: (postId: number) => string | undefined;
}

/** The document of a post. */
export function postFromRows(
  { post, tags, comments }: PostRows,
  { previous, next, similar, titleOf }: Neighbourhood,
  postUrl: PostUrl,
): Post {
  const summary = ({ postId, postTitle }: PostTitle): PostSummary => ({
    postId,
    postTitle,
    postUrl: postUrl(postId),
  });
  return {
    postId: post.post_id,
    postTitle: post.post_title,
    postUrl: postUrl(post.post_id),
    postDateGmt: isoDate(post.post_date_gmt),
    postContentHtml: post.post_content_html,
    commentStatus: post.comment_status,
    countLikes: post.count_likes,
    countDislikes: post.count_dislikes,
    countBookmarks: post.count_bookmarks,
    countComments: comments.length,
    ogpImageUrl: post.ogp_image_url === null ? null : (httpUrl(post.ogp_image_url) ?? null),
    isWelcomed: post.is_welcomed === null ? null : post.is_welcomed === 1,
    isWelcomedExplanation: post.is_welcomed_explanation,
    tags,
    comments,
    similarPosts: [...new Set(similar)]
      .filter((postId) => postId !== post.post_id)
      .flatMap((postId) => {
        const postTitle = titleOf(postId);
        return postTitle === undefined ? [] : [summary({ postId, postTitle })];
      })
      .slice(0, mostSimilar),
    previousPost: previous === undefined ? null : summary(previous),
    nextPost: next === undefined ? null : summary(next),
  };
}

/** A post as a search result shows it. */
export const hitFromPost = (post: Post): SearchHit => ({
  postId: post.postId,
  postTitle: post.postTitle,
  postUrl: post.postUrl,
  postDateGmt: post.postDateGmt,
  countLikes: post.countLikes,
  countDislikes: post.countDislikes,
  countComments: post.countComments,
  tagNames: post.tags.map((tag) => tag.tagName),
});
