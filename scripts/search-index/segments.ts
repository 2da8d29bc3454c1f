/**
 * Which posts make up each segment of an index. Borders depend on ids alone: after a post whose hashed id is a multiple of
 * the largest size, a segment ends; after the last one of these, borders of half that size follow, and so on. So a new post
 * changes the last, small segment, and a post that was edited or removed only its own. With halves, 100,000 posts have 10
 * segments on average, and 200 more posts rebuild those of 890; with eighths, it would be 17 segments and 780 posts.
 */
import { hash } from "node:crypto";

/** The smallest segments have this share of the largest, on average. */
const smallestShare = 1 / 64;

/** A number below 2^32 for a post, as good as random, and the same in every build. */
const hashId = (postId: number): number =>
  Number.parseInt(hash("sha256", String(postId)).slice(0, 8), 16);

/**
 * Divides posts into segments.
 *
 * @param postIds of all posts, by their numbers
 * @param largest posts in a large segment, on average: a power of two
 * @returns the numbers of the posts of each segment, ascending; segments by ascending ids. At least one segment
 */
export function splitIntoSegments(postIds: readonly number[], largest: number): Uint32Array[] {
  const byId = Uint32Array.from(postIds.keys()).sort((a, b) => postIds[a]! - postIds[b]!);
  const hashes = Uint32Array.from(byId, (post) => hashId(postIds[post]!));
  const segments: Uint32Array[] = [];
  let start = 0;
  for (let size = largest; size >= Math.max(1, largest * smallestShare); size /= 2)
    for (let i = start; i < hashes.length; i++) {
      if (hashes[i]! % size !== 0) continue;
      segments.push(byId.slice(start, i + 1).sort());
      start = i + 1;
    }
  if (start < byId.length || segments.length === 0) segments.push(byId.slice(start).sort());
  return segments;
}
