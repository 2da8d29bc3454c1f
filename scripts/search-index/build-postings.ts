/**
 * Texts → the lists of the search index: all positions are sorted by the grams that begin there.
 *
 * Positions are taken part by part, by their first unit, so that memory stays bounded and threads can
 * share the work: each part is sorted by its second unit, each group of equal pairs by its third, and so
 * on, as far as grams reach. Everything is sorted twice. The first time finds the frequent grams, by counting
 * posts. The second time makes the lists; this needs the lengths of the frequent grams.
 * `functions/engine/grams.ts` says which grams there are.
 */
import { longestFrequent, separator } from "../../functions/engine/grams.ts";
import type { ListKind } from "../../functions/engine/index-format.ts";
import { positionsToDocIds } from "../../functions/engine/postings.ts";
import type { PostingBlockWriter } from "./posting-block-writer.ts";

/** All texts, in memory that threads share. */
export interface Texts {
  /** All titles and texts, newest post first, each with a separator after it. */
  readonly units: Uint16Array;
  /** Where each post begins in `units`, and the end of the last one. */
  readonly offsets: Uint32Array;
  /** Width of the longest frequent gram at each unit; 0 at separators. `findFrequentGrams` fills it in. */
  readonly widths: Uint8Array;
}

/** First units from `from` up to, not including, `to`. */
export interface UnitRange {
  readonly from: number;
  readonly to: number;
  /** How many positions have such a unit. */
  readonly positions: number;
}

const separatorUnit = separator.charCodeAt(0);
const unitValues = 65_536;

/** Number of positions of each first unit. */
export function countUnits({ units }: Texts): Uint32Array {
  const counts = new Uint32Array(unitValues);
  for (let i = 0; i < units.length; i++) counts[units[i]!]!++;
  counts[separatorUnit] = 0;
  return counts;
}

/** Ranges of first units with about `positions` positions each. */
export function unitRanges(counts: Uint32Array, positions: number): UnitRange[] {
  const ranges: UnitRange[] = [];
  let from = 0;
  let held = 0;
  for (let unit = 0; unit < unitValues; unit++) {
    held += counts[unit]!;
    if (held < positions && unit + 1 < unitValues) continue;
    ranges.push({ from, to: unit + 1, positions: held });
    from = unit + 1;
    held = 0;
  }
  return ranges;
}

/** The positions whose unit lies in a range, ascending. */
function positionsIn({ units }: Texts, range: UnitRange): Uint32Array {
  const positions = new Uint32Array(range.positions);
  // No position begins with a separator, so no range needs to have it.
  const from = Math.max(range.from, separatorUnit + 1);
  const width = range.to - from;
  let count = 0;
  for (let i = 0; i < units.length; i++) {
    const distance = units[i]! - from;
    if (distance >= 0 && distance < width) positions[count++] = i;
  }
  return positions;
}

/** Groups of this many positions are sorted by counting, smaller ones by comparing. */
const countingFrom = unitValues / 2;
const insertionUpTo = 24;

/** Sorts runs of positions by one unit; those with equal units keep their order. */
class Sorter {
  readonly #positions: Uint32Array;
  readonly #keys: Uint32Array;
  readonly #copy: Uint32Array;
  readonly #starts = new Uint32Array(unitValues + 1);

  constructor(positions: Uint32Array) {
    this.#positions = positions;
    this.#keys = new Uint32Array(positions.length);
    this.#copy = new Uint32Array(positions.length);
  }

  /**
   * Sorts the positions from `from` up to `to`.
   *
   * @param keyOf key of a position, below 65,536
   * @param take called with each run of equal keys, ascending. It may sort within its run.
   */
  sort(
    from: number,
    to: number,
    keyOf: (position: number) => number,
    take: (key: number, from: number, to: number) => void,
  ): void {
    const positions = this.#positions;
    const keys = this.#keys;
    for (let i = from; i < to; i++) keys[i] = keyOf(positions[i]!);
    if (to - from <= insertionUpTo) this.#insert(from, to);
    else if (to - from < countingFrom) this.#compare(from, to);
    else this.#count(from, to);
    // Keys are overwritten by sorting within a run, but not those of runs further on.
    for (let start = from; start < to;) {
      const key = keys[start]!;
      let end = start + 1;
      while (end < to && keys[end] === key) end++;
      take(key, start, end);
      start = end;
    }
  }

