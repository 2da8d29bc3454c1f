/**
 * Words → posts, those that fit best first. For agents, who ask in words.
 *
 * Each post has a score (`scorer.ts`). What is looked for, and its share of the score, is in `query-words.ts`: words, what
 * begins words with the same stem, and pairs of characters. Among the best posts, and those that have the query as their
 * title, words in the title count more.
 */
import type { SearchHit, SortOrder, TagCount } from "../contract/resources.ts";
import type { Static } from "../contract/schema.ts";
import { bestPosts, listedTags, mostQueryWords, type tools } from "../contract/tools.ts";
import { countWhile } from "../search/binary-search.ts";
import { tokenizeKeyword } from "../search/tokenizer.ts";
import type { MountedIndex } from "../search/flexsearch-index.ts";
import type { IndexReader, DocIds } from "../search/index-reader.ts";
import {
  estimateCost,
  searchPhraseWithFrequencies,
  searchTitleStart,
} from "../search/phrase-search.ts";
import { normalise } from "../search/normalise.ts";
import { nearestNames } from "./nearest-names.ts";
import { intersect, type TermFrequencies } from "../search/postings.ts";
import { postsTagged, countFacets } from "../search/results.ts";
import type { SearchQuery } from "../search/search-query.ts";
import { pageOf } from "../search/sort-orders.ts";
import {
  phraseOf,
  queryWord,
  withEitherApostrophe,
  wordsOf,
  type QueryWord,
  type QueryWords,
  type Stemmer,
  type Term,
} from "./query-words.ts";
import {
  idfOf,
  mostOf,
  withScorer,
  type ScoredPost,
  type Scorer,
  type WeightedOccurrences,
} from "./scorer.ts";

/**
 * The words of the query in a title add this many times their idf, times the root of their share of the
 * title: a title that is about the query counts more than a long one that mentions a word of it.
 */
const titleWeight = 0.75;
/**
 * What all words of a query may take together, in numbers of lists. Words of a collection that repeats one
 * character would take seconds otherwise; in other texts, 32 words take less.
 */
const mostCost = 4_000_000;
/** Decimal places of a score that decide the order. */
const precision = 1e6;

/** A query in words; with `orderby` undefined the best posts come first. */
export type RankedQuery = Omit<SearchQuery, "orderby"> & {
  readonly orderby: SortOrder | undefined;
};

/** A post that a query in words found. */
export interface RankedHit {
  readonly hit: SearchHit;
  /** The words of the query that the post contains in some form, in their order. */
  readonly words: readonly string[];
  /** What was found of those that say most, normalised: the words, or how words with the same stem begin. */
  readonly needles: readonly string[];
}

type Metadata = Static<typeof tools.search.output>["metadata"];
type Reported = "readAs" | "words" | "ignoredWords" | "count" | "matchAll" | "matchSome";

/** Posts that a query in words found: a page of them, and how it was read, which a result reports as it is. */
export interface RankedPage extends Pick<Metadata, Reported> {
  readonly hits: readonly RankedHit[];
  /** The most frequent tags of the hits; of ranked ones, of the best. Wanted tags do not count. */
  readonly tagCounts: readonly TagCount[];
  /** Words that no post contains, each with the words that were looked for instead. */
  readonly replaced: readonly QueryWord[];
  /** Other words that no post contains in any form. */
  readonly unknownWords: readonly string[];
  /** Tags that no post has, in comparison form, each with names that are near. */
  readonly unknownTags: readonly { readonly tag: string; readonly nearest: readonly string[] }[];
}

/** A word of a query, and the posts that contain it. */
interface WordMatches {
  readonly asked: QueryWord;
  /** The posts that contain it as it is. */
  readonly posts: DocIds;
  /** The posts of each form that counts as it; the word as it is comes first. */
  readonly forms: readonly DocIds[];
}

/** A word of a query, and what it adds to the scores of posts. */
interface ScoredWord extends WordMatches {
  readonly terms: readonly WeightedOccurrences[];
}

