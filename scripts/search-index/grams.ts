/**
 * Texts → the posting list of every gram that the search index holds.
 *
 * FlexSearch's own `add` would give the same lists (a test compares them). At 10,000 posts it takes
 * 7.6 s for the grams of one and two units alone; counting into typed arrays takes 2.2 s for all.
 */
import { frequentFrom, layout, separator } from "../../functions/search/index-format.ts";
import type { PostingEntry } from "../../functions/search/postings.ts";
import { Growing } from "../lib/growable-array.ts";
import { IntTable } from "../lib/int-table.ts";

/** All texts in one array of UTF-16 units; post `i` has `units[offsets[i]]` up to `units[offsets[i + 1]]`. */
export interface Texts {
  readonly units: Uint16Array;
  readonly offsets: Uint32Array;
}

const separatorUnit = separator.charCodeAt(0);

/** A gram of the current width as one integer: the number of its prefix, then its last unit. */
const keyOf = (prefix: number, unit: number): number => prefix * 65_536 + unit;

/**
 * The posting lists of all grams, in the order of `compareGrams`: every gram of one or two units,
 * and longer ones whose two parts are frequent (see `frequentFrom`).
 *
 * Width by width: `prefix[i]` is the number of the gram of `width - 1` units at position `i`, in
 * gram order, or -1 where there is none that may be extended.
 */
export function* gramPostings({ units, offsets }: Texts): Generator<PostingEntry> {
  const posts = offsets.length - 1;
  const frequent = frequentFrom(posts);
  const prefix = new Int32Array(units.length + 1).fill(-1);
  for (let i = 0; i < units.length; i++) if (units[i] !== separatorUnit) prefix[i] = 0;
  let prefixes = [""];

  for (let width = 1; width <= layout.longestGram && prefixes.length > 0; width++) {
    // A gram starts where both its first and its last units, one unit fewer, are grams.
    const isGram = (i: number): boolean => prefix[i]! >= 0 && (width === 1 || prefix[i + 1]! >= 0);

    const table = new IntTable();
    const lengths = new Growing(Uint32Array);
    const last = new Growing(Uint32Array);
    for (let post = 0; post < posts; post++) {
      for (let i = offsets[post]!; i < offsets[post + 1]!; i++) {
        if (!isGram(i)) continue;
        const gram = table.number(keyOf(prefix[i]!, units[i + width - 1]!));
        lengths.ensure(gram + 1);
        last.ensure(gram + 1);
        if (last.values[gram] === post + 1) continue;
        last.values[gram] = post + 1;
        lengths.values[gram]!++;
      }
    }

    const grams = table.keys.length;
    const ends = new Uint32Array(grams);
    let total = 0;
    for (let gram = 0; gram < grams; gram++) {
      ends[gram] = total;
      total += lengths.values[gram]!;
    }
    const lists = new Uint32Array(total);
    last.values.fill(0);
    for (let post = 0; post < posts; post++) {
      for (let i = offsets[post]!; i < offsets[post + 1]!; i++) {
        const gram = isGram(i) ? table.number(keyOf(prefix[i]!, units[i + width - 1]!)) : -1;
        // Later grams read later prefixes only, so this position can hold the gram.
        prefix[i] = gram;
        if (gram === -1 || last.values[gram] === post + 1) continue;
        last.values[gram] = post + 1;
        lists[ends[gram]!++] = post;
      }
    }

    const sorted = Float64Array.from(table.keys).sort();
    // Numbers, in gram order, of the grams that may be extended; -1 for the others.
    const extensible = new Int32Array(grams).fill(-1);
    const extended: string[] = [];
    for (const key of sorted) {
      const unit = key % 65_536;
      const before = (key - unit) / 65_536;
      const gram = table.number(key);
      const text = prefixes[before] + String.fromCharCode(unit);
      const length = lengths.values[gram]!;
      const end = ends[gram]!;
      if (width === 1 || length >= frequent) extensible[gram] = extended.push(text) - 1;
      yield [text, lists.subarray(end - length, end)];
    }

    for (let i = 0; i < units.length; i++)
      prefix[i] = prefix[i] === -1 ? -1 : extensible[prefix[i]!]!;
    prefixes = extended;
  }
}
