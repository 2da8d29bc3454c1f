/** Texts and tags → terms: pairs of neighbouring characters, words, and tags. */
import { GrowableArray } from "../lib/growable-array.ts";
import { IntMap } from "../lib/int-map.ts";
import { spanAt, type PostTexts, type SharedTexts } from "../lib/post-texts.ts";
import { isBoilerplate } from "./boilerplate.ts";
import { hashUnits, inPairs, tokenKinds, mixHash, fnvStep, fnvOffset, wordEnd } from "./tokens.ts";

/** The distinct terms of a post, in the order in which they come. */
export interface Counted {
  readonly terms: Uint32Array;
  readonly counts: Uint32Array;
}

/** Tags are terms apart from the words of a text. */
const tagOffset = 0x2f6e_5bd1;

/** The term of a tag. */
function tagTerm(tag: string): number {
  let hash = tagOffset;
  for (let i = 0; i < tag.length; i++) hash = fnvStep(hash, tag.charCodeAt(i));
  return mixHash(hash);
}

/** A term of the title counts as this many in the text. */
const titleTermWeight = 5;
/** A tag counts as this many occurrences of a word. */
const tagTermWeight = 3;

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

/** Units, with a bit for each that is left out. */
interface MarkedUnits {
  readonly units: Uint16Array;
  readonly leftOut: Uint8Array;
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
  readonly #table = new IntMap();
  /** By the number of a term in the table. */
  readonly #counts = new GrowableArray(Uint32Array);

  constructor(posts: Posts) {
    this.#posts = posts;
  }

  /** Counts the terms of a post. */
  count(post: number): Counted {
    const { texts, leftOut, tagTerms, tagOffsets } = this.#posts;
    const { units, title, text, end } = spanAt(texts, post);
    const marked = { units, leftOut: leftOut[texts.spans[4 * post]!]! };
    this.#addText(marked, title, text, titleTermWeight);
    this.#addText(marked, text, end, 1);
    for (let i = tagOffsets[post]!; i < tagOffsets[post + 1]!; i++)
      this.#add(tagTerms[i]!, tagTermWeight);
    const counted = {
      terms: this.#table.keys,
      counts: this.#counts.values.slice(0, this.#counts.length),
    };
    this.#table.clear();
    this.#counts.length = 0;
    return counted;
  }

  #add(term: number, by: number): void {
    const known = this.#table.size;
    const number = this.#table.getOrAdd(term);
    if (number < known) this.#counts.values[number]! += by;
    else this.#counts.push(by);
  }

  /** Counts the terms of normalised units that are not left out, each occurrence as `by`. */
  #addText({ units, leftOut }: MarkedUnits, from: number, to: number, by: number): void {
    for (let i = from; i < to;) {
      const unit = units[i]!;
      const kind = tokenKinds[unit];
      const isWord = kind !== 0 && kind !== inPairs;
      const end = isWord ? wordEnd(units, i) : i + 1;
      if (kind !== 0 && !isBoilerplate(leftOut, i)) {
        // One letter carries no meaning.
        if (isWord && end - i > 1) this.#add(mixHash(hashUnits(units, i, end)), by);
        // A separator follows the last unit, so the next one is of the same text.
        if (!isWord && tokenKinds[units[end]!] === inPairs && !isBoilerplate(leftOut, end))
          this.#add(mixHash(fnvStep(fnvStep(fnvOffset, unit), units[end]!)), by);
      }
      i = end;
    }
  }
}
