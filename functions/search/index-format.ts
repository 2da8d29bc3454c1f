/**
 * The search index on disk: what its files are called, how they are laid out, and the options that
 * writer and reader share. `scripts/search-index/write.ts` writes through this file, `index-files.ts` reads
 * through it, so neither can change the format alone.
 *
 * A folder `.search-index/` holds
 * - `manifest.json`  what the other files are, with length and digest; names the format and its version
 * - `catalog.bin`    columns of numbers: order by likes, tags of each post, and where each block lies
 * - `names.json`     the tag names
 * - `postings.bin`   blocks of posting lists; each block is the map of one FlexSearch index, packed
 * - `text.bin`       blocks of normalised text, UTF-16, deflated
 * - `hits.bin`       blocks of SearchHit objects, JSON, one a line
 *
 * Posts are numbered newest first (the order `timeDesc`), so an ascending list of numbers is already
 * in the default order. Blocks are read one by one; each is covered by a digest in the catalogue,
 * the catalogue by a digest in the manifest, and the manifest by its own fingerprint.
 */
import { crc32 } from "node:zlib";
import { Index } from "flexsearch";

/** Name and version of the format. A reader refuses every other one. */
export const format = { name: "case-collection-search-index", version: 1 } as const;

/**
 * Name of the folder, beside the `api` folder of a snapshot. It begins with a dot: the platform leaves
 * such folders out when it publishes files, and still lets a function include them.
 */
export const indexFolder = ".search-index";

/** Files of the folder. */
export const files = {
  manifest: "manifest.json",
  catalog: "catalog.bin",
  names: "names.json",
  postings: "postings.bin",
  text: "text.bin",
  hits: "hits.bin",
} as const;

/** Kinds of files that are read block by block. */
export const blockKinds = ["postings", "text", "hits"] as const;
export type BlockKind = (typeof blockKinds)[number];

/** Stands between title and text and behind each text. Normalisation removes it from input, so nothing matches across it. */
export const separator = "\0";

/**
 * The options of every FlexSearch index here, when it is written and when it is read.
 * A gram is a term of its own: no tokenising, one relevance level, no rewriting of the term.
 */
export const indexOptions = { tokenize: "strict", resolution: 1 } as const;

/** An empty FlexSearch index that takes and looks up single grams. */
export const emptyIndex = (): Index =>
  new Index({ ...indexOptions, encode: (gram: string) => [gram] });

/** How the files were laid out. A change to any of these needs a new `format.version`. */
export const layout = {
  /** A block of postings is closed when it has reached this many bytes. */
  postingsBlockBytes: 2048,
  /** A block of text is closed when it has reached this many UTF-16 units. */
  textBlockUnits: 24_576,
  /** Number of SearchHit objects in a block. */
  hitsPerBlock: 32,
  /**
   * Grams longer than two units exist only where they spare work: where both of their parts occur
   * in at least `frequentFrom(posts)` posts, up to `longestGram` units: a passage that many posts
   * share, a footer say, would otherwise add as many grams as the square of its length.
   */
  longestGram: 8,
  frequentShare: 1 / 16,
  frequentAtLeast: 64,
} as const;

/**
 * The number of posts from which a gram counts as frequent.
 *
 * The index holds every gram of one and two UTF-16 units, and a longer gram exactly when both grams
 * that are one unit shorter, its beginning and its end, are frequent. So a needle up to
 * `longestGram` units either has a part
 * that is not frequent, and fewer than this many posts need to be verified, or the whole needle is
 * in the index (or in no post), and none needs to be.
 */
export const frequentFrom = (posts: number): number =>
  Math.max(layout.frequentAtLeast, Math.ceil(posts * layout.frequentShare));

/** The order of grams in the index: by length, then by UTF-16 units. */
export const compareGrams = (a: string, b: string): number =>
  a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);

/** Columns of the catalogue. All numbers are unsigned 32-bit, little-endian, in this order. */
export const columns = [
  "likeOrder", // posts, most liked first
  "tagStart", // posts + 1: where a post's tags begin in tagIds
  "tagIds", // positions in names.tags, ascending within a post
  "textStart", // posts + 1: where a post's text begins, in UTF-16 units from the first post on
  "textFirst", // text blocks + 1: the first post of each block
  "gramStart", // blocks of postings + 1: where a block's first gram begins in gramUnits
  "gramUnits", // UTF-16 units of these grams, which ascend as `compareGrams` orders them
  "postingsAt", // blocks + 1: byte offsets
  "postingsDigest", // one word a block
  "textAt",
  "textDigest",
  "hitsAt",
  "hitsDigest",
] as const;
export type Column = (typeof columns)[number];
export type Catalog = Readonly<Record<Column, Uint32Array>>;

/** Contents of names.json. */
export interface Names {
  /** Distinct tag names in code point order. */
  readonly tags: readonly string[];
}

/** Length and digest of a file. */
export interface Part {
  readonly bytes: number;
  readonly digest: number;
}

/** Contents of manifest.json. */
export interface Manifest {
  readonly format: string;
  readonly version: number;
  /** Options and layout that the writer used. */
  readonly settings: string;
  /** Id of the snapshot that the index belongs to. */
  readonly snapshot: string;
  readonly posts: number;
  /** SHA-256 of all normalised texts in their order: equal texts, equal postings and text files. */
  readonly texts: string;
  /** UTF-16 units of the longest title or text: a longer needle is in no post. */
  readonly longestText: number;
  /** Lengths of the catalogue's columns, in words. */
  readonly columns: Readonly<Record<Column, number>>;
  readonly parts: Readonly<Record<Exclude<keyof typeof files, "manifest">, Part>>;
  /** Digest of all the above. */
  readonly fingerprint: number;
}

/** What must be equal between the writer of an index and its reader. */
export const settings = (): string => JSON.stringify({ ...indexOptions, ...layout });

/**
 * Digest of a file or block: its CRC-32. It guards against truncation, bit rot and mixed snapshots,
 * not against an attacker, who could rewrite the manifest as well. A cryptographic hash would load
 * `node:crypto`, 2.2 ms of a cold start of 5.
 */
export const digestOf = (content: Uint8Array | string): number => crc32(content);

/** The fingerprint of a manifest, from everything else in it. */
export const fingerprintOf = (manifest: Omit<Manifest, "fingerprint">): number =>
  digestOf(
    JSON.stringify([
      manifest.format,
      manifest.version,
      manifest.settings,
      manifest.snapshot,
      manifest.posts,
      manifest.texts,
      manifest.longestText,
      columns.map((column) => manifest.columns[column]),
      Object.entries(manifest.parts).map(([name, part]) => [name, part.bytes, part.digest]),
    ]),
  );

/** The columns of a catalogue, from the content of its file. */
export function catalogFrom(content: Uint8Array, manifest: Manifest): Catalog {
  // Copied into memory of its own: a view of 32-bit words must be aligned.
  const words = new Uint32Array(new Uint8Array(content).buffer);
  let at = 0;
  const catalog = {} as Record<Column, Uint32Array>;
  for (const column of columns) {
    const length = manifest.columns[column];
    catalog[column] = words.subarray(at, (at += length));
  }
  return catalog;
}
