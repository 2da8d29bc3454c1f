/** Elements as plain values: the build writes them as HTML, the page's script makes elements of them. Text stays text. */

/** @typedef {import("../tree.ts").Tree} Tree */
/** @typedef {import("../tree.ts").Content} Content */

/**
 * An element.
 *
 * @param {string} name
 * @param {Readonly<Record<string, string>>} attributes
 * @param {...Content} content
 * @returns {Tree}
 */
export const tree = (name, attributes, ...content) => ({ name, attributes, content });

/** A number for people: 12,345. Made once: `toLocaleString` makes its rules at every call. */
export const formatted = new Intl.NumberFormat("en-US").format;

/** Units of text that are laid out together: browsers take quadratic time for the lines of more, in some scripts. */
export const longestBlock = 5000;

/**
 * A text in pieces for blocks of their own. Each ends with a line, a sentence or a word, where one ends in its second
 * half, and never within a character.
 *
 * @param {string} text
 * @param {number} [room] units of the first piece
 * @returns {string[]}
 */
export function piecesOf(text, room = longestBlock) {
  const pieces = [];
  let [start, end] = [0, room];
  for (; end < text.length; end = start + longestBlock) {
    const piece = text.slice(start, end);
    const ends = ["\n", "。", " "].map((last) => piece.lastIndexOf(last) + 1);
    const isWithin = /^[\uDC00-\uDFFF]/.test(text.slice(end, end + 1)) && end > start;
    const length = ends.find((at) => at > piece.length / 2) ?? piece.length - (isWithin ? 1 : 0);
    pieces.push(piece.slice(0, length));
    start += length;
  }
  return [...pieces, text.slice(start)];
}

/** A long text as the page shows it. @param {string} text @returns {Tree[]} */
export const blocksOf = (text) =>
  piecesOf(text).map((piece) => tree("span", { class: "piece" }, piece));
