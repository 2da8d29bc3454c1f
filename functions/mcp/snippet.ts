/** A text → the part of it where the words of a query are, by the API's own normalisation. */
import { longestSnippet } from "../contract/tools.ts";
import { lowered, unified } from "../search/normalise.ts";
import { firstPlace } from "./first-place.ts";

/** Units of a snippet before its first word. */
const lead = 20;

/** From here on, characters say about as much as two letters, and take two columns: scripts of East Asia, emoji. */
const firstWide = "\u2E80";

/** Signs in a text that are shown, but not compared; Unicode leaves these to programs. */
const [raised, apart] = ["\uFDD0", "\uFDD1"];
const signs = /[\uFDD0\uFDD1]/g;

/** Units of a text that become a part of a line at once, and of the longest line: a character may become 18. */
const [unifiedAtOnce, longestLine] = [10_000, 300_000];

/**
 * A text on one line, in the form that is compared but for its case. That has no raised digits, and no fractions in one
 * character: signs keep 10⁶ from being 106, and 1½ from being 11⁄2.
 */
function lineOf(text: string): string {
  let line = "";
  for (let at = 0; at < text.length && line.length < longestLine; at += unifiedAtOnce)
    line += unified(
      text
        .slice(at, at + unifiedAtOnce)
        .replace(/[⁰¹²³⁴-⁹⁺⁻]+/g, `${raised}$&`)
        .replace(/(?<=\p{Nd})(?=\p{No})/gu, apart),
    );
  return line.replace(/ {2,}/g, " ").trim();
}

/** What is compared of a part of a line. */
const compared = (part: string): string => lowered(part.replace(signs, ""));

/** Units of the characters that fit into a snippet, beside a sign at either end. */
function fitting(characters: readonly string[]): number {
  let columns = 2;
  let units = 0;
  for (const character of characters) {
    columns += character >= firstWide ? 2 : 1;
    if (columns > longestSnippet) break;
    units += character.length;
  }
  return units;
}

/** The first place of a needle in a line, and how many units the needle has. */
interface Place {
  readonly at: number;
  readonly units: number;
}

/** Units of a line that are compared at a time, to find a place in it. */
const atOnce = 4096;

/** Places in what is compared of a line → in the line. Some characters are longer in lower case, and signs are left out. */
function ledBack(line: string, places: readonly Place[]): Place[] {
  const led: Place[] = [];
  let comparedEnd = 0;
  for (let start = 0; start < line.length && led.length < places.length; start += atOnce) {
    const part = line.slice(start, start + atOnce);
    const partEnd = comparedEnd + compared(part).length;
    let at = start;
    if (places[led.length]!.at < partEnd)
      for (const character of part) {
        comparedEnd += compared(character).length;
        while ((places[led.length]?.at ?? Infinity) < comparedEnd)
          led.push({ ...places[led.length]!, at });
        at += character.length;
      }
    comparedEnd = partEnd;
  }
  return led;
}

/** Where needles are in a line, ascending. What is a part of another one that is there does not count: a phrase has its words. */
function placesOf(text: string, needles: readonly string[]): Place[] {
  const lower = compared(text);
  const found = [...new Set(needles)]
    .map((needle) => ({ needle, at: firstPlace(lower, needle), units: needle.length }))
    .filter(({ at }) => at >= 0);
  const places = found
    .filter(
      (one) => !found.some((other) => other !== one && firstPlace(other.needle, one.needle) >= 0),
    )
    .sort((a, b) => a.at - b.at);
  return lower.length === text.length ? places : ledBack(text, places);
}

/** Whether any needle is in a text. */
export function hasAny(text: string, needles: readonly string[]): boolean {
  const lower = compared(lineOf(text));
  return needles.some((needle) => firstPlace(lower, needle) >= 0);
}

/** Where a snippet ends that begins at a place. */
const endOf = (line: string, start: number): number =>
  start + fitting(Array.from(line.slice(start, start + longestSnippet)));

/**
 * Up to `longestSnippet` columns of a text: where the most of the needles is near each other, by their lengths; from the
 * beginning where none is. The text is shown as it is compared (half-width kana as full-width ones), but in its own case.
 *
 * @param text of a post, as snippets show it
 * @param needles normalised
 */
export function snippetOf(text: string, needles: readonly string[]): string {
  const line = lineOf(text);
  const places = placesOf(line, needles);
  const within = (from: number): number => {
    const end = endOf(line, Math.max(0, from - lead));
    // A phrase counts as a whole, or where a snippet begins with it.
    const counted = places.filter(
      ({ at, units }) => at >= from && (at + units <= end || at === from),
    );
    return counted.reduce((sum, { units }) => sum + units, 0);
  };
  const starts = places.map(({ at }) => at);
  const best = starts.reduce((one, at) => (within(at) > within(one) ? at : one), starts[0] ?? 0);
  const last = line.length - fitting(Array.from(line.slice(-longestSnippet)).reverse());
  const start = Math.max(0, Math.min(best - lead, last));
  const end = endOf(line, start);
  // Without half a character at either end, and without a mark whose letter is missing.
  const part = line
    .slice(start, end)
    .replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "")
    .replace(/^\p{M}+/u, "")
    .replaceAll(raised, "^")
    .replaceAll(apart, " ");
  return `${start > 0 ? "…" : ""}${part}${end < line.length ? "…" : ""}`;
}
