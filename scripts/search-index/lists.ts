/** Texts → the blocks of lists, in files of the index folder. */
import { join } from "node:path";
import { startJobs } from "../lib/job-threads.ts";
import { indexFiles, indexFolder, type ListKind } from "../../functions/search/index-format.ts";
import { blockFile, type BlockWriter, type StoredBlocks } from "./blocks.ts";
import { countUnits, unitRanges, type Texts } from "./list-grams.ts";
import type { BlockSizes } from "./list-packer.ts";
import type { JobOptions, RangeJobs } from "./range-jobs.ts";

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

/** Blocks of lists, and what each begins with. */
export interface KeyedBlocks extends StoredBlocks {
  /** Where each block's key begins in `keys`, and the end of the last one. */
  readonly keyOffsets: ArrayLike<number>;
  /** Units of all keys. */
  readonly keys: ArrayLike<number>;
}

/** The lists of an index, in some snapshot. */
export interface Lists extends Readonly<Record<ListKind, KeyedBlocks>> {
  readonly frequentGrams: readonly string[];
}

/** Where each text begins when all are joined, and where the last one ends. */
export function offsetsOf(texts: readonly { readonly length: number }[]): number[] {
  const offsets = [0];
  for (const { length } of texts) offsets.push((offsets.at(-1) ?? 0) + length);
  return offsets;
}

/** A kind of lists that grows, in its file of the index folder. */
interface GrowingLists {
  readonly kind: ListKind;
  readonly blocks: BlockWriter;
  readonly keys: string[];
}

/** What was written, with its keys in units. @param snapshot folder of the snapshot */
function keyedBlocks(snapshot: string, { kind, blocks, keys }: GrowingLists): KeyedBlocks {
  const units = keys.join("");
  return {
    snapshot,
    kind,
    placement: "bundle",
    part: blocks.part,
    offsets: blocks.offsets,
    digests: blocks.digests,
    names: blocks.names,
    keyOffsets: offsetsOf(keys),
    keys: Array.from({ length: units.length }, (_, i) => units.charCodeAt(i)),
  };
}

/** How lists are made. */
export interface ListOptions {
  readonly layout: Layout;
  /** Number of threads, 0 for none besides this one; the files are the same for every number. */
  readonly threads: number;
  /** Called with the number of lists written so far. */
  readonly progress: (lists: number) => void;
}

/** Makes all lists of some texts, in files of the index folder. @param snapshot folder of the snapshot */
export async function writeLists(
  snapshot: string,
  texts: Texts,
  { layout, threads, progress }: ListOptions,
): Promise<Lists> {
  const frequent = layout.frequentFrom(texts.offsets.length - 1);
  const ranges = unitRanges(countUnits(texts), layout.rangePositions);
  const sizes = { blockBytes: layout.blockBytes, pageBytes: layout.pageBytes };
  const runner = await startJobs<RangeJobs>(
    new URL("range-jobs.ts", import.meta.url),
    { texts, frequent, sizes } satisfies JobOptions,
    Math.min(threads, ranges.length),
  );
  const growing = (kind: ListKind): GrowingLists => ({
    kind,
    blocks: blockFile(join(snapshot, indexFolder, indexFiles[kind])),
    keys: [],
  });
  try {
    const frequentGrams: string[] = [];
    for await (const grams of runner.run("find", ranges)) frequentGrams.push(...grams);
    const [posts, positions] = [growing("posts"), growing("positions")];
    let written = 0;
    for await (const packed of runner.run("pack", ranges))
      for (const { kind, blocks, keys } of [posts, positions]) {
        for (const block of packed[kind].blocks) blocks.add(block);
        keys.push(...packed[kind].keys);
        progress((written += packed[kind].lists));
      }
    return {
      frequentGrams,
      posts: keyedBlocks(snapshot, posts),
      positions: keyedBlocks(snapshot, positions),
    };
  } finally {
    await runner.stop();
  }
}
