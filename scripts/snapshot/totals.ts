/** Totals for all posts of a snapshot: snapshot.json has them, and a build compares them with those before. */
import type { Post } from "../../functions/contract/resources.ts";

/** How many posts, comments, distinct tags and tags of posts there are, and UTF-16 units of titles, bodies (as HTML) and comments. */
export const totalNames = ["posts", "comments", "tags", "tagLinks", "characters"] as const;

export type Totals = Readonly<Record<(typeof totalNames)[number], number>>;

/** What messages call each total. */
export const totalLabels: Readonly<Record<keyof Totals, string>> = {
  posts: "posts",
  comments: "comments",
  tags: "tags",
  tagLinks: "tags of posts",
  characters: "characters of text",
};

/** Counts posts one by one. */
export class TotalsCounter {
  #posts = 0;
  #comments = 0;
  #tagLinks = 0;
  #characters = 0;
  readonly #tagIds = new Set<number>();

  add({ postTitle, postContentHtml, comments, tags }: Post): void {
    this.#posts++;
    this.#comments += comments.length;
    this.#tagLinks += tags.length;
    this.#characters += postTitle.length + postContentHtml.length;
    for (const { commentContent } of comments) this.#characters += commentContent.length;
    for (const { tagId } of tags) this.#tagIds.add(tagId);
  }

  get totals(): Totals {
    return {
      posts: this.#posts,
      comments: this.#comments,
      tags: this.#tagIds.size,
      tagLinks: this.#tagLinks,
      characters: this.#characters,
    };
  }
}
