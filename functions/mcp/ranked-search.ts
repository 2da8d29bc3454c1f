/**
 * Words → posts, those that fit best first. For agents, who ask in words.
 *
 * A post's score is BM25: the sum, over the words that it contains, of idf · tf · (k1 + 1) / (tf + k1 · (1 - b +
 * b · length / mean length)), where idf = ln(1 + (N - n + 0.5) / (n + 0.5)) for n of N posts that contain the
 * word (S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework", 2009). How often a word
 * occurs, tf, is the number of its positions; a word that is frequent as a gram has none, and counts once.
 * A post that contains the whole query as it is gains, for each word, the most that this word can add to a
 * score. Among the best posts, words in the title count more.
 */
import type { SearchHit, SortOrder } from "../contract/resources.ts";
import { countWhile } from "../search/binary-search.ts";
import { termsOf } from "../search/flexsearch-encoder.ts";
import type { MountedIndex } from "../search/flexsearch-index.ts";
import type { IndexFiles, PostNumbers } from "../search/index-files.ts";
import { positionsOfAdjoining } from "../search/matching.ts";
import { normalise } from "../search/normalise.ts";
import { postsOf } from "../search/positions.ts";
import { postsTagged, tagCountsOf } from "../search/results.ts";
import type { SearchQuery } from "../search/search-query.ts";
import { pageOf } from "../search/sort-orders.ts";
import { topOf } from "../search/top-k.ts";
import { wordsOf, type QueryWords } from "./query-words.ts";

/** Posts whose titles are looked at: each takes a read of the index. */
const titled = 100;
/**
 * The words of the query in a title add this many times their idf, times the root of their share of the
 * title: a title that is about the query counts more than a long one that mentions a word of it.
 */
const titleWeight = 1.5;
/**
 * BM25's parameters: where occurrences level off, and how much the length of a post counts. Chosen with
 * `npm run bench:agents`, as the weight of titles was: queries are short, and posts long.
 */
const k1 = 0.5;
const b = 0.9;
/**
 * Numbers that the lists of all words of a query may have together. Words of a collection that repeats one
 * character would take seconds otherwise; in other texts, 32 words have fewer.
 */
const mostListed = 8_000_000;
/** Decimal places of a score that decide the order. */
const precision = 1e6;

/** A query in words; with `orderby` undefined the best posts come first. */
export type RankedQuery = Omit<SearchQuery, "orderby"> & {
  readonly orderby: SortOrder | undefined;
};

/** Posts that a query in words found: a page of them, and how it was read. */
export interface RankedPage {
  readonly hits: readonly { readonly hit: SearchHit; readonly words: readonly string[] }[];
  /** JSON of TagCount objects, of all hits. */
  readonly tagCounts: string;
  /** `keyword`: the whole query is one keyword, and the hits are those of `/api/search`. */
  readonly readAs: "keyword" | "words";
  readonly words: readonly string[];
  readonly ignoredWords: number;
  readonly count: number;
  readonly matchAll: number;
  readonly matchSome: number;
  readonly page: number;
  readonly pageSize: number;
  /** Undefined: the best first. */
  readonly orderby: SortOrder | undefined;
}

/** A word of a query, and the posts that contain it. */
interface FoundWord {
  readonly word: string;
  readonly posts: PostNumbers;
  /** How often each of these posts contains it; once where the index lists no positions. */
  readonly counts: Uint32Array;
  /** Its idf. */
  readonly weight: number;
}

/** What a query found. */
interface Found {
  readonly words: readonly FoundWord[];
  /** The posts that contain the whole query as it is. */
  readonly whole: PostNumbers;
  /** Whether the hits are those of `/api/search`. */
  readonly isKeyword: boolean;
}

const idf = (posts: number, having: number): number =>
  Math.log(1 + (posts - having + 0.5) / (having + 0.5));

/** The grams that a word is found with. */
const gramsOf = ({ manifest, isFrequent }: IndexFiles, word: string): string[] =>
  termsOf(word.slice(0, manifest.longestText + 1), isFrequent);

/** Looks up a word. */
async function foundWord(files: IndexFiles, word: string): Promise<FoundWord> {
  const { posts: total } = files.manifest;
  if (files.isFrequent(word)) {
    const posts = await files.posts(word);
    const counts = new Uint32Array(posts.length).fill(1);
    return { word, posts, counts, weight: idf(total, posts.length) };
  }
  const terms = gramsOf(files, word);
  const [positions = new Uint32Array(0)] =
    terms.length === 1 ? await files.positions(terms) : [await positionsOfAdjoining(files, terms)];
  const ends = files.catalog.textOffsets;
  const posts = postsOf(positions, ends);
  const counts = new Uint32Array(posts.length);
  let at = 0;
  for (const position of positions) {
    while (position >= ends[posts[at]! + 1]!) at++;
    counts[at]!++;
  }
  return { word, posts, counts, weight: idf(total, posts.length) };
}

/** Numbers in the lists that a word is found with. */
async function costOf(files: IndexFiles, word: string): Promise<number> {
  if (files.isFrequent(word)) return 0;
  const lists = await files.positions([...new Set(gramsOf(files, word))]);
  return lists.reduce((sum, { length }) => sum + length, 0);
}

/** The words whose lists are not too long together, the rarest first; at least one. */
async function affordable(files: IndexFiles, words: readonly string[]): Promise<string[]> {
  const costs = await Promise.all(words.map((word) => costOf(files, word)));
  const order = [...words.keys()].sort((x, y) => costs[x]! - costs[y]!);
  let sum = 0;
  const chosen = order.filter((word, i) => (sum += costs[word]!) <= mostListed || i === 0);
  return chosen.sort((x, y) => x - y).map((word) => words[word]!);
}

