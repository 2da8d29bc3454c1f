/** Reads a search index, block by block, and believes nothing that does not match its digest. */
import { inflateRawSync } from "node:zlib";
import { countWhile } from "./binary-search.ts";
import { createBlockCache } from "./block-cache.ts";
import {
  blocksIn,
  catalogFrom,
  fingerprintOf,
  hitsPerBlock,
  indexFiles,
  indexFormat,
  partOf,
  textBlockUnits,
  type BlockKind,
  type Catalog,
  type ListKind,
  type Manifest,
  type Names,
} from "./index-format.ts";
import { ListBlock } from "./list-block.ts";
import { tagKey } from "./normalise.ts";
import { IndexUnavailable, type FolderSource, type PartSource } from "./part-source.ts";
import {
  documentsIn,
  packedPostIn,
  type PackedPost,
  type PostPack,
  type PostPacks,
} from "./post-packs.ts";

/** Numbers of posts, ascending, that is newest first. Shared: never change one in place. */
export type PostNumbers = Uint32Array;

/** An opened index. Every method that loads rejects with `IndexUnavailable` when a part is not as it should be. */
export interface IndexFiles {
  readonly manifest: Manifest;
  readonly catalog: Catalog;
  readonly tags: readonly string[];
  /** A tag's TagCount as JSON up to its count, with a comma before it. */
  readonly tagCountStart: (tag: number) => string;
  /** The tags whose names have a comparison form (see `tagKey`). Distinct names may share one. */
  readonly tagsWithKey: (key: string) => readonly number[];
  /** Every post. */
  readonly everyPost: PostNumbers;
  /** Whether a gram has a list of posts, and none of positions: see `grams.ts`. */
  readonly isFrequent: (gram: string) => boolean;
  /** The posts that contain a frequent gram. */
  posts(gram: string): Promise<PostNumbers>;
  /** Ascending positions of each gram, in the order of `grams`. None may be frequent. Read in one round. */
  positions(grams: readonly string[]): Promise<Uint32Array[]>;
  /** Whether `text` can be asked for: only public blocks have texts. */
  readonly hasTexts: boolean;
  /** The units from a position on, of all titles and texts with their separators. */
  text(position: number, length: number): Promise<string>;
  /** The place of a post that has no file of its own; undefined for all other posts. */
  packedPost(postId: number): Promise<PackedPost | undefined>;
  /** The document of such a post. */
  document(post: PackedPost): Promise<Uint8Array>;
  /** The SearchHit objects of posts as JSON, in the order of `posts`. */
  hits(posts: readonly number[]): Promise<string[]>;
}

/** Bytes of a cache entry besides its numbers, roughly. Without them, empty lists would count as nothing. */
const entryBytes = 256;

const none: PostNumbers = new Uint32Array(0);

/**
 * The last block whose key ≤ a gram; -1 where there is none. Compares units in place: making strings of
 * all keys would take longer than the rest of a cold start.
 */
function blockOf(keyOffsets: Uint32Array, keys: Uint32Array, gram: string): number {
  const isUpTo = (block: number): boolean => {
    const start = keyOffsets[block]!;
    const length = keyOffsets[block + 1]! - start;
    for (let i = 0; i < length && i < gram.length; i++) {
      const difference = keys[start + i]! - gram.charCodeAt(i);
      if (difference !== 0) return difference < 0;
    }
    return length <= gram.length;
  };
  return countWhile(keyOffsets.length - 1, isUpTo) - 1;
}

/** The manifest of an index. @throws IndexUnavailable where it is damaged, or of another format */
export function readManifest(source: FolderSource): Manifest {
  const content = source.readWhole(indexFiles.manifest);
  let manifest: Manifest;
  try {
    manifest = JSON.parse(Buffer.from(content).toString()) as Manifest;
  } catch (cause) {
    throw new IndexUnavailable(indexFiles.manifest, "is not JSON", { cause });
  }
  if (manifest?.format !== indexFormat.name || manifest.version !== indexFormat.version)
    throw new IndexUnavailable(
      indexFiles.manifest,
      `has format ${manifest?.format} ${manifest?.version}, this program reads ${indexFormat.name} ${indexFormat.version}`,
    );
  const { fingerprint, ...rest } = manifest;
  // A field that is missing or of another type cannot even be digested.
  const isComplete = [rest.parts, rest.columns].every((one) => typeof one === "object" && one);
  if (!isComplete || fingerprintOf(rest) !== fingerprint)
    throw new IndexUnavailable(indexFiles.manifest, "does not match its own fingerprint");
  return manifest;
}

/** @throws IndexUnavailable where the length of a file is not the one that the manifest gives */
export function assertLengths(source: FolderSource, { parts }: Manifest): void {
  for (const [name, { bytes }] of Object.entries(parts)) {
    const size = source.size(name);
    if (size !== bytes) throw new IndexUnavailable(name, `has ${size} bytes instead of ${bytes}`);
  }
}

/** The content of a file that the manifest describes. @throws IndexUnavailable where it is not as it must be */
export async function contentOf(
  source: FolderSource,
  { parts }: Manifest,
  file: string,
): Promise<Uint8Array> {
  const part = parts[file];
  if (part === undefined) throw new IndexUnavailable(indexFiles.manifest, `does not name ${file}`);
  return source.read({ file, start: 0, ...part });
}

