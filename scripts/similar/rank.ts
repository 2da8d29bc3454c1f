/** Jobs that find the most similar posts of each post: cosines of their vectors, summed over the lists of its terms. */
import { mostSimilar } from "../../functions/contract/resources.ts";
import { topOf } from "../../functions/search/top-k.ts";
import { Growing } from "../lib/growable-array.ts";
import { areNearDuplicates, sketchOf } from "./near-duplicates.ts";
import { termsPerPost, type PostLists, type Vectors } from "./vectors.ts";

/** Candidates at first; more where near-duplicates among them leave places free. */
const firstCandidates = 4 * mostSimilar;

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
const leastDeviation = 0.005;

export default function createJobs({
  vectors,
  lists,
  references,
  referenceLists,
  means,
  deviations,
  sketches,
  leastInCommon,
}: RankOptions): RankJobs {
  const { columns, weights, sizes, shares } = vectors;
  /** The cosine of each post with the one at work; all zero between two posts. */
  const score = new Float32Array(sizes.length);
  const touched = new Growing(Uint32Array);
  const similar = new Growing(Uint32Array);

  /** Calls `add` for the list of each term of a post. */
  function eachList(
    self: number,
    { offsets }: PostLists,
    add: (from: number, to: number, weight: number) => void,
  ): void {
    const start = self * termsPerPost;
    for (let i = start; i < start + sizes[self]!; i++)
      add(offsets[columns[i]!]!, offsets[columns[i]! + 1]!, weights[i]!);
  }

  function sumCosines(self: number, postLists: PostLists): void {
    const { posts, weights: others } = postLists;
    eachList(self, postLists, (from, to, weight) => {
      for (let at = from; at < to; at++) score[posts[at]!]! += weight * others[at]!;
    });
  }

  function writeSpread(self: number): void {
    sumCosines(self, referenceLists);
    let count = 0;
    let sum = 0;
    let squares = 0;
    for (const post of references) {
      if (post === self) continue;
      const cosine = score[post]!;
      count++;
      sum += cosine;
      squares += cosine * cosine;
    }
    for (const post of references) score[post] = 0;
    const mean = count === 0 ? 0 : sum / count;
    means[self] = mean;
    const deviation = Math.sqrt(Math.max(0, squares / Math.max(1, count) - mean * mean));
    deviations[self] = Math.max(leastDeviation, deviation);
  }

  /** Deviations of a cosine above the mean of a post. */
  const standardScore = (cosine: number, post: number): number =>
    (cosine - means[post]!) / deviations[post]!;

  /** The cosine below which no other post has enough in common with this one. */
  function leastCosine(self: number): number {
    // From c · share · (c - mean) / deviation = leastInCommon, with the most that the other post can add.
    const product = (leastInCommon * deviations[self]!) / Math.max(shares[self]!, 1e-6);
    return Math.max(1e-6, (means[self]! + Math.sqrt(means[self]! ** 2 + 4 * product)) / 2 - 1e-4);
  }

  /**
   * Whether two posts have enough in common, beyond chance: at least `leastInCommon`, as the product of the
   * cosine, the `shares` of both posts, and the lesser of their two standard scores.
   */
  const areSimilar = (self: number, other: number): boolean => {
    const cosine = score[other]!;
    const deviating = Math.min(standardScore(cosine, self), standardScore(cosine, other));
    return cosine * shares[self]! * shares[other]! * deviating >= leastInCommon;
  };

  /** Sums the cosines, and goes through all posts: best where half of them are touched. */
  function findAmongAll(self: number): void {
    sumCosines(self, lists);
    score[self] = 0;
    const least = leastCosine(self);
    for (let post = 0; post < score.length; post++)
      if (score[post]! >= least && areSimilar(self, post)) similar.push(post);
  }

  /** Sums the cosines, and goes through those posts that are touched: best where these are few. */
  function findAmongFew(self: number): void {
    touched.length = 0;
    eachList(self, lists, (from, to, weight) => {
      for (let at = from; at < to; at++) {
        const other = lists.posts[at]!;
        if (score[other] === 0) touched.push(other);
        score[other] = score[other]! + weight * lists.weights[at]!;
      }
    });
    score[self] = 0;
    const least = leastCosine(self);
    for (let i = 0; i < touched.length; i++) {
      const post = touched.values[i]!;
      if (score[post]! >= least && areSimilar(self, post)) similar.push(post);
    }
    similar.values.subarray(0, similar.length).sort();
  }

  function mostSimilarOf(self: number): number[] {
    let entries = 0;
    eachList(self, lists, (from, to) => (entries += to - from));
    similar.length = 0;
    const touchesFew = entries * fewEntries < score.length;
    if (touchesFew) findAmongFew(self);
    else findAmongAll(self);
    const chosen = chosenFrom(similar.values.subarray(0, similar.length));
    if (touchesFew) for (let i = 0; i < touched.length; i++) score[touched.values[i]!] = 0;
    else score.fill(0);
    return chosen;
  }

  /** The most similar ones, of posts that are similar enough. @param candidates ascending */
  function chosenFrom(candidates: Uint32Array): number[] {
    for (let most = firstCandidates; ; most *= 4) {
      const chosen = distinct(
        topOf(candidates, (post) => score[post]!, most),
        sketches,
      );
      if (chosen.length === mostSimilar || candidates.length <= most) return chosen;
    }
  }

  return {
    spread({ from, to }) {
      for (let self = from; self < to; self++) writeSpread(self);
    },
    rank({ from, to }) {
      const posts: number[] = [];
      const counts = new Uint16Array(to - from);
      for (let self = from; self < to; self++) {
        const chosen = mostSimilarOf(self);
        posts.push(...chosen);
        counts[self - from] = chosen.length;
      }
      return { posts: Uint32Array.from(posts), counts };
    },
  };
}

/** The first posts that say something new: one of each group of near-duplicates. */
function distinct(posts: readonly number[], sketches: Uint32Array): number[] {
  const chosen: number[] = [];
  const seen: Uint32Array[] = [];
  for (const post of posts) {
    if (chosen.length === mostSimilar) break;
    const sketch = sketchOf(sketches, post);
    if (seen.some((one) => areNearDuplicates(one, sketch))) continue;
    seen.push(sketch);
    chosen.push(post);
  }
  return chosen;
}
