/** Totals for all posts of a snapshot: snapshot.json has them, and a build compares them with those before. */
import type { Post } from "../../functions/contract/resources.ts";

/** What is counted. `characters` are UTF-16 units of titles, bodies (as HTML) and comments. */
export interface Totals {
  readonly posts: number;
  readonly comments: number;
  /** Distinct tags that a post carries. */
  readonly tags: number;
  /** Posts with at least one tag. */
  readonly taggedPosts: number;
  readonly likes: number;
  readonly bookmarks: number;
  readonly characters: number;
}

export const totalNames = [
  "posts",
  "comments",
  "tags",
  "taggedPosts",
  "likes",
  "bookmarks",
  "characters",
] as const satisfies readonly (keyof Totals)[];

/** Counts posts one by one. */
export class TotalsCounter {
  readonly #counts = {
    posts: 0,
    comments: 0,
    taggedPosts: 0,
    likes: 0,
    bookmarks: 0,
    characters: 0,
  };
  readonly #tagIds = new Set<number>();

  add({ postTitle, postContentHtml, countLikes, countBookmarks, tags, comments }: Post): void {
    const counts = this.#counts;
    counts.posts++;
    counts.comments += comments.length;
    counts.likes += countLikes;
    counts.bookmarks += countBookmarks;
    counts.characters += postTitle.length + postContentHtml.length;
    for (const { commentContent } of comments) counts.characters += commentContent.length;
    if (tags.length > 0) counts.taggedPosts++;
    for (const { tagId } of tags) this.#tagIds.add(tagId);
  }

  get totals(): Totals {
    const { posts, comments, ...rest } = this.#counts;
    return { posts, comments, tags: this.#tagIds.size, ...rest };
  }
}
