/**
 * Where a needle is of which grams come again, such as `あああああ` or `abcabcabc`.
 *
 * To intersect the list of a gram at each of its places would take the length of the needle times the length
 * of the list. But once the lists are read, they say what the text is:
 *
 *     needle      abababa             its grams  ab ba
 *     positions   ab: 0 2 7 9 11 13   ba: 1 8 10 12
 *     text        a b a b . . . a b a b a b a b
 *
 * The needle is searched in this text by the algorithm of Knuth, Morris and Pratt, which looks at each unit
 * once. That is exact: a gram is listed wherever it is, and grams cover the needle. A unit that is in none of
 * these grams stays 0, which no needle contains.
 */
import type { PlacedGram } from "./grams.ts";
import { gallop } from "./positions.ts";

/** Units of text that are put together at a time, at most. */
const windowUnits = 4096;

/** A gram of a needle, with its positions in the texts, ascending. */
export interface ListedGram extends PlacedGram {
  readonly list: Uint32Array;
}

/** The units of a text, a number each. */
const unitsOf = (text: string): Uint16Array =>
  Uint16Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));

/** For each beginning of a needle, by its length, the longest shorter one that it ends with; -1 for the empty one. */
function bordersOf(needle: Uint16Array): Int32Array {
  const borders = new Int32Array(needle.length + 1).fill(-1, 0, 1);
  for (let length = 1, border = -1; length <= needle.length; length++) {
    while (border >= 0 && needle[border] !== needle[length - 1]) border = borders[border]!;
    borders[length] = ++border;
  }
  return borders;
}

/** Looks for a needle in a text that comes window by window. */
class Matcher {
  readonly #units: Uint16Array;
  readonly #borders: Int32Array;
  /** Units of the needle that the text so far ends with. */
  #matched = 0;

  constructor(units: Uint16Array) {
    this.#units = units;
    this.#borders = bordersOf(units);
  }

  /** Begins with another text. */
  reset(): void {
    this.#matched = 0;
  }

  /**
   * Writes where the needle begins that ends in a window, ascending, as often as there is room for.
   *
   * @param start position of the window, which goes on where the one before ended
   * @returns how many were written
   */
  find(window: Uint16Array, start: number, places: Uint32Array): number {
    const [units, borders] = [this.#units, this.#borders];
    const { length } = units;
    let matched = this.#matched;
    let count = 0;
    for (let at = 0; at < window.length && count < places.length; at++) {
      const unit = window[at]!;
      while (matched >= 0 && units[matched] !== unit) matched = borders[matched]!;
      matched++;
      if (matched < length) continue;
      places[count++] = start + at + 1 - length;
      matched = borders[matched]!;
    }
    this.#matched = matched;
    return count;
  }
}

/** A gram's units, its positions, and the first one that the next window may need. */
interface Reader {
  readonly units: Uint16Array;
  readonly list: Uint32Array;
  next: number;
}

/** Writes into a window what a gram says of its text. @param start where it begins; further on than at the last call */
function write(reader: Reader, window: Uint16Array, start: number): void {
  const { units, list } = reader;
  const { length } = units;
  // Also a gram that begins before the window, and reaches into it.
  reader.next = gallop(list, start - length + 1, reader.next);
  const end = start + window.length;
  let written = 0;
  for (let at = reader.next; at < list.length && list[at]! < end; at++) {
    const place = list[at]! - start;
    const stop = Math.min(length, window.length - place);
    // Where a gram overlaps with itself, the units are there already.
    for (let i = Math.max(0, written - place); i < stop; i++) window[place + i] = units[i]!;
    written = place + length;
  }
}

/** A part of the text in which a needle may be, as far as it was looked at. */
interface Part {
  /** Where the next window begins. */
  start: number;
  /** Its units: as many as the needle has, since it is often there, and then twice as many as before. */
  units: number;
  /** Where the part ends, as far as known. */
  end: number;
  /** The first beginning that is not in it. */
  next: number;
}

/** Extends a part by the beginnings before a limit at which the needle overlaps with it, or follows it at once. */
function extend(part: Part, beginnings: Uint32Array, length: number, limit: number): void {
  for (;;) {
    const next = gallop(beginnings, Math.min(part.end + 1, limit), part.next);
    if (next === part.next) return;
    part.next = next;
    part.end = beginnings[next - 1]! + length;
  }
}

/**
 * The beginnings where a needle is.
 *
 * @param grams of a cover of the needle, each once
 * @param beginnings the only places where the needle may begin, ascending
 * @param posts position of the first unit of each post, and the end of the last: then the first place in
 *   each post is enough. Left out for all places
 */
export function confirmedByLists(
  needle: string,
  grams: readonly ListedGram[],
  beginnings: Uint32Array,
  posts?: Uint32Array,
): Uint32Array {
  const matcher = new Matcher(unitsOf(needle));
  const readers = grams.map(({ gram, list }) => ({ units: unitsOf(gram), list, next: 0 }));
  const units = new Uint16Array(windowUnits);
  const found = new Uint32Array(beginnings.length);
  const part: Part = { start: 0, units: 0, end: 0, next: 0 };
  let count = 0;
  let post = 0;
  while (part.start < part.end || part.next < beginnings.length) {
    if (part.start === part.end) {
      part.start = part.end = beginnings[part.next]!;
      part.units = needle.length;
      matcher.reset();
      if (posts !== undefined) post = gallop(posts, part.start + 1, post);
    }
    const postEnd = posts?.[post] ?? Infinity;
    const { start } = part;
    const windowEnd = start + Math.min(part.units, windowUnits);
    extend(part, beginnings, needle.length, Math.min(windowEnd, postEnd));
    // What follows is another part, which may begin at once.
    part.end = Math.min(part.end, postEnd);
    part.start = Math.min(part.end, windowEnd);
    part.units *= 2;
    const window = units.subarray(0, part.start - start).fill(0);
    for (const reader of readers) write(reader, window, start);
    const room = found.subarray(count, posts === undefined ? undefined : count + 1);
    const places = matcher.find(window, start, room);
    count += places;
    if (places === 0 || posts === undefined) continue;
    part.end = part.start;
    part.next = gallop(beginnings, postEnd, part.next);
  }
  return found.subarray(0, count);
}
