/**
 * Posting lists as bits: how a block of postings.bin is packed and unpacked.
 *
 * A block is what `export()` of a FlexSearch index wrote, made small: the grams front-coded
 * (how much they share with the one before, then the rest), each with the length of its list; then
 * all lists in one stream of bits, least significant bit first, as Golomb-Rice codes of the gaps
 * (R. F. Rice, "Some practical universal noiseless coding techniques", 1979). A list whose gaps are
 * geometric, as those of a random subset are, comes within a few percent of its entropy.
 */

/** A gram and the numbers of the posts that contain it, ascending. */
export type PostingEntry = readonly [gram: string, posts: ArrayLike<number>];

/**
 * Bits of the remainder in the Rice code of a list, from its length alone, so that it needs no
 * storing: log2 of ln 2 times the mean gap, the optimum for geometric gaps.
 */
const remainderBits = (length: number, posts: number): number =>
  Math.max(0, Math.floor(Math.log2((Math.LN2 * posts) / length)));

/** A growing run of bytes. */
class ByteWriter {
  #bytes = new Uint8Array(16_384);
  length = 0;

  byte(value: number): void {
    if (this.length === this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.length++] = value;
  }

  /** Seven bits a byte, the high bit set on all but the last (LEB128). */
  varint(value: number): void {
    while (value > 127) {
      this.byte((value & 127) | 128);
      value >>>= 7;
    }
    this.byte(value);
  }

  take(): Uint8Array {
    return this.#bytes.slice(0, this.length);
  }
}

/** Length of the common beginning of two texts, in UTF-16 units. */
function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

/**
 * Packs posting lists into a block.
 *
 * @param entries grams in the order of `compareGrams`, each with its ascending, non-empty list
 * @param posts number of posts in the index; every number in a list is below it
 */
export function packPostings(entries: readonly PostingEntry[], posts: number): Uint8Array {
  const out = new ByteWriter();
  out.varint(entries.length);
  let previous = "";
  for (const [gram, list] of entries) {
    const shared = sharedLength(previous, gram);
    out.varint(shared);
    out.varint(gram.length - shared);
    for (let i = shared; i < gram.length; i++) {
      out.byte(gram.charCodeAt(i) & 255);
      out.byte(gram.charCodeAt(i) >>> 8);
    }
    out.varint(list.length);
    previous = gram;
  }

  let held = 0;
  let count = 0;
  const bits = (value: number, width: number): void => {
    held |= value << count;
    count += width;
    while (count >= 8) {
      out.byte(held & 255);
      held >>>= 8;
      count -= 8;
    }
  };
  for (const [, list] of entries) {
    const low = remainderBits(list.length, posts);
    let before = -1;
    for (let i = 0; i < list.length; i++) {
      const id = list[i] as number;
      const gap = id - before - 1;
      before = id;
      for (let quotient = gap >>> low; quotient > 0; quotient -= Math.min(quotient, 16))
        bits(0, Math.min(quotient, 16));
      bits(1, 1);
      for (let done = 0; done < low; done += 16)
        bits((gap >>> done) & ((1 << Math.min(16, low - done)) - 1), Math.min(16, low - done));
    }
  }
  if (count > 0) out.byte(held & 255);
  return out.take();
}

/**
 * Unpacks a block that `packPostings` made, in the form that FlexSearch's `import("map", …)` takes.
 * All lists are views of one array.
 *
 * @returns the entries, and the bytes of memory that they hold, roughly
 */
export function unpackPostings(
  block: Uint8Array,
  posts: number,
): { readonly entries: [string, [Uint32Array]][]; readonly bytes: number } {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = block[at++] as number;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };

  const count = varint();
  const grams: string[] = [];
  const lengths: number[] = [];
  let total = 0;
  let previous = "";
  for (let i = 0; i < count; i++) {
    const shared = varint();
    const rest = varint();
    let gram = previous.slice(0, shared);
    for (let unit = 0; unit < rest; unit++, at += 2)
      gram += String.fromCharCode((block[at] as number) | ((block[at + 1] as number) << 8));
    const length = varint();
    grams.push(gram);
    lengths.push(length);
    total += length;
    previous = gram;
  }

  // Read 32 bits at any byte: after dropping up to 7 bits, at least 25 are good.
  const bytes = new Uint8Array(block.length + 4);
  bytes.set(block);
  const word = (bit: number): number => {
    const byte = bit >>> 3;
    return (
      (((bytes[byte] as number) |
        ((bytes[byte + 1] as number) << 8) |
        ((bytes[byte + 2] as number) << 16) |
        ((bytes[byte + 3] as number) << 24)) >>>
        (bit & 7)) &
      0x1ff_ffff
    );
  };
  const ids = new Uint32Array(total);
  const entries: [string, [Uint32Array]][] = [];
  let bit = at * 8;
  let next = 0;
  for (let i = 0; i < count; i++) {
    const length = lengths[i] as number;
    const low = remainderBits(length, posts);
    const mask = (1 << low) - 1;
    const start = next;
    let id = -1;
    for (const end = start + length; next < end; next++) {
      let quotient = 0;
      let window = word(bit);
      while (window === 0) {
        quotient += 25;
        bit += 25;
        window = word(bit);
      }
      const zeros = 31 - Math.clz32(window & -window);
      quotient += zeros;
      bit += zeros + 1;
      id += 1 + ((quotient << low) | (word(bit) & mask));
      bit += low;
      ids[next] = id;
    }
    entries.push([grams[i] as string, [ids.subarray(start, next)]]);
  }
  return { entries, bytes: total * 4 + count * 256 };
}
