/** Many positions as a bitmap: where lists are dense, 32 positions are intersected at once. */

/** A set of positions, a bit for each unit of the texts. */
export class PositionSet {
  readonly #words: Int32Array;

  private constructor(words: Int32Array) {
    this.#words = words;
  }

  /**
   * @param units every position is below this
   */
  static of(positions: Uint32Array, units: number): PositionSet {
    const words = new Int32Array(Math.ceil(units / 32));
    // By index: an iterator over a list takes several times as long.
    for (let i = 0; i < positions.length; i++)
      words[positions[i]! >>> 5]! |= 1 << (positions[i]! & 31);
    return new PositionSet(words);
  }

  /** The positions that another set of the same texts has a given offset further on. */
  intersectShifted(other: PositionSet, offset: number): PositionSet {
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
    return new PositionSet(common);
  }

  /** The positions, ascending. */
  toList(): Uint32Array {
    const words = this.#words;
    let count = 0;
    for (let i = 0; i < words.length; i++)
      for (let word = words[i]!; word !== 0; word &= word - 1) count++;
    const positions = new Uint32Array(count);
    let at = 0;
    for (let i = 0; i < words.length; i++)
      for (let word = words[i]!; word !== 0; word &= word - 1)
        positions[at++] = 32 * i + 31 - Math.clz32(word & -word);
    return positions;
  }
}
