/**
 * Posts → the files that /api/search loads. segments.ts divides the posts, texts.ts joins the texts of each segment, and
 * reuse.ts takes a segment over from the index before; else write-segments.ts has threads find, sort and pack grams
 * (range-jobs.ts, build-postings.ts, posting-block-writer.ts) into blocks.ts. placement.ts says where blocks go.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CollectionSummary } from "../../functions/contract/collection.ts";
import type { SearchHit } from "../../functions/contract/resources.ts";
import {
  blocksIn,
  catalogColumns,
  computeChecksum,
  computeFingerprint,
  hitsPerBlock,
  indexFiles,
  indexFolder,
  indexFormat,
  listKinds,
  segmentBlockKinds,
  segmentColumns,
  type CatalogColumns,
  type IndexManifest,
  type Names,
  type IndexFile,
  type Placement,
} from "../../functions/engine/index-format.ts";
import type { PostPack, PostPacks } from "../../functions/engine/post-packs.ts";
import { mostLikedFirst } from "../../functions/engine/sort-orders.ts";
import type { PostTexts } from "../lib/post-texts.ts";
import { compareCodePoints } from "../lib/text.ts";
import { threadsFor } from "../lib/worker-pool.ts";
import { blockFile, publicBlockPaths, type BlockWriter } from "./blocks.ts";
import { bundledBytes, expectedPlacement, fitsBundle, type PlacementOption } from "./placement.ts";
import {
  publishedLayout,
  writeSegments,
  type Layout,
  type WrittenSegment,
  type WrittenSegments,
} from "./write-segments.ts";

/** What was written. */
export interface SearchIndexReport {
  /** Paths of the files that the function carries, relative to the snapshot's folder. */
  readonly bundled: readonly string[];
  /** Paths of the public files of blocks, relative to the snapshot's folder. */
  readonly published: readonly string[];
}

/** How an index is made. */
export interface SearchIndexOptions {
  /** Id of the snapshot. */
  readonly snapshot: string;
  /** What the collection is called; nothing by default. */
  readonly collection: CollectionSummary;
  readonly layout: Layout;
  /** Number of threads, 0 for none besides this one; by default by the size of the texts. The files are always the same. */
  readonly threads: number | undefined;
  /** Called with the number of lists written so far. */
  readonly progress: (lists: number) => void;
  /** Where the blocks of lists are to be; `auto` puts them into the bundle while it fits. */
  readonly placement: PlacementOption;
  /** Bytes of lists and hits that fit the bundle. */
  readonly bundledBytes: number;
  /** A snapshot whose segments are reused where their texts are the same. */
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

/** The content of columns in a catalogue's file. */
const encodeColumns = <Name extends string>(
  names: readonly Name[],
  columns: Readonly<Record<Name, ArrayLike<number>>>,
): Buffer[] => names.map((name) => Buffer.from(Uint32Array.from(columns[name]).buffer));

/** The lengths of columns. */
const lengthsOf = <Name extends string>(
  names: readonly Name[],
  columns: Readonly<Record<Name, ArrayLike<number>>>,
): Record<Name, number> =>
  Object.fromEntries(names.map((name) => [name, columns[name].length])) as Record<Name, number>;

/** Length and digest of a file of the index folder. */
function describePart(folder: string, name: string): IndexFile {
  const content = readFileSync(join(folder, name));
  return { bytes: content.length, digest: computeChecksum(content) };
}

/** What is written beside blocks. */
interface IndexHead extends Pick<IndexManifest, "snapshot" | "posts" | "collection" | "placement"> {
  readonly columns: CatalogColumns;
  readonly tags: readonly string[];
  readonly segments: readonly WrittenSegment[];
  readonly packs: readonly PostPack[];
}

/**
 * Writes what says where everything else is.
 *
 * @returns the names of all files of the index folder
 */
function writeHead(folder: string, head: IndexHead): string[] {
  const { snapshot, posts, collection, placement, columns, tags, segments, packs } = head;
  const names: Names = { tags, frequentGrams: segments.map((one) => one.frequentGrams) };
  const packList: PostPacks = { packs };
  const contents = {
    [indexFiles.catalog]: Buffer.concat([
      ...encodeColumns(catalogColumns, columns),
      ...segments.flatMap(({ catalog }) => encodeColumns(segmentColumns, catalog)),
    ]),
    [indexFiles.names]: JSON.stringify(names),
    ...(packs.length > 0 && { [indexFiles.packs]: JSON.stringify(packList) }),
  };
  for (const [name, content] of Object.entries(contents))
    writeFileSync(join(folder, name), content);
  const lists = placement === "bundle" ? listKinds.map((kind) => indexFiles[kind]) : [];
  const files = [...Object.keys(contents), indexFiles.hits, ...lists];
  const unsigned: Omit<IndexManifest, "fingerprint"> = {
    format: indexFormat.name,
    version: indexFormat.version,
    snapshot,
    posts,
    collection,
    placement,
    columns: lengthsOf(catalogColumns, columns),
    segments: segments.map(({ catalog, digest, longestText, posts: own }) => ({
      digest,
      posts: own,
      longestText,
      columns: lengthsOf(segmentColumns, catalog),
    })),
    files: Object.fromEntries(files.map((name) => [name, describePart(folder, name)])),
  };
  const manifest: IndexManifest = { ...unsigned, fingerprint: computeFingerprint(unsigned) };
  writeFileSync(join(folder, indexFiles.manifest), JSON.stringify(manifest));
  return [indexFiles.manifest, ...files];
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
  const { layout = publishedLayout, placement: option = "auto", packs = [] } = options;
  const { bundledBytes: most = bundledBytes } = options;
  const { snapshot, progress, reuse, threads = threadsFor(gathered.units) } = options;
  const folder = join(snapshotFolder, indexFolder);
  mkdirSync(folder, { recursive: true });
  const hitBlocks = writeHits(folder, hits);
  let written = 0;
  const writeTo = (placement: Placement): Promise<WrittenSegments> =>
    writeSegments(hits, gathered, {
      snapshot: snapshotFolder,
      placement,
      layout,
      reuse,
      threads,
      progress: (lists) => progress?.((written += lists)),
    });
  let made = await writeTo(expectedPlacement(option, gathered.units, most));
  if (option === "auto" && made.placement === "bundle" && !fitsBundle(folder, most)) {
    for (const kind of listKinds) rmSync(join(folder, indexFiles[kind]));
    made = await writeTo("cdn");
  }
  const { placement, docIds, segments } = made;
  gathered.clear();
  const { tags, tagOffsets, tagIds } = tagColumns(hits);
  const columns: CatalogColumns = {
    likeOrder: mostLikedFirst(hits),
    tagOffsets,
    tagIds,
    docIds: docIds.flatMap((own) => [...own]),
    hitsOffsets: hitBlocks.offsets,
    hitsDigests: hitBlocks.digests,
  };
  const files = writeHead(folder, {
    snapshot,
    posts: hits.length,
    collection: { ...nameless, posts: hits.length, ...options.collection },
    placement,
    columns,
    tags,
    segments,
    packs,
  });
  const published = segments.flatMap(({ catalog }) =>
    segmentBlockKinds.flatMap((kind) => publicBlockPaths(blocksIn(catalog, kind))),
  );
  return {
    bundled: files.map((name) => `${indexFolder}/${name}`),
    published: [...new Set(published)].sort(),
  };
}
