/**
 * Where a needle is of which grams come again, such as `あああああ` or `abcabcabc`.
 *
 * To intersect the list of a gram at each of its places would take the length of the needle times the length
 * of the list. But the lists say what the text is:
 *
 *     needle      abababa             its grams  ab ba
 *     positions   ab: 0 2 7 9 11 13   ba: 1 8 10 12
 *     text        a b a b . . . a b a b a b a b
 *
 * The needle is searched in this text by the algorithm of Knuth, Morris and Pratt, which looks at each unit
 * once. That is exact: a gram is listed wherever it is, and grams cover the needle. The units of the needle are
 * numbered from 1 on, as its letters. A unit that is in none of these grams stays 0, which no needle contains. The text
 * is put together and looked at window by window, and lists are unpacked as far as the window needs: memory for
 * millions of numbers takes longer than their unpacking.
 */
import type { PackedList } from "./list-block.ts";
import { gallop, merged, type Occurrences } from "./positions.ts";

/** Grams of up to this many letters are written whole: to find out what is there already takes longer. */
const shortGram = 4;
/** Units of text that are put together at a time. */
const windowUnits = 8192;
/** Positions that are unpacked at a time. */
const chunkLength = 1024;

/** Entries of a table of steps, at most. A needle of few letters has all of them there. */
const tableSize = 2 ** 18;

/** The number of each unit of a needle, from 1 on. */
class Alphabet {
  readonly #letters: ReadonlyMap<string, number>;

  constructor(needle: string) {
    // Unit by unit, not by code points.
    this.#letters = new Map([...new Set(needle.split(""))].map((unit, i) => [unit, i + 1]));
  }

  /** One more than the highest letter. */
  get size(): number {
    return this.#letters.size + 1;
  }

  /** The letters of a text that has no other units. */
  lettersOf(text: string): Uint16Array {
    return Uint16Array.from(text.split(""), (unit) => this.#letters.get(unit)!);
  }
}

/** For each beginning of a needle, by its length, the longest shorter one that it ends with; -1 for the empty one. */
function bordersOf(needle: Uint16Array): Int32Array {
  const borders = new Int32Array(needle.length + 1).fill(-1, 0, 1);
  for (let length = 1, border = -1; length <= needle.length; length++) {
    while (border >= 0 && needle[border] !== needle[length - 1]) border = borders[border]!;
    borders[length] = ++border;
  }
  return borders;
}

/**
 * Where a letter leads to: for each of the first beginnings of a needle, by its length, a row. It says for each letter
 * where the row is of the longest beginning that both end with. So the processor need not guess the next letter.
 */
function stepsOf(needle: Uint16Array, borders: Int32Array, size: number): Int32Array {
  const rows = Math.min(needle.length, Math.floor(tableSize / size));
  const steps = new Int32Array(rows * size);
  for (let row = 0; row < rows; row++) {
    const border = Math.max(0, borders[row]!) * size;
    steps.copyWithin(row * size, border, border + size);
    steps[row * size + needle[row]!] = (row + 1) * size;
  }
  return steps;
}

/** Looks for a needle in a text that comes window by window. */
class Matcher {
  readonly #needle: Uint16Array;
  readonly #borders: Int32Array;
  readonly #steps: Int32Array;
  /** Entries of a row of the steps. */
  readonly #size: number;
  /** Where the row is, or would be, of the beginning of the needle that the text so far ends with. */
  #row = 0;

  constructor(needle: string, alphabet: Alphabet) {
    this.#needle = alphabet.lettersOf(needle);
    this.#borders = bordersOf(this.#needle);
    this.#size = alphabet.size;
    this.#steps = stepsOf(this.#needle, this.#borders, this.#size);
  }

  /** Forgets the text so far. */
  reset(): void {
    this.#row = 0;
  }

