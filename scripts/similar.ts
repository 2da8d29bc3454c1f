/**
 * Similar posts, computed from text and tags where the export gives none.
 *
 * Terms are words of Latin and other spaced scripts, pairs of neighbouring characters in runs of
 * kanji, katakana and hangul, and tags. Each post keeps its heaviest terms by TF-IDF (K. Spärck
 * Jones, 1972), as a unit vector; similarity is the cosine, summed up through posting lists.
 */
import { normalise } from "../functions/search/normalise.ts";
import { Growing } from "./growing.ts";
import type { Task } from "./task-thread.ts";

/** Version of the method; a change to anything below that changes results raises it. */
export const similarMethod = "tfidf-cosine 2";

/** Similar posts at most, for given and computed ones alike. */
export const mostSimilar = 15;

/** Terms that a post keeps. More cost time, and the light ones are noise. */
const termsPerPost = 32;
/** A cosine below this is chance: posts that share one common term. */
const leastSimilarity = 0.08;
/** A term of the title counts as this many in the text. */
const titleWeight = 3;
/** A tag counts as this many occurrences of a word. */
const tagWeight = 3;
/** Terms in more posts than this share say little and cost most. */
const commonShare = 1 / 8;

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
  /** Post ids, one post's behind the other's, best first. */
  readonly ids: Float64Array;
  /** Where those of the n-th post begin; last, where those of the last post end. */
  readonly start: Uint32Array;
}

const run = /[\p{Script=Han}々〆ヶ]+|[\p{Script=Katakana}ー]+|\p{Script=Hangul}+|[\p{L}\p{N}]+/gu;
const pairwise = /^(?:\p{Script=Han}|[々〆ヶ]|\p{Script=Katakana}|\p{Script=Hangul})/u;
const onlyHiragana = /^\p{Script=Hiragana}+$/u;

/** FNV-1a over UTF-16 units (Fowler, Noll, Vo), the number of a term: two in a million share one. */
function hashOf(text: string, from: number, to: number, seed: number): number {
  let hash = seed;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x0100_0193);
  return hash >>> 0;
}
const wordSeed = 0x811c_9dc5;
const tagSeed = 0x2f6e_5bd1;

/** The terms of a normalised text. Runs of hiragana are grammar, mostly, and left out. */
function* termsOf(text: string): Generator<number> {
  for (const { 0: piece, index } of text.matchAll(run)) {
    if (pairwise.test(piece)) {
      for (let i = index; i + 1 < index + piece.length; i++) yield hashOf(text, i, i + 2, wordSeed);
    } else if (piece.length > 1 && !onlyHiragana.test(piece))
      yield hashOf(text, index, index + piece.length, wordSeed);
  }
}

/** Numbers for hashes, from 0 on: open addressing, linear probing. */
class Numbering {
  readonly #slots: Uint32Array;
  readonly #numbers: Int32Array;
  size = 0;

  /** @param most distinct hashes at most */
  constructor(most: number) {
    const slots = 2 ** Math.ceil(Math.log2(most * 1.5 + 2));
    this.#slots = new Uint32Array(slots);
    this.#numbers = new Int32Array(slots).fill(-1);
  }

