/** Reads a search index, block by block, and believes nothing that does not match its digest. */
import { inflateRawSync } from "node:zlib";
import type { Index } from "flexsearch";
import { createBlockCache } from "./block-cache.ts";
import {
  catalogFrom,
  digestOf,
  emptyIndex,
  files,
  fingerprintOf,
  format,
  layout,
  settings,
  type BlockKind,
  type Catalog,
  type Manifest,
  type Names,
} from "./index-format.ts";
import type { PartSource } from "./part-source.ts";
import { unpackPostings } from "./postings.ts";

/** A part of the index is missing, cut short, altered, or not of this index. */
export class IndexUnavailable extends Error {
  /** @param file the file that cannot be used @param reason why, for the log */
  constructor(file: string, reason: string, options?: ErrorOptions) {
    super(`search index: ${file}: ${reason}`, options);
    this.name = "IndexUnavailable";
  }
}

/** Numbers of posts, ascending, that is newest first. Shared: never change one in place. */
export type PostNumbers = Uint32Array;

/** An opened index. Every method that loads rejects with `IndexUnavailable` when a part is not as it should be. */
export interface IndexFiles {
  readonly manifest: Manifest;
  readonly catalog: Catalog;
  readonly tags: readonly string[];
  /** The name of a tag as JSON. */
  readonly tagJson: (tag: number) => string;
  /** Every post. */
  readonly everyPost: PostNumbers;
  /** Posts that contain each gram, in the order of `grams`; an empty list for a gram that is not in the index. */
  postings(grams: readonly string[]): Promise<PostNumbers[]>;
  /** The normalised titles and texts of the posts of a block, one behind the other. */
  textBlock(block: number): Promise<string>;
  /** The block of text that holds a post. */
  textBlockOf(post: number): number;
  /** The SearchHit objects of posts as JSON, in the order of `posts`. */
  hits(posts: readonly number[]): Promise<string[]>;
}

const none: PostNumbers = new Uint32Array(0);

