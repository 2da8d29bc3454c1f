/**
 * Words → posts, those that fit best first. For agents, who ask in words.
 *
 * Each post has a score (`scorer.ts`). What is looked for, and its weight, is in `query-parser.ts`: words, what begins
 * words with the same stem, and pairs of characters. Among the best posts, words in the title count more.
 */
import type { SearchHit, SortOrder, TagCount } from "../contract/resources.ts";
import type { Static } from "../contract/schema.ts";
import { bestPosts, listedTags, type tools } from "../contract/tools.ts";
import { partitionPoint } from "../engine/binary-search.ts";
import type { MountedIndex } from "../engine/flexsearch-index.ts";
import type { IndexReader } from "../engine/index-reader.ts";
import { searchKeywordWithFrequencies } from "../engine/keyword-search.ts";
import { normalize } from "../engine/normalize.ts";
import { estimateCost } from "../engine/phrase-search.ts";
import { intersect } from "../engine/postings.ts";
import { filterByTags, countFacets } from "../engine/results.ts";
import type { SearchQuery } from "../engine/search-query.ts";
import type { DocIds } from "../engine/segment-reader.ts";
import { paginate } from "../engine/sort-orders.ts";
import { parseQuery, type ParsedQuery, type QueryTerm, type QueryWord } from "./query-parser.ts";
import {
  idf,
  withScorer,
  type ScoredPost,
  type Scorer,
  type WeightedFrequencies,
} from "./scorer.ts";
import { suggestSimilar } from "./suggest-similar.ts";

/**
 * The words of the query in a title add this many times their idf, times the root of their share of the
 * title: a title that is about the query counts more than a long one that mentions a word of it.
 */
const titleWeight = 0.75;
/**
 * What all words of a query may take together, in numbers of lists. Words of a collection that repeats one
 * character would take seconds otherwise; in other texts, 32 words take less.
 */
const maxCost = 4_000_000;
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
  readonly keywords: readonly string[];
}

type Metadata = Static<typeof tools.search.output>["metadata"];
type Reported = "readAs" | "words" | "ignoredWords" | "count" | "matchAll" | "matchSome";

/** Posts that a query in words found: a page of them, and how it was read, which a result reports as it is. */
export interface RankedPage extends Pick<Metadata, Reported> {
  readonly hits: readonly RankedHit[];
  /** The most frequent tags of the hits; of ranked ones, of the best. Wanted tags do not count. */
  readonly tagCounts: readonly TagCount[];
  /** Words that no post contains in any form. */
  readonly unknownWords: readonly string[];
  /** Tags that no post has, in comparison form, each with names that are similar. */
  readonly unknownTags: readonly { readonly tag: string; readonly similar: readonly string[] }[];
}

/** A word of a query, and the posts that contain it. */
interface TermMatches {
  readonly asked: QueryWord;
  /** The posts that contain it as it is. */
  readonly docIds: DocIds;
  /** The posts of each form that counts as it; the word as it is comes first. */
  readonly forms: readonly DocIds[];
}

/** What a query found. */
interface QueryMatches {
  readonly words: readonly TermMatches[];
  /** All that counts for the score, each list of posts once; undefined where the query is read as one keyword. */
  readonly scored: readonly WeightedFrequencies[] | undefined;
  /** Number of words that were not looked for. */
  readonly ignored: number;
}

/** One query's work: the index, and a scorer that no other query uses meanwhile. */
interface QueryContext {
  readonly index: MountedIndex;
  readonly scorer: Scorer;
}

/** Estimated cost of a keyword, in decoded postings. Reads its lists. */
async function variantCost({ segments }: IndexReader, keyword: string): Promise<number> {
  const costs = await Promise.all(segments.map((segment) => estimateCost(segment, keyword)));
  return costs.reduce((sum, cost) => sum + cost, 0);
}

/** Does the work for each variant of some terms, once. */
async function forEachVariant<T>(
  terms: readonly QueryTerm[],
  work: (keyword: string) => Promise<T>,
): Promise<ReadonlyMap<string, T>> {
  const keywords = [...new Set(terms.flatMap(({ variants }) => variants))];
  const results = await Promise.all(keywords.map(work));
  return new Map(keywords.map((keyword, i) => [keyword, results[i]!]));
}

/**
 * Those that do not take too much together, the cheapest first; at least one.
 *
 * @param costs as `variantCost` gives them
 */
function affordable<T extends { readonly terms: readonly QueryTerm[] }>(
  all: readonly T[],
  costs: ReadonlyMap<string, number>,
): T[] {
  const sums = all.map(({ terms }) =>
    terms.flatMap(({ variants }) => variants).reduce((sum, one) => sum + costs.get(one)!, 0),
  );
  const order = [...all.keys()].sort((x, y) => sums[x]! - sums[y]!);
  let total = 0;
  const chosen = order.filter((one, i) => (total += sums[one]!) <= maxCost || i === 0);
  return chosen.sort((x, y) => x - y).map((one) => all[one]!);
}