/**
 * Opens an index: reads the manifest, the catalogue and the names; everything else when it is needed.
 *
 * @param folder the index folder
 * @param publicBlocks the folder of public blocks, for an index that was placed there
 * @param budget bytes of blocks to keep in memory
 * @throws IndexUnavailable when a part is missing, cut short, altered, or of another index
 */
export async function openIndexFiles(
  folder: FolderSource,
  publicBlocks: PartSource,
  budget: number,
): Promise<IndexFiles> {
  const manifest = readManifest(folder);
  assertLengths(folder, manifest);
  const catalog = catalogFrom(await contentOf(folder, manifest, indexFiles.catalog), manifest);
  const { tags, frequentGrams } = JSON.parse(
    Buffer.from(await contentOf(folder, manifest, indexFiles.names)).toString(),
  ) as Names;
  const frequent = new Set(frequentGrams);
  const units = catalog.textOffsets[manifest.posts]!;
  const cache = createBlockCache(budget);

  /** The bytes of a block: a part of a file in the folder, or a public file. */
  function blockBytes(kind: BlockKind, block: number): Promise<Uint8Array> {
    const blocks = blocksIn(catalog, kind);
    if (kind === "hits" || (kind !== "texts" && manifest.placement === "bundle"))
      return folder.read(partOf(blocks, block, indexFiles[kind]));
    return publicBlocks.read(partOf(blocks, block));
  }

  /** A block in the form in which it is used. */
  function load<T>(kind: BlockKind, block: number, from: (bytes: Uint8Array) => T): T | Promise<T> {
    const key = `${kind} block ${block}`;
    return (
      cache.peek<T>(key) ??
      cache.load(key, async () => {
        const bytes = await blockBytes(kind, block);
        return { value: from(bytes), bytes: bytes.length };
      })
    );
  }

  /** A list is kept as it was unpacked, too: a few grams are in most needles. */
  async function list(kind: ListKind, gram: string): Promise<Uint32Array> {
    const block = blockOf(catalog[`${kind}KeyOffsets`], catalog[`${kind}Keys`], gram);
    if (block < 0) return none;
    const key = `${kind} ${gram}`;
    const [universe, match] =
      kind === "posts" ? ([manifest.posts, "whole"] as const) : ([units, "beginning"] as const);
    return (
      cache.peek<Uint32Array>(key) ??
      cache.load(key, async () => {
        const lists = await load(kind, block, (bytes) => new ListBlock(bytes, universe));
        const value = lists.list(gram, match);
        return { value, bytes: value.byteLength + entryBytes };
      })
    );
  }

  async function text(position: number, length: number): Promise<string> {
    const first = Math.floor(position / textBlockUnits);
    const last = Math.floor((position + length - 1) / textBlockUnits);
    const blocks = await Promise.all(
      Array.from({ length: last - first + 1 }, (_, i) =>
        load("texts", first + i, (bytes) => inflateRawSync(bytes).toString("utf16le")),
      ),
    );
    const start = position - first * textBlockUnits;
    return blocks.join("").slice(start, start + length);
  }

  let packs: readonly PostPack[] | undefined;
  /** All packs. Few requests need them, so they are loaded by the first one that does. */
  async function loadPacks(): Promise<readonly PostPack[]> {
    if (manifest.parts[indexFiles.packs] === undefined) return [];
    const content = await contentOf(folder, manifest, indexFiles.packs);
    return (JSON.parse(Buffer.from(content).toString()) as PostPacks).packs;
  }

  async function document({ pack, position }: PackedPost): Promise<Uint8Array> {
    const { file, bytes, digest } = pack;
    const documents = await cache.load(`pack ${file}`, async () => {
      const content = await publicBlocks.read({ file, start: 0, bytes, digest });
      const value = documentsIn(pack, content);
      return { value, bytes: value.reduce((sum, { length }) => sum + length, 0) };
    });
    return documents[position]!;
  }

  let everyPost: PostNumbers | undefined;
  let byKey: ReadonlyMap<string, number[]> | undefined;
  // Made when first needed, then kept: a page of facets names hundreds of tags.
  const tagCountStarts: string[] = [];

  return {
    manifest,
    catalog,
    tags,
    tagCountStart: (tag) =>
      (tagCountStarts[tag] ??= `,{"tagName":${JSON.stringify(tags[tag])},"count":`),
    tagsWithKey: (key) =>
      (byKey ??= Map.groupBy(tags.keys(), (tag) => tagKey(tags[tag]!))).get(key) ?? [],
    get everyPost() {
      everyPost ??= new Uint32Array(manifest.posts).map((_, post) => post);
      return everyPost;
    },
    isFrequent: (gram) => gram.length === 1 || frequent.has(gram),
    posts: (gram) => list("posts", gram),
    positions: (grams) => Promise.all(grams.map((gram) => list("positions", gram))),
    packedPost: async (postId) => packedPostIn((packs ??= await loadPacks()), postId),
    document,
    hasTexts: catalog.textsOffsets.length > 0,
    text,
    hits: (posts) =>
      Promise.all(
        posts.map(async (post) => {
          const lines = await load("hits", Math.floor(post / hitsPerBlock), (bytes) =>
            Buffer.from(bytes).toString().split("\n"),
          );
          return lines[post % hitsPerBlock]!;
        }),
      ),
  };
}
