/** Keeps what was loaded, within a budget of bytes: what was used least recently goes first. */

/** A loaded value and the bytes of memory that it holds, roughly. */
export interface Loaded<T> {
  readonly value: T;
  readonly bytes: number;
}

/** A cache of loaded blocks. Each key belongs to one kind of block, and each kind has one type of value. */
export class LruCache {
  readonly #budget: number;
  // A Map iterates in the order of insertion, and every use inserts again: the first is the oldest.
  readonly #held = new Map<string, Loaded<unknown>>();
  readonly #loading = new Map<string, Promise<unknown>>();
  #bytes = 0;

  /**
   * @param budget bytes to hold at most; the value loaded last stays even when it alone is larger
   */
  constructor(budget: number) {
    this.#budget = budget;
  }

  /** Bytes held now. At most the budget, or one value where that is larger. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The value under `key`, if it is here. Marks it as used. */
  get<T>(key: string): T | undefined {
    const loaded = this.#held.get(key);
    if (loaded === undefined) return undefined;
    this.#held.delete(key);
    this.#held.set(key, loaded);
    return loaded.value as T;
  }

  /**
   * The value under `key`, loaded if it is not here. Callers that ask while it is being loaded share
   * that load. A load that fails is forgotten, so the next call tries again.
   *
   * @returns the value itself where it is here: a search of many segments would make a promise for each list
   */
  getOrLoad<T>(key: string, load: () => Promise<Loaded<T>>): T | Promise<T> {
    const here = this.get<T>(key);
    if (here !== undefined) return here;
    const shared = this.#loading.get(key) as Promise<T> | undefined;
    if (shared !== undefined) return shared;
    const promise = load()
      .then((loaded) => this.#keep(key, loaded))
      .finally(() => this.#loading.delete(key));
    this.#loading.set(key, promise);
    return promise;
  }

  #keep<T>(key: string, loaded: Loaded<T>): T {
    this.#held.set(key, loaded);
    this.#bytes += loaded.bytes;
    for (const [oldest, { bytes }] of this.#held) {
      if (this.#bytes <= this.#budget || oldest === key) break;
      this.#held.delete(oldest);
      this.#bytes -= bytes;
    }
    return loaded.value;
  }
}

/** All values, as soon as each is here: at once where none has to be waited for. */
export const settleAll = <T>(values: (T | Promise<T>)[]): T[] | Promise<T[]> =>
  values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as T[]);
