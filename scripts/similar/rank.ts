/** Jobs that find the most similar posts of each post: cosines of their vectors, summed over the lists of its terms. */
import { mostSimilar } from "../../functions/contract/resources.ts";
import { topK } from "../../functions/engine/top-k.ts";
import { GrowableArray } from "../lib/growable-array.ts";
import { areNearDuplicates, sketchAt } from "./near-duplicates.ts";
import { termsPerPost, type PostLists, type Vectors } from "./vectors.ts";

/** Candidates at first; more where near-duplicates among them leave places free. */
const candidateCount = 4 * mostSimilar;

/** A post touches few others if its lists have fewer entries than the number of posts divided by this. */
const fewEntries = 4;

/** What the jobs need. */
export interface RankOptions {
  readonly vectors: Vectors;
  readonly lists: PostLists;
  /** Posts that stand for all, and the lists of these alone. */
  readonly references: Uint32Array;
  readonly referenceLists: PostLists;
  /** Mean and standard deviation of each post's cosines with the references. The jobs write here. */
  readonly means: Float32Array;
  readonly deviations: Float32Array;
  /** Sketches of all posts, one after the other. */
  readonly sketches: Uint32Array;
  /** Posts have enough in common from here on. */
  readonly leastInCommon: number;
}

/** Posts `from` up to, not including, `to`. */
export interface PostRange {
  readonly from: number;
  readonly to: number;
}

/** Numbers of the similar posts of each post of a range, best first, and how many each has. */
export interface Ranked {
  readonly posts: Uint32Array;
  readonly counts: Uint16Array;
}

export type RankJobs = {
  /** Finds how similar the posts of a range are to any post. */
  readonly spread: (range: PostRange) => void;
  /** Finds the similar posts of a range, when the spread of all is known. */
  readonly rank: (range: PostRange) => Ranked;
};

/**
 * A deviation counts as at least this. It may be that none of the references has anything in common with a post
 * of few words; that says nothing about its distance from all others.
 */
const minDeviation = 0.005;

/** Calls `add` for the list of each term of a post. */
function eachList(
  { columns, weights, sizes }: Vectors,
  { offsets }: PostLists,
  post: number,
  add: (from: number, to: number, weight: number) => void,
): void {
  const start = post * termsPerPost;
  for (let i = start; i < start + sizes[post]!; i++)
    add(offsets[columns[i]!]!, offsets[columns[i]! + 1]!, weights[i]!);
}

/** Adds to the score of each post in some lists its cosine with one post. */
function sumCosines(score: Float32Array, vectors: Vectors, lists: PostLists, self: number): void {
  const { posts, weights } = lists;
  eachList(vectors, lists, self, (from, to, weight) => {
    for (let at = from; at < to; at++) score[posts[at]!]! += weight * weights[at]!;
  });
}

/**
 * Compares one post with all others. A class, since the scores of all posts are memory that is used again
 * from post to post.
 */
class SimilarityScorer {
  readonly #options: RankOptions;
  /** The cosine of each post with the one at work; all zero between two posts. */
  readonly #score: Float32Array;
  readonly #touched = new GrowableArray(Uint32Array);
  readonly #similar = new GrowableArray(Uint32Array);

  constructor(options: RankOptions) {
    this.#options = options;
    this.#score = new Float32Array(options.vectors.sizes.length);
  }

  /** Finds mean and deviation of a post's cosines with the references. */
  writeSpread(self: number): void {
    const { vectors, references, referenceLists, means, deviations } = this.#options;
    const score = this.#score;
    sumCosines(score, vectors, referenceLists, self);
    let count = 0;
    let sum = 0;
    let squares = 0;
    for (const post of references) {
      const cosine = score[post]!;
      score[post] = 0;
      if (post === self) continue;
      count++;
      sum += cosine;
      squares += cosine * cosine;
    }
    const mean = count === 0 ? 0 : sum / count;
    means[self] = mean;
    const deviation = Math.sqrt(Math.max(0, squares / Math.max(1, count) - mean * mean));
    deviations[self] = Math.max(minDeviation, deviation);
  }