  #insert(from: number, to: number): void {
    const positions = this.#positions;
    const keys = this.#keys;
    for (let i = from + 1; i < to; i++) {
      const key = keys[i]!;
      const position = positions[i]!;
      let at = i;
      for (; at > from && keys[at - 1]! > key; at--) {
        keys[at] = keys[at - 1]!;
        positions[at] = positions[at - 1]!;
      }
      keys[at] = key;
      positions[at] = position;
    }
  }

  /** Key and place in one number: then numbers alone are compared. */
  #compare(from: number, to: number): void {
    const keys = this.#keys.subarray(from, to);
    const copy = this.#copy.subarray(from, to);
    copy.set(this.#positions.subarray(from, to));
    for (let i = 0; i < keys.length; i++) keys[i] = ((keys[i]! << 16) | i) >>> 0;
    keys.sort();
    for (let i = 0; i < keys.length; i++) {
      this.#positions[from + i] = copy[keys[i]! & 0xffff]!;
      keys[i]! >>>= 16;
    }
  }

  #count(from: number, to: number): void {
    const positions = this.#positions;
    const keys = this.#keys;
    const starts = this.#starts.fill(0);
    for (let i = from; i < to; i++) starts[keys[i]! + 1]!++;
    for (let key = 1; key <= unitValues; key++) starts[key]! += starts[key - 1]!;
    this.#copy.set(positions.subarray(from, to), from);
    for (let i = from; i < to; i++) {
      const at = from + starts[keys[i]!]!++;
      positions[at] = this.#copy[i]!;
    }
    // Each key's `starts` is its end by now.
    for (let key = 0, at = from; key < unitValues; key++)
      while (at < from + starts[key]!) keys[at++] = key;
  }
}

/** A key to sort by: the unit that is some units after a position. */
const unitAt =
  (units: Uint16Array, width: number) =>
  (position: number): number =>
    units[position + width]!;

/**
 * Finds the frequent grams that begin with the units of a range, and fills in `widths` there.
 *
 * @param frequent a gram of two or more units is frequent when this many posts contain it
 * @returns the frequent grams of two or more units, ascending
 */
export function findFrequentGrams(texts: Texts, range: UnitRange, frequent: number): string[] {
  const { units, offsets, widths } = texts;
  const positions = positionsIn(texts, range);
  const sorter = new Sorter(positions);
  const grams: string[] = [];
  /** Positions from `from` up to `to` share a gram of `width` units, which is frequent. */
  function extend(width: number, from: number, to: number): void {
    for (let i = from; i < to; i++) widths[positions[i]!] = width;
    if (width === longestFrequent || to - from < frequent) return;
    sorter.sort(from, to, unitAt(units, width), (unit, start, end) => {
      if (unit === separatorUnit || end - start < frequent) return;
      const group = positions.subarray(start, end);
      if (positionsToDocIds(group, offsets).length < frequent) return;
      grams.push(String.fromCharCode(...units.subarray(group[0], group[0]! + width + 1)));
      extend(width + 1, start, end);
    });
  }
  sorter.sort(0, positions.length, unitAt(units, 0), (_, from, to) => extend(1, from, to));
  return grams;
}

/**
 * Take the lists of a range: the posts that contain a frequent gram, and where a gram begins that is not frequent. All
 * grams of a group begin with the group's, and no other gram does.
 */
type PostingSinks = Readonly<Record<ListKind, Pick<PostingBlockWriter, "add" | "endGroup">>>;

/** Gives all lists of grams that begin with the units of a range, each kind ascending by gram. */
export function buildPostings(texts: Texts, range: UnitRange, takers: PostingSinks): void {
  const { units, offsets, widths } = texts;
  const positions = positionsIn(texts, range);
  const sorter = new Sorter(positions);
  /** Width of the gram under which a position is listed; that of a frequent gram where the text ends there. */
  const reach = (position: number): number => {
    const width = Math.max(widths[position]!, widths[position + 1]!);
    return units[position + width] === separatorUnit ? width : width + 1;
  };
  /** Positions from `from` up to `to` share a gram of `width` units, which is not frequent. */
  function list(width: number, from: number, to: number): void {
    const unitOf = (position: number): number =>
      reach(position) > width ? units[position + width]! : separatorUnit;
    sorter.sort(from, to, unitOf, (unit, start, end) => {
      if (unit !== separatorUnit) return list(width + 1, start, end);
      takers.positions.add(positions[start]!, width, positions.subarray(start, end));
    });
  }
  /** Positions from `from` up to `to` share a gram of `width` units, which is frequent. */
  function listFrequent(width: number, from: number, to: number): void {
    const first = positions[from]!;
    takers.posts.add(first, width, positionsToDocIds(positions.subarray(from, to), offsets));
    takers.posts.endGroup(first, width);
    sorter.sort(from, to, unitAt(units, width), (unit, start, end) => {
      const at = positions[start]!;
      if (unit === separatorUnit) return;
      if (widths[at]! > width) return listFrequent(width + 1, start, end);
      list(width + 1, start, end);
      takers.positions.endGroup(at, width + 1);
    });
  }
  sorter.sort(0, positions.length, unitAt(units, 0), (_, from, to) => listFrequent(1, from, to));
}
