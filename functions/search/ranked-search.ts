/**
 * Words → posts, those that fit best first. For the MCP server, whose clients ask in words.
 *
 * A post's score is the sum of the weights of the words that it contains, with BM25's inverse document
 * frequency as the weight: ln(1 + (N - n + 0.5) / (n + 0.5)), for n of N posts that contain the word
 * (S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework", 2009). The index knows no term
 * frequencies, and needs none: posts are short. A post that contains the whole query as it is comes first;
 * among the best, words in the title count once more.
 */
import type { SearchHit } from "../contract/resources.ts";
import { postsContaining, type MountedIndex } from "./flexsearch-index.ts";
import type { PostNumbers } from "./index-files.ts";
import { normalise } from "./normalise.ts";
import type { SearchQuery } from "./parameters.ts";
import { postsTagged, tagCountsOf } from "./results.ts";
import { pageOf } from "./sort-orders.ts";
import { wordsOf } from "./words.ts";

/** Posts whose titles are looked at: each takes a read of the index. */
const titled = 50;
/** Decimal places of a score that decide the order. */
const precision = 1e6;

/** A page of posts, and how the query was read. */
export interface RankedResult {
  readonly hits: readonly { readonly hit: SearchHit; readonly words: readonly string[] }[];
  /** JSON of the tags of all hits. */
  readonly tagCounts: string;
  /** `keyword`: the whole query is one keyword, and the hits are those of `/api/search`. */
  readonly readAs: "keyword" | "words";
  readonly words: readonly string[];
  readonly ignoredWords: number;
  readonly count: number;
  readonly matchAll: number;
  readonly matchSome: number;
}

const weightOf = (posts: number, having: number): number =>
  Math.log(1 + (posts - having + 0.5) / (having + 0.5));

/** The posts that are in every list. @param lists ascending */
function common(lists: readonly PostNumbers[]): PostNumbers {
  const [first = new Uint32Array(0), ...others] = lists.toSorted((a, b) => a.length - b.length);
  const sets = others.map((list) => new Set(list));
  return first.filter((post) => sets.every((set) => set.has(post)));
}

/** Posts by descending score, of equals the newer one first. */
function byScore(posts: PostNumbers, scores: Float32Array): Uint32Array {
  const width = scores.length;
  // Score and post in one number: sorting needs no comparator.
  const keys = Float64Array.from(
    posts,
    (post) => Math.round(scores[post]! * precision) * width + (width - 1 - post),
  );
  return Uint32Array.from(keys.sort().reverse(), (key) => width - 1 - (key % width));
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
): Promise<RankedResult> {
  const { files, storage } = index;
  const { phrase, isOnePiece, words, ignored } = wordsOf(query.q);
  // All lists in one round: the phrase, then each word.
  const [whole = files.everyPost, ...lists] = await Promise.all(
    [phrase, ...words].map((needle) => postsContaining(index, needle)),
  );
  const isKeyword = phrase === "" || words.length <= 1 || (isOnePiece && whole.length > 0);
  // One word with signs around it, or again and again, is that word where the query is nowhere as it is.
  const exact = whole.length > 0 ? whole : (lists[0] ?? whole);
  const all = isKeyword ? exact : common(lists);

  const scores = new Float32Array(files.manifest.posts);
  const weights = lists.map((list) => weightOf(scores.length, list.length));
  if (!isKeyword) {
    for (const [i, list] of lists.entries())
      for (let at = 0; at < list.length; at++) scores[list[at]!]! += weights[i]!;
    const sum = weights.reduce((total, weight) => total + weight, 0);
    for (const post of whole) scores[post]! += sum;
  }
  const some = isKeyword
    ? exact
    : Uint32Array.from(scores.keys()).filter((post) => scores[post]! > 0);
  // Other orders are for posts that match everything: by date, a single common word would bury them.
  const found = query.orderby === undefined ? some : all;
  const posts = postsTagged(files, found, query.tags);

  const titleScore = async (ranked: Uint32Array): Promise<void> => {
    const best = ranked.slice(0, titled);
    const docs = await storage.enrich([...best]);
    for (const [i, post] of best.entries()) {
      const title = normalise((JSON.parse(docs[i]!.doc) as SearchHit).postTitle);
      for (const [word, text] of words.entries())
        if (title.includes(text)) scores[post]! += weights[word]! / 2;
    }
    best.set(byScore(best, scores));
    ranked.set(best);
  };
  let page: number[];
  if (query.orderby !== undefined || isKeyword) {
    const order = { ...query, orderby: query.orderby ?? "timeDesc" } as const;
    page = pageOf(posts, order, files.catalog.likeOrder);
  } else {
    const ranked = byScore(posts, scores);
    await titleScore(ranked);
    const first = (query.page - 1) * query.pageSize;
    page = [...ranked.subarray(first, first + query.pageSize)];
  }
  const docs = await storage.enrich(page);
  return {
    hits: docs.map(({ id, doc }) => ({
      hit: JSON.parse(doc) as SearchHit,
      words: words.filter((_, word) => lists[word]!.includes(id)),
    })),
    tagCounts: `[${tagCountsOf(files, found)}]`,
    readAs: isKeyword ? "keyword" : "words",
    words,
    ignoredWords: ignored,
    count: posts.length,
    matchAll: all.length,
    matchSome: some.length,
  };
}
