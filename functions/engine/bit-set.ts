/** Many numbers as a bitmap: where lists are dense, 32 numbers are intersected at once, and none needs sorting. */

/** A set of numbers, a bit for each that there may be. */
export class BitSet {
  readonly #words: Int32Array;

  private constructor(words: Int32Array) {
    this.#words = words;
  }

  /**
   * An empty set.
   *
   * @param universe every number will be below this
   */
  static empty(universe: number): BitSet {
    return new BitSet(new Int32Array(Math.ceil(universe / 32)));
  }

  add(number: number): void {
    this.#words[number >>> 5]! |= 1 << (number & 31);
  }

  addAll(numbers: Uint32Array): this {
    // By index: an iterator over a list takes several times as long.
    for (let i = 0; i < numbers.length; i++) this.add(numbers[i]!);
    return this;
  }

  /** The numbers that another set of the same universe has a given offset further on. */
  intersectShifted(other: BitSet, offset: number): BitSet {
    const words = this.#words;
    const others = other.#words;
    const common = new Int32Array(words.length);
    const first = offset >>> 5;
    const low = offset & 31;
    const last = words.length - 1 - first;
    for (let i = 0; i < last; i++)
      // In two steps to the left: a shift by 32 is none.
      common[i] =
        words[i]! & ((others[i + first]! >>> low) | ((others[i + first + 1]! << 1) << (31 - low)));
    if (last >= 0) common[last] = words[last]! & (others[last + first]! >>> low);
    return new BitSet(common);
  }

  /** The numbers, ascending. */
  toList(): Uint32Array {
    const words = this.#words;
    let count = 0;
    for (let i = 0; i < words.length; i++)
      for (let word = words[i]!; word !== 0; word &= word - 1) count++;
    const numbers = new Uint32Array(count);
    let at = 0;
    for (let i = 0; i < words.length; i++)
      for (let word = words[i]!; word !== 0; word &= word - 1)
        numbers[at++] = 32 * i + 31 - Math.clz32(word & -word);
    return numbers;
  }
}
