/** Texts → the blocks of lists, in files of the index folder. */
import { join } from "node:path";
import {
  files,
  listKinds,
  type Column,
  type ListKind,
  type PartEntry,
} from "../../functions/search/index-format.ts";
import { startJobs } from "../lib/job-threads.ts";
import { BlockFile } from "./block-file.ts";
import { countUnits, unitRanges, type Texts } from "./list-grams.ts";
import type { BlockSizes, PackedLists } from "./list-packer.ts";
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

/** Columns of the catalogue that say where the blocks of lists are. */
export const listColumns = listKinds.flatMap(
  (kind) =>
    [
      `${kind}Offsets`,
      `${kind}Digests`,
      `${kind}Names`,
      `${kind}KeyOffsets`,
      `${kind}Keys`,
    ] as const satisfies Column[],
);
export type ListColumns = Readonly<Record<(typeof listColumns)[number], ArrayLike<number>>>;

/** The lists of an index, in its folder. */
export interface Lists {
  readonly columns: ListColumns;
  readonly frequentGrams: readonly string[];
  readonly parts: Readonly<Record<ListKind, PartEntry>>;
}

/** Where each text begins when all are joined, and where the last one ends. */
export function offsetsOf(texts: readonly { readonly length: number }[]): number[] {
  const offsets = [0];
  for (const { length } of texts) offsets.push((offsets.at(-1) ?? 0) + length);
  return offsets;
}

/** The file of a kind of lists. */
function listFile(folder: string, kind: ListKind) {
  const file = new BlockFile(join(folder, files[kind]));
  const keys: string[] = [];
  return {
    /** Appends packed lists. */
    add(lists: PackedLists): void {
      for (const block of lists.blocks) file.add(block);
      keys.push(...lists.keys);
    },
    /** @returns the file's length and digest, and the columns of its kind */
    close() {
      const units = keys.join("");
      file.close();
      return {
        part: file.part,
        columns: {
          [`${kind}Offsets`]: file.offsets,
          [`${kind}Digests`]: file.digests,
          [`${kind}Names`]: [],
          [`${kind}KeyOffsets`]: offsetsOf(keys),
          [`${kind}Keys`]: Array.from({ length: units.length }, (_, i) => units.charCodeAt(i)),
        },
      };
    },
  };
}

/**
 * Writes all lists of some texts into the index folder.
 *
 * @param threads number of threads, 0 for none besides this one; the files are the same for every number
 * @param progress called with the number of lists written so far
 */
export async function writeLists(
  folder: string,
  texts: Texts,
  layout: Layout,
  threads: number,
  progress: (lists: number) => void,
): Promise<Lists> {
  const frequent = layout.frequentFrom(texts.offsets.length - 1);
  const ranges = unitRanges(countUnits(texts), layout.rangePositions);
  const sizes = { blockBytes: layout.blockBytes, pageBytes: layout.pageBytes };
  const runner = await startJobs<RangeJobs>(
    new URL("range-jobs.ts", import.meta.url),
    { texts, frequent, sizes } satisfies JobOptions,
    Math.min(threads, ranges.length),
  );
  try {
    const frequentGrams: string[] = [];
    for await (const grams of runner.run("find", ranges)) frequentGrams.push(...grams);
    const postsFile = listFile(folder, "posts");
    const positionsFile = listFile(folder, "positions");
    let written = 0;
    for await (const packed of runner.run("pack", ranges)) {
      postsFile.add(packed.posts);
      positionsFile.add(packed.positions);
      progress((written += packed.posts.lists + packed.positions.lists));
    }
    const posts = postsFile.close();
    const positions = positionsFile.close();
    return {
      frequentGrams,
      parts: { posts: posts.part, positions: positions.part },
      columns: { ...posts.columns, ...positions.columns } as unknown as ListColumns,
    };
  } finally {
    await runner.stop();
  }
}