/** What a query that is read as one keyword found: posts that have all of its words. */
interface KeywordMatches {
  readonly readAs: "keyword";
  readonly words: readonly WordMatches[];
  /** The posts that contain the query as it is. */
  readonly whole: DocIds;
}

/** What a query in words found. */
interface QueryMatches {
  readonly readAs: "words";
  /** The whole query, as a needle. */
  readonly phrase: string;
  readonly words: readonly WordMatches[];
  /** All that counts for the score, each list of posts once. */
  readonly scored: readonly WeightedOccurrences[];
  /** The posts that contain the whole query as it is. */
  readonly whole: DocIds;
  /** Of these, where they are many: those whose title is the query, or begins with it and a space. */
  readonly titled: DocIds;
  /** Words that no post contains, and for which the words between their signs were looked for. */
  readonly replaced: readonly QueryWord[];
  /** Number of words that were not looked for. */
  readonly ignored: number;
}

/** The terms that a needle is found with: one that is a gram itself, or several that adjoin. */
const gramTermsOf = ({ manifest, isFrequent }: IndexReader, needle: string): string[] =>
  tokenizeKeyword(needle.slice(0, manifest.longestText + 1), isFrequent);

/** One query's work: the index, and a scorer that no other query uses meanwhile. */
interface QueryContext {
  readonly index: MountedIndex;
  readonly scorer: Scorer;
}

/** Looks up a needle. */
async function occurrencesOf(
  { index: { files }, scorer }: QueryContext,
  needle: string,
): Promise<TermFrequencies> {
  if (files.isFrequent(needle)) return scorer.once(await files.posts(needle));
  return searchPhraseWithFrequencies(files, gramTermsOf(files, needle));
}

/** What it takes to find a needle, in numbers of lists. Reads these. */
const costOf = async (files: IndexReader, needle: string): Promise<number> =>
  files.isFrequent(needle) ? 0 : estimateCost(files, gramTermsOf(files, needle));

/** Does the work for each needle of some terms, once. */
async function byNeedle<T>(
  terms: readonly Term[],
  work: (needle: string) => Promise<T>,
): Promise<ReadonlyMap<string, T>> {
  const needles = [...new Set(terms.flatMap((term) => term.needles))];
  const results = await Promise.all(needles.map(work));
  return new Map(needles.map((needle, i) => [needle, results[i]!]));
}

/** Those that do not take too much together, the cheapest first; at least one. @param costs as `costOf` gives them */
function affordable<T extends { readonly terms: readonly Term[] }>(
  all: readonly T[],
  costs: ReadonlyMap<string, number>,
): T[] {
  const sums = all.map(({ terms }) =>
    terms.flatMap(({ needles }) => needles).reduce((sum, needle) => sum + costs.get(needle)!, 0),
  );
  const order = [...all.keys()].sort((x, y) => sums[x]! - sums[y]!);
  let total = 0;
  const chosen = order.filter((one, i) => (total += sums[one]!) <= mostCost || i === 0);
  return chosen.sort((x, y) => x - y).map((one) => all[one]!);
}

/** Looks up words and what is beside them, in one round of reads; the lists are then in memory. */
async function matchWords(
  context: QueryContext,
  words: readonly QueryWord[],
  beside: readonly Term[],
): Promise<{
  readonly words: readonly ScoredWord[];
  readonly beside: readonly WeightedOccurrences[];
}> {
  const { scorer } = context;
  const { files } = context.index;
  const total = files.manifest.posts;
  const wanted = [...words.flatMap(({ terms }) => terms), ...beside];
  const costs = await byNeedle(wanted, (needle) => costOf(files, needle));
  const chosen = affordable(words, costs);
  const one = beside.map((term) => ({ terms: [term] as const }));
  const others = chosen.length < words.length ? [] : affordable(one, costs);
  const occurrences = await byNeedle(
    [...chosen, ...others].flatMap(({ terms }) => terms),
    (needle) => occurrencesOf(context, needle),
  );
  const weigh = ({ needles, share }: Term): WeightedOccurrences => {
    const { docIds, freqs } = scorer.together(needles.map((needle) => occurrences.get(needle)!));
    return { docIds, freqs, weight: share * idfOf(total, docIds.length) };
  };
  return {
    words: chosen.map((asked) => {
      const terms = asked.terms.map(weigh);
      const forms = terms.map(({ docIds }) => docIds);
      return { asked, posts: forms[0]!, forms, terms };
    }),
    beside: others.map(({ terms: [term] }) => weigh(term)),
  };
}