/** Merges terms with identical postings, such as a word that is also a pair of characters, and adds their weights. */
function mergeTerms(all: readonly WeightedFrequencies[]): WeightedFrequencies[] {
  return [...Map.groupBy(all, ({ docIds }) => docIds).values()].map((same) => ({
    ...same[0]!,
    weight: same.reduce((sum, { weight }) => sum + weight, 0),
  }));
}

/** Looks up the words of a query, and what is beside them, in one round of reads; the lists are then in memory. */
async function matchWords(context: QueryContext, parsed: ParsedQuery): Promise<QueryMatches> {
  const { scorer } = context;
  const { reader } = context.index;
  const boosts = parsed.boostTerms.map((term) => ({ terms: [term] as const }));
  const wanted = [...parsed.words, ...boosts].flatMap(({ terms }) => terms);
  const costs = await forEachVariant(wanted, (keyword) => variantCost(reader, keyword));
  const words = affordable(parsed.words, costs);
  const others = words.length < parsed.words.length ? [] : affordable(boosts, costs);
  const found = await forEachVariant(
    [...words, ...others].flatMap(({ terms }) => terms),
    (keyword) => searchKeywordWithFrequencies(reader, keyword, scorer),
  );
  const weigh = ({ variants, weight }: QueryTerm): WeightedFrequencies => {
    const { docIds, freqs } = scorer.union(variants.map((one) => found.get(one)!));
    return { docIds, freqs, weight: weight * idf(reader.manifest.posts, docIds.length) };
  };
  const weighed = words.map(({ terms }) => terms.map(weigh));
  return {
    words: words.map((asked, i) => {
      const forms = weighed[i]!.map(({ docIds }) => docIds);
      return { asked, docIds: forms[0]!, forms };
    }),
    scored: mergeTerms([...weighed.flat(), ...others.map(({ terms: [term] }) => weigh(term))]),
    ignored: parsed.words.length - words.length,
  };
}

/**
 * Looks up a query that may be read as one keyword.
 *
 * @param isOneWord whether it is no more than one of its words
 * @returns undefined for a query that is better read in words
 */
async function matchKeyword(
  index: MountedIndex,
  parsed: ParsedQuery,
  isOneWord: boolean,
  orderby: SortOrder | undefined,
): Promise<QueryMatches | undefined> {
  const mayBe = parsed.phrase === "" || (orderby !== undefined && (isOneWord || parsed.isOnePiece));
  if (!mayBe) return undefined;
  const docIds = await index.find(parsed.phrase);
  if (docIds.length === 0 && !isOneWord) return undefined;
  const words = parsed.words.map((asked) => ({ asked, docIds, forms: [docIds] }));
  return { words, scored: undefined, ignored: 0 };
}

/**
 * Whether a list has a post.
 *
 * @param list ascending
 */
function has(list: DocIds, post: number): boolean {
  return list[partitionPoint(list.length, (i) => list[i]! < post)] === post;
}

/** The posts that contain every word as it is; every post where there is no word. */
function intersectAll(reader: IndexReader, words: readonly TermMatches[]): DocIds {
  const [first, ...others] = words.toSorted((x, y) => x.docIds.length - y.docIds.length);
  if (first === undefined) return reader.allDocs;
  return others.reduce((left, { docIds }) => intersect(left, docIds), first.docIds);
}

/**
 * What words in a title add to a score.
 *
 * @param posts number of all posts
 */
function titleScore(words: readonly TermMatches[], title: string, posts: number): number {
  const inTitle = words.filter(({ asked }) => title.includes(asked.word));
  const weight = inTitle.reduce((sum, one) => sum + idf(posts, one.docIds.length), 0);
  const units = inTitle.reduce((sum, { asked }) => sum + asked.word.length, 0);
  return weight === 0 ? 0 : titleWeight * weight * Math.sqrt(Math.min(1, units / title.length));
}

/** The hits of posts, in their order. */
const readHits = async (reader: IndexReader, posts: readonly number[]): Promise<SearchHit[]> =>
  (await reader.hits(posts)).map((json) => JSON.parse(json) as SearchHit);

/** A page of the posts that were found. */
interface Listing {
  /** Posts with the wanted tags, on all pages. */
  readonly count: number;
  /** Those of the page. */
  readonly numbers: readonly number[];
  /** The posts whose tags are shown. */
  readonly facetDocs: DocIds;
}

/** Some posts in the order that a query names. */
function sortByOrder(reader: IndexReader, posts: DocIds, query: RankedQuery): Listing {
  const tagged = filterByTags(reader, posts, query.tags);
  const { orderby = "timeDesc" } = query;
  const numbers = paginate(tagged, { ...query, orderby }, reader.catalog.likeOrder);
  return { count: tagged.length, numbers, facetDocs: posts };
}

