/**
 * The search index on disk: what its files are called, and how they are laid out.
 * `scripts/search-index/` writes through this file and `index-reader.ts` reads through it, so neither
 * can change the format alone.
 *
 * A folder `.search-index/` holds
 * - `manifest.json`  the segments, and the other files with length and digest; names the format and its version
 * - `catalog.bin`    columns of numbers: those of all posts, then those of each segment
 * - `names.json`     the tag names, and the frequent grams of each segment
 * - `hits.bin`       blocks of SearchHit objects, JSON, one a line
 * - `posts.bin`      blocks of lists: the posts that contain each frequent gram
 * - `positions.bin`  blocks of lists: where each other gram begins
 * - `packs.json`     where posts without a file of their own are, if there are any: `post-packs.ts`
 *
 * No post itself is there: posts are files below `api/posts/`, or in packs. `grams.ts` says what a frequent gram is,
 * `posting-block.ts` how a block of lists is laid out.
 *
 * A *segment* is an inverted index of some of the posts. Its content depends on their texts alone, so a build takes it over from
 * the snapshot before while these stay. With the placement `bundle`, there is one, of all posts. With `cdn`,
 * `posts.bin` and `positions.bin` are not there: each block of each segment is a file of its own in a public folder, named by its
 * content. Blocks of text are there too: a long quotation is then compared with a text instead of hundreds of lists.
 *
 * Posts are numbered newest first (the order `timeDesc`), so an ascending list of numbers is already
 * in the default order; within a segment, its own posts are numbered so. Blocks are read one by one; each is covered by a
 * digest in the catalogue, the catalogue by a digest in the manifest, and the manifest by its own fingerprint.
 */
import type { CollectionSummary } from "../contract/collection.ts";
import { crc32 } from "node:zlib";

/** Name and version of the format. A reader refuses every other one. */
export const indexFormat = { name: "case-collection-search-index", version: 4 } as const;

/**
 * Name of the folder, beside the `api` folder of a snapshot. It begins with a dot: the platform leaves
 * such folders out when it publishes files, and still lets a function include them.
 */
export const indexFolder = ".search-index";

/** Name of the public folder of blocks and of packs of posts, beside the `api` folder of a snapshot. */
export const blockFolder = "search-blocks";

/** Files of the folder. */
export const indexFiles = {
  manifest: "manifest.json",
  catalog: "catalog.bin",
  names: "names.json",
  hits: "hits.bin",
  posts: "posts.bin",
  positions: "positions.bin",
  packs: "packs.json",
} as const;

/** Kinds of blocks of lists. */
export const listKinds = ["posts", "positions"] as const;
export type ListKind = (typeof listKinds)[number];

/** Kinds of blocks of a segment. */
export const segmentBlockKinds = [...listKinds, "texts"] as const;
export type BlockKind = (typeof segmentBlockKinds)[number];

/** Where the blocks of lists are: in the function's bundle, or as public files. */
export type Placement = "bundle" | "cdn";

/** Number of SearchHit objects in a block. A change needs a new `indexFormat.version`. */
export const hitsPerBlock = 32;

/** Number of UTF-16 units in a block of text. A change needs a new `indexFormat.version`. */
export const textBlockUnits = 32_768;

/** Columns of the catalogue for all posts. All numbers are unsigned 32-bit, little-endian, in this order. */
export const catalogColumns = [
  "likeOrder", // posts, most liked first
  "tagOffsets", // posts + 1: where a post's tags begin in tagIds
  "tagIds", // positions in names.tags, ascending within a post
  "docIds", // of each segment: the numbers of its posts, ascending
  "hitsOffsets", // blocks + 1: byte offsets
  "hitsDigests", // one a block
] as const;

/** Columns of each segment, after those for all posts. */
export const segmentColumns = [
  "postStarts", // posts + 1: position of the first unit of each post (textsOffsets are bytes of blocks)
  "postsOffsets",
  "postsDigests",
  "postsNames", // placement cdn: three a block, its name
  "postsKeyOffsets", // blocks + 1: where a block's key begins in postsKeys
  "postsKeys", // UTF-16 units: each block's first gram
  "positionsOffsets",
  "positionsDigests",
  "positionsNames",
  "positionsKeyOffsets",
  "positionsKeys", // UTF-16 units: what all grams of the block's first group begin with
  "textsOffsets", // byte offsets; placement cdn: `textBlockUnits` units of all texts in a block, UTF-16, deflated
  "textsDigests",
  "textsNames",
] as const;

/** Columns by name. */
type Columns<Names extends readonly string[], Column> = Readonly<Record<Names[number], Column>>;
/** The numbers of columns in memory. */
export type Catalog = Columns<typeof catalogColumns, Uint32Array>;
export type SegmentCatalog = Columns<typeof segmentColumns, Uint32Array>;
/** What a build makes them of. */
export type CatalogColumns = Columns<typeof catalogColumns, ArrayLike<number>>;
export type SegmentColumns = Columns<typeof segmentColumns, ArrayLike<number>>;

