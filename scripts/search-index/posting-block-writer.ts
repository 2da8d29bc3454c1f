/** Lists → blocks, as `functions/engine/posting-block.ts` describes them. */
import { padding, riceParameter, maxInlineSuffix } from "../../functions/engine/posting-block.ts";
import { GrowableArray } from "../lib/growable-array.ts";

/** How large blocks and pages become. A reader needs none of this. */
export interface BlockSizes {
  /** A block is closed after the first group with which it has at least this many bytes. */
  readonly blockBytes: number;
  /** A page is closed when it has this many bytes. */
  readonly pageBytes: number;
}

/** Packed lists of one kind, ascending by gram. */
export interface EncodedPostings {
  readonly blocks: readonly Uint8Array[];
  /** By block: what its first group begins with. */
  readonly keys: readonly string[];
  readonly lists: number;
}

/** Writes a number, seven bits a byte, the high bit set on all but the last (LEB128). */
function writeVarint(bytes: GrowableArray<Uint8Array>, value: number): void {
  let left = value;
  for (; left > 127; left >>>= 7) bytes.push((left & 127) | 128);
  bytes.push(left);
}

/** Packs lists; give it every gram in the order of their units, then call `finish`. */
export class PostingBlockWriter {
  readonly #units: Uint16Array;
  readonly #universe: number;
  readonly #sizes: BlockSizes;
  readonly #blocks: Uint8Array[] = [];
  readonly #keys: string[] = [];
  #lists = 0;

  /** Finished pages of the block, and where each begins. */
  readonly #pages = new GrowableArray(Uint8Array);
  #pageStarts: number[] = [];
  /** Grams of the page, then their lists. */
  readonly #heads = new GrowableArray(Uint8Array);
  readonly #lengths = new GrowableArray(Uint32Array);
  readonly #numbers = new GrowableArray(Uint32Array);
  #listBits = 0;
  /** The gram before, in this page. */
  #at = 0;
  #width = 0;

  /**
   * @param units where grams are found
   * @param universe every number in a list is below this
   */
  constructor(units: Uint16Array, universe: number, sizes: BlockSizes) {
    this.#units = units;
    this.#universe = universe;
    this.#sizes = sizes;
  }

  /**
   * Adds a list.
   *
   * @param at where its gram is found
   * @param list ascending, not empty
   */
  add(at: number, width: number, list: Uint32Array): void {
    const shared = this.#sharedWith(at, width);
    const further = width - shared;
    writeVarint(this.#heads, shared * 4 + Math.min(further - 1, maxInlineSuffix));
    if (further > maxInlineSuffix) writeVarint(this.#heads, further - maxInlineSuffix - 1);
    for (let i = shared; i < width; i++) {
      this.#heads.push(this.#units[at + i]! & 255);
      this.#heads.push(this.#units[at + i]! >>> 8);
    }
    writeVarint(this.#heads, list.length);
    this.#lengths.push(list.length);
    this.#numbers.append(list);
    // Half a bit more for a quotient than geometric gaps take: close enough to know when a page is full.
    this.#listBits += list.length * (riceParameter(list.length, this.#universe) + 2);
    this.#lists++;
    this.#at = at;
    this.#width = width;
    if (this.#heads.length + this.#listBits / 8 >= this.#sizes.pageBytes) this.#closePage();
  }

  /**
   * Ends a group of lists; no group is divided among blocks.
   *
   * @param at where the shared beginning of its grams is
   */
  endGroup(at: number, width: number): void {
    if (this.#keys.length === this.#blocks.length)
      this.#keys.push(String.fromCharCode(...this.#units.subarray(at, at + width)));
    if (this.#pages.length + this.#heads.length + this.#listBits / 8 >= this.#sizes.blockBytes)
      this.#closeBlock();
  }

  finish(): EncodedPostings {
    this.#closeBlock();
    return { blocks: this.#blocks, keys: this.#keys, lists: this.#lists };
  }

  #sharedWith(at: number, width: number): number {
    const limit = Math.min(width, this.#width);
    let shared = 0;
    while (shared < limit && this.#units[at + shared] === this.#units[this.#at + shared]) shared++;
    return shared;
  }

  #closePage(): void {
    if (this.#lengths.length === 0) return;
    this.#pageStarts.push(this.#pages.length);
    writeVarint(this.#pages, this.#lengths.length);
    this.#pages.append(this.#heads.values.subarray(0, this.#heads.length));
    this.#writeLists();
    this.#heads.length = 0;
    this.#lengths.length = 0;
    this.#numbers.length = 0;
    this.#listBits = 0;
    this.#width = 0;
  }

  #writeLists(): void {
    const pages = this.#pages;
    let held = 0;
    let count = 0;
    /** Writes up to 16 bits. */
    const bits = (value: number, width: number): void => {
      held |= value << count;
      for (count += width; count >= 8; count -= 8) {
        pages.push(held & 255);
        held >>>= 8;
      }
    };
    let at = 0;
    for (let i = 0; i < this.#lengths.length; i++) {
      const length = this.#lengths.values[i]!;
      const low = riceParameter(length, this.#universe);
      const scale = 2 ** low;
      let before = -1;
      for (const end = at + length; at < end; at++) {
        const number = this.#numbers.values[at]!;
        const gap = number - before - 1;
        before = number;
        for (let left = Math.floor(gap / scale); left > 0; left -= 16) bits(0, Math.min(left, 16));
        bits(1, 1);
        if (low > 0) bits(gap & ((1 << Math.min(low, 16)) - 1), Math.min(low, 16));
        if (low > 16) bits((gap >>> 16) & ((1 << (low - 16)) - 1), low - 16);
      }
    }
    if (count > 0) pages.push(held & 255);
  }

  #closeBlock(): void {
    this.#closePage();
    const starts = this.#pageStarts;
    if (starts.length === 0) return;
    const header = 4 * (starts.length + 2);
    const { values, length } = this.#pages;
    const block = new Uint8Array(header + length + padding);
    const view = new DataView(block.buffer);
    view.setUint32(0, starts.length, true);
    for (const [page, start] of starts.entries())
      view.setUint32(4 + 4 * page, header + start, true);
    view.setUint32(header - 4, header + length, true);
    block.set(values.subarray(0, length), header);
    this.#blocks.push(block);
    this.#pages.length = 0;
    this.#pageStarts = [];
  }
}
