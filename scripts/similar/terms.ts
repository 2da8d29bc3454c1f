/**
 * Text → terms. Scripts that put no spaces between words, Japanese above all, give every pair of
 * neighbouring characters; all others give words. No dictionary is used: its words would change
 * with the version of Node, and pairs of characters, hiragana included, measured better
 * (`npm run bench:similar`).
 */

import { IntTable } from "../lib/int-table.ts";

/** What a UTF-16 unit is part of. */
const inWord = 1;
const inPairs = 2;

const pairs =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}々〆ヶー]$/u;
const word = /^[\p{L}\p{N}\p{M}]$/u;

const kinds = Uint8Array.from({ length: 0x1_0000 }, (_, unit) => {
  // Rare kanji are two surrogates each; taken one by one they pair up as well.
  if (unit >= 0xd800 && unit < 0xe000) return inPairs;
  const character = String.fromCharCode(unit);
  return pairs.test(character) ? inPairs : word.test(character) ? inWord : 0;
});

/** FNV-1a (Fowler, Noll, Vo) over UTF-16 units, and a last mixing: all bits of a hash are used. */
const fnvOffset = 0x811c_9dc5;
const step = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x0100_0193);
function mixed(hash: number): number {
  const half = Math.imul(hash ^ (hash >>> 15), 0x2c1b_3c6d);
  return (half ^ (half >>> 13)) >>> 0;
}
/** Tags are terms apart from the words of a text. */
const tagOffset = 0x2f6e_5bd1;

/** The term of a tag. */
export function tagTerm(tag: string): number {
  let hash = tagOffset;
  for (let i = 0; i < tag.length; i++) hash = step(hash, tag.charCodeAt(i));
  return mixed(hash);
}

/** Counts the terms of one post after another. A term is its hash, 32 bits: two in a million share one. */
export class TermCounter {
  readonly #table = new IntTable();
  #counts: number[] = [];

  add(term: number, by: number): void {
    const number = this.#table.number(term);
    this.#counts[number] = (this.#counts[number] ?? 0) + by;
  }

  /** Counts the terms of a normalised text, each occurrence as `by`. */
  addText(text: string, by: number): void {
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      const kind = kinds[unit];
      if (kind === inPairs) {
        const next = text.charCodeAt(i + 1);
        if (kinds[next] === inPairs) this.add(mixed(step(step(fnvOffset, unit), next)), by);
      } else if (kind === inWord) {
        const start = i;
        let hash = fnvOffset;
        for (; kinds[text.charCodeAt(i)] === inWord; i++) hash = step(hash, text.charCodeAt(i));
        // One letter carries no meaning.
        if (i - start > 1) this.add(mixed(hash), by);
        i--;
      }
    }
  }

  /** Passes all terms with their counts, and starts again from none. */
  take(each: (term: number, count: number) => void): void {
    for (const [number, term] of this.#table.keys.entries()) each(term, this.#counts[number] ?? 0);
    this.#table.clear();
    this.#counts = [];
  }
}
