/** Texts and tags → terms: pairs of neighbouring characters, words, and tags. */
import { IntTable } from "../lib/int-table.ts";
import { spanOf, type PostTexts, type SharedTexts } from "../lib/post-texts.ts";
import { isLeftOut } from "./left-out.ts";
import { hashOf, inPairs, kinds, mixed, step, fnvOffset, wordEnd } from "./tokens.ts";

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
const titleWeight = 5;
/** A tag counts as this many occurrences of a word. */
const tagWeight = 3;

/** All posts, as threads read them. */
export interface Posts {
  readonly texts: SharedTexts;
  /** By piece of the texts, a bit for each unit that is left out. */
  readonly leftOut: readonly Uint8Array[];
  /** The terms of all tags, post after post. */
  readonly tagTerms: Uint32Array;
  /** Where the terms of each post's tags begin in `tagTerms`; last, their end. */
  readonly tagOffsets: Uint32Array;
}

/** What threads read of posts. */
export function postsFrom(texts: PostTexts, leftOut: Posts["leftOut"]): Posts {
  const tagOffsets = new Uint32Array(texts.count + 1);
  for (const [post, { length }] of texts.tags.entries())
    tagOffsets[post + 1] = tagOffsets[post]! + length;
  return {
    texts: texts.shared(),
    leftOut,
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
    const { texts, leftOut, tagTerms, tagOffsets } = this.#posts;
    const { units, title, text, end } = spanOf(texts, post);
    const out = leftOut[texts.spans[4 * post]!]!;
    this.#addText(units, title, text, out, titleWeight);
    this.#addText(units, text, end, out, 1);
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

  /** Counts the terms of normalised units that are not left out, each occurrence as `by`. */
  #addText(units: Uint16Array, from: number, to: number, out: Uint8Array, by: number): void {
    for (let i = from; i < to;) {
      const unit = units[i]!;
      const kind = kinds[unit];
      const isWord = kind !== 0 && kind !== inPairs;
      const end = isWord ? wordEnd(units, i) : i + 1;
      if (kind !== 0 && !isLeftOut(out, i)) {
        // One letter carries no meaning.
        if (isWord && end - i > 1) this.#add(mixed(hashOf(units, i, end)), by);
        // A separator follows the last unit, so the next one is of the same text.
        if (!isWord && kinds[units[end]!] === inPairs && !isLeftOut(out, end))
          this.#add(mixed(step(step(fnvOffset, unit), units[end]!)), by);
      }
      i = end;
    }
  }
}
