/** Typed arrays that grow: many numbers, one after the other, without an object for each. */

type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array;

/** Numbers of one kind, held in an array that doubles when it is full. */
export class GrowableArray<A extends Numbers> {
  /** The numbers up to `length`, and zeros. Another array after each growth. */
  values: A;
  length = 0;
  readonly #kind: new (length: number) => A;

  /**
   * @param kind constructor of the array
   */
  constructor(kind: new (length: number) => A) {
    this.#kind = kind;
    this.values = new kind(1 << 10);
  }

  push(value: number): void {
    if (this.length === this.values.length) this.ensure(this.length + 1);
    this.values[this.length++] = value;
  }

  append(values: ArrayLike<number>): void {
    this.ensure(this.length + values.length);
    this.values.set(values, this.length);
    this.length += values.length;
  }

  /** Makes room for `length` numbers. */
  ensure(length: number): void {
    if (length <= this.values.length) return;
    const larger = new this.#kind(Math.max(length, this.values.length * 2));
    larger.set(this.values);
    this.values = larger;
  }
}
