/**
 * MinHash sketches of posts, to find near-duplicates: copies, posts from one template, posts of bots.
 *
 * A sketch is the smallest terms of a post (bottom-k MinHash). Terms are hashes, so these are a random
 * sample of all its terms, and the share that two sketches have in common estimates the Jaccard
 * similarity of two posts: the terms in both, divided by the terms in either (A. Broder, "On the
 * resemblance and containment of documents", 1997).
 */

/** Terms in a sketch. */
export const sketchLength = 16;
/** Posts that share this many of a sketch's terms are near-duplicates: a Jaccard similarity of about 0.8. */
const nearDuplicate = 13;

/** Writes the sketch of a post: its smallest terms, ascending; unused places hold 2^32 - 1. */
export function writeSketch(terms: Uint32Array, sketch: Uint32Array): void {
  sketch.fill(0xffff_ffff);
  sketch.set(terms.toSorted().subarray(0, sketchLength));
}

/**
 * The sketch of a post.
 *
 * @param sketches of all posts, one after the other
 */
export const sketchAt = (sketches: Uint32Array, post: number): Uint32Array =>
  sketches.subarray(post * sketchLength, (post + 1) * sketchLength);

/** Whether two sketches are of near-duplicates. Posts without terms have none. */
export function areNearDuplicates(a: Uint32Array, b: Uint32Array): boolean {
  // The smallest terms of both sketches are a sketch of the union.
  let both = 0;
  let seen = 0;
  for (let i = 0, j = 0; seen < sketchLength && i < sketchLength && j < sketchLength; seen++) {
    const x = a[i]!;
    const y = b[j]!;
    if (x === 0xffff_ffff && y === 0xffff_ffff) break;
    if (x === y) both++;
    if (x <= y) i++;
    if (y <= x) j++;
  }
  return seen > 0 && both * sketchLength >= nearDuplicate * seen;
}
