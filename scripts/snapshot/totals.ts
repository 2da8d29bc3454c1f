/** Totals for all posts of a snapshot: snapshot.json has them, and a build compares them with those before. */
import type { Post } from "../../functions/contract/resources.ts";

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

const lengthOf = ({ length }: string): number => length;

/** Anything but tags and white space. */
const textBesideTags = /(?:^|>)[^<]*[^\s<]/;

/** What is counted, of each post. */
const counts = {
  posts: () => 1,
  comments: ({ comments }) => comments.length,
  /** Distinct tags that a post carries: those of all posts are counted together. */
  tags: () => 0,
  taggedPosts: ({ tags }) => Math.min(1, tags.length),
  /** Tags of all posts, each as often as posts carry it. */
  tagLinks: ({ tags }) => tags.length,
  likes: ({ countLikes }) => countLikes,
  dislikes: ({ countDislikes }) => countDislikes,
  bookmarks: ({ countBookmarks }) => countBookmarks,
  /** Likes and dislikes of comments. */
  commentVotes: ({ comments }) =>
    sum(comments.map(({ likesCount, dislikesCount }) => likesCount + dislikesCount)),
  /** Posts with a title, and with a text in the body; comments with an author, and with a text. */
  titles: ({ postTitle }) => (postTitle === "" ? 0 : 1),
  bodies: ({ postContentHtml }) => (textBesideTags.test(postContentHtml) ? 1 : 0),
  authors: ({ comments }) => comments.filter(({ commentAuthor }) => commentAuthor !== "").length,
  commentTexts: ({ comments }) =>
    comments.filter(({ commentContent }) => commentContent !== "").length,
  /** UTF-16 units of titles, bodies (as HTML) and comments. */
  characters: ({ postTitle, postContentHtml, comments }) =>
    sum([postTitle, postContentHtml, ...comments.map((one) => one.commentContent)].map(lengthOf)),
  /** Comments that answer another one, posts with a picture, similar posts of all, and posts that are welcomed or not. */
  replies: ({ comments }) => comments.filter(({ commentParent }) => commentParent !== 0).length,
  pictures: ({ ogpImageUrl }) => (ogpImageUrl === null ? 0 : 1),
  similarPosts: ({ similarPosts }) => similarPosts.length,
  welcomeFlags: ({ isWelcomed }) => (isWelcomed === null ? 0 : 1),
  explanations: ({ isWelcomedExplanation }) => (isWelcomedExplanation ? 1 : 0),
} satisfies Readonly<Record<string, (post: Post) => number>>;

/** The sums of `counts` over all posts. */
export type Totals = Readonly<Record<keyof typeof counts, number>>;

export const totalNames = Object.keys(counts) as readonly (keyof Totals)[];

/** Counts posts one by one. Sums beyond 2^53 - 1 stay there. */
export class TotalsCounter {
  readonly #sums = totalNames.map(() => 0);
  readonly #tagIds = new Set<number>();

  add(post: Post): void {
    for (const [i, name] of totalNames.entries())
      this.#sums[i] = Math.min(Number.MAX_SAFE_INTEGER, this.#sums[i]! + counts[name](post));
    for (const { tagId } of post.tags) this.#tagIds.add(tagId);
  }

  get totals(): Totals {
    const sums = Object.fromEntries(totalNames.map((name, i) => [name, this.#sums[i]]));
    return { ...(sums as Totals), tags: this.#tagIds.size };
  }
}
