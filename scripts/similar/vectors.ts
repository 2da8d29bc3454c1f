/**
 * Terms of all posts → a unit vector for each.
 *
 * A term weighs as in Okapi BM25 (S. Robertson, S. Walker et al., TREC-3, 1994): its count, levelled
 * off by `saturation` and by the length of the post, times the square root of its inverse document
 * frequency. Both sides of a cosine carry the root, so a shared term counts its IDF once, as it does
 * in BM25.
 */
import { Growing } from "../lib/growable-array.ts";
import { IntTable } from "../lib/int-table.ts";

/** BM25's k1: where counts level off. */
const saturation = 2;
/** BM25's b: how much the length of a post matters. */
const lengthShare = 0.75;
/** Terms that a post keeps, its heaviest. More cost time, and the light ones add little. */
const termsPerPost = 256;
/**
 * Terms in more posts than this share, or than this many, say little and cost most: without them the
 * cost grows little faster than the number of posts.
 */
const commonShare = 1 / 4;
const commonPosts = 2000;
/** A term in no more posts than this is never too common, however small the collection. */
const fewPosts = 8;

/** Terms and counts of all posts, post after post. */
export interface Terms {
  /** Offset of each post's terms; last, the number of terms. */
  readonly offsets: Uint32Array;
  readonly terms: Uint32Array;
  readonly counts: Float32Array;
}

/** Rows of numbers that are mostly zero: posts by terms or, transposed, terms by posts. */
export interface SparseMatrix {
  /** Offset of each row's entries; last, the number of entries. */
  readonly offsets: Uint32Array;
  readonly columns: Uint32Array;
  readonly weights: Float32Array;
  readonly columnCount: number;
}

/** Weighs the terms of all posts and keeps the heaviest of each. */
export function vectorsOf({ offsets, terms, counts }: Terms): SparseMatrix {
  const posts = offsets.length - 1;
  const numbering = new IntTable();
  const numbers = terms.map((term) => numbering.number(term));
  const frequency = new Uint32Array(numbering.keys.length);
  for (const number of numbers) frequency[number]!++;

  const common = Math.max(fewPosts, Math.min(commonPosts, posts * commonShare));
  const idf = Float32Array.from(frequency, (count) =>
    // A term of one post alone joins it to nothing.
    count < 2 || count > common ? 0 : Math.sqrt(Math.log(posts / count)),
  );
  let meanLength = 0;
  for (const count of counts) meanLength += count / posts;

  const columns = new Growing(Uint32Array);
  const weights = new Growing(Float32Array);
  const newOffsets = new Uint32Array(posts + 1);
  for (let post = 0; post < posts; post++) {
    const from = offsets[post]!;
    const to = offsets[post + 1]!;
    let length = 0;
    for (let i = from; i < to; i++) length += counts[i]!;
    const damping = saturation * (1 - lengthShare + (lengthShare * length) / meanLength);
    const weighed = new Float32Array(to - from);
    for (let i = from; i < to; i++) {
      const count = counts[i]!;
      weighed[i - from] = (count / (count + damping)) * idf[numbers[i]!]!;
    }
    // Of equal weights at the border, the smaller terms stay: what a post is stored as does not matter.
    const least = weighed.toSorted().at(-termsPerPost) ?? 0;
    const atBorder: number[] = [];
    let squares = 0;
    const keep = (i: number): void => {
      const weight = weighed[i - from]!;
      columns.push(numbers[i]!);
      weights.push(weight);
      squares += weight * weight;
    };
    const first = columns.length;
    for (let i = from; i < to; i++) {
      const weight = weighed[i - from]!;
      if (weight > least) keep(i);
      else if (weight === least && weight > 0) atBorder.push(i);
    }
    atBorder
      .sort((a, b) => terms[a]! - terms[b]!)
      .slice(0, termsPerPost - (columns.length - first))
      .forEach(keep);
    const norm = Math.sqrt(squares);
    for (let i = first; i < weights.length; i++) weights.values[i] = weights.values[i]! / norm;
    newOffsets[post + 1] = columns.length;
  }
  return {
    offsets: newOffsets,
    columns: columns.values.subarray(0, columns.length),
    weights: weights.values.subarray(0, weights.length),
    columnCount: numbering.keys.length,
  };
}

/** Rows become columns: from the terms of each post to the posts of each term. */
export function transposed({ offsets, columns, weights, columnCount }: SparseMatrix): SparseMatrix {
  const rows = offsets.length - 1;
  const newOffsets = new Uint32Array(columnCount + 1);
  for (const column of columns) newOffsets[column + 1]!++;
  for (let i = 0; i < columnCount; i++) newOffsets[i + 1] = newOffsets[i + 1]! + newOffsets[i]!;
  const end = newOffsets.slice();
  const newColumns = new Uint32Array(columns.length);
  const newWeights = new Float32Array(columns.length);
  for (let row = 0; row < rows; row++)
    for (let i = offsets[row]!; i < offsets[row + 1]!; i++) {
      const at = end[columns[i]!]!++;
      newColumns[at] = row;
      newWeights[at] = weights[i]!;
    }
  return { offsets: newOffsets, columns: newColumns, weights: newWeights, columnCount: rows };
}
