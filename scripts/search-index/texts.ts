/** Titles and texts of a segment's posts, one after another, in an array of units that threads share. */
import { createHash } from "node:crypto";
import { spanAt, type SharedTexts } from "../lib/post-texts.ts";
import type { Texts } from "./build-postings.ts";

const space = 0x20;
/** Units around each title and each text: a space before it, a space and the separator, which is 0, after it. */
const unitsAround = 3;

/** The texts of a segment, and the units of the longest title or text with its spaces. */
export interface SegmentTexts extends Texts {
  readonly longestText: number;
}

/**
 * Joins titles and texts. Each has a space before and after it, so that every word is
 * between spaces or signs, also the first and the last one; the MCP server looks for words so. A keyword of
 * `/api/search` has no spaces at its ends, so these add nothing to what it finds.
 *
 * @param posts positions among the gathered posts, in the order of the segment
 */
export function joinTexts(gathered: SharedTexts, posts: readonly number[]): SegmentTexts {
  const spans = posts.map((post) => spanAt(gathered, post));
  const offsets = new Uint32Array(new SharedArrayBuffer((posts.length + 1) * 4));
  // Two spaces around each title and each text; their separators are counted already.
  for (const [post, { title, end }] of spans.entries())
    offsets[post + 1] = offsets[post]! + end - title + 4;
  const units = new Uint16Array(new SharedArrayBuffer(offsets[posts.length]! * 2));
  let longestText = 0;
  let at = 0;
  for (const { units: from, title, text, end } of spans)
    // Without their separators.
    for (const one of [from.subarray(title, text - 1), from.subarray(text, end - 1)]) {
      units[at] = space;
      units.set(one, at + 1);
      units[at + 1 + one.length] = space;
      at += one.length + unitsAround;
      longestText = Math.max(longestText, one.length + 2);
    }
  const widths = new Uint8Array(new SharedArrayBuffer(units.length));
  return { units, offsets, widths, longestText };
}

/**
 * The digest of a segment.
 *
 * @param layout what else its lists depend on
 */
export const digestTexts = ({ offsets, units }: Texts, layout: object): string =>
  createHash("sha256").update(JSON.stringify(layout)).update(offsets).update(units).digest("hex");
