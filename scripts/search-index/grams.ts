/**
 * Texts → the posting list of every gram that the search index holds.
 *
 * FlexSearch's own `add` would give the same lists (a test compares them). At 10,000 posts it takes
 * 7.6 s for the grams of one and two units alone; counting into typed arrays takes 2.2 s for all.
 */
import { frequentFrom, layout, separator } from "../../functions/search/index-format.ts";
import type { PostingEntry } from "../../functions/search/postings.ts";
import { Growing } from "../lib/growable-array.ts";

/** All texts in one array of UTF-16 units; post `i` has `units[start[i]]` up to `units[start[i + 1]]`. */
export interface Texts {
  readonly units: Uint16Array;
  readonly start: Uint32Array;
}

const separatorUnit = separator.charCodeAt(0);

/** Numbers distinct keys from 0 on: open addressing, linear probing, at most two thirds full. */
class KeyTable {
  #slots = new Float64Array(1 << 16).fill(-1);
  #numbers = new Int32Array(1 << 16);
  readonly keys: number[] = [];

  /** The key's number, a new one when the key is new. A key is `prefix * 65536 + unit`. */
  number(prefix: number, unit: number): number {
    const key = prefix * 65_536 + unit;
    const mask = this.#slots.length - 1;
    let slot = KeyTable.#hash(prefix, unit) & mask;
    for (let found = this.#slots[slot]; found !== key; found = this.#slots[slot]) {
      if (found === -1) {
        this.#slots[slot] = key;
        this.#numbers[slot] = this.keys.length;
        this.keys.push(key);
        if (this.keys.length * 3 > this.#slots.length * 2) this.#grow();
        return this.keys.length - 1;
      }
      slot = (slot + 1) & mask;
    }
    return this.#numbers[slot] as number;
  }

  static #hash(prefix: number, unit: number): number {
    const mixed = Math.imul(prefix, 0x9e37_79b1) ^ Math.imul(unit, 0x85eb_ca6b);
    return Math.imul(mixed ^ (mixed >>> 15), 0x2c1b_3c6d) >>> 7;
  }

  #grow(): void {
    const size = this.#slots.length * 2;
    this.#slots = new Float64Array(size).fill(-1);
    this.#numbers = new Int32Array(size);
    for (const [number, key] of this.keys.entries()) {
      let slot = KeyTable.#hash(Math.floor(key / 65_536), key % 65_536) & (size - 1);
      while (this.#slots[slot] !== -1) slot = (slot + 1) & (size - 1);
      this.#slots[slot] = key;
      this.#numbers[slot] = number;
    }
  }
}

/**
 * The posting lists of all grams, in the order of `compareGrams`: every gram of one or two units,
 * and longer ones whose two parts are frequent (see `frequentFrom`).
 *
 * Width by width: `prefix[i]` is the number of the gram of `width - 1` units at position `i`, in
 * gram order, or -1 where there is none that may be extended.
 */
export function* gramPostings({ units, start }: Texts): Generator<PostingEntry> {
  const posts = start.length - 1;
  const frequent = frequentFrom(posts);
  const prefix = new Int32Array(units.length + 1).fill(-1);
  for (let i = 0; i < units.length; i++) if (units[i] !== separatorUnit) prefix[i] = 0;
  let prefixes = [""];

  for (let width = 1; width <= layout.longestGram && prefixes.length > 0; width++) {
    // A gram begins where its beginning and its end, each one unit shorter, begin.
    const isGram = (i: number): boolean =>
      (prefix[i] as number) >= 0 && (width === 1 || (prefix[i + 1] as number) >= 0);

    const table = new KeyTable();
    const lengths = new Growing(Uint32Array);
    const last = new Growing(Uint32Array);
    for (let post = 0; post < posts; post++) {
      for (let i = start[post] as number; i < (start[post + 1] as number); i++) {
        if (!isGram(i)) continue;
        const gram = table.number(prefix[i] as number, units[i + width - 1] as number);
        lengths.ensure(gram + 1);
        last.ensure(gram + 1);
        if (last.values[gram] === post + 1) continue;
        last.values[gram] = post + 1;
        (lengths.values[gram] as number)++;
      }
    }

    const grams = table.keys.length;
    const ends = new Uint32Array(grams);
    let total = 0;
    for (let gram = 0; gram < grams; gram++) {
      ends[gram] = total;
      total += lengths.values[gram] as number;
    }
    const lists = new Uint32Array(total);
    last.values.fill(0);
    for (let post = 0; post < posts; post++) {
      for (let i = start[post] as number; i < (start[post + 1] as number); i++) {
        const gram = isGram(i)
          ? table.number(prefix[i] as number, units[i + width - 1] as number)
          : -1;
        // Grams further on look at later prefixes only, so this one's place can keep the gram.
        prefix[i] = gram;
        if (gram === -1 || last.values[gram] === post + 1) continue;
        last.values[gram] = post + 1;
        lists[(ends[gram] as number)++] = post;
      }
    }

    const sorted = Float64Array.from(table.keys).sort();
    // Numbers, in gram order, of the grams that may be extended; -1 for the others.
    const extensible = new Int32Array(grams).fill(-1);
    const extended: string[] = [];
    for (const key of sorted) {
      const unit = key % 65_536;
      const before = (key - unit) / 65_536;
      const gram = table.number(before, unit);
      const text = prefixes[before] + String.fromCharCode(unit);
      const length = lengths.values[gram] as number;
      const end = ends[gram] as number;
      if (width === 1 || length >= frequent) extensible[gram] = extended.push(text) - 1;
      yield [text, lists.subarray(end - length, end)];
    }

    for (let i = 0; i < units.length; i++)
      prefix[i] = prefix[i] === -1 ? -1 : (extensible[prefix[i] as number] as number);
    prefixes = extended;
  }
}