  number(hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (; this.#numbers[slot] !== -1; slot = (slot + 1) & mask)
      if (this.#slots[slot] === hash) return this.#numbers[slot] as number;
    this.#slots[slot] = hash;
    this.#numbers[slot] = this.size;
    return this.size++;
  }
}

/**
 * Finds similar posts among all posts that it is given.
 *
 * @returns up to `mostSimilar` for each, in the order in which the posts came, ties by ascending id
 */
export default function createTask(
  _options: unknown,
  progress: (posts: number) => void,
): Task<Comparable, SimilarPosts> {
  const ids: number[] = [];
  // Terms of all posts and how much they count, one post behind the other.
  const hashes = new Growing(Uint32Array);
  const counts = new Growing(Float32Array);
  const start: number[] = [0];
  return {
    take({ postId, title, text, tags }) {
      const terms = new Map<number, number>();
      const count = (term: number, by: number): void =>
        void terms.set(term, (terms.get(term) ?? 0) + by);
      for (const term of termsOf(normalise(title))) count(term, titleWeight);
      for (const term of termsOf(normalise(text))) count(term, 1);
      for (const tag of tags) count(hashOf(tag, 0, tag.length, tagSeed), tagWeight);
      for (const [term, by] of terms) {
        hashes.push(term);
        counts.push(by);
      }
      ids.push(postId);
      start.push(hashes.length);
    },
    finish() {
      const vectors = vectorsOf(hashes.values.subarray(0, hashes.length), counts.values, start);
      return mostSimilarOf(vectors, transposed(vectors, vectors.vocabulary), ids, progress);
    },
  };
}

/** Unit vectors of all posts; or, transposed, the posts of all terms. */
interface Vectors {
  /** Where the entries of each row begin; one more at the end. */
  readonly start: Uint32Array;
  /** Term of each entry; transposed, its post. */
  readonly columns: Uint32Array;
  readonly weights: Float32Array;
}

/** The heaviest terms of each post by TF-IDF, as unit vectors. */
function vectorsOf(
  hashes: Uint32Array,
  counts: Float32Array,
  starts: readonly number[],
): Vectors & { readonly vocabulary: number } {
  const posts = starts.length - 1;
  const numbering = new Numbering(hashes.length);
  const terms = hashes.map((hash) => numbering.number(hash));
  const documentFrequency = new Uint32Array(numbering.size);
  for (const term of terms) (documentFrequency[term] as number)++;

  const common = Math.max(8, posts * commonShare);
  const columns = new Growing(Uint32Array);
  const weights = new Growing(Float32Array);
  const start = new Uint32Array(posts + 1);
  for (let post = 0; post < posts; post++) {
    const weighted: { readonly term: number; readonly hash: number; readonly weight: number }[] =
      [];
    for (let i = starts[post] as number; i < (starts[post + 1] as number); i++) {
      const term = terms[i] as number;
      const frequency = documentFrequency[term] as number;
      // A term of one post alone joins it to nothing.
      if (frequency < 2 || frequency > common) continue;
      const weight = (1 + Math.log(counts[i] as number)) * Math.log(posts / frequency);
      weighted.push({ term, hash: hashes[i] as number, weight });
    }
    weighted.sort((a, b) => b.weight - a.weight || a.hash - b.hash);
    weighted.length = Math.min(weighted.length, termsPerPost);
    const length = Math.hypot(...weighted.map(({ weight }) => weight)) || 1;
    for (const { term, weight } of weighted) {
      columns.push(term);
      weights.push(weight / length);
    }
    start[post + 1] = columns.length;
  }
  return {
    start,
    columns: columns.values.subarray(0, columns.length),
    weights: weights.values,
    vocabulary: numbering.size,
  };
}

/** Rows become columns: the posts of each term. */
function transposed({ start, columns, weights }: Vectors, rows: number): Vectors {
  const newStart = new Uint32Array(rows + 1);
  for (const column of columns) (newStart[column + 1] as number)++;
  for (let row = 0; row < rows; row++)
    newStart[row + 1] = (newStart[row + 1] as number) + (newStart[row] as number);
  const fill = newStart.slice();
  const newColumns = new Uint32Array(columns.length);
  const newWeights = new Float32Array(columns.length);
  for (let row = 0; row + 1 < start.length; row++)
    for (let i = start[row] as number; i < (start[row + 1] as number); i++) {
      const at = (fill[columns[i] as number] as number)++;
      newColumns[at] = row;
      newWeights[at] = weights[i] as number;
    }
  return { start: newStart, columns: newColumns, weights: newWeights };
}

/** The best others of each post, by the cosine of their vectors. */
function mostSimilarOf(
  vectors: Vectors,
  lists: Vectors,
  ids: readonly number[],
  progress: (posts: number) => void,
): SimilarPosts {
  const found = new Growing(Uint32Array);
  const start = new Uint32Array(ids.length + 1);
  const score = new Float32Array(ids.length);
  const touched = new Uint32Array(ids.length);
  const better = (a: number, b: number): number =>
    (score[b] as number) - (score[a] as number) || (ids[a] as number) - (ids[b] as number);
  for (let self = 0; self < ids.length; self++) {
    let count = 0;
    for (let i = vectors.start[self] as number; i < (vectors.start[self + 1] as number); i++) {
      const term = vectors.columns[i] as number;
      const weight = vectors.weights[i] as number;
      for (let at = lists.start[term] as number; at < (lists.start[term + 1] as number); at++) {
        const other = lists.columns[at] as number;
        if (score[other] === 0) touched[count++] = other;
        score[other] = (score[other] as number) + weight * (lists.weights[at] as number);
      }
    }
    const candidates: number[] = [];
    for (let i = 0; i < count; i++) {
      const other = touched[i] as number;
      if (other !== self && (score[other] as number) >= leastSimilarity) candidates.push(other);
    }
    for (const other of candidates.sort(better).slice(0, mostSimilar)) found.push(other);
    start[self + 1] = found.length;
    for (let i = 0; i < count; i++) score[touched[i] as number] = 0;
    if (self % 1000 === 0) progress(self);
  }
  return {
    start,
    ids: Float64Array.from(found.values.subarray(0, found.length), (post) => ids[post] as number),
  };
}
