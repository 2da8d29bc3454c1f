/** Reads the posting lists and the texts of a segment, block by block. */
import { inflateRawSync } from "node:zlib";
import type { BlockStore } from "./block-store.ts";
import { partitionPoint } from "./binary-search.ts";
import {
  blocksIn,
  indexFiles,
  rangeAt,
  textBlockUnits,
  type BlockKind,
  type ListKind,
  type SegmentCatalog,
} from "./index-format.ts";
import type { SegmentHeader } from "./index-header.ts";
import { settleAll, type Loaded, type LruCache } from "./lru-cache.ts";
import { PostingBlock, type PostingListDecoder } from "./posting-block.ts";
import { mergeSorted } from "./postings.ts";

/** Numbers of posts, ascending, that is newest first. Shared: never change one in place. */
export type DocIds = Uint32Array;

/**
 * Bytes of a cache entry besides its numbers: in Node 24, 370 of the heap for key and objects, and the rest for memory
 * outside of it. A million lists of few numbers would fill a heap of 512 MB if they counted as less.
 */
const entryBytes = 600;

/** Bytes of a unit of a text in memory, at most. */
export const unitBytes = 2;

/** Where the blocks of a segment come from, and where they are kept. */
export interface SegmentSource {
  readonly store: BlockStore;
  /** Whether each block is a file of its own. */
  readonly isPublic: boolean;
  readonly cache: LruCache;
}

/**
 * The last block whose key ≤ a gram; -1 where there is none. Compares units in place: making strings of
 * all keys would take longer than the rest of a cold start.
 */
function blockAt(keyOffsets: Uint32Array, keys: Uint32Array, gram: string): number {
  const isUpTo = (block: number): boolean => {
    const start = keyOffsets[block]!;
    const length = keyOffsets[block + 1]! - start;
    for (let i = 0; i < length && i < gram.length; i++) {
      const difference = keys[start + i]! - gram.charCodeAt(i);
      if (difference !== 0) return difference < 0;
    }
    return length <= gram.length;
  };
  return partitionPoint(keyOffsets.length - 1, isUpTo) - 1;
}

/**
 * A segment. Its posts and the units of its texts have numbers of its own. Every method that loads rejects with
 * `IndexUnavailable` when a part is not as it should be.
 */
export class SegmentReader {
  /** The number of each of its posts among all. */
  readonly docIds: DocIds;
  /** Units of its longest title or text: a longer keyword is in no post. */
  readonly longestText: number;
  /** Position of the first unit of each post, and the end of the last one. */
  readonly postStarts: Uint32Array;
  readonly #catalog: SegmentCatalog;
  readonly #frequent: ReadonlySet<string>;
  readonly #source: SegmentSource;
  /** What its keys in the cache begin with. */
  readonly #name: string;

  /**
   * @param number its position among all segments
   * @param docIds the number of each of its posts among all
   */
  constructor(header: SegmentHeader, number: number, docIds: DocIds, source: SegmentSource) {
    this.docIds = docIds;
    this.longestText = header.longestText;
    this.postStarts = header.catalog.postStarts;
    this.#catalog = header.catalog;
    this.#frequent = new Set(header.frequentGrams);
    this.#source = source;
    this.#name = String(number);
  }

  /** Units of all its texts. */
  get units(): number {
    return this.postStarts[this.docIds.length]!;
  }

  /** Whether no post of another segment is between its own by date. */
  get isContiguous(): boolean {
    return this.docIds.at(-1)! - this.docIds[0]! === this.docIds.length - 1;
  }

  /** Whether a gram has a list of posts, and none of positions: see `grams.ts`. */
  readonly isFrequent = (gram: string): boolean => gram.length === 1 || this.#frequent.has(gram);

  /** The posts that contain a frequent gram. */
  docsWith(gram: string): DocIds | Promise<DocIds> {
    return this.#list("posts", gram);
  }

  /** Ascending positions of each gram, in the order of `grams`. None may be frequent. Read in one round. */
  positions(grams: readonly string[]): Uint32Array[] | Promise<Uint32Array[]> {
    return settleAll(grams.map((gram) => this.#list("positions", gram)));
  }

  /** How many positions each gram has. Decodes none of them. */
  listLengths(grams: readonly string[]): Promise<number[]> {
    return Promise.all(
      grams.map(async (gram) =>
        (await this.#encodedLists("positions", gram)).reduce((sum, { length }) => sum + length, 0),
      ),
    );
  }

  /** Whether `text` can be asked for: only public blocks have texts. */
  get hasTexts(): boolean {
    return this.#catalog.textsOffsets.length > 0;
  }

  /** The units from a position on, of all titles and texts with their separators. */
  async text(position: number, length: number): Promise<string> {
    const first = Math.floor(position / textBlockUnits);
    const last = Math.floor((position + length - 1) / textBlockUnits);
    const blocks = await Promise.all(
      Array.from({ length: last - first + 1 }, async (_, i) =>
        this.#load("texts", first + i, (bytes) => {
          const value = inflateRawSync(bytes).toString("utf16le");
          return { value, bytes: value.length * unitBytes };
        }),
      ),
    );
    const start = position - first * textBlockUnits;
    return blocks.join("").slice(start, start + length);
  }

  /** The lists of a gram, from the block that has them. */
  async #encodedLists(kind: ListKind, gram: string): Promise<PostingListDecoder[]> {
    const block = blockAt(this.#catalog[`${kind}KeyOffsets`], this.#catalog[`${kind}Keys`], gram);
    if (block < 0) return [];
    const [upperBound, match] =
      kind === "posts"
        ? ([this.docIds.length, "exact"] as const)
        : ([this.units, "prefix"] as const);
    const lists = await this.#load(kind, block, (bytes) => ({
      value: new PostingBlock(bytes, upperBound),
      bytes: bytes.length,
    }));
    return lists.lists(gram, match);
  }

  /** A list is kept as it was unpacked, too: a few grams are in most keywords. */
  #list(kind: ListKind, gram: string): Uint32Array | Promise<Uint32Array> {
    return this.#source.cache.getOrLoad(`${this.#name} ${kind} list ${gram}`, async () => {
      const lists = await this.#encodedLists(kind, gram);
      const value = mergeSorted(lists.map((list) => list.decodeAll()));
      return { value, bytes: value.byteLength + entryBytes };
    });
  }

  /** A block in the form in which it is used. */
  #load<T>(
    kind: BlockKind,
    block: number,
    decode: (bytes: Uint8Array) => Loaded<T>,
  ): T | Promise<T> {
    const { store, isPublic, cache } = this.#source;
    const file = isPublic || kind === "texts" ? undefined : indexFiles[kind];
    return cache.getOrLoad(`${this.#name} ${kind} block ${block}`, async () =>
      decode(await store.read(rangeAt(blocksIn(this.#catalog, kind), block, file))),
    );
  }
}
