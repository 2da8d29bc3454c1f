/** All titles and texts in the order of the posts, in one array of units that threads share. */
import type { SearchHit } from "../../functions/contract/resources.ts";
import { spanAt, type PostTexts } from "../lib/post-texts.ts";
import type { Texts } from "./build-postings.ts";

const space = 0x20;
/** Units around each title and each text: a space before it, a space and the separator, which is 0, after it. */
const unitsAround = 3;

/**
 * Puts all titles and texts in the order of the hits. Each has a space before and after it, so that every word is
 * between spaces or signs, also the first and the last one; the MCP server looks for words so. A keyword of
 * `/api/search` has no spaces at its ends, so these add nothing to what it finds.
 *
 * @param hits every post
 * @param gathered every post, in any order
 * @returns the texts, and the units of the longest title or text with its spaces
 */
export function textsInOrder(
  hits: readonly SearchHit[],
  gathered: PostTexts,
): { readonly texts: Texts; readonly longest: number } {
  const posts = new Map(gathered.postIds.map((postId, post) => [postId, post]));
  if (posts.size !== hits.length)
    throw new Error(`${posts.size} posts have texts, but the index has ${hits.length} posts`);
  const offsets = new Uint32Array(new SharedArrayBuffer((hits.length + 1) * 4));
  // Two spaces around each title and each text; their separators are counted already.
  const units = new Uint16Array(new SharedArrayBuffer((gathered.units + 4 * hits.length) * 2));
  const shared = gathered.shared();
  let longest = 0;
  let at = 0;
  for (const [number, { postId }] of hits.entries()) {
    const post = posts.get(postId);
    if (post === undefined) throw new Error(`post ${postId} has no text`);
    const { units: from, title, text, end } = spanAt(shared, post);
    // Without their separators.
    for (const one of [from.subarray(title, text - 1), from.subarray(text, end - 1)]) {
      units[at] = space;
      units.set(one, at + 1);
      units[at + 1 + one.length] = space;
      at += one.length + unitsAround;
      longest = Math.max(longest, one.length + 2);
    }
    offsets[number + 1] = at;
  }
  const widths = new Uint8Array(new SharedArrayBuffer(units.length));
  return { texts: { units, offsets, widths }, longest };
}
