/** Numbers distinct integers from 0 on: a hash table without an object for each key. */

const empty = -1;

/** Integers of 0 to 2^53 - 1 → 0, 1, 2 … Open addressing, linear probing, at most two thirds full. */
export class IntTable {
  /** The distinct keys, in the order of their numbers. */
  readonly keys: number[] = [];
  #slots = new Float64Array(1 << 12).fill(empty);
  #numbers = new Int32Array(1 << 12);

  /** The number of a key: the next free one when the key is new. */
  number(key: number): number {
    const slot = this.#slotOf(key);
    if (this.#slots[slot] !== empty) return this.#numbers[slot]!;
    const number = this.keys.push(key) - 1;
    this.#slots[slot] = key;
    this.#numbers[slot] = number;
    if (this.keys.length * 3 > this.#slots.length * 2) this.#grow();
    return number;
  }

  /** Forgets all keys, in time that depends on their number alone. */
  clear(): void {
    // The last one first: no key that is still there was placed by stepping over this one.
    for (let key = this.keys.pop(); key !== undefined; key = this.keys.pop())
      this.#slots[this.#slotOf(key)] = empty;
  }

  /** Where the key is, or would be. */
  #slotOf(key: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    // `|` takes the low 32 bits of a number.
    const mixed = Math.imul(key | 0, 0x9e37_79b1) ^ Math.imul((key * 2 ** -32) | 0, 0x85eb_ca6b);
    let slot = (Math.imul(mixed ^ (mixed >>> 15), 0x2c1b_3c6d) >>> 7) & mask;
    for (let found = slots[slot]; found !== key && found !== empty; found = slots[slot])
      slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const size = this.#slots.length * 2;
    this.#slots = new Float64Array(size).fill(empty);
    this.#numbers = new Int32Array(size);
    for (const [number, key] of this.keys.entries()) {
      const slot = this.#slotOf(key);
      this.#slots[slot] = key;
      this.#numbers[slot] = number;
    }
  }
}
