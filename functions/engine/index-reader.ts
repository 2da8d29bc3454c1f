/** Reads a search index, block by block, and believes nothing that does not match its digest. */
import { inflateRawSync } from "node:zlib";
import { partitionPoint } from "./binary-search.ts";
import { LruCache, type Loaded } from "./lru-cache.ts";
import {
  blocksIn,
  hitsPerBlock,
  indexFiles,
  rangeAt,
  textBlockUnits,
  type BlockKind,
  type Catalog,
  type ListKind,
  type IndexManifest,
} from "./index-format.ts";
import { readListedFile, type IndexHeader } from "./index-header.ts";
import { PostingBlock, type PostingListDecoder } from "./posting-block.ts";
import { tagKey } from "./normalise.ts";
import { mergeSorted } from "./postings.ts";
import type { FileStore, BlockStore } from "./block-store.ts";
import {
  documentsIn,
  packedPostIn,
  type PackedPost,
  type PostPack,
  type PostPacks,
} from "./post-packs.ts";

/** Numbers of posts, ascending, that is newest first. Shared: never change one in place. */
export type DocIds = Uint32Array;

/**
 * Bytes of a cache entry besides its numbers: in Node 24, 370 of the heap for key and objects, and the rest for memory
 * outside of it. A million lists of few numbers would fill a heap of 512 MB if they counted as less.
 */
const entryBytes = 600;

/** Bytes of a unit of a text in memory, at most. */
const unitBytes = 2;

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

/** The files of an index. Every method that loads rejects with `IndexUnavailable` when a part is not as it should be. */
export class IndexReader {
  readonly manifest: IndexManifest;
  readonly catalog: Catalog;
  readonly tags: readonly string[];
  readonly #frequent: ReadonlySet<string>;
  readonly #folder: FileStore;
  readonly #publicBlocks: BlockStore;
  readonly #cache: LruCache;
  // Made when first needed, then kept: a page of facets names hundreds of tags.
  readonly #tagNamesJson: string[] = [];
  #tagsByKey: ReadonlyMap<string, readonly number[]> | undefined;
  #allDocs: DocIds | undefined;
  #packs: readonly PostPack[] | undefined;

  /**
   * @param folder the index folder, whose head was read
   * @param publicBlocks the folder of public blocks, for an index that was placed there
   * @param budget bytes of blocks to keep in memory
   */
  constructor(
    { manifest, catalog, names }: IndexHeader,
    folder: FileStore,
    publicBlocks: BlockStore,
    budget: number,
  ) {
    this.manifest = manifest;
    this.catalog = catalog;
    this.tags = names.tags;
    this.#frequent = new Set(names.frequentGrams);
    this.#folder = folder;
    this.#publicBlocks = publicBlocks;
    this.#cache = new LruCache(budget);
  }

