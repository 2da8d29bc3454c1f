/** Texts → the segments of the index: their lists, and their texts where they are public. */
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import type { SearchHit } from "../../functions/contract/resources.ts";
import {
  indexFiles,
  indexFolder,
  listKinds,
  textBlockUnits,
  type BlockKind,
  type ListKind,
  type Placement,
  type SegmentColumns,
} from "../../functions/engine/index-format.ts";
import { collectGarbage } from "../lib/collect-garbage.ts";
import type { PostTexts } from "../lib/post-texts.ts";
import { createWorkerPool, type WorkerPool } from "../lib/worker-pool.ts";
import { blockFile, publicBlocks, type BlockWriter } from "./blocks.ts";
import { countUnits, unitRanges, type Texts } from "./build-postings.ts";
import type { BlockSizes } from "./posting-block-writer.ts";
import type { PostingJobs } from "./range-jobs.ts";
import { readOlderSegments, reuseSegment } from "./reuse.ts";
import { splitIntoSegments } from "./segments.ts";
import { digestTexts, joinTexts, type SegmentTexts } from "./texts.ts";

/** What an index is made with. Another layout makes other lists, which answer alike. */
export interface Layout extends BlockSizes {
  /** By the number of a segment's posts: in how many of them a gram must be to count as frequent. */
  readonly frequentFrom: (posts: number) => number;
  /** Positions that are sorted at a time. */
  readonly rangePositions: number;
  /** By the number of all posts: how many a large segment has on average; a power of two. */
  readonly largestSegment: (posts: number) => number;
}

/**
 * The layout that is published. A gram that fewer posts contain has a list of positions that is short
 * enough to read; more frequent grams are worth the longer grams that the index then holds.
 * `docs/search-index.md` has the figures.
 */
export const publishedLayout: Layout = {
  frequentFrom: (posts) => Math.max(3072, Math.ceil(posts / 32)),
  blockBytes: 20_480,
  pageBytes: 2048,
  rangePositions: 2 ** 21,
  largestSegment: (posts) => Math.max(8192, 2 ** Math.round(Math.log2(posts / 4))),
};

/** A segment whose blocks are written. */
export interface WrittenSegment {
  readonly digest: string;
  readonly posts: number;
  readonly longestText: number;
  readonly frequentGrams: readonly string[];
  readonly catalog: SegmentColumns;
}

/** The columns that say where the blocks of a kind are. */
const blockColumns = (kind: BlockKind, blocks: BlockWriter | undefined) => ({
  [`${kind}Offsets`]: blocks?.offsets ?? [],
  [`${kind}Digests`]: blocks?.digests ?? [],
  [`${kind}Names`]: blocks?.names ?? [],
  [`${kind}KeyOffsets`]: blocks?.keyOffsets ?? [],
  [`${kind}Keys`]: blocks?.keys ?? [],
});

/** Publishes titles and texts. */
function publishTexts({ units }: Texts, snapshot: string): BlockWriter {
  const published = publicBlocks(snapshot);
  for (let start = 0; start < units.length; start += textBlockUnits) {
    // Copied: memory that threads share cannot be deflated.
    const block = units.slice(start, start + textBlockUnits);
    published.add(deflateRawSync(new Uint8Array(block.buffer)));
  }
  return published;
}

/** What a segment is made with. */
interface SegmentOptions {
  /** Folder of the snapshot. */
  readonly snapshot: string;
  readonly placement: Placement;
  readonly digest: string;
  readonly layout: Layout;
  readonly pool: WorkerPool<PostingJobs>;
  /** Called with the number of lists of each part that is written. */
  readonly progress: (lists: number) => void;
}

/**
 * Makes all lists of a segment: threads share the work by ranges of first units.
 *
 * @param texts their widths are filled in
 */
