/** Jobs that find the most similar posts of each post: cosines of their vectors, summed over the lists of its terms. */
import { mostSimilar } from "../../functions/contract/resources.ts";
import { Growing } from "../lib/growable-array.ts";
import { areNearDuplicates, sketchOf } from "./near-duplicates.ts";
import { termsPerPost, type PostLists, type Vectors } from "./vectors.ts";

/** Candidates at first; more where near-duplicates among them leave places free. */
const firstCandidates = 4 * mostSimilar;

/** With fewer entries in its lists than one for so many posts, a post touches few others. */
const fewEntries = 4;

/** What the jobs need. */
export interface RankOptions {
  readonly vectors: Vectors;
  readonly lists: PostLists;
  /** Sketches of all posts, one behind the other. */
  readonly sketches: Uint32Array;
  /** The least cosine that counts as similar. */
  readonly least: number;
}

/** Posts `from` up to, not including, `to`. */
export interface PostRange {
  readonly from: number;
  readonly to: number;
}

/** Numbers of the similar posts of each post of a range, best first, and how many each has. */
export interface Ranked {
  readonly posts: Uint32Array;
  readonly counts: Uint8Array;
}

export type RankJobs = { readonly rank: (range: PostRange) => Ranked };

export default function createJobs({ vectors, lists, sketches, least }: RankOptions): RankJobs {
  const { columns, weights, sizes } = vectors;
  /** The cosine of each post with the one at work; all zero between two posts. */
  const score = new Float32Array(sizes.length);
  const touched = new Growing(Uint32Array);
  const similar = new Growing(Uint32Array);

  /** Calls `add` for the list of each term of a post. */
  function eachList(self: number, add: (from: number, to: number, weight: number) => void): void {
    const start = self * termsPerPost;
    for (let i = start; i < start + sizes[self]!; i++)
      add(lists.offsets[columns[i]!]!, lists.offsets[columns[i]! + 1]!, weights[i]!);
  }

  /** Sums the cosines, and goes through all posts: best where half of them are touched. */
  function findAmongAll(self: number): void {
    eachList(self, (from, to, weight) => {
      for (let at = from; at < to; at++) {
        const other = lists.posts[at]!;
        score[other] = score[other]! + weight * lists.weights[at]!;
      }
    });
    score[self] = 0;
    for (let post = 0; post < score.length; post++) if (score[post]! >= least) similar.push(post);
  }

  /** Sums the cosines, and goes through those posts that are touched: best where these are few. */
  function findAmongFew(self: number): void {
    touched.length = 0;
    eachList(self, (from, to, weight) => {
      for (let at = from; at < to; at++) {
        const other = lists.posts[at]!;
        if (score[other] === 0) touched.push(other);
        score[other] = score[other]! + weight * lists.weights[at]!;
      }
    });
    score[self] = 0;
    for (let i = 0; i < touched.length; i++)
      if (score[touched.values[i]!]! >= least) similar.push(touched.values[i]!);
    similar.values.subarray(0, similar.length).sort();
  }

  function mostSimilarOf(self: number): number[] {
    let entries = 0;
    eachList(self, (from, to) => (entries += to - from));
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
      const chosen = distinct(bestOf(candidates, score, most), sketches);
      if (chosen.length === mostSimilar || candidates.length <= most) return chosen;
    }
  }

  return {
    rank({ from, to }) {
      const posts: number[] = [];
      const counts = new Uint8Array(to - from);
      for (let self = from; self < to; self++) {
        const chosen = mostSimilarOf(self);
        posts.push(...chosen);
        counts[self - from] = chosen.length;
      }
      return { posts: Uint32Array.from(posts), counts };
    },
  };
}

/** Up to `most` posts with the highest scores, best first; equals by ascending number. @param posts ascending */
function bestOf(posts: Uint32Array, score: Float32Array, most: number): number[] {
  const best: number[] = [];
  let bar = 0;
  for (const post of posts) {
    const own = score[post]!;
    // Equals come behind those that are here already.
    if (best.length === most && own <= bar) continue;
    let place = best.length;
    while (place > 0 && own > score[best[place - 1]!]!) place--;
    best.splice(place, 0, post);
    if (best.length > most) best.pop();
    bar = score[best.at(-1)!]!;
  }
  return best;
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
