/**
 * A block of lists: grams in the order of their UTF-16 units, each with ascending numbers.
 *
 * A block holds pages, so that a gram is found without reading all of them:
 *
 *     number of pages, then the offset of each page and the end of the last one   (words of 32 bits)
 *     pages
 *     8 bytes of zeros, so that 32 bits can be read wherever a list ends
 *
 * A page holds the number of its grams, then each gram: the units that it shares with the one before and
 * the number of further units in one number (see `maxInlineSuffix`), these units (16 bits each), and the length
 * of its list. Then follow all lists in one stream of bits, the least significant bit first, as
 * Golomb-Rice codes of their gaps (R. F. Rice, "Some practical universal noiseless coding techniques",
 * 1979). Numbers in a page take seven bits a byte, the high bit set on all but the last byte (LEB128).
 *
 * An example, with `ab` at 0, 5, 12 and `ac` at 7, where all numbers are below 20:
 *
 *     01 00 00 00  0c 00 00 00  19 00 00 00   one page, from byte 12 to 25
 *     02                                      two grams
 *     01  61 00 62 00  03                     0 units shared and 2 more: ab; 3 numbers
 *     04  63 00        01                     1 unit shared and 1 more: ac; 1 number
 *     11 7d                                   as bits: 1,00 01,00 01,01 | 1,111
 *     00 00 00 00 00 00 00 00
 *
 * A gap counts the numbers that are left out: 0, 4 and 6 of `ab`. A list of 3 below 20 has two bits for the
 * remainder (see `riceParameter`), so 6 is one times 4, which is `01`, and 2, whose bits are `01` from the least on.
 */

import { partitionPoint } from "./binary-search.ts";

/** Bytes after the last page. */
export const padding = 8;

/**
 * Further units up to this number are written together with the shared ones: `shared * 4 + further - 1`.
 * More are written as `shared * 4 + 3`, and then what there are beyond four.
 */
export const maxInlineSuffix = 3;

/**
 * Bits of the remainder in the Rice code of a list, from its length alone, so that they need no
 * storing: log2 of ln 2 times the mean gap, the optimum for geometric gaps.
 *
 * @param length how many numbers the list has
 * @param universe the numbers are below this
 */
export const riceParameter = (length: number, universe: number): number =>
  Math.max(0, Math.floor(Math.log2((Math.LN2 * universe) / length)));

/** Bits that are read at a time: 32 less the seven that may come before them in their byte. */
const wordBits = 25;
const wordMask = 2 ** wordBits - 1;

/** Whether a list is for one gram alone, or for all grams that begin with it. */
export type Match = "exact" | "prefix";

/** `wordBits` bits at any bit. */
const readBits = (view: DataView, bit: number): number =>
  (view.getUint32(bit >>> 3, true) >>> (bit & 7)) & wordMask;

/**
 * The bit after a list.
 *
 * @param bits of its remainders
 */
function endOfList(view: DataView, start: number, length: number, bits: number): number {
  let bit = start;
  for (let i = 0; i < length; i++) {
    let word = readBits(view, bit);
    for (; word === 0; word = readBits(view, bit)) bit += wordBits;
    bit += 32 - Math.clz32(word & -word) + bits;
  }
  return bit;
}

/** The numbers of one gram as they are stored. */
export class PostingListDecoder {
  readonly length: number;
  readonly #view: DataView;
  readonly #start: number;
  /** Bits of each remainder. */
  readonly #bits: number;

  /**
   * @param start its first bit
   * @param universe every number is below this
   */
  constructor(view: DataView, start: number, length: number, universe: number) {
    this.length = length;
    this.#view = view;
    this.#start = start;
    this.#bits = riceParameter(length, universe);
  }

  /** All numbers, ascending. */
  decodeAll(): Uint32Array {
    return this.#bits === 0 ? this.#decodeBitmap() : this.#decodeGaps();
  }

