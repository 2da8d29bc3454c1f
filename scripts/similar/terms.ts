/**
 * Text → terms. Scripts that put no spaces between words, Japanese above all, give every pair of
 * neighbouring characters; all others give words. No dictionary is used: its words would change
 * with the version of Node, and pairs of characters, hiragana included, measured better
 * (`npm run bench:similar`).
 */
import { IntTable } from "../lib/int-table.ts";
import { placeOf, type PostTexts, type SharedTexts } from "../lib/post-texts.ts";

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
/** The distinct terms of a post, in the order in which they come. */
export interface Counted {
  readonly terms: Uint32Array;
  readonly counts: Float64Array;
}

/** Tags are terms apart from the words of a text. */
const tagOffset = 0x2f6e_5bd1;

/** The term of a tag. */
function tagTerm(tag: string): number {
  let hash = tagOffset;
  for (let i = 0; i < tag.length; i++) hash = step(hash, tag.charCodeAt(i));
  return mixed(hash);
}

/** A term of the title counts as this many in the text. */
const titleWeight = 3;
/** A tag counts as this many occurrences of a word. */
const tagWeight = 3;

/** All posts, as threads read them. */
export interface Posts {
  readonly texts: SharedTexts;
  /** The terms of all tags, post after post. */
  readonly tagTerms: Uint32Array;
  /** Where the terms of each post's tags begin in `tagTerms`; last, their end. */
  readonly tagOffsets: Uint32Array;
}

/** What threads read of posts. */
export function postsFrom(texts: PostTexts): Posts {
  const tagOffsets = new Uint32Array(texts.count + 1);
  for (const [post, { length }] of texts.tags.entries())
    tagOffsets[post + 1] = tagOffsets[post]! + length;
  return {
    texts: texts.shared(),
    tagTerms: Uint32Array.from(texts.tags.flatMap((tags) => tags.map(tagTerm))),
    tagOffsets,
  };
}

/**
 * Counts the terms of one post after another. A term is its hash, 32 bits: two in a million share one.
 */
export class TermCounter {
  readonly #posts: Posts;
  readonly #table = new IntTable();
  /** By the number of a term in the table. */
  #counts = new Float64Array(1 << 12);

  constructor(posts: Posts) {
    this.#posts = posts;
  }

  /** Counts the terms of a post. */
  count(post: number): Counted {
    const { texts, tagTerms, tagOffsets } = this.#posts;
    const { units, title, text, end } = placeOf(texts, post);
    this.#addText(units, title, text, titleWeight);
    this.#addText(units, text, end, 1);
    for (let i = tagOffsets[post]!; i < tagOffsets[post + 1]!; i++)
      this.#add(tagTerms[i]!, tagWeight);
    const counted = {
      terms: this.#table.keys,
      counts: this.#counts.slice(0, this.#table.size),
    };
    this.#table.clear();
    return counted;
  }

  #add(term: number, by: number): void {
    const known = this.#table.size;
    const number = this.#table.number(term);
    if (number < known) this.#counts[number]! += by;
    else {
      if (number === this.#counts.length) this.#grow();
      this.#counts[number] = by;
    }
  }

  #grow(): void {
    const larger = new Float64Array(this.#counts.length * 2);
    larger.set(this.#counts);
    this.#counts = larger;
  }

  /** Counts the terms of normalised units, each occurrence as `by`. */
  #addText(units: Uint16Array, from: number, to: number, by: number): void {
    for (let i = from; i < to; i++) {
      const unit = units[i]!;
      const kind = kinds[unit];
      if (kind === inPairs) {
        // A separator follows the last unit, so the next one is of the same text.
        const next = units[i + 1]!;
        if (kinds[next] === inPairs) this.#add(mixed(step(step(fnvOffset, unit), next)), by);
      } else if (kind === inWord) {
        const start = i;
        let hash = fnvOffset;
        for (; kinds[units[i]!] === inWord; i++) hash = step(hash, units[i]!);
        // One letter carries no meaning.
        if (i - start > 1) this.#add(mixed(hash), by);
        i--;
      }
    }
  }
}
