/** Reads what an index says of all posts: their tags, hits and packs. `segment-reader.ts` reads the lists. */
import { LruCache, type Loaded } from "./lru-cache.ts";
import {
  hitsPerBlock,
  indexFiles,
  rangeAt,
  type Catalog,
  type IndexManifest,
} from "./index-format.ts";
import { readListedFile, type IndexHeader } from "./index-header.ts";
import { normalizeTagName } from "./normalize.ts";
import type { FileStore, BlockStore } from "./block-store.ts";
import {
  documentsIn,
  packedPostIn,
  type PackedPost,
  type PostPack,
  type PostPacks,
} from "./post-packs.ts";
import { SegmentReader, unitBytes, type DocIds } from "./segment-reader.ts";

function textLengths(segments: readonly SegmentReader[], posts: number): Uint32Array {
  const lengths = new Uint32Array(posts);
  for (const { docIds, postStarts } of segments)
    for (let i = 0; i < docIds.length; i++)
      lengths[docIds[i]!] = postStarts[i + 1]! - postStarts[i]!;
  return lengths;
}

/** The files of an index. Every method that loads rejects with `IndexUnavailable` when a part is not as it should be. */
export class IndexReader {
  readonly manifest: IndexManifest;
  readonly catalog: Catalog;
  readonly tags: readonly string[];
  readonly segments: readonly SegmentReader[];
  /** The segments by date, where ids and dates have one order, as in most collections: undefined where posts of some lie between those of others. */
  readonly newestFirst: readonly number[] | undefined;
  readonly #indexStore: FileStore;
  readonly #publicBlocks: BlockStore;
  readonly #cache: LruCache;
  // Made when first needed, then kept: a page of facets names hundreds of tags.
  readonly #tagNamesJson: string[] = [];
  #tagsByKey: ReadonlyMap<string, readonly number[]> | undefined;
  #textLengths: Uint32Array | undefined;
  #allDocs: DocIds | undefined;
  #packs: readonly PostPack[] | undefined;

  /**
   * @param indexStore the index folder, whose head was read
   * @param publicBlocks the folder of public blocks, for an index that was placed there
   * @param budget bytes of blocks to keep in memory
   */
  constructor(
    { manifest, catalog, tags, segments }: IndexHeader,
    indexStore: FileStore,
    publicBlocks: BlockStore,
    budget: number,
  ) {
    this.manifest = manifest;
    this.catalog = catalog;
    this.tags = tags;
    this.#indexStore = indexStore;
    this.#publicBlocks = publicBlocks;
    this.#cache = new LruCache(budget);
    const isPublic = manifest.placement === "cdn";
    const source = { store: isPublic ? publicBlocks : indexStore, isPublic, cache: this.#cache };
    let end = 0;
    this.segments = segments.map((header, i) => {
      const docIds = catalog.docIds.subarray(end, (end += header.posts));
      return new SegmentReader(header, i, docIds, source);
    });
    const firstDocs = this.segments.map(({ docIds }) => docIds[0] ?? 0);
    this.newestFirst = this.segments.every(({ isContiguous }) => isContiguous)
      ? [...firstDocs.keys()].sort((a, b) => firstDocs[a]! - firstDocs[b]!)
      : undefined;
  }

  /** The name of a tag as JSON. */
  tagNameJson(tag: number): string {
    return (this.#tagNamesJson[tag] ??= JSON.stringify(this.tags[tag]));
  }

  /** The tags whose names have a comparison form (see `normalizeTagName`). Distinct names may share one. */
  tagsWithKey(key: string): readonly number[] {
    this.#tagsByKey ??= Map.groupBy(this.tags.keys(), (tag) => normalizeTagName(this.tags[tag]!));
    return this.#tagsByKey.get(key) ?? [];
  }

  /** Every post. */
  get allDocs(): DocIds {
    return (this.#allDocs ??= this.catalog.docIds.toSorted());
  }

  /** UTF-16 units of the title and text of each post, with what is around them. */
  get textLengths(): Uint32Array {
    return (this.#textLengths ??= textLengths(this.segments, this.manifest.posts));
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
    const { hitsOffsets: offsets, hitsDigests: digests } = this.catalog;
    const hitBlocks = { offsets, digests, names: [] };
    return Promise.all(
      posts.map(async (post) => {
        const block = Math.floor(post / hitsPerBlock);
        const lines = await this.#cache.getOrLoad(`hits block ${block}`, async () =>
          linesOf(await this.#indexStore.read(rangeAt(hitBlocks, block, indexFiles.hits))),
        );
        return lines[post % hitsPerBlock]!;
      }),
    );
  }

  async #loadPacks(): Promise<readonly PostPack[]> {
    if (this.manifest.files[indexFiles.packs] === undefined) return [];
    const content = await readListedFile(this.#indexStore, this.manifest, indexFiles.packs);
    return (JSON.parse(Buffer.from(content).toString()) as PostPacks).packs;
  }
}
