/**
 * Text → tokens: single characters of scripts that put no spaces between words, Japanese above all, and
 * whole words of all others. No dictionary is used: its words would change with the version of Node, and
 * pairs of characters, hiragana included, measured better (`npm run bench:similar`).
 */

/** What a UTF-16 unit is part of; 0 for what separates tokens. */
const inWord = 1;
export const inPairs = 2;

const pairs =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}々〆ヶー]$/u;
const word = /^[\p{L}\p{N}\p{M}]$/u;

/** By UTF-16 unit. */
export const tokenKinds = Uint8Array.from({ length: 0x1_0000 }, (_, unit) => {
  // Rare kanji are two surrogates each; taken one by one they pair up as well.
  if (unit >= 0xd800 && unit < 0xe000) return inPairs;
  const character = String.fromCharCode(unit);
  return pairs.test(character) ? inPairs : word.test(character) ? inWord : 0;
});

/** Where a word ends that begins at a unit. */
export function wordEnd(units: Uint16Array, from: number): number {
  let end = from + 1;
  while (tokenKinds[units[end]!] === inWord) end++;
  return end;
}

/** FNV-1a (Fowler, Noll, Vo) over UTF-16 units, and a last mixing: all bits of a hash are used. */
export const fnvOffset = 0x811c_9dc5;
export const fnvStep = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x0100_0193);
export function mixHash(hash: number): number {
  const half = Math.imul(hash ^ (hash >>> 15), 0x2c1b_3c6d);
  return (half ^ (half >>> 13)) >>> 0;
}

/** The hash of units, before its last mixing. */
export function hashUnits(units: Uint16Array, from: number, to: number): number {
  let hash = fnvOffset;
  for (let i = from; i < to; i++) hash = fnvStep(hash, units[i]!);
  return hash;
}
