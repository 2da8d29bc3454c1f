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
import { longestFrequent, type PlacedGram } from "./grams.ts";
import { gallop } from "./positions.ts";

/** Units of text that are put together at a time. */
const windowUnits = 16_384;
/** Units by which a gram may begin before a window, or end after it. */
const margin = longestFrequent;

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

/** The parts of the text that a needle may be in, ascending and apart. A long part comes in windows. */
function* windowsOf(
  beginnings: Uint32Array,
  length: number,
): Generator<[start: number, end: number]> {
  let partEnd = 0;
  for (let i = 0, start = 0; i < beginnings.length || start < partEnd;) {
    if (start === partEnd) start = partEnd = beginnings[i]!;
    const most = start + windowUnits;
    while (i < beginnings.length && beginnings[i]! <= Math.min(partEnd, most))
      partEnd = beginnings[i++]! + length;
    const end = Math.min(partEnd, most);
    yield [start, end];
    start = end;
  }
}

/** A gram's units, its positions, and the first one that was not read yet. */
interface Reader {
  readonly units: Uint16Array;
  readonly list: Uint32Array;
  next: number;
}

/** Writes into a window what a gram says of its text. @param text with a margin on both sides */
function write(reader: Reader, text: Uint16Array, start: number, end: number): void {
  const { units, list } = reader;
  const first = Math.max(0, start - margin);
  let at = reader.next;
  // Those in the margin were in the window before, too.
  while (at > 0 && list[at - 1]! >= first) at--;
  let written = 0;
  for (at = gallop(list, first, at); at < list.length && list[at]! < end; at++) {
    const place = list[at]! - start + margin;
    // Where a gram overlaps with itself, the units are there already.
    for (let i = Math.max(0, written - place); i < units.length; i++) text[place + i] = units[i]!;
    written = place + units.length;
  }
  reader.next = at;
}

/**
 * The beginnings where a needle is.
 *
 * @param grams of a cover of the needle, each once
 * @param beginnings the only places where the needle may begin, ascending
 */
export function confirmedByLists(
  needle: string,
  grams: readonly ListedGram[],
  beginnings: Uint32Array,
): Uint32Array {
  const wanted = unitsOf(needle);
  const borders = bordersOf(wanted);
  const readers = grams.map(({ gram, list }) => ({ units: unitsOf(gram), list, next: 0 }));
  const text = new Uint16Array(windowUnits + 2 * margin);
  const found = new Uint32Array(beginnings.length);
  let count = 0;
  let known = 0;
  let matched = 0;
  for (const [start, end] of windowsOf(beginnings, wanted.length)) {
    text.fill(0, 0, end - start + 2 * margin);
    for (const reader of readers) write(reader, text, start, end);
    if (start > known) matched = 0;
    for (let at = start; at < end; at++) {
      const unit = text[at - start + margin]!;
      while (matched >= 0 && wanted[matched] !== unit) matched = borders[matched]!;
      matched++;
      if (matched < wanted.length) continue;
      found[count++] = at + 1 - wanted.length;
      matched = borders[matched]!;
    }
    known = end;
  }
  return found.subarray(0, count);
}
