/**
 * Sketches of posts, for seeing that two say the same: copies, posts from one template, posts of bots.
 *
 * A sketch is the smallest terms of a post. Terms are hashes, so these are a random sample of all its
 * terms, and the share of them that two posts have in common estimates their resemblance, the terms
 * in both out of the terms in either (A. Broder, "On the resemblance and containment of documents", 1997).
 */

/** Terms in a sketch. */
export const sketchLength = 16;
/** Posts that share this many of a sketch's terms are near-duplicates: a resemblance of about 0.8. */
const nearDuplicate = 13;

/** Writes the sketch of a post: its smallest terms, ascending; a place without a term holds 2^32 - 1. */
export function writeSketch(terms: Uint32Array, sketch: Uint32Array): void {
  sketch.fill(0xffff_ffff);
  sketch.set(terms.toSorted().subarray(0, sketchLength));
}

/** Whether two posts say nearly the same. Posts without terms never do. */
export function areNearDuplicates(a: Uint32Array, b: Uint32Array): boolean {
  // The smallest of both together are a sketch of what is in either.
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
