/**
 * Similar posts, computed from text and tags where the export gives none: BM25 weights over words and
 * character pairs (similar/terms.ts, similar/vectors.ts), cosine, near-duplicates thinned out.
 */
import { normalise } from "../../functions/search/normalise.ts";
import { Growing } from "../lib/growable-array.ts";
import { AnalysisCache } from "./term-cache.ts";
import { areNearDuplicates, sketchLength, writeSketch } from "./near-duplicates.ts";
import { tagTerm, TermCounter } from "./terms.ts";
import { transposed, vectorsOf, type SparseMatrix } from "./vectors.ts";
import { mostSimilar } from "../../functions/contract/resources.ts";
import type { Task } from "../lib/task-thread.ts";

/** Version of the method; a change to anything here or in similar/ that changes results raises it. */
export const similarMethod = "bm25-cosine 3";

/**
 * The least cosine that counts as similar: 99 of 100 random pairs are below it, within these bounds.
 * Long texts on all subjects are far apart, short ones on few subjects are close.
 */
const chance = 0.99;
const leastBound = 0.03;
const greatestBound = 0.09;
/** Candidates at first; more where near-duplicates among them leave places free. */
const firstCandidates = 4 * mostSimilar;
/** A term of the title counts as this many in the text. */
const titleWeight = 3;
/** A tag counts as this many occurrences of a word. */
const tagWeight = 3;

/** What similarity is computed from. */
export interface Comparable {
  readonly postId: number;
  readonly title: string;
  /** Visible text of the body. */
  readonly text: string;
  readonly tags: readonly string[];
}

/** Similar posts of every post. */
export interface SimilarPosts {
  /** The similar posts' ids, post after post, best first. */
  readonly ids: Float64Array;
  /** Offset in `ids` of each post's; last, the length of `ids`. */
  readonly offsets: Uint32Array;
  /** Posts whose text had to be analysed; the others' terms were in the cache. */
  readonly analysed: number;
}

/** How similar posts are to be computed. */
export interface SimilarityOptions {
  /** File that keeps the terms of posts from one build to the next; undefined for none. */
  readonly cacheFile: string | undefined;
}

/**
 * Finds similar posts among all posts that it is given.
 *
 * @param progress called with the number of posts whose similar posts are found
 * @returns up to `mostSimilar` for each, in the order in which the posts came; ties by ascending id
 */
export default function createTask(
  { cacheFile }: SimilarityOptions,
  progress: (posts: number) => void,
): Task<Comparable, SimilarPosts> {
  const cache = new AnalysisCache(cacheFile, similarMethod);
  const counter = new TermCounter();
  const ids: number[] = [];
  const terms = new Growing(Uint32Array);
  const counts = new Growing(Float32Array);
  const offsets: number[] = [0];
  return {
    take({ postId, title, text, tags }) {
      const content = [normalise(title), normalise(text), ...tags];
      const known = cache.find(content);
      if (known === undefined) {
        counter.addText(content[0] as string, titleWeight);
        counter.addText(content[1] as string, 1);
        for (const tag of tags) counter.add(tagTerm(tag), tagWeight);
        counter.take((term, count) => {
          terms.push(term);
          counts.push(count);
        });
      } else {
        terms.append(known.terms);
        counts.append(known.counts);
      }
      ids.push(postId);
      offsets.push(terms.length);
    },
    finish() {
      const all = {
        offsets: Uint32Array.from(offsets),
        terms: terms.values.subarray(0, terms.length),
        counts: counts.values.subarray(0, counts.length),
      };
      cache.save(all);
      const sketches = new Uint32Array(ids.length * sketchLength);
      for (let post = 0; post < ids.length; post++)
        writeSketch(all.terms.subarray(offsets[post], offsets[post + 1]), sketchOf(sketches, post));
      return {
        ...mostSimilarOf(vectorsOf(all), sketches, ids, progress),
        analysed: cache.missed,
      };
    },
  };
}

const sketchOf = (sketches: Uint32Array, post: number): Uint32Array =>
  sketches.subarray(post * sketchLength, (post + 1) * sketchLength);

/** The least cosine that counts as similar, from 20,000 pairs spread evenly over all posts. */
function leastSimilarity({ offsets, columns, weights, columnCount }: SparseMatrix): number {
  const posts = offsets.length - 1;
  const [firsts, seconds] = [200, 100];
  const cosines: number[] = [];
  const row = new Float32Array(columnCount);
  for (let i = 0; i < firsts; i++) {
    const first = Math.floor((i * posts) / firsts);
    const entries = columns.subarray(offsets[first], offsets[first + 1]);
    for (const [at, column] of entries.entries()) row[column] = weights[offsets[first]! + at]!;
    for (let j = 0; j < seconds && posts > 1; j++) {
      const second = (first + 1 + Math.floor((j * (posts - 1)) / seconds)) % posts;
      let cosine = 0;
      for (let at = offsets[second]!; at < offsets[second + 1]!; at++)
        cosine += row[columns[at]!]! * weights[at]!;
      cosines.push(cosine);
    }
    for (const column of entries) row[column] = 0;
  }
  const level = cosines.sort((a, b) => a - b)[Math.floor(cosines.length * chance)] ?? 0;
  return Math.min(greatestBound, Math.max(leastBound, level));
}

/** Up to `most` posts with the highest scores of at least `least`, best first; equals by ascending number. */
function bestOf(posts: Uint32Array, score: Float32Array, least: number, most: number): number[] {
  const best: number[] = [];
  let bar = least;
  for (const post of posts) {
    const own = score[post]!;
    if (own < bar) continue;
    let place = best.length;
    for (; place > 0; place--) {
      const other = best[place - 1]!;
      const difference = own - score[other]!;
      if (difference < 0 || (difference === 0 && post > other)) break;
    }
    best.splice(place, 0, post);
    if (best.length > most) best.pop();
    if (best.length === most) bar = score[best.at(-1) as number]!;
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

/** The most similar posts of each post: cosines of their vectors, summed over posting lists. */
function mostSimilarOf(
  vectors: SparseMatrix,
  sketches: Uint32Array,
  ids: readonly number[],
  progress: (posts: number) => void,
): Omit<SimilarPosts, "analysed"> {
  const lists = transposed(vectors);
  const least = leastSimilarity(vectors);
  const found: number[] = [];
  const offsets = new Uint32Array(ids.length + 1);
  const score = new Float32Array(ids.length);
  const touched = new Uint32Array(ids.length);
  for (let self = 0; self < ids.length; self++) {
    let count = 0;
    for (let i = vectors.offsets[self]!; i < vectors.offsets[self + 1]!; i++) {
      const weight = vectors.weights[i]!;
      const term = vectors.columns[i]!;
      const end = lists.offsets[term + 1]!;
      for (let at = lists.offsets[term]!; at < end; at++) {
        const other = lists.columns[at]!;
        if (score[other] === 0) touched[count++] = other;
        score[other] = score[other]! + weight * lists.weights[at]!;
      }
    }
    score[self] = 0;
    let chosen: number[] = [];
    for (let most = firstCandidates; ; most *= 4) {
      const candidates = bestOf(touched.subarray(0, count), score, least, most);
      chosen = distinct(candidates, sketches);
      if (chosen.length === mostSimilar || candidates.length < most) break;
    }
    for (let i = 0; i < count; i++) score[touched[i]!] = 0;
    for (const other of chosen) found.push(ids[other]!);
    offsets[self + 1] = found.length;
    if (self % 1000 === 0) progress(self);
  }
  return { offsets, ids: Float64Array.from(found) };
}
