/**
 * Posts → the files that /api/search loads: texts.ts joins their texts, write-postings.ts has threads find, sort and pack grams
 * (range-jobs.ts, build-postings.ts, posting-block-writer.ts) into blocks.ts, or reuse.ts takes the lists of the index before;
 * placement.ts puts them into the bundle or beside it.
 */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CollectionSummary } from "../../functions/contract/collection.ts";
import type { SearchHit } from "../../functions/contract/resources.ts";
import {
  catalogColumns,
  computeChecksum,
  computeFingerprint,
  hitsPerBlock,
  indexFiles,
  indexFolder,
  indexFormat,
  type BlockKind,
  type Blocks,
  type Column,
  type IndexManifest,
  type Names,
  type PartEntry,
} from "../../functions/engine/index-format.ts";
import type { PostPack, PostPacks } from "../../functions/engine/post-packs.ts";
import { mostLikedFirst } from "../../functions/engine/sort-orders.ts";
import { collectGarbage } from "../lib/collect-garbage.ts";
import { compareCodePoints } from "../lib/text.ts";
import { threadsFor } from "../lib/worker-pool.ts";
import type { PostTexts } from "../lib/post-texts.ts";
import { blockFile, publicBlockPaths, type BlockWriter, type KeyedBlocks } from "./blocks.ts";
import type { Texts } from "./build-postings.ts";
import {
  publishedLayout,
  writePostings,
  type Layout,
  type PostingOptions,
  type Postings,
} from "./write-postings.ts";
import { placePostings, type PlacementOption } from "./placement.ts";
import { readOlderPostings } from "./reuse.ts";
import { textsInOrder } from "./texts.ts";

/** What was written. */
export interface SearchIndexReport {
  /** Paths of the files that the function carries, relative to the snapshot's folder. */
  readonly bundled: readonly string[];
  /** Paths of the public files of blocks, relative to the snapshot's folder. */
  readonly published: readonly string[];
}

/** How an index is made. */
export interface SearchIndexOptions extends PostingOptions {
  /** Id of the snapshot. */
  readonly snapshot: string;
  /** What the collection is called; nothing by default. */
  readonly collection: CollectionSummary;
  /** Where the blocks of lists are to be; `auto` puts them into the bundle while it fits. */
  readonly placement: PlacementOption;
  /** A snapshot whose files of lists are reused where no text changed. */
  readonly reuse: string | undefined;
  /** Where posts are that are no files of their own. */
  readonly packs: readonly PostPack[];
}

const nameless = { title: "", description: "", firstDate: "", lastDate: "" };

/** Writes the blocks of SearchHit objects. */
function writeHits(folder: string, hits: readonly SearchHit[]): BlockWriter {
  const blocks = blockFile(join(folder, indexFiles.hits));
  for (let i = 0; i < hits.length; i += hitsPerBlock) {
    const lines = hits.slice(i, i + hitsPerBlock).map((hit) => JSON.stringify(hit));
    blocks.add(Buffer.from(lines.join("\n")));
  }
  return blocks;
}

/** Where each list begins when all are joined, and where the last one ends. */
function prefixSums(lists: readonly { readonly length: number }[]): number[] {
  const offsets = [0];
  for (const { length } of lists) offsets.push((offsets.at(-1) ?? 0) + length);
  return offsets;
}

/** Each post's tags as positions in the list of all names. */
function tagColumns(hits: readonly SearchHit[]) {
  const tags = [...new Set(hits.flatMap(({ tagNames }) => tagNames))].sort(compareCodePoints);
  const positions = new Map(tags.map((name, position) => [name, position]));
  return {
    tags,
    tagOffsets: prefixSums(hits.map(({ tagNames }) => tagNames)),
    tagIds: hits.flatMap(({ tagNames }) => tagNames.map((name) => positions.get(name) ?? 0)),
  };
}

/** A digest of all texts in their order, and of the layout: lists of equal digests are equal. */
const digestTexts = ({ offsets, units }: Texts, layout: Layout): string =>
  createHash("sha256")
    .update(JSON.stringify({ ...layout, frequent: layout.frequentFrom(offsets.length - 1) }))
    .update(offsets)
    .update(units)
    .digest("hex");

type Columns = Readonly<Record<Column, ArrayLike<number>>>;