  /** The most similar posts of a post, best first. */
  mostSimilarTo(self: number): number[] {
    const { vectors, lists } = this.#options;
    const [score, touched, similar] = [this.#score, this.#touched, this.#similar];
    let entries = 0;
    eachList(vectors, lists, self, (from, to) => (entries += to - from));
    similar.length = 0;
    const touchesFew = entries * fewEntries < score.length;
    if (touchesFew) this.#recordCosines(self);
    else sumCosines(score, vectors, lists, self);
    score[self] = 0;
    const least = this.#leastCosine(self);
    // Where half of all posts are touched, it is best to go through all.
    const looked = touchesFew ? touched.length : score.length;
    for (let i = 0; i < looked; i++) {
      const post = touchesFew ? touched.values[i]! : i;
      if (score[post]! >= least && this.#areSimilar(self, post)) similar.push(post);
    }
    const chosen = this.#chosenFrom(similar.values.subarray(0, similar.length).sort());
    if (touchesFew) for (let i = 0; i < looked; i++) score[touched.values[i]!] = 0;
    else score.fill(0);
    return chosen;
  }

  /** Sums the cosines, and records the posts that are touched. */
  #recordCosines(self: number): void {
    const { vectors, lists } = this.#options;
    const [score, touched] = [this.#score, this.#touched];
    touched.length = 0;
    eachList(vectors, lists, self, (from, to, weight) => {
      for (let at = from; at < to; at++) {
        const other = lists.posts[at]!;
        if (score[other] === 0) touched.push(other);
        score[other] = score[other]! + weight * lists.weights[at]!;
      }
    });
  }

  /**
   * Whether two posts have enough in common, beyond chance. With the cosine of a and b, their `shares`, and
   * z = (cos - mean) / deviation by the mean and deviation of each:
   *
   *     cos · share_a · share_b · min(z_a, z_b) ≥ leastInCommon
   *
   * An example: two posts quote the same sentence, which makes half of them. Their cosine is 0.72; one has a
   * word that nobody else has, so its share is 0.97, the other's is 1. To the first, other posts have a mean
   * of 0.30 and a deviation of 0.30 (z = 1.4), to the second 0.47 and 0.33 (z = 0.8). Then
   * 0.72 · 0.97 · 1 · 0.8 = 0.56 ≥ 0.25: they are similar.
   */
  #areSimilar(a: number, b: number): boolean {
    const { vectors, means, deviations, leastInCommon } = this.#options;
    const { shares } = vectors;
    const cosine = this.#score[b]!;
    const standard = Math.min(
      (cosine - means[a]!) / deviations[a]!,
      (cosine - means[b]!) / deviations[b]!,
    );
    return cosine * shares[a]! * shares[b]! * standard >= leastInCommon;
  }

  /** The cosine below which no other post has enough in common with this one. */
  #leastCosine(self: number): number {
    const { vectors, means, deviations, leastInCommon } = this.#options;
    // From c · share · (c - mean) / deviation = leastInCommon, with the most that the other post can add.
    const product = (leastInCommon * deviations[self]!) / Math.max(vectors.shares[self]!, 1e-6);
    return Math.max(1e-6, (means[self]! + Math.sqrt(means[self]! ** 2 + 4 * product)) / 2 - 1e-4);
  }

  /**
   * The most similar ones, of posts that are similar enough.
   *
   * @param candidates ascending
   */
  #chosenFrom(candidates: Uint32Array): number[] {
    for (let most = candidateCount; ; most *= 4) {
      const best = topK(candidates, this.#score, most);
      const chosen = dropNearDuplicates(best, this.#options.sketches);
      if (chosen.length === mostSimilar || candidates.length <= most) return chosen;
    }
  }
}

/** The first posts that say something new: one of each group of near-duplicates. */
function dropNearDuplicates(posts: readonly number[], sketches: Uint32Array): number[] {
  const chosen: number[] = [];
  const seen: Uint32Array[] = [];
  for (const post of posts) {
    if (chosen.length === mostSimilar) break;
    const sketch = sketchAt(sketches, post);
    if (seen.some((one) => areNearDuplicates(one, sketch))) continue;
    seen.push(sketch);
    chosen.push(post);
  }
  return chosen;
}

export default function createJobs(options: RankOptions): RankJobs {
  const comparison = new SimilarityScorer(options);
  return {
    spread({ from, to }) {
      for (let self = from; self < to; self++) comparison.writeSpread(self);
    },
    rank({ from, to }) {
      const posts: number[] = [];
      const counts = new Uint16Array(to - from);
      for (let self = from; self < to; self++) {
        const chosen = comparison.mostSimilarTo(self);
        posts.push(...chosen);
        counts[self - from] = chosen.length;
      }
      return { posts: Uint32Array.from(posts), counts };
    },
  };
}
