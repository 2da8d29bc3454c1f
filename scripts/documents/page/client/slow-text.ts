/** Text of strangers, held to what a browser lays out in a moment. */

/** Characters of a title, name or tag that are shown. */
const maxLineLength = 500;
/** Characters that are laid out together: of these, many take quadratic time. */
const maxSlowCharacters = 5000;
/** Beside letters of Europe and East Asia; marks are slow in any script. */
const slowCharacters =
  /\p{M}|[^\p{ASCII}\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/gu;
/** What of a slow text is laid out together, if possible whole words. */
const blocks = /[^]{1,1000}(?:\s|$)|[^]{1,1000}/gu;

/**
 * Cuts a text that stands in one line.
 *
 * @param max code units
 */
export const shorten = (text: string, max = maxLineLength): string =>
  text.length > max ? `${text.slice(0, max).toWellFormed()}…` : text;

/** Whether a text takes long to lay out in one piece. */
export const isSlowText = (text: string): boolean =>
  text.length > maxSlowCharacters && (text.match(slowCharacters)?.length ?? 0) > maxSlowCharacters;

/** Splits a text into blocks that are laid out one by one. */
export const splitSlowText = (text: string): readonly string[] => text.match(blocks) ?? [];