/** The columns that say where the blocks of a kind are. */
const blockColumns = (kind: BlockKind, blocks: Blocks & Partial<KeyedBlocks>) =>
  ({
    [`${kind}Offsets`]: blocks.offsets,
    [`${kind}Digests`]: blocks.digests,
    [`${kind}Names`]: blocks.names,
    [`${kind}KeyOffsets`]: blocks.keyOffsets,
    [`${kind}Keys`]: blocks.keys,
  }) as Partial<Columns>;

/** The content of a catalogue's file. */
const encodeCatalog = (columns: Columns): Buffer =>
  Buffer.concat(
    catalogColumns.map((column) => Buffer.from(Uint32Array.from(columns[column]).buffer)),
  );

const encodeJson = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/** Writes a file of the index folder. */
function writePart(folder: string, name: string, content: Buffer): PartEntry {
  writeFileSync(join(folder, name), content);
  return { bytes: content.length, digest: computeChecksum(content) };
}

function writeManifest(folder: string, unsigned: Omit<IndexManifest, "fingerprint">): void {
  const manifest: IndexManifest = { ...unsigned, fingerprint: computeFingerprint(unsigned) };
  writeFileSync(join(folder, indexFiles.manifest), JSON.stringify(manifest));
}

/** The lists of an older index of the same texts, else new ones. */
async function reuseOrBuildPostings(
  snapshotFolder: string,
  texts: Texts,
  digest: string,
  { reuse, threads, layout = publishedLayout, progress = () => {} }: Partial<SearchIndexOptions>,
): Promise<Postings> {
  const older = reuse === undefined ? undefined : await readOlderPostings(reuse, digest);
  const made = { layout, threads: threads ?? threadsFor(texts.units.length), progress };
  return older ?? (await writePostings(snapshotFolder, texts, made));
}

/**
 * Writes the search index of a snapshot.
 *
 * @param snapshotFolder folder of the snapshot, where the folders of the index are made
 * @param hits every post, in the order of `newestFirst`
 * @param gathered every post's title and text, in any order; emptied on the way
 */
export async function writeSearchIndex(
  snapshotFolder: string,
  hits: readonly SearchHit[],
  gathered: PostTexts,
  options: Partial<SearchIndexOptions> & Pick<SearchIndexOptions, "snapshot">,
): Promise<SearchIndexReport> {
  const { snapshot, layout = publishedLayout, packs = [] } = options;
  const folder = join(snapshotFolder, indexFolder);
  mkdirSync(folder, { recursive: true });
  const { texts, longest } = textsInOrder(hits, gathered);
  gathered.clear();
  collectGarbage();
  const digest = digestTexts(texts, layout);
  const lists = await reuseOrBuildPostings(snapshotFolder, texts, digest, options);
  const hitBlocks = writeHits(folder, hits);
  const placed = await placePostings(snapshotFolder, lists, texts, options.placement ?? "auto");
  const { posts, positions } = placed;
  const { tags, tagOffsets, tagIds } = tagColumns(hits);
  const columns = {
    likeOrder: mostLikedFirst(hits),
    tagOffsets,
    tagIds,
    textOffsets: texts.offsets,
    ...blockColumns("hits", hitBlocks),
    ...blockColumns("posts", posts),
    ...blockColumns("positions", positions),
    ...blockColumns("texts", placed.texts),
  } as Columns;
  const names: Names = { tags, frequentGrams: lists.frequentGrams };
  const packList: PostPacks = { packs };
  const parts: IndexManifest["parts"] = {
    [indexFiles.catalog]: writePart(folder, indexFiles.catalog, encodeCatalog(columns)),
    [indexFiles.names]: writePart(folder, indexFiles.names, encodeJson(names)),
    [indexFiles.hits]: hitBlocks.part,
    ...(posts.part && { [indexFiles.posts]: posts.part }),
    ...(positions.part && { [indexFiles.positions]: positions.part }),
    ...(packs.length > 0 && {
      [indexFiles.packs]: writePart(folder, indexFiles.packs, encodeJson(packList)),
    }),
  };
  writeManifest(folder, {
    format: indexFormat.name,
    version: indexFormat.version,
    snapshot,
    posts: hits.length,
    collection: { ...nameless, posts: hits.length, ...options.collection },
    texts: digest,
    longestText: longest,
    placement: posts.placement,
    columns: Object.fromEntries(
      catalogColumns.map((column) => [column, columns[column].length]),
    ) as Record<Column, number>,
    parts,
  });
  return {
    bundled: [indexFiles.manifest, ...Object.keys(parts)].map((name) => `${indexFolder}/${name}`),
    published: [...new Set([posts, positions, placed.texts].flatMap(publicBlockPaths))].sort(),
  };
}
