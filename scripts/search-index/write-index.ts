/** Posts → the files that /api/search loads. */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SearchHit } from "../../functions/contract/resources.ts";
import {
  columns,
  digestOf,
  files,
  fingerprintOf,
  format,
  hitsPerBlock,
  indexFolder,
  type Column,
  type Manifest,
  type Names,
} from "../../functions/search/index-format.ts";
import type { PostPack, PostPacks } from "../../functions/search/post-packs.ts";
import { mostLikedFirst } from "../../functions/search/sort-orders.ts";
import { collectGarbage } from "../lib/collect-garbage.ts";
import { compareCodePoints } from "../lib/code-points.ts";
import { threadsFor } from "../lib/job-threads.ts";
import type { PostTexts } from "../lib/post-texts.ts";
import { BlockFile } from "./block-file.ts";
import { offsetsOf, publishedLayout, writeLists, type Layout, type Lists } from "./lists.ts";
import { placeLists, type PlacementOption } from "./placement.ts";
import { reusedLists } from "./reuse.ts";
import { textsInOrder } from "./texts.ts";

/** What was written. */
export interface SearchIndexReport {
  /** Bytes of all files. */
  readonly bytes: number;
  /** Paths of the files that the function carries, relative to the snapshot's folder. */
  readonly bundled: readonly string[];
  /** Paths of the public files of blocks, relative to the snapshot's folder. */
  readonly published: readonly string[];
}

/** How an index is made. */
export interface SearchIndexOptions {
  /** Where the blocks of lists are to be; `auto` puts them into the bundle while it fits. */
  readonly placement: PlacementOption;
  /** A snapshot whose files of lists are reused where no text changed. */
  readonly reuse: string | undefined;
  /** Number of threads, 0 for none besides this one; the files are the same for every number. */
  readonly threads: number;
  readonly layout: Layout;
  /** Where posts are that are no files of their own. */
  readonly packs: readonly PostPack[];
  /** Called with the number of lists written so far. */
  readonly progress: (lists: number) => void;
}

function writeHits(file: BlockFile, hits: readonly SearchHit[]): void {
  for (let i = 0; i < hits.length; i += hitsPerBlock) {
    const lines = hits.slice(i, i + hitsPerBlock).map((hit) => JSON.stringify(hit));
    file.add(Buffer.from(lines.join("\n")));
  }
}

/** Each post's tags as positions in the list of all names. */
function tagColumns(hits: readonly SearchHit[]) {
  const tags = [...new Set(hits.flatMap(({ tagNames }) => tagNames))].sort(compareCodePoints);
  const positions = new Map(tags.map((name, position) => [name, position]));
  return {
    tags,
    tagOffsets: offsetsOf(hits.map(({ tagNames }) => tagNames)),
    tagIds: hits.flatMap(({ tagNames }) => tagNames.map((name) => positions.get(name) ?? 0)),
  };
}

/**
 * Writes the search index of a snapshot.
 *
 * @param snapshotFolder folder of the snapshot, where the folders of the index are made
 * @param snapshot id of the snapshot
 * @param hits every post, in the order of `newestFirst`
 * @param texts every post's title and text, in any order; emptied on the way
 */
export async function writeSearchIndex(
  snapshotFolder: string,
  snapshot: string,
  hits: readonly SearchHit[],
  texts: PostTexts,
  options: Partial<SearchIndexOptions> = {},
): Promise<SearchIndexReport> {
  const { placement = "auto", layout = publishedLayout, packs = [], progress = () => {} } = options;
  const folder = join(snapshotFolder, indexFolder);
  mkdirSync(folder, { recursive: true });

  const { texts: inOrder, longest } = textsInOrder(hits, texts);
  texts.clear();
  collectGarbage();
  const textsDigest = createHash("sha256")
    .update(JSON.stringify({ ...layout, frequent: layout.frequentFrom(hits.length) }))
    .update(inOrder.offsets)
    .update(inOrder.units)
    .digest("hex");
  const threads = options.threads ?? threadsFor(inOrder.units.length);
  const lists: Lists =
    (options.reuse === undefined ? undefined : reusedLists(options.reuse, folder, textsDigest)) ??
    (await writeLists(folder, inOrder, layout, threads, progress));

  const hitsFile = new BlockFile(join(folder, files.hits));
  writeHits(hitsFile, hits);
  hitsFile.close();
  const placed = placeLists(snapshotFolder, lists, inOrder, placement);

  const { tags, tagOffsets, tagIds } = tagColumns(hits);
  const content: Record<Column, ArrayLike<number>> = {
    likeOrder: mostLikedFirst(hits),
    tagOffsets,
    tagIds,
    textOffsets: inOrder.offsets,
    hitsOffsets: hitsFile.offsets,
    hitsDigests: hitsFile.digests,
    ...placed.columns,
  };
  const catalog = Buffer.concat(
    columns.map((column) => Buffer.from(Uint32Array.from(content[column]).buffer)),
  );
  const names = Buffer.from(
    JSON.stringify({ tags, frequentGrams: lists.frequentGrams } satisfies Names),
  );
  writeFileSync(join(folder, files.catalog), catalog);
  writeFileSync(join(folder, files.names), names);
  const packList = Buffer.from(JSON.stringify({ packs } satisfies PostPacks));
  if (packs.length > 0) writeFileSync(join(folder, files.packs), packList);

  const unsigned: Omit<Manifest, "fingerprint"> = {
    format: format.name,
    version: format.version,
    snapshot,
    posts: hits.length,
    texts: textsDigest,
    longestText: longest,
    placement: placed.placement,
    columns: Object.fromEntries(
      columns.map((column) => [column, content[column].length]),
    ) as Record<Column, number>,
    parts: {
      [files.catalog]: { bytes: catalog.length, digest: digestOf(catalog) },
      [files.names]: { bytes: names.length, digest: digestOf(names) },
      [files.hits]: hitsFile.part,
      ...placed.parts,
      ...(packs.length > 0
        ? { [files.packs]: { bytes: packList.length, digest: digestOf(packList) } }
        : {}),
    },
  };
  const manifest: Manifest = { ...unsigned, fingerprint: fingerprintOf(unsigned) };
  const manifestJson = JSON.stringify(manifest);
  writeFileSync(join(folder, files.manifest), manifestJson);
  const parts = Object.values(manifest.parts);
  return {
    bytes:
      parts.reduce((sum, part) => sum + part.bytes, manifestJson.length) + placed.publishedBytes,
    bundled: [files.manifest, ...Object.keys(manifest.parts)].map(
      (name) => `${indexFolder}/${name}`,
    ),
    published: placed.published,
  };
}