/** Words (of 32 bits) of a block's name. */
export const nameWords = 3;

/**
 * The file of a block in the public folder.
 *
 * @param words the three words of its name
 */
export const blockFileName = (words: Uint32Array): string =>
  `${[...words].map((word) => word.toString(16).padStart(8, "0")).join("")}.bin`;

/** Where blocks of one kind lie, and what is in them: columns of the catalogue. */
export interface Blocks {
  /** Byte offset of each block among all, and the end of the last one. */
  readonly offsets: ArrayLike<number>;
  /** One a block. */
  readonly digests: ArrayLike<number>;
  /** Of public blocks: the words of each one's name. */
  readonly names: ArrayLike<number>;
}

/** A file or a part of one, as it must be. */
export interface ByteRange {
  readonly file: string;
  /** Byte offset in the file. */
  readonly start: number;
  readonly bytes: number;
  readonly digest: number;
}

/** A block in the file that holds all of its kind. Without `file`, the public file that holds this block alone. */
export function rangeAt(
  { offsets, digests, names }: Blocks,
  block: number,
  file?: string,
): ByteRange {
  const start = offsets[block]!;
  const bytes = offsets[block + 1]! - start;
  const digest = digests[block]!;
  if (file !== undefined) return { file, start, bytes, digest };
  const words = Uint32Array.from({ length: nameWords }, (_, i) => names[block * nameWords + i]!);
  return { file: blockFileName(words), start: 0, bytes, digest };
}

/** Contents of names.json. */
export interface Names {
  /** Distinct tag names in code point order. */
  readonly tags: readonly string[];
  /** By segment: its frequent grams of more than one unit. */
  readonly frequentGrams: readonly (readonly string[])[];
}

/** Length and digest of a file. */
export interface IndexFile {
  readonly bytes: number;
  readonly digest: number;
}

/** A segment, as the manifest describes it. */
export interface SegmentEntry {
  /** SHA-256 of all its normalised texts in their order, and of the layout: equal digests, equal segments. */
  readonly digest: string;
  readonly posts: number;
  /** UTF-16 units of its longest title or text: a longer keyword is in no post. */
  readonly longestText: number;
  /** Lengths of its columns, in words. */
  readonly columns: Columns<typeof segmentColumns, number>;
}

/** Contents of manifest.json. */
export interface IndexManifest {
  readonly format: string;
  readonly version: number;
  /** Id of the snapshot that the index belongs to. */
  readonly snapshot: string;
  readonly posts: number;
  /** What the collection is called, for agents. */
  readonly collection: CollectionSummary;
  readonly placement: Placement;
  /** Lengths of the columns for all posts, in words. */
  readonly columns: Columns<typeof catalogColumns, number>;
  /** By ascending ids of their posts. */
  readonly segments: readonly SegmentEntry[];
  /** Every other file of the folder. */
  readonly files: Readonly<Record<string, IndexFile>>;
  /** Digest of all the above. */
  readonly fingerprint: number;
}

/**
 * Checksum of a file or block, the `digest` of all fields here: its CRC-32. It guards against truncation, bit rot and mixed snapshots,
 * not against an attacker, who could rewrite the manifest as well. A cryptographic hash would load
 * `node:crypto`, 2.2 ms of a cold start of 5.
 */
export const computeChecksum = (content: Uint8Array | string): number => crc32(content);

/** The fingerprint of a manifest, from everything else in it, in its order. */
export const computeFingerprint = (manifest: Omit<IndexManifest, "fingerprint">): number =>
  computeChecksum(JSON.stringify(manifest));

/** Where the blocks of a kind lie. */
export const blocksIn = (catalog: SegmentColumns, kind: BlockKind): Blocks => ({
  offsets: catalog[`${kind}Offsets`],
  digests: catalog[`${kind}Digests`],
  names: catalog[`${kind}Names`],
});

/** The columns of a catalogue, from the content of its file. */
export function catalogFrom(
  content: Uint8Array,
  { columns, segments }: IndexManifest,
): { readonly catalog: Catalog; readonly segments: readonly SegmentCatalog[] } {
  // Copied into memory of its own: a view of 32-bit words must be aligned.
  const words = new Uint32Array(new Uint8Array(content).buffer);
  let at = 0;
  const take = <Names extends readonly string[]>(
    names: Names,
    lengths: Columns<Names, number>,
  ): Columns<Names, Uint32Array> => {
    const taken = {} as Record<Names[number], Uint32Array>;
    for (const name of names as readonly Names[number][])
      taken[name] = words.subarray(at, (at += lengths[name]));
    return taken;
  };
  return {
    catalog: take(catalogColumns, columns),
    segments: segments.map((segment) => take(segmentColumns, segment.columns)),
  };
}
