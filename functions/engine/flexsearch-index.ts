/** The FlexSearch index that answers searches, mounted on the published blocks. */
import { Index } from "flexsearch";
import { BlockStorage } from "./flexsearch-storage.ts";
import { readIndexHeader } from "./index-header.ts";
import { IndexReader } from "./index-reader.ts";
import type { FileStore, BlockStore } from "./block-store.ts";
import type { DocIds } from "./segment-reader.ts";

/** An opened index: what FlexSearch finds, and the reader of its files. */
export interface MountedIndex {
  readonly reader: IndexReader;
  /**
   * All posts whose normalised title or text contains a keyword.
   *
   * @param keyword as `normalizeKeyword` gives it; empty for every post
   * @returns post numbers, ascending (newest first); read-only
   * @throws IndexUnavailable when a part of the index cannot be read
   */
  find(keyword: string): Promise<DocIds>;
}

/**
 * Opens the files of a snapshot's index and mounts a FlexSearch index on them.
 *
 * @param indexStore the index folder
 * @param publicBlocks the folder of public blocks, for an index that was placed there
 * @param budget bytes of blocks to keep in memory
 * @throws IndexUnavailable when a part is missing, cut short, altered, or of another index
 */
export async function openIndex(
  indexStore: FileStore,
  publicBlocks: BlockStore,
  budget: number,
): Promise<MountedIndex> {
  const reader = new IndexReader(
    await readIndexHeader(indexStore),
    indexStore,
    publicBlocks,
    budget,
  );
  const longestText = Math.max(0, ...reader.segments.map((segment) => segment.longestText));
  const index = new Index<false, BlockStorage>({
    // A term for each UTF-16 unit, of which each segment makes the grams that it has. A keyword longer than the
    // longest text is in no text, so at most one unit more is kept.
    encode: (keyword) => keyword.slice(0, longestText + 1).split(""),
    // Order comes from dates or likes, so terms have no scores.
    resolution: 1,
  });
  await index.mount(new BlockStorage(reader));
  return {
    reader,
    async find(keyword) {
      // The storage gives typed arrays, and FlexSearch hands them on as they are.
      const hits: unknown = await index.search(keyword, { limit: reader.manifest.posts });
      return hits as DocIds;
    },
  };
}