/** All posts of some lists, ascending. */
const unionOf = (scorer: Scorer, lists: readonly DocIds[]): DocIds =>
  scorer.together(lists.map((docIds) => scorer.once(docIds))).docIds;

/** The posts that contain a needle, with either apostrophe. */
async function findEither({ index, scorer }: QueryContext, needle: string): Promise<DocIds> {
  const forms = withEitherApostrophe(needle);
  return unionOf(scorer, await Promise.all(forms.map((form) => index.find(form))));
}

const none: DocIds = new Uint32Array(0);

/** Looks up the posts whose title is one of these; none for one that is frequent, of which no positions are known. */
async function titledWith(
  { index: { files }, scorer }: QueryContext,
  titles: readonly string[],
): Promise<DocIds> {
  const needles = titles.map((title) => ` ${title} `).filter((one) => !files.isFrequent(one));
  const lists = await Promise.all(
    needles.map((needle) => searchTitleStart(files, gramTermsOf(files, needle))),
  );
  return unionOf(scorer, lists);
}

/** What was found; what has the same list as one, such as a word that is also a pair of characters. */
function scoredLists(all: readonly WeightedOccurrences[]): WeightedOccurrences[] {
  return [...Map.groupBy(all, ({ docIds }) => docIds).values()].map((same) => ({
    ...same[0]!,
    weight: same.reduce((sum, { weight }) => sum + weight, 0),
  }));
}

/** Looks up a query; of a word with signs that no post contains, the words between them. */
async function matchQuery(
  context: QueryContext,
  read: QueryWords,
  stemmer: Stemmer,
): Promise<QueryMatches> {
  const isWord = read.words.some(({ word }) => word === read.phrase);
  const [asPhrase, found] = await Promise.all([
    isWord ? undefined : findEither(context, read.phrase),
    matchWords(context, read.words, read.beside),
  ]);
  const whole =
    asPhrase ?? found.words.find(({ asked }) => asked.word === read.phrase)?.posts ?? none;
  // Of fewer, all are among the best.
  const titled = whole.length > bestPosts ? await titledWith(context, read.titles) : none;
  const replaced = found.words
    .filter(({ asked, posts }) => posts.length === 0 && asked.instead.length > 0)
    .map(({ asked }) => asked);
  const kept = found.words.filter(({ asked }) => !replaced.includes(asked));
  const known = new Set(kept.map(({ asked }) => asked.word));
  const instead = new Set(replaced.flatMap((asked) => asked.instead));
  const unknown = [...instead].filter((one) => !known.has(one));
  const others = unknown
    .slice(0, mostQueryWords - kept.length)
    .map((one) => queryWord(one, stemmer));
  const more = await matchWords(context, others, []);
  const words = [...kept, ...more.words];
  const ignored = read.words.length - found.words.length + unknown.length - more.words.length;
  const scored = scoredLists([...words.flatMap(({ terms }) => terms), ...found.beside]);
  const { phrase } = read;
  return { readAs: "words", phrase, words, scored, whole, titled, replaced, ignored };
}

/**
 * Looks up a query that may be read as one keyword.
 *
 * @param isOneWord whether it is no more than one of its words
 * @returns undefined for a query that is better read in words
 */
async function matchKeyword(
  index: MountedIndex,
  read: QueryWords,
  isOneWord: boolean,
  orderby: SortOrder | undefined,
): Promise<KeywordMatches | undefined> {
  const mayBe = read.phrase === "" || (orderby !== undefined && (isOneWord || read.isOnePiece));
  if (!mayBe) return undefined;
  const whole = await index.find(read.phrase);
  if (whole.length === 0 && !isOneWord) return undefined;
  const words = read.words.map((asked) => ({ asked, posts: whole, forms: [whole] }));
  return { readAs: "keyword", words, whole };
}

