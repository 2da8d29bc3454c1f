/** Keeps what was loaded, within a budget of bytes: what was used least recently goes first. */

/** A loaded value and the bytes of memory that it holds, roughly. */
export interface Loaded<T> {
  readonly value: T;
  readonly bytes: number;
}

/** A cache of loaded blocks. */
export interface BlockCache {
  /** The value under `key`, if it is here. Marks it as used. */
  peek<T>(key: string): T | undefined;
  /**
   * The value under `key`, loaded if it is not here. Callers that ask while it is being loaded share
   * that load. A load that fails is forgotten, so the next call tries again.
   */
  load<T>(key: string, load: () => Promise<Loaded<T>>): Promise<T>;
  /** Bytes held now. At most the budget, or one value where that is larger. */
  readonly bytes: number;
}

/**
 * @param budget bytes to hold at most; the value loaded last stays even when it alone is larger
 */
export function createBlockCache(budget: number): BlockCache {
  // A Map iterates in the order of insertion, and every use inserts again: the first is the oldest.
  const held = new Map<string, Loaded<unknown>>();
  const loading = new Map<string, Promise<unknown>>();
  let bytes = 0;

  function keep(key: string, loaded: Loaded<unknown>): void {
    held.set(key, loaded);
    bytes += loaded.bytes;
    for (const [oldest, { bytes: freed }] of held) {
      if (bytes <= budget || oldest === key) break;
      held.delete(oldest);
      bytes -= freed;
    }
  }

  return {
    get bytes() {
      return bytes;
    },
    // Each key belongs to one kind of block, and each kind has one type of value.
    peek<T>(key: string) {
      const loaded = held.get(key);
      if (loaded === undefined) return undefined;
      held.delete(key);
      held.set(key, loaded);
      return loaded.value as T;
    },
    load<T>(key: string, load: () => Promise<Loaded<T>>) {
      const here = this.peek<T>(key);
      if (here !== undefined) return Promise.resolve(here);
      let promise = loading.get(key) as Promise<T> | undefined;
      if (promise === undefined) {
        promise = load()
          .then((loaded) => {
            keep(key, loaded);
            return loaded.value;
          })
          .finally(() => loading.delete(key));
        loading.set(key, promise);
      }
      return promise;
    },
  };
}
