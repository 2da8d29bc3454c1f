/** Documents of the API → results of the tools. */
import type { Post, TagCount } from "../contract/resources.ts";
import type { Static } from "../contract/schema.ts";
import {
  dataNotice,
  listedTags,
  longestSnippet,
  longestText,
  type tools,
} from "../contract/tools.ts";
import type { RankedPage } from "./ranked-search.ts";

/** A result of `search`. */
export type SearchOutput = Static<typeof tools.search.output>;
/** A result of `fetch`. */
export type FetchOutput = Static<typeof tools.fetch.output>;

/** What an agent may try next. */
function adviceFor({ count, matchAll, readAs, words, orderby }: RankedPage): string {
  if (count === 0 && orderby !== undefined && words.length > 1)
    return "No post contains all words. Use fewer words, or orderby relevance.";
  if (count === 0)
    return words.length === 0
      ? "No post carries all of these tags. Use fewer tags."
      : "No post contains this. Try another word or spelling, a part of the word, or fewer tags.";
  if (readAs === "words" && matchAll === 0)
    return "No post contains all words; these contain some. Try fewer words, or another spelling.";
  return "";
}

/**
 * A page of search results, as the tool gives it.
 *
 * @param query as it was sent
 * @param snippets of the first results, in their order; there may be fewer snippets than results
 */
export function searchOutput(
  query: string,
  found: RankedPage,
  snippets: readonly string[],
): SearchOutput {
  const { hits, tagCounts, readAs, words, ignoredWords, count, matchAll, matchSome, page } = found;
  const totalPages = Math.ceil(count / found.pageSize);
  return {
    results: hits.map(({ hit, words: matched }, i) => ({
      id: String(hit.postId),
      title: hit.postTitle,
      url: hit.postUrl,
      matchedWords: [...matched],
      snippet: snippets[i] ?? "",
      ...hit,
    })),
    metadata: {
      query,
      count,
      page,
      totalPages,
      // One keyword weighs the same in every post, so the newest come first.
      orderby: found.orderby ?? (readAs === "keyword" ? "timeDesc" : "relevance"),
      hasMore: page < totalPages,
      readAs,
      words: [...words],
      ignoredWords,
      matchAll,
      matchSome,
      advice: adviceFor(found),
    },
    tagCounts: (JSON.parse(tagCounts) as TagCount[]).slice(0, listedTags),
    notice: dataNotice,
  };
}

/**
 * A part of a text around words: where the most of them are near each other.
 *
 * @param words normalised; here they are looked for in a text that is only in lower case
 */
export function snippetOf(text: string, words: readonly string[]): string {
  const line = text.replace(/\s+/gu, " ").trim();
  // Of most texts, folding case keeps the length, so that positions are the same.
  const folded = line.toLowerCase();
  const positions = (folded.length === line.length ? words : [])
    .flatMap((word) => {
      const at = folded.indexOf(word);
      return at < 0 ? [] : [at];
    })
    .sort((a, b) => a - b);
  const within = (from: number): number =>
    positions.filter((at) => at >= from && at < from + longestSnippet - 40).length;
  const best = positions.reduce(
    (one, at) => (within(at) > within(one) ? at : one),
    positions[0] ?? 0,
  );
  const start = Math.max(0, Math.min(best - 30, line.length - longestSnippet + 2));
  const end = start + longestSnippet - 2;
  const part = line
    .slice(start, end)
    .toWellFormed()
    .replace(/^\uFFFD|\uFFFD$/g, "");
  return `${start > 0 ? "…" : ""}${part}${end < line.length ? "…" : ""}`;
}

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

/** What follows a text that was cut off. */
const cutOff = (rest: number, length: number, next: number): string =>
  `\n\n[cut off: ${rest} of ${length} characters follow. Call fetch with the same id and offset ${next} to read on.]`;

/** A place in a text, or the one before it within a surrogate pair. */
const wholeCharacter = (text: string, at: number): number =>
  /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(Math.max(0, at - 1), at + 1)) ? at - 1 : at;

/** At most `longestText` characters from an offset on, what says where to read on included. Nothing beyond the end. */
function shortened(text: string, offset: number): string {
  const start = wholeCharacter(text, offset);
  const { length } = text;
  if (length - start <= longestText) return text.slice(start);
  // No number in it is greater than the length.
  const end = wholeCharacter(text, start + longestText - cutOff(length, length, length).length);
  return text.slice(start, end) + cutOff(length - end, length, end);
}

/**
 * A post as plain text.
 *
 * @param plainText makes plain text of HTML
 * @param offset characters to skip
 */
export const fetchOutput = (
  post: Post,
  plainText: (html: string) => string,
  offset: number,
): FetchOutput => ({
  id: String(post.postId),
  title: post.postTitle,
  text: shortened(textOf(post, plainText), offset),
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