/** Whether a list has a post. @param list ascending */
function has(list: DocIds, post: number): boolean {
  return list[countWhile(list.length, (i) => list[i]! < post)] === post;
}

/** The posts that contain every word as it is. */
function common(words: readonly WordMatches[]): DocIds {
  const [first, ...others] = words.toSorted((x, y) => x.posts.length - y.posts.length);
  if (first === undefined) return none;
  // At distance 0: the posts that both lists have.
  return others.reduce((left, { posts }) => intersect(left, posts), first.posts);
}

/** What words in a title add to a score. @param posts number of all posts */
function titleScore(words: readonly WordMatches[], title: string, posts: number): number {
  const inTitle = words.filter(({ asked }) =>
    asked.terms[0].needles.some((needle) => title.includes(needle)),
  );
  const weight = inTitle.reduce((sum, one) => sum + idfOf(posts, one.posts.length), 0);
  const units = inTitle.reduce((sum, { asked }) => sum + asked.word.length, 0);
  return weight === 0 ? 0 : titleWeight * weight * Math.sqrt(Math.min(1, units / title.length));
}

/** The hits of posts, in their order. */
const hitsOf = async (files: IndexReader, posts: readonly number[]): Promise<SearchHit[]> =>
  (await files.hits(posts)).map((json) => JSON.parse(json) as SearchHit);

/** A page of the posts that were found. */
interface Listing {
  /** Posts with the wanted tags, on all pages. */
  readonly count: number;
  /** Those of the page. */
  readonly numbers: readonly number[];
  /** The posts whose tags are shown. */
  readonly hinting: DocIds;
}

/** Some posts in the order that a query names. */
function inOrder(files: IndexReader, posts: DocIds, query: RankedQuery): Listing {
  const tagged = postsTagged(files, posts, query.tags);
  const { orderby = "timeDesc" } = query;
  const numbers = pageOf(tagged, { ...query, orderby }, files.catalog.likeOrder);
  return { count: tagged.length, numbers, hinting: posts };
}

/** Posts that were scored just now, the best first. */
async function byScore(
  { index: { files }, scorer }: QueryContext,
  found: QueryMatches,
  some: DocIds,
  query: RankedQuery,
): Promise<Listing> {
  const bestOf = (posts: DocIds): ScoredPost[] => {
    const most = Math.max(bestPosts, Math.min(posts.length, query.page * query.pageSize));
    return scorer.best(posts, most);
  };
  const tagged = postsTagged(files, some, query.tags);
  const count = tagged.length;
  // Nearly every post has some of the words of a question: tags of all of them would say nothing of it.
  const best = bestOf(some);
  const hinting = Uint32Array.from(best.slice(0, bestPosts), ({ post }) => post);
  const listed = count === some.length ? best : bestOf(tagged);
  const byTitle = scorer.best(intersect(found.titled, tagged), bestPosts);
  return { count, hinting, numbers: await bestPage(files, found, [listed, byTitle], query) };
}

/**
 * A page of the best posts, whose titles count, too.
 *
 * @param listed the best, and those that count for their title as well
 */
async function bestPage(
  files: IndexReader,
  found: QueryMatches,
  [best, byTitle]: readonly [readonly ScoredPost[], readonly ScoredPost[]],
  { page, pageSize }: RankedQuery,
): Promise<number[]> {
  const first = new Map([...best.slice(0, bestPosts), ...byTitle].map((one) => [one.post, one]));
  const titled = [...first.values()].sort((x, y) => x.post - y.post);
  const titles = await hitsOf(
    files,
    titled.map(({ post }) => post),
  );
  // As much as texts can have, and as the whole query in a text adds.
  const most = mostOf(found.scored);
  const ordered = titled
    .map(({ post, score }, i) => {
      const title = normalise(titles[i]!.postTitle);
      const asWhole = phraseOf(title) === found.phrase ? most : 0;
      const withTitle = score + titleScore(found.words, title, files.manifest.posts) + asWhole;
      return { post, score: Math.round(withTitle * precision) };
    })
    .sort((x, y) => y.score - x.score);
  const start = (page - 1) * pageSize;
  return [...ordered, ...best.filter(({ post }) => !first.has(post))]
    .slice(start, start + pageSize)
    .map(({ post }) => post);
}