/** Looks up a query and its words, in one round of reads; the lists are then in memory. */
async function lookUp(index: MountedIndex, read: QueryWords): Promise<Found> {
  const { phrase, words, isOnePiece } = read;
  // It is looked up once, and counts as a keyword also where no post contains it.
  const isOneWord = words.length === 1 && words[0] === phrase;
  const [whole, chosen] = await Promise.all([
    index.find(phrase),
    isOneWord ? [] : affordable(index.files, words),
  ]);
  const found = await Promise.all(chosen.map((word) => foundWord(index.files, word)));
  return isOneWord
    ? { whole, isKeyword: true, words: [{ word: phrase, posts: whole, counts: whole, weight: 0 }] }
    : { whole, isKeyword: phrase === "" || (isOnePiece && whole.length > 0), words: found };
}

/** Whether a list has a post. @param list ascending */
function has(list: PostNumbers, post: number): boolean {
  return list[countWhile(list.length, (i) => list[i]! < post)] === post;
}

/** The posts that contain every word. */
function common(words: readonly FoundWord[]): PostNumbers {
  const [first, ...others] = words.toSorted((x, y) => x.posts.length - y.posts.length);
  if (first === undefined) return new Uint32Array(0);
  return first.posts.filter((post) => others.every(({ posts }) => has(posts, post)));
}

/** The score of every post by the words in its text, 0 where it has none. */
function textScores({ catalog, manifest }: IndexFiles, { words, whole }: Found): Float32Array {
  const { textOffsets } = catalog;
  const scores = new Float32Array(manifest.posts);
  const mean = textOffsets.at(-1)! / scores.length;
  for (const { posts, counts, weight } of words)
    for (let at = 0; at < posts.length; at++) {
      const post = posts[at]!;
      const length = textOffsets[post + 1]! - textOffsets[post]!;
      const tf = counts[at]!;
      scores[post]! += (weight * tf * (k1 + 1)) / (tf + k1 * (1 - b + (b * length) / mean));
    }
  const most = words.reduce((sum, { weight }) => sum + weight * (k1 + 1), 0);
  for (const post of whole) scores[post]! += most;
  return scores;
}

/** The posts that have a score. */
function scored(scores: Float32Array): PostNumbers {
  const posts = new Uint32Array(scores.length);
  let count = 0;
  for (let post = 0; post < scores.length; post++) if (scores[post]! > 0) posts[count++] = post;
  return posts.slice(0, count);
}

/** What words in a title add to a score. */
function titleScore(words: readonly FoundWord[], postTitle: string): number {
  const title = normalise(postTitle);
  const inTitle = words.filter(({ word }) => title.includes(word));
  const weight = inTitle.reduce((sum, one) => sum + one.weight, 0);
  const units = inTitle.reduce((sum, { word }) => sum + word.length, 0);
  return weight === 0 ? 0 : titleWeight * weight * Math.sqrt(Math.min(1, units / title.length));
}

/** The hits of posts, in their order. */
const hitsOf = async (files: IndexFiles, posts: readonly number[]): Promise<SearchHit[]> =>
  (await files.hits(posts)).map((json) => JSON.parse(json) as SearchHit);

/** Posts, ascending, with the scores of all posts. */
interface Scored {
  readonly posts: PostNumbers;
  readonly scores: Float32Array;
}

/** A page of the best posts; of equal ones the newer first. */
async function bestPage(
  files: IndexFiles,
  words: readonly FoundWord[],
  { posts, scores }: Scored,
  { page, pageSize }: RankedQuery,
): Promise<number[]> {
  const first = (page - 1) * pageSize;
  const end = Math.min(posts.length, first + pageSize);
  const scoreOf = (post: number): number => Math.round(scores[post]! * precision);
  const ranked = topOf(posts, scoreOf, Math.max(titled, end));
  const best = ranked.slice(0, titled).sort((x, y) => x - y);
  for (const [i, { postTitle }] of (await hitsOf(files, best)).entries())
    scores[best[i]!]! += titleScore(words, postTitle);
  return [...topOf(best, scoreOf, titled), ...ranked.slice(titled)].slice(first, end);
}

/**
 * Searches by words.
 *
 * @param query its `q` in words
 * @throws IndexUnavailable when a part of the index cannot be read
 */
export async function rankedSearch(index: MountedIndex, query: RankedQuery): Promise<RankedPage> {
  const { files } = index;
  const { orderby, page, pageSize } = query;
  const read = wordsOf(query.q);
  const found = await lookUp(index, read);
  const { words, whole, isKeyword } = found;
  const all = isKeyword ? whole : common(words);
  const scores = isKeyword ? new Float32Array(0) : textScores(files, found);
  const some = isKeyword ? whole : scored(scores);
  // Other orders list only posts with all words: among posts with any common word, they would be hard to find.
  const matching = orderby === undefined ? some : all;
  const posts = postsTagged(files, matching, query.tags);
  const numbers =
    orderby !== undefined || isKeyword
      ? pageOf(posts, { ...query, orderby: orderby ?? "timeDesc" }, files.catalog.likeOrder)
      : await bestPage(files, words, { posts, scores }, query);
  const hits = await hitsOf(files, numbers);
  return {
    hits: hits.map((hit, i) => ({
      hit,
      words: words.filter(({ posts: having }) => has(having, numbers[i]!)).map(({ word }) => word),
    })),
    tagCounts: `[${tagCountsOf(files, matching)}]`,
    readAs: isKeyword ? "keyword" : "words",
    words: words.map(({ word }) => word),
    ignoredWords: read.ignored + read.words.length - words.length,
    count: posts.length,
    matchAll: all.length,
    matchSome: some.length,
    page,
    pageSize,
    orderby,
  };
}
