/** A text → the part of it where the words of a query are, by the API's own normalisation. */
import { longestSnippet } from "../contract/tools.ts";
import { foldCase, foldCompatibility } from "../engine/normalize.ts";

/** Units of a snippet before its first word. */
const contextBefore = 20;
/** Units of a text that are looked at, and of a keyword: the time is their product, at most. */
const maxTextLength = 300_000;
const maxCompared = 60;

/** From here on, characters say about as much as two letters, and take two columns: scripts of East Asia, emoji. */
const firstWide = "\u2E80";

/**
 * A text on one line, in the form that is compared but for its case. That has no raised digits, and no fractions in one
 * character: so 10⁶ becomes 10^6, and not 106, and 1½ becomes 1 1⁄2.
 */
const toSingleLine = (text: string): string =>
  foldCompatibility(
    text
      .slice(0, maxTextLength)
      .replace(/[⁰¹²³⁴-⁹⁺⁻]+/g, "^$&")
      .replace(/(?<=\p{Nd})(?=\p{No})/gu, " "),
  )
    .replace(/ {2,}/g, " ")
    .trim();

/** Units of the characters that fit into a snippet, beside a sign at either end. */
function fittingLength(characters: readonly string[]): number {
  let columns = 2;
  let units = 0;
  for (const character of characters) {
    columns += character >= firstWide ? 2 : 1;
    if (columns > longestSnippet) break;
    units += character.length;
  }
  return units;
}

/** Where a snippet ends that begins at a place. */
const endOf = (line: string, start: number): number =>
  start + fittingLength(Array.from(line.slice(start, start + longestSnippet)));

/**
 * Up to `longestSnippet` columns of a text: around the first match of a keyword, of the one that has the most others
 * after it; from the beginning where none matches. The text is shown as it is compared (half-width kana as full-width
 * ones), but in its own case.
 *
 * @param text of a post, as snippets show it
 * @param keywords normalised
 */
export function makeSnippet(text: string, keywords: readonly string[]): string {
  const ownCase = toSingleLine(text);
  const folded = foldCase(ownCase);
  // Some characters are longer in lower case. With these, places would differ.
  const line = folded.length === ownCase.length ? ownCase : folded;
  const matches = keywords
    .map((keyword) => ({
      at: folded.indexOf(keyword.slice(0, maxCompared)),
      units: keyword.length,
    }))
    .filter(({ at }) => at >= 0);
  const matchedFrom = (start: number): number => {
    const end = endOf(line, Math.max(0, start - contextBefore));
    const shown = matches.filter(
      ({ at, units }) => at === start || (at > start && at + units <= end),
    );
    return shown.reduce((sum, { units }) => sum + units, 0);
  };
  const best = matches.toSorted((a, b) => matchedFrom(b.at) - matchedFrom(a.at) || a.at - b.at)[0];
  const last = line.length - fittingLength(Array.from(line.slice(-longestSnippet)).reverse());
  const start = Math.max(0, Math.min((best?.at ?? 0) - contextBefore, last));
  const end = endOf(line, start);
  // Without half a character at either end, and without a mark whose letter is missing.
  const part = line
    .slice(start, end)
    .replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "")
    .replace(/^\p{M}+/u, "");
  return `${start > 0 ? "…" : ""}${part}${end < line.length ? "…" : ""}`;
}
