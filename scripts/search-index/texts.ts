/** All titles and texts in the order of the posts, in one array of units that threads share. */
import type { SearchHit } from "../../functions/contract/resources.ts";
import { spanOf, type PostTexts } from "../lib/post-texts.ts";
import type { Texts } from "./list-grams.ts";

/**
 * Puts all titles and texts in the order of the hits.
 *
 * @param hits every post
 * @param gathered every post, in any order
 * @returns the texts, and the units of the longest title or text
 */
export function textsInOrder(
  hits: readonly SearchHit[],
  gathered: PostTexts,
): { readonly texts: Texts; readonly longest: number } {
  const posts = new Map(gathered.postIds.map((postId, post) => [postId, post]));
  if (posts.size !== hits.length)
    throw new Error(`${posts.size} posts have texts, but the index has ${hits.length} posts`);
  const offsets = new Uint32Array(new SharedArrayBuffer((hits.length + 1) * 4));
  const units = new Uint16Array(new SharedArrayBuffer(gathered.units * 2));
  const shared = gathered.shared();
  let longest = 0;
  for (const [number, { postId }] of hits.entries()) {
    const post = posts.get(postId);
    if (post === undefined) throw new Error(`post ${postId} has no text`);
    const { units: from, title, text, end } = spanOf(shared, post);
    units.set(from.subarray(title, end), offsets[number]!);
    offsets[number + 1] = offsets[number]! + end - title;
    // Without their separators.
    longest = Math.max(longest, text - title - 1, end - text - 1);
  }
  const widths = new Uint8Array(new SharedArrayBuffer(units.length));
  return { texts: { units, offsets, widths }, longest };
}
