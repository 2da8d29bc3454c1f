/** Documents of the API → results of the tools. */
import type { Post, SearchResult } from "../contract/resources.ts";
import type { Static } from "../contract/schema.ts";
import { dataNotice, listedTags, longestText, type tools } from "../contract/tools.ts";

/** A result of `search`. */
export type SearchOutput = Static<typeof tools.search.output>;
/** A result of `fetch`. */
export type FetchOutput = Static<typeof tools.fetch.output>;

/** A page of search results, as the tool gives it. */
export const searchOutput = ({ metadata, tagCounts, results }: SearchResult): SearchOutput => ({
  results: results.map((hit) => ({
    id: String(hit.postId),
    title: hit.postTitle,
    url: hit.postUrl,
    ...hit,
  })),
  metadata,
  tagCounts: tagCounts.slice(0, listedTags),
  notice: dataNotice,
});

/** Body, tags and comments of a post, one below the other. */
function textOf(post: Post, plainText: (html: string) => string): string {
  const comments = post.comments.map(
    ({ commentId, commentAuthor, commentDateGmt, commentContent, commentParent, likesCount }) =>
      `[comment ${commentId}${commentParent === 0 ? "" : `, answer to ${commentParent}`}; ` +
      `${commentAuthor}; ${commentDateGmt}; ${likesCount} likes]\n${commentContent}`,
  );
  const tags = post.tags.map(({ tagName }) => tagName).join(", ");
  return [
    post.postTitle,
    plainText(post.postContentHtml),
    ...(tags === "" ? [] : [`Tags: ${tags}`]),
    ...(comments.length === 0 ? [] : [`Comments (${comments.length}), newest first:`, ...comments]),
  ].join("\n\n");
}

/** At most `longestText` characters, never half of a surrogate pair. */
function shortened(text: string): string {
  if (text.length <= longestText) return text;
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(longestText - 1));
  const kept = text.slice(0, longestText - (isHalf ? 1 : 0));
  return `${kept}\n\n[cut off: ${text.length - kept.length} of ${text.length} characters are missing]`;
}

/**
 * A post as plain text.
 *
 * @param plainText makes plain text of HTML
 */
export const fetchOutput = (post: Post, plainText: (html: string) => string): FetchOutput => ({
  id: String(post.postId),
  title: post.postTitle,
  text: shortened(textOf(post, plainText)),
  url: post.postUrl,
  metadata: {
    postDateGmt: post.postDateGmt,
    tagNames: post.tags.map(({ tagName }) => tagName),
    countLikes: post.countLikes,
    countDislikes: post.countDislikes,
    countBookmarks: post.countBookmarks,
    countComments: post.countComments,
    similarPosts: post.similarPosts,
    notice: dataNotice,
  },
});