  #decodeGaps(): Uint32Array {
    const list = new Uint32Array(this.length);
    const bits = this.#bits;
    const mask = 2 ** Math.min(bits, wordBits) - 1;
    let number = -1;
    let bit = this.#start;
    for (let i = 0; i < list.length; i++) {
      // Most codes lie in one word: then it is read once.
      const word = readBits(this.#view, bit);
      const zeros = 31 - Math.clz32(word & -word);
      const codeBits = zeros + 1 + bits;
      if (word !== 0 && codeBits <= wordBits) {
        number += 1 + (zeros << bits) + ((word >>> (zeros + 1)) & mask);
        bit += codeBits;
      } else {
        const end = endOfList(this.#view, bit, 1, 0);
        number += 1 + (end - 1 - bit) * 2 ** bits + this.#remainderAt(end);
        bit = end + bits;
      }
      list[i] = number;
    }
    return list;
  }

  /** A remainder of any number of bits. */
  #remainderAt(bit: number): number {
    const lowBits = Math.min(this.#bits, 16);
    const low = readBits(this.#view, bit) & (2 ** lowBits - 1);
    const high = readBits(this.#view, bit + lowBits) & (2 ** (this.#bits - lowBits) - 1);
    return low + high * 65_536;
  }

  /** A list without remainders is a bitmap, where bit `n` says whether it holds the number `n`. */
  #decodeBitmap(): Uint32Array {
    const list = new Uint32Array(this.length);
    let count = 0;
    for (let first = 0; count < list.length; first += wordBits)
      for (
        let word = readBits(this.#view, this.#start + first);
        word !== 0 && count < list.length;
        word &= word - 1
      )
        list[count++] = first + 31 - Math.clz32(word & -word);
    return list;
  }
}

/** Reads the pages of a block that was checked against its digest. */
export class PostingBlock {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #universe: number;
  /** Where the next number of a page is read. */
  #at = 0;

  /**
   * @param universe every number in a list is below this
   */
  constructor(bytes: Uint8Array, universe: number) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#universe = universe;
  }

  /**
   * The lists of a gram, in no order; none where the block does not have it.
   *
   * @param match `prefix`: those of all grams that begin with this one
   */
  lists(gram: string, match: Match): PostingListDecoder[] {
    const lists: PostingListDecoder[] = [];
    const pages = this.#view.getUint32(0, true);
    let page = Math.max(0, this.#pageOf(gram, pages));
    while (this.#collect(page, gram, match, lists)) {
      page++;
      if (page === pages || this.#compareFirst(page, gram) !== "begins") break;
    }
    return lists;
  }

  /** The last page whose first gram ≤ a gram; -1 where there is none. */
  #pageOf(gram: string, pages: number): number {
    const isUpTo = (page: number): boolean =>
      ["before", "equal"].includes(this.#compareFirst(page, gram));
    return partitionPoint(pages, isUpTo) - 1;
  }

  /** How the first gram of a page compares with a gram. */
  #compareFirst(page: number, gram: string): "before" | "equal" | "begins" | "after" {
    this.#at = this.#view.getUint32(4 + 4 * page, true);
    this.#readVarint();
    const length = this.#suffixLength(this.#readVarint());
    for (let i = 0; i < gram.length; i++) {
      if (i === length) return "before";
      const difference = this.#view.getUint16(this.#at + 2 * i, true) - gram.charCodeAt(i);
      if (difference !== 0) return difference < 0 ? "before" : "after";
    }
    return length === gram.length ? "equal" : "begins";
  }

  /**
   * Adds the lists of a page that match.
   *
   * @returns whether the next page may go on with matching grams
   */
  #collect(page: number, gram: string, match: Match, lists: PostingListDecoder[]): boolean {
    this.#at = this.#view.getUint32(4 + 4 * page, true);
    const count = this.#readVarint();
    const lengths = new Uint32Array(count);
    /** Units at the beginning of the page's current gram that equal the wanted one. */
    let equal = 0;
    let first = count;
    let last = -1;
    for (let i = 0; i < count; i++) {
      const head = this.#readVarint();
      const shared = head >>> 2;
      const further = this.#suffixLength(head);
      if (shared <= equal) {
        equal = shared;
        const end = Math.min(further, gram.length - shared);
        for (let unit = 0; unit < end; unit++, equal++)
          if (this.#view.getUint16(this.#at + 2 * unit, true) !== gram.charCodeAt(equal)) break;
      }
      this.#at += 2 * further;
      lengths[i] = this.#readVarint();
      if (equal < gram.length || (match === "exact" && shared + further > gram.length)) continue;
      first = Math.min(first, i);
      last = i;
    }
    let bit = this.#at * 8;
    for (let i = 0; i <= last; i++) {
      const length = lengths[i]!;
      if (i >= first) lists.push(new PostingListDecoder(this.#view, bit, length, this.#universe));
      if (i < last) bit = endOfList(this.#view, bit, length, riceParameter(length, this.#universe));
    }
    return match === "prefix" && (last === -1 || last === count - 1);
  }

  /** The number of further units of a gram whose head was read. */
  #suffixLength(head: number): number {
    const further = (head & 3) + 1;
    return further > maxInlineSuffix ? this.#readVarint() + maxInlineSuffix + 1 : further;
  }

  #readVarint(): number {
    let byte = this.#bytes[this.#at++]!;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = this.#bytes[this.#at++]!;
      value |= (byte & 127) << shift;
    }
    return value;
  }
}
