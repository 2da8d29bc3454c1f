/** Totals for all posts of a snapshot: snapshot.json has them, and a build compares them with those before. */
import type { Post } from "../../functions/contract/resources.ts";

/** What is counted. */
export const totalNames = [
  "posts",
  "comments",
  /** Distinct tags that a post carries. */
  "tags",
  /** Posts with at least one tag. */
  "taggedPosts",
  /** Tags of all posts, each as often as posts carry it. */
  "tagLinks",
  "likes",
  "dislikes",
  "bookmarks",
  /** Likes and dislikes of comments. */
  "commentVotes",
  /** Posts with a title, and comments with an author. */
  "titles",
  "authors",
  /** UTF-16 units of titles, bodies (as HTML) and comments. */
  "characters",
] as const;

export type Totals = Readonly<Record<(typeof totalNames)[number], number>>;

/** Counts posts one by one. Sums beyond 2^53 - 1 stay there. */
export class TotalsCounter {
  readonly #sums = Object.fromEntries(totalNames.map((name) => [name, 0])) as Record<
    keyof Totals,
    number
  >;
  readonly #tagIds = new Set<number>();

  add(post: Post): void {
    this.#add("posts", 1);
    this.#add("comments", post.comments.length);
    this.#add("taggedPosts", post.tags.length > 0 ? 1 : 0);
    this.#add("tagLinks", post.tags.length);
    this.#add("likes", post.countLikes);
    this.#add("dislikes", post.countDislikes);
    this.#add("bookmarks", post.countBookmarks);
    this.#add("titles", post.postTitle === "" ? 0 : 1);
    this.#add("characters", post.postTitle.length + post.postContentHtml.length);
    for (const { likesCount, dislikesCount, commentAuthor, commentContent } of post.comments) {
      this.#add("authors", commentAuthor === "" ? 0 : 1);
      this.#add("commentVotes", likesCount + dislikesCount);
      this.#add("characters", commentContent.length);
    }
    for (const { tagId } of post.tags) this.#tagIds.add(tagId);
  }

  get totals(): Totals {
    return { ...this.#sums, tags: this.#tagIds.size };
  }

  #add(name: keyof Totals, count: number): void {
    this.#sums[name] = Math.min(Number.MAX_SAFE_INTEGER, this.#sums[name] + count);
  }
}