  /** The name of a tag as JSON. */
  tagNameJson(tag: number): string {
    return (this.#tagNamesJson[tag] ??= JSON.stringify(this.tags[tag]));
  }

  /** The tags whose names have a comparison form (see `tagKey`). Distinct names may share one. */
  tagsWithKey(key: string): readonly number[] {
    this.#tagsByKey ??= Map.groupBy(this.tags.keys(), (tag) => tagKey(this.tags[tag]!));
    return this.#tagsByKey.get(key) ?? [];
  }

  /** Every post. */
  get allDocs(): DocIds {
    this.#allDocs ??= new Uint32Array(this.manifest.posts).map((_, post) => post);
    return this.#allDocs;
  }

  /** Whether a gram has a list of posts, and none of positions: see `grams.ts`. */
  readonly isFrequent = (gram: string): boolean => gram.length === 1 || this.#frequent.has(gram);

  /** The posts that contain a frequent gram. */
  docsWith(gram: string): Promise<DocIds> {
    return this.#list("posts", gram);
  }

  /** Ascending positions of each gram, in the order of `grams`. None may be frequent. Read in one round. */
  positions(grams: readonly string[]): Promise<Uint32Array[]> {
    return Promise.all(grams.map((gram) => this.#list("positions", gram)));
  }

  /** How many positions each gram has. Decodes none of them. */
  listLengths(grams: readonly string[]): Promise<number[]> {
    return Promise.all(
      grams.map(async (gram) =>
        (await this.#packed("positions", gram)).reduce((sum, { length }) => sum + length, 0),
      ),
    );
  }

  /** Whether `text` can be asked for: only public blocks have texts. */
  get hasTexts(): boolean {
    return this.catalog.textsOffsets.length > 0;
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

  /** The place of a post that has no file of its own; undefined for all other posts. */
  async packedPost(postId: number): Promise<PackedPost | undefined> {
    // Few requests need the packs, so they are loaded by the first one that does.
    return packedPostIn((this.#packs ??= await this.#loadPacks()), postId);
  }

  /** The document of such a post. */
  async document({ pack, position }: PackedPost): Promise<Uint8Array> {
    const { file, bytes, digest } = pack;
    const documents = await this.#cache.getOrLoad(`pack ${file}`, async () => {
      const content = await this.#publicBlocks.read({ file, start: 0, bytes, digest });
      const value = documentsIn(pack, content);
      return { value, bytes: value.reduce((sum, { length }) => sum + length, 0) };
    });
    return documents[position]!;
  }

  /** The SearchHit objects of posts as JSON, in the order of `posts`. */
  hits(posts: readonly number[]): Promise<string[]> {
    const linesOf = (bytes: Uint8Array): Loaded<string[]> => {
      const text = Buffer.from(bytes).toString();
      return { value: text.split("\n"), bytes: text.length * unitBytes };
    };
    return Promise.all(
      posts.map(async (post) => {
        const lines = await this.#load("hits", Math.floor(post / hitsPerBlock), linesOf);
        return lines[post % hitsPerBlock]!;
      }),
    );
  }

  async #loadPacks(): Promise<readonly PostPack[]> {
    if (this.manifest.parts[indexFiles.packs] === undefined) return [];
    const content = await readListedFile(this.#folder, this.manifest, indexFiles.packs);
    return (JSON.parse(Buffer.from(content).toString()) as PostPacks).packs;
  }

  /** The lists of a gram, from the block that has them. */
  async #packed(kind: ListKind, gram: string): Promise<PostingListDecoder[]> {
    const { manifest, catalog } = this;
    const block = blockAt(catalog[`${kind}KeyOffsets`], catalog[`${kind}Keys`], gram);
    if (block < 0) return [];
    const [upperBound, match] =
      kind === "posts"
        ? ([manifest.posts, "exact"] as const)
        : ([catalog.textOffsets[manifest.posts]!, "prefix"] as const);
    const lists = await this.#load(kind, block, (bytes) => ({
      value: new PostingBlock(bytes, upperBound),
      bytes: bytes.length,
    }));
    return lists.lists(gram, match);
  }

  /** A list is kept as it was unpacked, too: a few grams are in most keywords. */
  #list(kind: ListKind, gram: string): Promise<Uint32Array> {
    return this.#cache.getOrLoad(`${kind} ${gram}`, async () => {
      const lists = await this.#packed(kind, gram);
      const value = mergeSorted(lists.map((list) => list.decodeAll()));
      return { value, bytes: value.byteLength + entryBytes };
    });
  }

  /** A block in the form in which it is used. */
  #load<T>(kind: BlockKind, block: number, from: (bytes: Uint8Array) => Loaded<T>): Promise<T> {
    return this.#cache.getOrLoad(`${kind} block ${block}`, async () =>
      from(await this.#blockBytes(kind, block)),
    );
  }

  /** The bytes of a block: a part of a file in the folder, or a public file. */
  #blockBytes(kind: BlockKind, block: number): Promise<Uint8Array> {
    const blocks = blocksIn(this.catalog, kind);
    if (kind === "hits" || (kind !== "texts" && this.manifest.placement === "bundle"))
      return this.#folder.read(rangeAt(blocks, block, indexFiles[kind]));
    return this.#publicBlocks.read(rangeAt(blocks, block));
  }
}
