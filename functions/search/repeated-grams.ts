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

/**
 * Places at which a needle may begin are looked at together where they lie within this number of units.
 * Texts of two windows may overlap by the length of the needle, so a window is several times as long.
 */
const windowUnits = (needle: number): number => Math.max(4096, 8 * needle);

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

/** A needle's units, and its borders. */
interface Pattern {
  readonly units: Uint16Array;
  readonly borders: Int32Array;
}

/** Writes the places of a needle in a text, ascending, as many as there is room for. @returns their number */
function findIn(text: Uint16Array, { units, borders }: Pattern, places: Uint32Array): number {
  let count = 0;
  let matched = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text[at]!;
    while (matched >= 0 && units[matched] !== unit) matched = borders[matched]!;
    matched++;
    if (matched < units.length) continue;
    places[count++] = at + 1 - units.length;
    if (count === places.length) break;
    matched = borders[matched]!;
  }
  return count;
}

/** A gram's units, its positions, and the first one that the next window may need. */
interface Reader {
  readonly units: Uint16Array;
  readonly list: Uint32Array;
  next: number;
}

/** Writes what a gram says of a text. @param start where the text begins; further on than at the last call */
function write(reader: Reader, text: Uint16Array, start: number): void {
  const { units, list } = reader;
  reader.next = gallop(list, start, reader.next);
  // A gram that goes on after the text is in no place of the needle.
  const last = start + text.length - units.length;
  let written = 0;
  for (let at = reader.next; at < list.length && list[at]! <= last; at++) {
    const place = list[at]! - start;
    // Where a gram overlaps with itself, the units are there already.
    for (let i = Math.max(0, written - place); i < units.length; i++) text[place + i] = units[i]!;
    written = place + units.length;
  }
}

/**
 * The end of the beginnings that are looked at together with one of them: those at which the needle would
 * overlap with the one before, or follow it at once.
 *
 * @param first index of the first
 * @param length of the needle
 * @param limit the position before which all lie
 */
function endOfWindow(
  beginnings: Uint32Array,
  first: number,
  length: number,
  limit: number,
): number {
  let end = first + 1;
  while (end < beginnings.length) {
    const beginning = beginnings[end]!;
    if (beginning >= limit || beginning > beginnings[end - 1]! + length) break;
    end++;
  }
  return end;
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
  const units = unitsOf(needle);
  const pattern = { units, borders: bordersOf(units) };
  const readers = grams.map(({ gram, list }) => ({ units: unitsOf(gram), list, next: 0 }));
  const width = windowUnits(units.length);
  const window = new Uint16Array(width + units.length);
  const found = new Uint32Array(beginnings.length);
  let count = 0;
  let post = 0;
  for (let first = 0; first < beginnings.length;) {
    const start = beginnings[first]!;
    if (posts !== undefined) post = gallop(posts, start + 1, post);
    const postEnd = posts?.[post] ?? Infinity;
    const limit = Math.min(start + width, postEnd);
    const end = endOfWindow(beginnings, first, units.length, limit);
    const text = window.subarray(0, beginnings[end - 1]! + units.length - start).fill(0);
    for (const reader of readers) write(reader, text, start);
    const room = found.subarray(count, posts === undefined ? undefined : count + 1);
    const places = findIn(text, pattern, room);
    for (let i = 0; i < places; i++) room[i]! += start;
    count += places;
    first = posts !== undefined && places > 0 ? gallop(beginnings, postEnd, end) : end;
  }
  return found.subarray(0, count);
}
