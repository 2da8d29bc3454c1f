/**
 * Words → posts, those that fit best first. For the MCP server, whose clients ask in words.
 *
 * A post's score is BM25: the sum, over the words that it contains, of idf · tf · (k1 + 1) / (tf + k1 · (1 - b +
 * b · length / mean length)), where idf = ln(1 + (N - n + 0.5) / (n + 0.5)) for n of N posts that contain the
 * word (S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework", 2009). How often a word
 * occurs, tf, is the number of its positions; a word that is frequent as a gram has none, and counts once.
 * A post that contains the whole query as it is gains, for each word, the most that this word can add to a
 * score. Among the best posts, words in the title count more.
 */
import type { SearchHit } from "../contract/resources.ts";
import type { RankedPage } from "../mcp/tool-results.ts";
import { countWhile } from "./binary-search.ts";
import type { MountedIndex } from "./flexsearch-index.ts";
import { termsOf } from "./flexsearch-encoder.ts";
import type { IndexFiles, PostNumbers } from "./index-files.ts";
import { positionsOfAdjoining } from "./matching.ts";
import { normalise } from "./normalise.ts";
import type { SearchQuery } from "./search-query.ts";
import { postsTagged, tagCountsOf } from "./results.ts";
import { pageOf } from "./sort-orders.ts";
import { topOf } from "./top-k.ts";
import { wordsOf } from "./query-words.ts";

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
/** Decimal places of a score that decide the order. */
const precision = 1e6;

const weightOf = (posts: number, having: number): number =>
  Math.log(1 + (posts - having + 0.5) / (having + 0.5));

/** How often each post of a list contains a word; once where the index lists no positions. */
async function frequenciesOf(
  files: IndexFiles,
  word: string,
  list: PostNumbers,
): Promise<Uint32Array> {
  const counts = new Uint32Array(list.length);
  if (files.isFrequent(word)) return counts.fill(1);
  const terms = termsOf(word, files.isFrequent);
  const [positions] =
    terms.length === 1 ? await files.positions(terms) : [await positionsOfAdjoining(files, terms)];
  const ends = files.catalog.textOffsets;
  let at = 0;
  for (const position of positions ?? []) {
    while (position >= ends[list[at]! + 1]!) at++;
    counts[at]!++;
  }
  return counts;
}

/** Whether a list has a post. @param list ascending */
function has(list: PostNumbers, post: number): boolean {
  return list[countWhile(list.length, (i) => list[i]! < post)] === post;
}

/** The posts that are in every list. @param lists ascending */
function common(lists: readonly PostNumbers[]): PostNumbers {
  const [first = new Uint32Array(0), ...others] = lists.toSorted((a, b) => a.length - b.length);
  return first.filter((post) => others.every((list) => has(list, post)));
}

/** The posts that have a score. */
function scored(scores: Float32Array): PostNumbers {
  const posts = new Uint32Array(scores.length);
  let count = 0;
  for (let post = 0; post < scores.length; post++) if (scores[post]! > 0) posts[count++] = post;
  return posts.slice(0, count);
}

/** The best posts by descending score, of equals the newer one first. @param most how many are needed */
function bestOf(posts: PostNumbers, scores: Float32Array, most: number): number[] {
  const scoreOf = (post: number): number => Math.round(scores[post]! * precision);
  if (most * 200 <= posts.length) return topOf(posts, scoreOf, most);
  const width = scores.length;
  // Score and post in one number: sorting needs no comparator.
  const keys = Float64Array.from(posts, (post) => scoreOf(post) * width + (width - 1 - post));
  return Array.from(keys.sort().reverse().subarray(0, most), (key) => width - 1 - (key % width));
}

/**
 * Searches by words.
 *
 * @param query its `q` in words; with `orderby` undefined the best come first
 * @throws IndexUnavailable when a part of the index cannot be read
 */
