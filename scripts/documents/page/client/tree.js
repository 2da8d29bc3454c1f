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
 * Marks and brackets in a row, and letters of a word, for which they take it sooner. No language has as many. A mark is
 * also what else belongs to the character before it, as the skin of an emoji.
 */
const [longestRow, longestWord] = [64, 1000];
/** The same of a word in a column of a table, and of joined letters. */
export const longestNarrowWord = 200;
const longestJoinedWord = 64;
const longestKernedWord = 40;
const inRow = /[\p{M}\p{Grapheme_Extend}\p{Emoji_Modifier}\p{Ps}\p{Pe}\p{Pi}\p{Pf}、。，．]/u;
/** Not of Latin, as in long URLs, and not of Chinese, Japanese and Korean, which have no spaces between words. */
const inWord =
  /[^\p{ASCII}\s\p{P}\p{S}\p{sc=Latn}\p{Ideographic}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u;

/**
 * Scripts whose letters are joined, or form clusters: for each line of a word, its rest is drawn again. Their words have
 * spaces between.
 */
const joined =
  /[\p{sc=Deva}\p{sc=Beng}\p{sc=Guru}\p{sc=Gujr}\p{sc=Orya}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}\p{sc=Newa}\p{sc=Tirh}\p{sc=Gran}\p{sc=Arab}\p{sc=Syrc}\p{sc=Mong}\p{sc=Phag}\p{sc=Mand}\p{sc=Mani}\p{sc=Nkoo}\p{sc=Adlm}\p{sc=Rohg}\p{sc=Sogd}\p{sc=Tfng}\p{sc=Ougr}\p{sc=Phlp}]/u;