/** Posts that were scored just now, the best first. */
async function rankByScore(
  { index: { reader }, scorer }: QueryContext,
  words: readonly TermMatches[],
  some: DocIds,
  query: RankedQuery,
): Promise<Listing> {
  const bestOf = (posts: DocIds): ScoredPost[] => {
    const most = Math.max(bestPosts, Math.min(posts.length, query.page * query.pageSize));
    return scorer.topK(posts, most);
  };
  const tagged = filterByTags(reader, some, query.tags);
  const count = tagged.length;
  // Nearly every post has some of the words of a question: tags of all of them would say nothing of it.
  const best = bestOf(some);
  const facetDocs = Uint32Array.from(best.slice(0, bestPosts), ({ post }) => post);
  const listed = count === some.length ? best : bestOf(tagged);
  return { count, facetDocs, numbers: await bestPage(reader, words, listed, query) };
}

/** A page of the best posts. For the first of these, words in the title count, too. */
async function bestPage(
  reader: IndexReader,
  words: readonly TermMatches[],
  best: readonly ScoredPost[],
  { page, pageSize }: RankedQuery,
): Promise<number[]> {
  const first = best.slice(0, bestPosts).sort((x, y) => x.post - y.post);
  const hits = await readHits(
    reader,
    first.map(({ post }) => post),
  );
  const ordered = first
    .map(({ post, score }, i) => {
      const title = normalize(hits[i]!.postTitle);
      const withTitle = score + titleScore(words, title, reader.manifest.posts);
      return { post, score: Math.round(withTitle * precision) };
    })
    .sort((x, y) => y.score - x.score);
  const start = (page - 1) * pageSize;
  return [...ordered, ...best.slice(bestPosts)]
    .slice(start, start + pageSize)
    .map(({ post }) => post);
}

/** A word that more posts than this share contain says little: it is what the whole collection is about. */
const commonShare = 0.2;

/**
 * A hit, and why it is one.
 *
 * @param posts number of all posts
 */
function explainHit(
  hit: SearchHit,
  post: number,
  words: readonly TermMatches[],
  posts: number,
): RankedHit {
  const inPost = words.filter(({ forms }) => forms.some((form) => has(form, post)));
  const rare = inPost.filter((word) => word.docIds.length <= posts * commonShare);
  const informative = rare.length > 0 ? rare : inPost;
  return {
    hit,
    words: inPost.map(({ asked }) => asked.word),
    keywords: informative.flatMap(({ asked }) => [asked.word, ...asked.stemPrefixes]),
  };
}

/** Similar names that are given for a tag that is not known. */
const maxSimilar = 3;
/** Unknown tags that similar names are looked for: each is compared with every tag. */
const maxUnknown = 5;

/**
 * The wanted tags that no post has.
 *
 * @param wanted in comparison form
 */
async function findUnknownTags(
  reader: IndexReader,
  wanted: readonly string[],
): Promise<RankedPage["unknownTags"]> {
  const unknown = wanted.filter((tag) => reader.tagsWithKey(tag).length === 0);
  if (unknown.length === 0) return [];
  const { distance } = await import("fastest-levenshtein");
  return unknown.slice(0, maxUnknown).map((tag) => ({
    tag,
    similar: suggestSimilar(tag, reader.tags, distance).slice(0, maxSimilar),
  }));
}

/**
 * Searches by words.
 *
 * @param query its `q` in words
 * @throws IndexUnavailable when a part of the index cannot be read
 */
export const rankedSearch = (index: MountedIndex, query: RankedQuery): Promise<RankedPage> =>
  withScorer(index.reader, (scorer) => searchWith({ index, scorer }, query));

async function searchWith(context: QueryContext, query: RankedQuery): Promise<RankedPage> {
  const { index, scorer } = context;
  const { reader } = index;
  const { orderby } = query;
  const { stemmer } = await import("stemmer");
  const parsed = parseQuery(query.q, stemmer);
  const isOneWord = parsed.words.length === 1 && parsed.words[0]!.word === parsed.phrase;
  const { words, scored, ignored } =
    (await matchKeyword(index, parsed, isOneWord, orderby)) ?? (await matchWords(context, parsed));
  const all = intersectAll(reader, words);
  const some = scored === undefined ? all : scorer.scoreAll(scored);
  const matchSome = some.length;
  // Other orders list only posts with all words: among posts with any common word, they would be hard to find.
  const { count, numbers, facetDocs } =
    scored === undefined || orderby !== undefined
      ? sortByOrder(reader, all, query)
      : await rankByScore(context, words, some, query);
  const hits = await readHits(reader, numbers);
  const unknown = words.filter(({ forms }) => forms.every((form) => form.length === 0));
  return {
    hits: hits.map((hit, i) => explainHit(hit, numbers[i]!, words, reader.manifest.posts)),
    tagCounts: countFacets(reader, facetDocs, listedTags).map(({ tag, count: carrying }) => ({
      tagName: reader.tags[tag]!,
      count: carrying,
    })),
    readAs: scored === undefined || (isOneWord && matchSome === all.length) ? "keyword" : "words",
    words: words.map(({ asked }) => asked.word),
    unknownWords: unknown.map(({ asked }) => asked.word),
    unknownTags: await findUnknownTags(reader, query.tags),
    ignoredWords: parsed.ignored + ignored,
    count,
    matchAll: all.length,
    matchSome,
  };
}
