/** Ascending lists of numbers: positions, and the posts that they lie in. */

import { partitionPoint } from "./binary-search.ts";

/** Index of the first number from `from` on that is at least `value`: doubling steps, then halving. */
export function gallop(list: Uint32Array, value: number, from: number): number {
  // In long runs, most often it is one of the next two.
  if (from >= list.length || list[from]! >= value) return from;
  if (from + 1 === list.length || list[from + 1]! >= value) return from + 1;
  let step = 2;
  let low = from + 1;
  while (low + step < list.length && list[low + step]! < value) {
    low += step;
    step *= 2;
  }
  const start = low;
  return (
    start + partitionPoint(Math.min(step + 1, list.length - start), (i) => list[start + i]! < value)
  );
}

/** All numbers of two ascending lists, ascending. */
function mergePair(a: Uint32Array, b: Uint32Array): Uint32Array {
  const all = new Uint32Array(a.length + b.length);
  let i = 0;
  let j = 0;
  for (let at = 0; at < all.length; at++)
    all[at] = j === b.length || (i < a.length && a[i]! <= b[j]!) ? a[i++]! : b[j++]!;
  return all;
}

/**
 * All numbers of ascending lists, ascending. Lists are merged in pairs, then the pairs: of 2,000 numbers
 * in 20 lists this takes a fifth of the time that sorting them does.
 */
export function mergeSorted(lists: readonly Uint32Array[]): Uint32Array {
  let runs = lists;
  while (runs.length > 1) {
    const next: Uint32Array[] = [];
    for (let i = 0; i < runs.length; i += 2)
      next.push(i + 1 < runs.length ? mergePair(runs[i]!, runs[i + 1]!) : runs[i]!);
    runs = next;
  }
  return runs[0] ?? new Uint32Array(0);
}

/** Positions an offset further back, without those that would be below 0. Ascending. */
export function shift(positions: Uint32Array, offset: number): Uint32Array {
  if (offset === 0) return positions;
  const shifted = positions.slice(gallop(positions, offset, 0));
  // In a loop: of a million positions, `map` takes several times as long.
  for (let i = 0; i < shifted.length; i++) shifted[i]! -= offset;
  return shifted;
}

/**
 * The candidates that have a position a given offset further on.
 *
 * @param candidates ascending
 * @param positions ascending
 */
export function intersectShifted(
  candidates: Uint32Array,
  positions: Uint32Array,
  offset: number,
): Uint32Array {
  const found = new Uint32Array(Math.min(candidates.length, positions.length));
  let count = 0;
  let at = 0;
  // Each list leaps to where the other one goes on, whichever is longer.
  for (let i = 0; i < candidates.length;) {
    at = gallop(positions, candidates[i]! + offset, at);
    if (at === positions.length) break;
    const candidate = positions[at]! - offset;
    if (candidate === candidates[i]) found[count++] = candidates[i++]!;
    else i = gallop(candidates, candidate, i);
  }
  return found.subarray(0, count);
}

/** The numbers that both of two ascending lists have. */
export const intersect = (a: Uint32Array, b: Uint32Array): Uint32Array => intersectShifted(a, b, 0);

/** Posts that contain a term, ascending, and how often each does. */
export interface TermFrequencies {
  readonly docIds: Uint32Array;
  readonly freqs: Uint32Array;
}

/**
 * The posts that positions lie in, and how many lie in each.
 *
 * @param offsets as for `positionsToDocIds`
 */
export function countPerDoc(positions: Uint32Array, offsets: Uint32Array): TermFrequencies {
  const docIds = positionsToDocIds(positions, offsets);
  const freqs = new Uint32Array(docIds.length);
  let at = 0;
  // By index: an iterator over a list takes several times as long.
  for (let i = 0; i < positions.length; i++) {
    while (positions[i]! >= offsets[docIds[at]! + 1]!) at++;
    freqs[at]!++;
  }
  return { docIds, freqs };
}

/**
 * The posts that positions lie in, ascending, each once.
 *
 * @param positions ascending
 * @param offsets position of the first unit of each post, and the end of the last
 */
export function positionsToDocIds(positions: Uint32Array, offsets: Uint32Array): Uint32Array {
  const posts = new Uint32Array(Math.min(positions.length, offsets.length));
  let count = 0;
  let post = 0;
  let end = 0;
  for (let i = 0; i < positions.length; i++) {
    const position = positions[i]!;
    if (position < end) continue;
    // Of a dense list, the next position is often in the next post.
    if (count > 0 && position < offsets[post + 2]!) post++;
    else post = gallop(offsets, position + 1, post) - 1;
    end = offsets[post + 1]!;
    posts[count++] = post;
  }
  return posts.subarray(0, count);
}