/** What runs from right to left, by Unicode's blocks, but for the numbers of Arabic; marks of direction. */
const rightToLeft =
  /(?![\u0600-\u0605\u0660-\u0669\u066b\u066c\u06dd\u06f0-\u06f9\u0890\u0891\u08e2\u{10d30}-\u{10d39}\u{10e60}-\u{10e7e}])[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const turning = /\p{Bidi_Control}/u;
/** Changes of direction between two spaces: Safari takes more than quadratic time, with fewer for breaking lines there. */
const [mostTurns, mostUnbroken] = [64, 8];

/**
 * What is laid out together so far: units of text, and at its end characters in a row, of a word, and changes of
 * direction since a space.
 */
export const newBlock = (longest = longestWord) => ({
  units: 0,
  row: 0,
  word: 0,
  turns: 0,
  isRightToLeft: false,
  longestWord: longest,
});

/** Counts changes of direction. @param {ReturnType<typeof newBlock>} block @param {string} character */
function countTurn(block, character) {
  if (/[ \t\n]/.test(character)) block.turns = 0;
  else if (turning.test(character)) block.turns++;
  else if (rightToLeft.test(character) !== block.isRightToLeft) {
    block.isRightToLeft = !block.isRightToLeft;
    block.turns++;
  }
}

/**
 * The direction of a text by its first letter, as `dir=auto` has it. Browsers look for that letter again at each part of a
 * text that has none.
 *
 * @param {string} text
 */
export function directionOf(text) {
  const [first = ""] = /[\p{L}\u200E\u200F]/u.exec(text) ?? [];
  return first === "\u200F" || rightToLeft.test(first) ? "rtl" : "ltr";
}

/**
 * A text in pieces for blocks of their own. Each ends with a line, a sentence or a word, where one ends in its second
 * half, and never within a character.
 *
 * @param {string} text
 * @param {ReturnType<typeof newBlock>} [block] that the first piece continues; in the end, the one of the last piece
 * @returns {string[]}
 */
export function piecesOf(text, block = newBlock()) {
  const pieces = [];
  let [start, at] = [0, 0];
  for (const character of text) {
    block.row = inRow.test(character) ? block.row + 1 : 0;
    block.word = inWord.test(character) ? block.word + 1 : 0;
    countTurn(block, character);
    const isSlow =
      block.row > longestRow ||
      block.turns > mostTurns ||
      block.word > block.longestWord ||
      (block.word > longestJoinedWord && joined.test(character));
    if (isSlow || block.units + character.length > longestBlock) {
      const piece = text.slice(start, at);
      const ends = isSlow ? [] : ["\n", "。", " "].map((last) => piece.lastIndexOf(last) + 1);
      const length = ends.find((end) => end > piece.length / 2) ?? piece.length;
      pieces.push(piece.slice(0, length));
      start += length;
      Object.assign(block, { units: at - start, row: 0, word: 0, turns: 0 });
    }
    block.units += character.length;
    at += character.length;
  }
  return [...pieces, text.slice(start)];
}

/**
 * Whether a browser takes long to find words in a text, in vain: it knows none of scripts that have no spaces, but for
 * Thai, Lao, Khmer and Burmese (Unicode's class SA, https://www.unicode.org/reports/tr14/#SA).
 */
const isWordless = (/** @type {string} */ text) =>
  /[\p{sc=Tale}\p{sc=Talu}\p{sc=Lana}\p{sc=Tavt}\p{sc=Ahom}]/u.test(text);

/**
 * Whether a browser takes long to find out where a word may be broken.
 *
 * @param {string} one the word
 * @param {ReturnType<typeof newBlock>} block with the direction before it; gets the one at its end
 */
function isSlowWord(one, block) {
  let turns = 0;
  for (const character of one) {
    countTurn(block, character);
    turns = Math.max(turns, block.turns);
  }
  return turns > mostUnbroken || isWordless(one);
}

/** Words of a text that have elements of their own. Of more, the text is in one element. */
const mostSlowWords = 4;

/**
 * A text, cut at the words that may be broken anywhere, since a browser takes long to find out where.
 *
 * @param {string} text
 * @returns {string[]} parts in their order: every second one may be broken anywhere; the first may be empty
 */
export function breakableIn(text) {
  if (!rightToLeft.test(text) && !turning.test(text) && !isWordless(text)) return [text];
  const block = newBlock();
  const parts = [""];
  for (const one of text.split(/([ \t\n]+)/)) {
    const isPlainLast = parts.length % 2 === 1;
    if (isSlowWord(one, block) === isPlainLast) parts.push("");
    parts[parts.length - 1] += one;
  }
  return parts.length > 2 * mostSlowWords + 1 ? ["", text] : parts;
}

/** What is a word, for a browser that breaks lines: without those of Chinese, Japanese and Korean, which it breaks anywhere. */
const word = /[^\s\p{Ideographic}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]+/gu;

/**
 * Whether a text has a long word. Where letters are kerned, as in "AV", a browser draws the rest of a word again for each
 * of its lines. Nobody misses the kerning of such a word, mostly a URL.
 *
 * @param {string} text
 */
export function hasLongWord(text) {
  for (const [{ length }] of text.matchAll(word)) if (length > longestKernedWord) return true;
  return false;
}

/**
 * What a text is shown in, where that is more than the text: parts with classes of their own, or none.
 *
 * @param {string} text
 * @returns {readonly { readonly text: string, readonly className: string }[] | undefined}
 */
export function partsOf(text) {
  const pieces = piecesOf(text);
  const broken = breakableIn(text);
  // In a short text, it takes no time.
  const unkerned = text.length > longestWord && hasLongWord(text) ? "unkerned" : "";
  const classed = (/** @type {string} */ one, /** @type {string[]} */ ...classes) => ({
    text: one,
    className: [...classes, unkerned].filter((name) => name !== "").join(" "),
  });
  if (pieces.length > 1)
    return pieces.map((piece) => classed(piece, "piece", broken.length > 1 ? "breakable" : ""));
  if (broken.length === 1 && unkerned === "") return undefined;
  return broken
    .map((part, i) => classed(part, i % 2 === 1 ? "breakable" : ""))
    .filter((part) => part.text !== "");
}