export async function writeSegment(
  texts: SegmentTexts,
  { snapshot, placement, digest, layout, pool, progress }: SegmentOptions,
): Promise<WrittenSegment> {
  const { longestText, offsets } = texts;
  const frequent = layout.frequentFrom(offsets.length - 1);
  const jobs = unitRanges(countUnits(texts), layout.rangePositions).map((range) => ({
    texts,
    range,
    frequent,
  }));
  const frequentGrams: string[] = [];
  for await (const grams of pool.run("find", jobs)) frequentGrams.push(...grams);
  const isPublic = placement === "cdn";
  const writerOf = (kind: ListKind): BlockWriter =>
    isPublic ? publicBlocks(snapshot) : blockFile(join(snapshot, indexFolder, indexFiles[kind]));
  const writers = { posts: writerOf("posts"), positions: writerOf("positions") };
  for await (const packed of pool.run("pack", jobs))
    for (const kind of listKinds) {
      const { blocks, keys, lists } = packed[kind];
      for (const [i, block] of blocks.entries()) writers[kind].add(block, keys[i]);
      progress(lists);
    }
  const catalog = {
    postStarts: offsets,
    ...blockColumns("posts", writers.posts),
    ...blockColumns("positions", writers.positions),
    ...blockColumns("texts", isPublic ? publishTexts(texts, snapshot) : undefined),
  } as unknown as SegmentColumns;
  return { digest, posts: offsets.length - 1, longestText, frequentGrams, catalog };
}

/**
 * The position of each post of an index among the gathered ones.
 *
 * @throws where these are not the same posts
 */
function positionsAmong({ postIds }: PostTexts, hits: readonly SearchHit[]): number[] {
  const positions = new Map(postIds.map((postId, position) => [postId, position]));
  if (positions.size !== hits.length)
    throw new Error(`${positions.size} posts have texts, but the index has ${hits.length} posts`);
  return hits.map(({ postId }) => {
    const position = positions.get(postId);
    if (position === undefined) throw new Error(`post ${postId} has no text`);
    return position;
  });
}

/** The segments of an index. */
export interface WrittenSegments {
  readonly placement: Placement;
  /** The numbers of the posts of each segment. */
  readonly docIds: readonly Uint32Array[];
  readonly segments: readonly WrittenSegment[];
}

/** What segments are made with. */
export interface SegmentsOptions extends Omit<SegmentOptions, "digest" | "pool"> {
  /** A snapshot whose segments are reused where their texts are the same. */
  readonly reuse: string | undefined;
  /** Number of threads, 0 for none besides this one. */
  readonly threads: number;
}

/**
 * Writes the segments of an index, or takes them over from the one before.
 *
 * @param hits every post, in the order of `newestFirst`
 * @param gathered every post's title and text; all but the last segment's are forgotten on the way
 */
export async function writeSegments(
  hits: readonly SearchHit[],
  gathered: PostTexts,
  { reuse, threads, ...options }: SegmentsOptions,
): Promise<WrittenSegments> {
  const { snapshot, placement, layout } = options;
  const positions = positionsAmong(gathered, hits);
  const postIds = hits.map(({ postId }) => postId);
  const docIds =
    placement === "cdn"
      ? splitIntoSegments(postIds, layout.largestSegment(hits.length))
      : [Uint32Array.from(hits.keys())];
  const older = reuse === undefined ? undefined : await readOlderSegments(reuse, placement);
  const { blockBytes, pageBytes } = layout;
  const sizes: BlockSizes = { blockBytes, pageBytes };
  const module = new URL("range-jobs.ts", import.meta.url);
  const pool = await createWorkerPool<PostingJobs>(module, sizes, threads);
  // By segment: the first of the gathered posts that it or a later one needs.
  const firstNeeded = docIds.map((own) =>
    own.reduce((min, post) => Math.min(min, positions[post]!), Infinity),
  );
  for (let i = firstNeeded.length - 2; i >= 0; i--)
    firstNeeded[i] = Math.min(firstNeeded[i]!, firstNeeded[i + 1]!);
  const segments: WrittenSegment[] = [];
  try {
    for (const [segment, own] of docIds.entries()) {
      // Texts of segments before are large, and needed no more.
      gathered.clearBefore(firstNeeded[segment]!);
      collectGarbage();
      const texts = joinTexts(
        gathered.shared(),
        Array.from(own, (post) => positions[post]!),
      );
      // Texts are deflated where they are public, which another version of zlib does in its own way.
      const zlib = placement === "cdn" ? process.versions.zlib : undefined;
      const frequent = layout.frequentFrom(own.length);
      const digest = digestTexts(texts, { ...layout, frequent, zlib });
      const reused = await reuseSegment(older, digest, snapshot);
      segments.push(reused ?? (await writeSegment(texts, { ...options, pool, digest })));
    }
    return { placement, docIds, segments };
  } finally {
    await pool.stop();
  }
}