export async function rankedSearch(
  index: MountedIndex,
  query: Omit<SearchQuery, "orderby"> & { readonly orderby: SearchQuery["orderby"] | undefined },
): Promise<RankedPage> {
  const { files, find } = index;
  const { phrase, isOnePiece, words, ignored } = wordsOf(query.q);
  // All lists in one round. A query of one word is its own phrase, and is looked up once.
  const needles = [...new Set([phrase, ...words])];
  const found = await Promise.all(needles.map(find));
  const postsWith = (needle: string): PostNumbers => found[needles.indexOf(needle)]!;
  const whole = postsWith(phrase);
  const lists = words.map(postsWith);
  // If so, the hits are those of /api/search. A query of one word counts, too, if no post contains it.
  const isKeyword =
    phrase === "" ||
    (words.length === 1 && words[0] === phrase) ||
    (isOnePiece && whole.length > 0);
  const all = isKeyword ? whole : common(lists);

  const scores = new Float32Array(files.manifest.posts);
  const weights = lists.map((list) => weightOf(scores.length, list.length));
  if (!isKeyword) {
    const { textOffsets } = files.catalog;
    const mean = textOffsets.at(-1)! / scores.length;
    for (const [i, list] of lists.entries()) {
      // The lists were read just now, and are in memory.
      const counts = await frequenciesOf(files, words[i]!, list);
      for (let at = 0; at < list.length; at++) {
        const post = list[at]!;
        const length = textOffsets[post + 1]! - textOffsets[post]!;
        const tf = counts[at]!;
        scores[post]! += (weights[i]! * tf * (k1 + 1)) / (tf + k1 * (1 - b + (b * length) / mean));
      }
    }
    const sum = weights.reduce((total, weight) => total + weight, 0);
    for (const post of whole) scores[post]! += (k1 + 1) * sum;
  }
  const some = isKeyword ? whole : scored(scores);
  // Other orders list only posts with all words: among posts with any common word, they would be hard to find.
  const matching = query.orderby === undefined ? some : all;
  const posts = postsTagged(files, matching, query.tags);

  /** Adds what words in titles count, and orders the posts again. */
  const titleScore = async (best: readonly number[]): Promise<number[]> => {
    const docs = await files.hits(best);
    for (const [i, post] of best.entries()) {
      const title = normalise((JSON.parse(docs[i]!) as SearchHit).postTitle);
      let weight = 0;
      let units = 0;
      for (const [word, text] of words.entries()) {
        if (!title.includes(text)) continue;
        weight += weights[word]!;
        units += text.length;
      }
      if (weight > 0)
        scores[post]! += titleWeight * weight * Math.sqrt(Math.min(1, units / title.length));
    }
    return bestOf(Uint32Array.from(best), scores, best.length);
  };
  let page: number[];
  if (query.orderby !== undefined || isKeyword) {
    const order = { ...query, orderby: query.orderby ?? "timeDesc" } as const;
    page = pageOf(posts, order, files.catalog.likeOrder);
  } else {
    const first = (query.page - 1) * query.pageSize;
    const end = Math.min(posts.length, first + query.pageSize);
    const ranked = bestOf(posts, scores, Math.max(titled, end));
    page = [...(await titleScore(ranked.slice(0, titled))), ...ranked.slice(titled)].slice(
      first,
      end,
    );
  }
  const docs = await files.hits(page);
  return {
    hits: docs.map((doc, i) => ({
      hit: JSON.parse(doc) as SearchHit,
      words: words.filter((_, word) => has(lists[word]!, page[i]!)),
    })),
    tagCounts: `[${tagCountsOf(files, matching)}]`,
    readAs: isKeyword ? "keyword" : "words",
    words,
    ignoredWords: ignored,
    count: posts.length,
    matchAll: all.length,
    matchSome: some.length,
    page: query.page,
    pageSize: query.pageSize,
    orderby: query.orderby,
  };
}