/** A word that more posts than this share contain says little: it is what the whole collection is about. */
const commonShare = 0.2;

/** A hit, and why it is one. @param posts number of all posts */
function explained(
  hit: SearchHit,
  post: number,
  words: readonly WordMatches[],
  posts: number,
): RankedHit {
  const inPost = words.filter(({ forms }) => forms.some((form) => has(form, post)));
  const rare = inPost.filter((word) => word.posts.length <= posts * commonShare);
  const telling = rare.length > 0 ? rare : inPost;
  return {
    hit,
    words: inPost.map(({ asked }) => asked.word),
    needles: telling.flatMap(({ asked }) => [...asked.terms[0].needles, ...asked.beginnings]),
  };
}

/** Near names that are given for a tag that is not known. */
const mostNearest = 3;
/** Unknown tags that nearest names are looked for: each is compared with every tag. */
const mostUnknown = 5;

/** The wanted tags that no post has. @param wanted in comparison form */
async function unknownTags(
  files: IndexReader,
  wanted: readonly string[],
): Promise<RankedPage["unknownTags"]> {
  const unknown = wanted.filter((tag) => files.tagsWithKey(tag).length === 0);
  if (unknown.length === 0) return [];
  const { distance } = await import("fastest-levenshtein");
  return unknown.slice(0, mostUnknown).map((tag) => ({
    tag,
    nearest: nearestNames(tag, files.tags, distance).slice(0, mostNearest),
  }));
}

/**
 * Searches by words.
 *
 * @param query its `q` in words
 * @throws IndexUnavailable when a part of the index cannot be read
 */
export const rankedSearch = (index: MountedIndex, query: RankedQuery): Promise<RankedPage> =>
  withScorer(index.files, (scorer) => searchWith({ index, scorer }, query));

async function searchWith(context: QueryContext, query: RankedQuery): Promise<RankedPage> {
  const { index, scorer } = context;
  const { files } = index;
  const { orderby } = query;
  const { stemmer } = await import("stemmer");
  const read = wordsOf(query.q, stemmer);
  const isOneForm = withEitherApostrophe(read.phrase).length === 1;
  const isOneWord = isOneForm && read.words.length === 1 && read.words[0]!.word === read.phrase;
  const found =
    (await matchKeyword(index, read, isOneWord, orderby)) ??
    (await matchQuery(context, read, stemmer));
  const isKeyword = found.readAs === "keyword";
  const { words, whole } = found;
  const all = isKeyword ? whole : common(words);
  const unknown = words.filter(({ forms }) => forms.every((form) => form.length === 0));
  const some = isKeyword ? whole : scorer.score(found.scored, whole);
  const matchSome = some.length;
  // Other orders list only posts with all words: among posts with any common word, they would be hard to find.
  const { count, numbers, hinting } =
    isKeyword || orderby !== undefined
      ? inOrder(files, all, query)
      : await byScore(context, found, some, query);
  const hits = await hitsOf(files, numbers);
  return {
    hits: hits.map((hit, i) => explained(hit, numbers[i]!, words, files.manifest.posts)),
    tagCounts: countFacets(files, hinting, listedTags).map(({ tag, count: carrying }) => ({
      tagName: files.tags[tag]!,
      count: carrying,
    })),
    readAs: isKeyword || (isOneWord && matchSome === whole.length) ? "keyword" : "words",
    words: words.map(({ asked }) => asked.word),
    replaced: isKeyword ? [] : found.replaced,
    unknownWords: unknown.map(({ asked }) => asked.word),
    unknownTags: await unknownTags(files, query.tags),
    ignoredWords: read.ignored + (isKeyword ? 0 : found.ignored),
    count,
    matchAll: all.length,
    matchSome,
  };
}