/** The largest number below `count` for which `isAtMost` holds, else -1. It holds up to some number, and for none above. */
function lastWhere(count: number, isAtMost: (i: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isAtMost(middle)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * The block of postings that holds a gram, if any does; -1 when the gram precedes them all.
 * Compares units in place, in the order of `compareGrams`: parsing the first grams of all blocks as
 * JSON would take 0.9 ms of a cold start at 10,000 posts.
 */
function postingsBlockOf({ gramStart, gramUnits }: Catalog, gram: string): number {
  return lastWhere(gramStart.length - 1, (block) => {
    const start = gramStart[block] as number;
    const length = (gramStart[block + 1] as number) - start;
    if (length !== gram.length) return length < gram.length;
    for (let i = 0; i < length; i++) {
      const difference = (gramUnits[start + i] as number) - gram.charCodeAt(i);
      if (difference !== 0) return difference < 0;
    }
    return true;
  });
}

/** Refuses files whose length is not the one that the manifest gives. */
async function assertLengths(source: PartSource, manifest: Manifest): Promise<void> {
  for (const part of Object.keys(manifest.parts) as (keyof Manifest["parts"])[]) {
    const size = await source.size(files[part]);
    const { bytes } = manifest.parts[part];
    if (size !== bytes)
      throw new IndexUnavailable(files[part], `has ${size} bytes instead of ${bytes}`);
  }
}

/** A whole file, checked against the digest that the manifest gives. */
async function wholePart(
  source: PartSource,
  manifest: Manifest,
  part: "catalog" | "names",
): Promise<Uint8Array> {
  const { bytes, digest } = manifest.parts[part];
  const content = await source.read(files[part], 0, bytes);
  if (digestOf(content) !== digest)
    throw new IndexUnavailable(files[part], "is not the file that the manifest describes");
  return content;
}

async function readManifest(source: PartSource): Promise<Manifest> {
  const content = await source.read(files.manifest, 0, await source.size(files.manifest));
  let manifest: Manifest;
  try {
    manifest = JSON.parse(Buffer.from(content).toString()) as Manifest;
  } catch (cause) {
    throw new IndexUnavailable(files.manifest, "is not JSON", { cause });
  }
  if (manifest?.format !== format.name || manifest.version !== format.version)
    throw new IndexUnavailable(
      files.manifest,
      `has format ${manifest?.format} ${manifest?.version}, this program reads ${format.name} ${format.version}`,
    );
  if (manifest.settings !== settings())
    throw new IndexUnavailable(files.manifest, "was written with other settings");
  const { fingerprint, ...rest } = manifest;
  if (fingerprintOf(rest) !== fingerprint)
    throw new IndexUnavailable(files.manifest, "does not match its own fingerprint");
  return manifest;
}

/**
 * Opens an index: reads the manifest, the catalogue and the names; everything else when it is needed.
 *
 * @param source where the files are
 * @param budget bytes of blocks to keep in memory
 * @throws IndexUnavailable when a part is missing, cut short, altered, or of another index
 */
export async function openIndexFiles(source: PartSource, budget: number): Promise<IndexFiles> {
  const manifest = await readManifest(source);
  await assertLengths(source, manifest);
  const [catalogBytes, namesBytes] = await Promise.all([
    wholePart(source, manifest, "catalog"),
    wholePart(source, manifest, "names"),
  ]);
  const catalog = catalogFrom(catalogBytes, manifest);
  const names = JSON.parse(Buffer.from(namesBytes).toString()) as Names;
  const blocks: Readonly<Record<BlockKind, readonly [at: Uint32Array, digest: Uint32Array]>> = {
    postings: [catalog.postingsAt, catalog.postingsDigest],
    text: [catalog.textAt, catalog.textDigest],
    hits: [catalog.hitsAt, catalog.hitsDigest],
  };
  const cache = createBlockCache(budget);
  const keys = { postings: 0, text: 1, hits: 2 } as const;
  const keyOf = (kind: BlockKind, block: number): number => block * 3 + keys[kind];

  /** The bytes of a block, checked. */
  async function blockBytes(kind: BlockKind, block: number): Promise<Uint8Array> {
    const [at, digests] = blocks[kind];
    const start = at[block] as number;
    const length = (at[block + 1] as number) - start;
    const bytes = await source.read(files[kind], start, length);
    if (bytes.length !== length || digestOf(bytes) !== digests[block])
      throw new IndexUnavailable(files[kind], `block ${block} is not the one that was written`);
    return bytes;
  }

  const loadPostings = (block: number): Promise<Index> =>
    cache.load(keyOf("postings", block), async () => {
      const { entries, bytes } = unpackPostings(
        await blockBytes("postings", block),
        manifest.posts,
      );
      const index = emptyIndex();
      // FlexSearch takes the parsed map as well as its JSON; its types name only the JSON.
      index.import("map", entries as unknown as string);
      return { value: index, bytes };
    });

  const loadText = (block: number): Promise<string> =>
    cache.load(keyOf("text", block), async () => {
      const text = inflateRawSync(await blockBytes("text", block)).toString("utf16le");
      return { value: text, bytes: text.length * 2 };
    });

  const loadHits = (block: number): Promise<readonly string[]> =>
    cache.load(keyOf("hits", block), async () => {
      const lines = Buffer.from(await blockBytes("hits", block)).toString();
      return { value: lines.split("\n"), bytes: lines.length * 2 };
    });

  let everyPost: PostNumbers | undefined;
  // Made when first needed, then kept: a page of facets names hundreds of tags.
  const tagJson: string[] = [];

  async function posting(gram: string): Promise<PostNumbers> {
    const block = postingsBlockOf(catalog, gram);
    if (block < 0) return none;
    const index = cache.peek<Index>(keyOf("postings", block)) ?? (await loadPostings(block));
    // With one relevance level, the result for a single term is the imported list itself, not a
    // copy; the limit must not be smaller, or FlexSearch would cut it.
    const found = index.search(gram, manifest.posts) as unknown as PostNumbers;
    return found.length === 0 ? none : found;
  }

  return {
    manifest,
    catalog,
    tags: names.tags,
    tagJson: (tag) => (tagJson[tag] ??= JSON.stringify(names.tags[tag])),
    get everyPost() {
      everyPost ??= new Uint32Array(manifest.posts).map((_, post) => post);
      return everyPost;
    },
    postings: (grams) => Promise.all(grams.map(posting)),
    textBlock: async (block) => cache.peek<string>(keyOf("text", block)) ?? (await loadText(block)),
    textBlockOf: (post) =>
      lastWhere(catalog.textFirst.length, (block) => (catalog.textFirst[block] as number) <= post),
    hits: (posts) =>
      Promise.all(
        posts.map(async (post) => {
          const block = Math.floor(post / layout.hitsPerBlock);
          const lines =
            cache.peek<readonly string[]>(keyOf("hits", block)) ?? (await loadHits(block));
          return lines[post % layout.hitsPerBlock] as string;
        }),
      ),
  };
}