  /** Where the needle ends in a window, from one of its units on. @returns the unit after it; -1 where it does not */
  nextEnd(window: Uint16Array, from: number): number {
    const [steps, size] = [this.#steps, this.#size];
    const { length } = this.#needle;
    const end = length * size;
    let row = this.#row;
    for (let at = from; at < windowUnits; at++) {
      const letter = window[at]!;
      row = row < steps.length ? steps[row + letter]! : this.#next(row, letter);
      if (row < end) continue;
      this.#row = this.#borders[length]! * size;
      return at + 1;
    }
    this.#row = row;
    return -1;
  }

  /** Where a letter leads to from a beginning that has no row. */
  #next(row: number, letter: number): number {
    const [steps, size] = [this.#steps, this.#size];
    const rows = steps.length / size;
    let length = row / size;
    while (length >= rows && this.#needle[length] !== letter) length = this.#borders[length]!;
    return length < rows ? steps[length * size + letter]! : (length + 1) * size;
  }
}

/** A gram of a needle, with its positions in the texts as they are stored. */
export interface PackedGram {
  readonly gram: string;
  readonly lists: readonly PackedList[];
}

/** Says window by window what a gram says of the text. */
class GramWriter {
  readonly #letters: Uint16Array;
  readonly #list: PackedList | undefined;
  /** Positions that were unpacked, how many they are, and the first that was not written. */
  readonly #chunk: Uint32Array;
  #count: number;
  #next = 0;
  /** The unit after those that were written. */
  #written = 0;

  constructor({ gram, lists }: PackedGram, alphabet: Alphabet) {
    this.#letters = alphabet.lettersOf(gram);
    this.#list = lists.length === 1 ? lists[0] : undefined;
    this.#chunk =
      this.#list === undefined
        ? merged(lists.map((list) => list.rest()))
        : new Uint32Array(chunkLength);
    this.#count = this.#list?.read(this.#chunk) ?? this.#chunk.length;
  }

  /** Writes its letters at its positions in a window. It is longer than `windowUnits`, for grams that reach over its end. */
  write(window: Uint16Array, start: number): void {
    while (this.#count > 0) {
      this.#writeChunk(window, start);
      if (this.#next < this.#count) return;
      this.#count = this.#list?.read(this.#chunk) ?? 0;
      this.#next = 0;
    }
  }

  #writeChunk(window: Uint16Array, start: number): void {
    const [letters, chunk, count] = [this.#letters, this.#chunk, this.#count];
    const { length } = letters;
    let written = this.#written - start;
    let next = this.#next;
    for (; next < count; next++) {
      const place = chunk[next]! - start;
      if (place >= windowUnits) break;
      // Where a gram overlaps with itself, the letters are there already.
      for (let i = length > shortGram && written > place ? written - place : 0; i < length; i++)
        window[place + i] = letters[i]!;
      written = place + length;
    }
    this.#written = written + start;
    this.#next = next;
  }
}

/**
 * The posts that contain a needle, and how often. Looks at all texts, whatever the lists are.
 *
 * @param grams of a cover of the needle, each once, with lists of which nothing was read
 * @param offsets position of the first unit of each post, and the end of the last
 * @param isOnceEnough whether to look no further in a post that contains the needle once
 */
export function occurrencesInTexts(
  needle: string,
  grams: readonly PackedGram[],
  offsets: Uint32Array,
  isOnceEnough: boolean,
): Occurrences {
  const alphabet = new Alphabet(needle);
  const matcher = new Matcher(needle, alphabet);
  const writers = grams.map((gram) => new GramWriter(gram, alphabet));
  const overlap = Math.max(...grams.map(({ gram }) => gram.length));
  const window = new Uint16Array(windowUnits + overlap);
  const posts: number[] = [];
  const counts: number[] = [];
  // The post after the last that was found, and where it begins.
  let [next, nextStart] = [0, 0];
  for (let start = 0; start < offsets.at(-1)!; start += windowUnits) {
    window.copyWithin(0, windowUnits).fill(0, overlap);
    for (const writer of writers) writer.write(window, start);
    for (let from = isOnceEnough ? Math.max(0, nextStart - start) : 0; from < windowUnits;) {
      from = matcher.nextEnd(window, from);
      if (from < 0) break;
      const place = start + from - needle.length;
      if (place >= nextStart) {
        next = gallop(offsets, place + 1, next);
        nextStart = offsets[next]!;
        counts[posts.push(next - 1) - 1] = 0;
      }
      counts[posts.length - 1]!++;
      if (!isOnceEnough) continue;
      from = nextStart - start;
      matcher.reset();
    }
  }
  return { posts: Uint32Array.from(posts), counts: Uint32Array.from(counts) };
}
