/** Needle → the posts that contain it. The index proposes, the text confirms: no false hit, no missed one. */
import type { IndexFiles, PostNumbers } from "./index-files.ts";
import { frequentFrom, layout } from "./index-format.ts";

/** When this few posts are left, reading their text costs less than narrowing further. */
const fewEnough = 24;

/** Posting lists that are asked for at once; a needle of thousands of characters is seldom asked for whole. */
const gramsAtOnce = 16;

const none: PostNumbers = new Uint32Array(0);

/** Position of the first element from `from` on that is at least `value`: doubling steps, then halving. */
function gallop(list: PostNumbers, value: number, from: number): number {
  let step = 1;
  let low = from;
  while (low + step < list.length && (list[low + step] as number) < value) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step + 1, list.length);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The posts in both lists.
 *
 * @param small the shorter list @param large the longer one
 */
export function intersection(small: PostNumbers, large: PostNumbers): PostNumbers {
  const both = new Uint32Array(small.length);
  let count = 0;
  let at = 0;
  for (let i = 0; i < small.length; i++) {
    const post = small[i] as number;
    at = gallop(large, post, at);
    if (at === large.length) break;
    if (large[at] === post) both[count++] = post;
  }
  return both.subarray(0, count);
}

/** The posts in all lists, rarest first, so that the work shrinks at once. Stops when few are left. */
function narrowed(lists: readonly PostNumbers[]): PostNumbers {
  const [rarest, ...others] = [...new Set(lists)].sort((a, b) => a.length - b.length);
  let left = rarest ?? none;
  for (const list of others) {
    if (left.length <= fewEnough) break;
    left = intersection(left, list);
  }
  return left;
}

/** The posts among `candidates` whose title or text contains the needle. */
async function verified(
  index: IndexFiles,
  candidates: PostNumbers,
  needle: string,
): Promise<PostNumbers> {
  const { textStart, textFirst } = index.catalog;
  const hits = new Uint32Array(candidates.length);
  let count = 0;
  for (let i = 0; i < candidates.length;) {
    const block = index.textBlockOf(candidates[i] as number);
    const text = await index.textBlock(block);
    const origin = textStart[textFirst[block] as number] as number;
    const end = textFirst[block + 1] as number;
    for (; i < candidates.length && (candidates[i] as number) < end; i++) {
      const post = candidates[i] as number;
      const from = (textStart[post] as number) - origin;
      if (text.slice(from, (textStart[post + 1] as number) - origin).includes(needle))
        hits[count++] = post;
    }
  }
  return hits.subarray(0, count);
}

/**
 * The positions of a needle's grams of two units, in waves: the first wave is spread over the whole
 * needle, the next ones lie between. A needle of usual length is one wave.
 */
function* waves(grams: number): Generator<number[]> {
  const stride = Math.ceil(grams / gramsAtOnce);
  for (let offset = 0; offset < stride; offset++) {
    const positions: number[] = [];
    for (let at = offset; at < grams; at += stride) positions.push(at);
    yield positions;
  }
}

/**
 * All posts whose normalised title or text contains a needle.
 *
 * A needle of one or two units is a gram: its posting list is the answer. A longer one is narrowed
 * by its grams of two units; where neighbouring grams are both frequent, the gram that joins them is
 * in the index too, or in no post (see `frequentFrom`), and so on upward, until the needle itself is
 * answered or few posts are left to verify.
 *
 * @param needle as `needleOf` gives it; empty for every post
 * @returns post numbers, ascending (newest first); read-only
 * @throws IndexUnavailable when a part of the index cannot be read
 */
export async function postsContaining(index: IndexFiles, needle: string): Promise<PostNumbers> {
  if (needle === "") return index.everyPost;
  if (needle.length > index.manifest.longestText) return none;
  if (needle.length <= 2) return (await index.postings([needle]))[0] ?? none;

  const frequent = frequentFrom(index.manifest.posts);
  const isFrequent = (list: PostNumbers | undefined): boolean =>
    list !== undefined && list.length >= frequent;

  // lists[i] is the posting list of the gram of `width` units at position i of the needle. While all
  // are frequent, `left` stays unset: longer grams will say more than narrowing by long lists would.
  let width = 2;
  let lists = Array.from<PostNumbers | undefined>({ length: needle.length - 1 });
  let left: PostNumbers | undefined;
  for (const positions of waves(needle.length - 1)) {
    const found = await index.postings(positions.map((at) => needle.slice(at, at + width)));
    if (found.some((list) => list.length === 0)) return none;
    if (left !== undefined || !found.every(isFrequent))
      left = narrowed(left === undefined ? found : [left, ...found]);
    if (left !== undefined && left.length <= fewEnough) return verified(index, left, needle);
    for (const [i, at] of positions.entries()) lists[at] = found[i];
  }
  while (left === undefined || left.length > fewEnough) {
    const joined = [...lists.keys()].filter(
      (at) => at + 1 < lists.length && isFrequent(lists[at]) && isFrequent(lists[at + 1]),
    );
    if (joined.length === 0 || width === layout.longestGram) break;
    width++;
    const found = await index.postings(joined.map((at) => needle.slice(at, at + width)));
    if (found.some((list) => list.length === 0)) return none;
    if (width === needle.length) return found[0] ?? none;
    if (left !== undefined || !found.every(isFrequent))
      left = narrowed(left === undefined ? found : [left, ...found]);
    lists = Array.from({ length: lists.length - 1 });
    for (const [i, at] of joined.entries()) lists[at] = found[i];
  }
  // Unset where all parts of the longest width are frequent: then a long passage is widely shared.
  left ??= narrowed(lists.filter((list) => list !== undefined));
  return verified(index, left, needle);
}
