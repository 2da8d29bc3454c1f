/** Documents of the API → results of the tools. */
import type { Parser as HtmlParser } from "htmlparser2";
import type { Post, SearchHit } from "../contract/resources.ts";
import type { Static } from "../contract/schema.ts";
import { longestHandedOut, resultNotice, type tools } from "../contract/tools.ts";
import { plainText } from "../html/plain-text.ts";
import type { RankedPage, RankedQuery } from "./ranked-search.ts";

/** A result of `search`. */
export type SearchOutput = Static<typeof tools.search.output>;
/** A result of `fetch`. */
export type FetchOutput = Static<typeof tools.fetch.output>;

/** Characters of a name in an advice. */
const maxShown = 100;

/** What an agent may try where nothing was found, though all tags are known. */
function adviceForNone(
  { words, matchAll, matchSome }: RankedPage,
  orderby: RankedQuery["orderby"],
): string {
  // An order wants all words.
  const matching = orderby === undefined ? matchSome : matchAll;
  if (matching > 0)
    return `Posts match (${matching}), but none of them carries all of these tags. Use fewer tags.`;
  return orderby !== undefined && words.length > 1
    ? "No post contains all words. Use fewer words, or orderby relevance."
    : "No post contains this. Try other words or fewer tags.";
}

const quote = (names: readonly string[]): string =>
  names.map((name) => JSON.stringify(name.slice(0, maxShown))).join(", ");

/** What an agent should know of how it was read, and may try next. */
function adviceFor(found: RankedPage, orderby: RankedQuery["orderby"]): string {
  const { unknownWords, unknownTags, count, hits } = found;
  const advice = unknownTags.map(({ tag, similar }) => {
    const meant = similar.length === 0 ? "" : ` Similar: ${quote(similar)}.`;
    return `No post has the tag ${quote([tag])}.${meant}`;
  });
  if (count === 0 && unknownTags.length === 0) advice.push(adviceForNone(found, orderby));
  if (count > 0 && unknownWords.length > 0)
    advice.push(`No post contains: ${quote(unknownWords)}.`);
  if (count > 0 && hits.length === 0) advice.push("This page is after the last one.");
  return advice.join(" ");
}

/** A result of a search, as data. */
export type SearchOutputHit = SearchOutput["results"][number];

/** A hit as a result. */
export const resultOf = (
  { postId, postTitle, postUrl, ...hit }: SearchHit,
  matchedWords: readonly string[],
  snippet: string,
): SearchOutputHit => ({
  id: String(postId),
  title: postTitle,
  url: postUrl,
  matchedWords: [...matchedWords],
  snippet,
  ...hit,
});

/** What a model needs of a result, as text. */
export const briefResult = ({ id, title, url, postDateGmt, snippet }: SearchOutputHit): object => ({
  id,
  title,
  url,
  dateGmt: postDateGmt.slice(0, 10),
  ...(snippet !== "" && { snippet }),
});

/**
 * A page of search results, as the tool gives it.
 *
 * @param snippets of the first results, in their order; there may be fewer snippets than results
 */
export function searchOutput(
  { q, page, pageSize, orderby }: RankedQuery,
  found: RankedPage,
  snippets: readonly string[],
): SearchOutput {
  const { hits, tagCounts, readAs, words, ignoredWords, count, matchAll, matchSome } = found;
  const totalPages = Math.ceil(count / pageSize);
  return {
    results: hits.map(({ hit, words: matched }, i) => resultOf(hit, matched, snippets[i] ?? "")),
    metadata: {
      query: q,
      count,
      page,
      totalPages,
      // Without words, the newest come first.
      orderby: orderby ?? (words.length === 0 ? "timeDesc" : "relevance"),
      hasMore: page < totalPages,
      readAs,
      words: [...words],
      ignoredWords,
      matchAll,
      matchSome,
      advice: adviceFor(found, orderby),
    },
    tagCounts,
    notice: resultNotice,
  };
}

/** What a model needs of a page of results, as text: structured content has the rest. */
export const toModelText = ({ results, metadata, tagCounts, notice }: SearchOutput): object => ({
  results: results.map(briefResult),
  count: metadata.count,
  // It is counted without the wanted tags: where they leave posts out, it would be taken for a part of the count.
  ...(metadata.count === metadata.matchSome && { matchAll: metadata.matchAll }),
  tags: tagCounts.map(({ tagName }) => tagName),
  ...(metadata.advice !== "" && { advice: metadata.advice }),
  notice,
});

/** Signs around what the server says in a text of users: theirs are replaced, so that they cannot imitate it. */
const serverNote = (words: string): string => `⟦${words}⟧`;
const escapeServerNote = (text: string): string => text.replaceAll("⟦", "[").replaceAll("⟧", "]");
/** A name on one line. */
const inLine = (name: string): string => escapeServerNote(name).replace(/\s+/gu, " ").trim();

/** Body, tags and comments of a post, one below the other. */
function renderPost(post: Post, Parser: typeof HtmlParser): string {
  const comments = post.comments.map(
    ({ commentId, commentAuthor, commentDateGmt, commentContent, commentParent, likesCount }) => {
      const answer = commentParent === 0 ? "" : `, answer to ${commentParent}`;
      const facts = `comment ${commentId}${answer}; ${commentDateGmt}; ${likesCount} likes; by`;
      return `${serverNote(facts)} ${inLine(commentAuthor)}\n${escapeServerNote(commentContent)}`;
    },
  );
  const tags = post.tags.map(({ tagName }) => inLine(tagName)).join(", ");
  const options = { hasUrls: true, base: post.postUrl };
  return [
    inLine(post.postTitle),
    escapeServerNote(plainText(post.postContentHtml, Parser, options)),
    ...(tags === "" ? [] : [`${serverNote("tags")} ${tags}`]),
    ...(comments.length === 0
      ? []
      : [serverNote(`comments: ${comments.length}, newest first`), ...comments]),
  ].join("\n\n");
}

/** What follows a text that was cut off. */
const cutOff = (rest: number, length: number, next: number): string =>
  `\n\n${serverNote(`cut off: ${rest} of ${length} characters follow. Call fetch with the same id and offset ${next} to read on.`)}`;

/** A place in a text, or the one before it within a surrogate pair. */
const wholeCharacter = (text: string, at: number): number =>
  /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(Math.max(0, at - 1), at + 1)) ? at - 1 : at;

/** At most `longestHandedOut` characters from an offset on, what says where to read on included. Nothing beyond the end. */
function shortened(text: string, offset: number): string {
  const start = wholeCharacter(text, offset);
  const { length } = text;
  if (length - start <= longestHandedOut) return text.slice(start);
  // No number in it is greater than the length.
  const end = wholeCharacter(
    text,
    start + longestHandedOut - cutOff(length, length, length).length,
  );
  return text.slice(start, end) + cutOff(length - end, length, end);
}

/**
 * A post as plain text.
 *
 * @param Parser of htmlparser2
 * @param offset characters to skip
 */
export const fetchOutput = (
  post: Post,
  Parser: typeof HtmlParser,
  offset: number,
): FetchOutput => ({
  id: String(post.postId),
  title: post.postTitle,
  text: shortened(renderPost(post, Parser), offset),
  url: post.postUrl,
  metadata: {
    postDateGmt: post.postDateGmt,
    tagNames: post.tags.map(({ tagName }) => tagName),
    countLikes: post.countLikes,
    countDislikes: post.countDislikes,
    countBookmarks: post.countBookmarks,
    countComments: post.countComments,
    similarPosts: post.similarPosts,
    notice: resultNotice,
  },
});
