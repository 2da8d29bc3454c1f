/**
 * Scores of posts for what a query looks for.
 *
 * A post's score is BM25: the sum, over what is looked for, of weight · tf · (k1 + 1) / (tf + k1 · (1 - b +
 * b · length / mean length)) (S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework", 2009). How often
 * it occurs, tf, is the number of its positions; what is frequent as a gram has none, and counts once.
 */
import type { IndexReader } from "../engine/index-reader.ts";
import type { TermFrequencies } from "../engine/postings.ts";
import type { DocIds } from "../engine/segment-reader.ts";
import { topK } from "../engine/top-k.ts";

/**
 * BM25's parameters: where occurrences level off, and how much the length of a post counts. Chosen with
 * `npm run bench:agents`: queries are short, and posts long.
 */
const k1 = 0.5;
const b = 0.9;

/**
 * Inverse document frequency: how much it says that a post contains a term.
 *
 * @param docFreq how many posts contain it
 */
export const idf = (docCount: number, docFreq: number): number =>
  Math.log(1 + (docCount - docFreq + 0.5) / (docFreq + 0.5));

/** The frequencies of a term, and how much it counts: its share of the idf. */
export interface WeightedFrequencies extends TermFrequencies {
  readonly weight: number;
}

/** A post and its score. */
export interface ScoredPost {
  readonly post: number;
  readonly score: number;
}

/**
 * Scores the posts of one index for one query at a time. Its lists have a place for every post. `scoreAll` gives a view of
 * them, which holds until the next call of `scoreAll` or `union`.
 */
export class Scorer {
  /** A place for each post, for what is joined from segments. */
  readonly scratch: Uint32Array;
  /** A frequency of 1 for each post. */
  readonly ones: Uint32Array;
  readonly #textLengths: Uint32Array;
  readonly #units: number;
  readonly #scores: Float32Array;
  readonly #sums: Uint32Array;
  readonly #posts: Uint32Array;

  constructor({ segments, textLengths, manifest: { posts } }: IndexReader) {
    this.scratch = new Uint32Array(posts);
    this.ones = new Uint32Array(posts).fill(1);
    this.#textLengths = textLengths;
    this.#units = segments.reduce((sum, { units }) => sum + units, 0);
    this.#scores = new Float32Array(posts);
    this.#sums = new Uint32Array(posts);
    this.#posts = new Uint32Array(posts);
  }

  /** Adds up how often posts contain any of some things. */
  union(all: readonly TermFrequencies[]): TermFrequencies {
    const [first] = all;
    if (first !== undefined && all.length === 1) return first;
    const sums = this.#sums.fill(0);
    for (const { docIds, freqs } of all)
      for (let at = 0; at < docIds.length; at++) sums[docIds[at]!]! += freqs[at]!;
    const docIds = this.#postsWith(sums).slice();
    const freqs = new Uint32Array(docIds.length);
    for (let at = 0; at < docIds.length; at++) freqs[at] = sums[docIds[at]!]!;
    return { docIds, freqs };
  }

  /**
   * Scores all posts.
   *
   * @returns those that have a score, ascending
   */
  scoreAll(terms: readonly WeightedFrequencies[]): DocIds {
    const scores = this.#scores.fill(0);
    const lengths = this.#textLengths;
    // A division is what takes time: the formula with one.
    const [fixed, perUnit] = [k1 * (1 - b), (k1 * b * scores.length) / this.#units];
    for (const { docIds, freqs, weight } of terms) {
      const factor = weight * (k1 + 1);
      for (let at = 0; at < docIds.length; at++) {
        const post = docIds[at]!;
        const tf = freqs[at]!;
        scores[post]! += (factor * tf) / (tf + fixed + perUnit * lengths[post]!);
      }
    }
    return terms.length === 1 ? terms[0]!.docIds : this.#postsWith(scores);
  }

  /** Those of some posts that `scoreAll` gave most, of equal ones the newer first. */
  topK(posts: DocIds, most: number): ScoredPost[] {
    const scores = this.#scores;
    return topK(posts, scores, most).map((post) => ({ post, score: scores[post]! }));
  }

  /**
   * The posts with a value above 0.
   *
   * @param values of all posts
   */
  #postsWith(values: Float32Array | Uint32Array): DocIds {
    const posts = this.#posts;
    let count = 0;
    // Without a branch, which would be guessed wrong for half the posts of a common word.
    for (let post = 0; post < values.length; post++) {
      posts[count] = post;
      count += values[post]! > 0 ? 1 : 0;
    }
    return posts.subarray(0, count);
  }
}

const idleScorers = new WeakMap<IndexReader, Scorer[]>();

/**
 * Does the work of a query with a scorer of its own. It is kept for a later query: memory that comes and goes with each
 * makes the engine collect garbage, which takes longer than the query.
 *
 * @param work its result must hold no view of the scorer's memory
 */
export async function withScorer<T>(
  reader: IndexReader,
  work: (scorer: Scorer) => Promise<T>,
): Promise<T> {
  const idle = idleScorers.get(reader) ?? [];
  idleScorers.set(reader, idle);
  const scorer = idle.pop() ?? new Scorer(reader);
  try {
    return await work(scorer);
  } finally {
    idle.push(scorer);
  }
}
