/** Texts → the blocks of lists, in files of the index folder. */
import { join } from "node:path";
import { createWorkerPool } from "../lib/worker-pool.ts";
import {
  indexFiles,
  indexFolder,
  listKinds,
  type ListKind,
} from "../../functions/engine/index-format.ts";
import { blockFile, type BlockWriter, type StoredBlocks } from "./blocks.ts";
import { countUnits, unitRanges, type Texts } from "./build-postings.ts";
import type { BlockSizes } from "./posting-block-writer.ts";
import type { JobOptions, PostingJobs } from "./range-jobs.ts";

/** What the lists are made with. Another layout makes other lists, which answer alike. */
export interface Layout extends BlockSizes {
  /** The number of posts from which a gram counts as frequent. */
  readonly frequentFrom: (posts: number) => number;
  /** Positions that are sorted at a time. */
  readonly rangePositions: number;
}

/**
 * The layout that is published. A gram that fewer posts contain has a list of positions that is short
 * enough to read; more frequent grams are worth the longer grams that the index then holds.
 * `docs/search-index.md` has the figures.
 */
export const publishedLayout: Layout = {
  frequentFrom: (posts) => Math.max(3072, Math.ceil(posts / 32)),
  blockBytes: 65_536,
  pageBytes: 2048,
  rangePositions: 2 ** 21,
};

/** The lists of an index, in some snapshot. */
export interface Postings extends Readonly<Record<ListKind, StoredBlocks>> {
  readonly frequentGrams: readonly string[];
}

/** How lists are made. */
export interface PostingOptions {
  readonly layout: Layout;
  /** Number of threads, 0 for none besides this one; the files are the same for every number. */
  readonly threads: number;
  /** Called with the number of lists written so far. */
  readonly progress: (lists: number) => void;
}

/**
 * Makes all lists of some texts, in files of the index folder.
 *
 * @param snapshot folder of the snapshot
 */
export async function writePostings(
  snapshot: string,
  texts: Texts,
  { layout, threads, progress }: PostingOptions,
): Promise<Postings> {
  const { frequentFrom, rangePositions, ...sizes } = layout;
  const frequent = frequentFrom(texts.offsets.length - 1);
  const ranges = unitRanges(countUnits(texts), rangePositions);
  const runner = await createWorkerPool<PostingJobs>(
    new URL("range-jobs.ts", import.meta.url),
    { texts, frequent, sizes } satisfies JobOptions,
    Math.min(threads, ranges.length),
  );
  const writerOf = (kind: ListKind): BlockWriter =>
    blockFile(join(snapshot, indexFolder, indexFiles[kind]));
  try {
    const frequentGrams: string[] = [];
    for await (const grams of runner.run("find", ranges)) frequentGrams.push(...grams);
    const writers = { posts: writerOf("posts"), positions: writerOf("positions") };
    let written = 0;
    for await (const packed of runner.run("pack", ranges))
      for (const kind of listKinds) {
        const { blocks, keys, lists } = packed[kind];
        for (const [i, block] of blocks.entries()) writers[kind].add(block, keys[i]);
        progress((written += lists));
      }
    const stored = (kind: ListKind): StoredBlocks => {
      const blocks = writers[kind];
      return { ...blocks, snapshot, kind, placement: "bundle", part: blocks.part };
    };
    return { frequentGrams, posts: stored("posts"), positions: stored("positions") };
  } finally {
    await runner.stop();
  }
}
