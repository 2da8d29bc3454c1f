/** Numbers distinct integers from 0 on: a hash table without an object for each key. */

/** Places at first. */
const initialSize = 1 << 12;

/** Integers of 32 bits → 0, 1, 2 … Open addressing, linear probing, at most half full. */
export class IntMap {
  /** The number of distinct keys. */
  size = 0;
  #slots = new Uint32Array(initialSize);
  /** By slot, the number of its key plus 1; 0 where it is empty. */
  #numbers = new Uint32Array(initialSize);
  /** The slot of each number. */
  #used = new Uint32Array(initialSize / 2);

  /** The distinct keys, in the order of their numbers. */
  get keys(): Uint32Array {
    const keys = new Uint32Array(this.size);
    for (let number = 0; number < keys.length; number++)
      keys[number] = this.#slots[this.#used[number]!]!;
    return keys;
  }

  /** The number of a key: the next free one when the key is new. */
  getOrAdd(key: number): number {
    const slot = this.#slotOf(key);
    const found = this.#numbers[slot]!;
    if (found !== 0) return found - 1;
    if (this.size === this.#used.length) {
      this.#grow();
      return this.getOrAdd(key);
    }
    this.#slots[slot] = key;
    this.#used[this.size] = slot;
    this.#numbers[slot] = ++this.size;
    return this.size - 1;
  }

  /** The number of a key; -1 where it is new. */
  get(key: number): number {
    return this.#numbers[this.#slotOf(key)]! - 1;
  }

  /** Forgets all keys, in time that depends on their number alone. */
  clear(): void {
    for (let number = 0; number < this.size; number++) this.#numbers[this.#used[number]!] = 0;
    this.size = 0;
  }

  /** Where the key is, or would be. */
  #slotOf(key: number): number {
    const slots = this.#slots;
    const numbers = this.#numbers;
    const mask = slots.length - 1;
    const mixed = Math.imul(key ^ (key >>> 15), 0x2c1b_3c6d);
    let slot = (mixed ^ (mixed >>> 13)) & mask;
    while (numbers[slot] !== 0 && slots[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const { keys } = this;
    const size = this.#slots.length * 2;
    this.#slots = new Uint32Array(size);
    this.#numbers = new Uint32Array(size);
    this.#used = new Uint32Array(size / 2);
    this.size = 0;
    for (const key of keys) this.getOrAdd(key);
  }
}
