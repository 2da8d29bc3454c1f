/** The FlexSearch index that answers searches, mounted on the published blocks. */
import { Index } from "flexsearch";
import { tokenizeKeyword } from "./tokenizer.ts";
import { BlockStorage } from "./flexsearch-storage.ts";
import { readIndexHeader } from "./index-header.ts";
import { IndexReader, type DocIds } from "./index-reader.ts";
import type { FileStore, BlockStore } from "./block-store.ts";

/** An opened index: what FlexSearch finds, and the files below it. */
export interface MountedIndex {
  readonly files: IndexReader;
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
 * @param folder the index folder
 * @param publicBlocks the folder of public blocks, for an index that was placed there
 * @param budget bytes of blocks to keep in memory
 * @throws IndexUnavailable when a part is missing, cut short, altered, or of another index
 */
export async function openIndex(
  folder: FileStore,
  publicBlocks: BlockStore,
  budget: number,
): Promise<MountedIndex> {
  const files = new IndexReader(await readIndexHeader(folder), folder, publicBlocks, budget);
  const { posts, longestText } = files.manifest;
  const index = new Index<false, BlockStorage>({
    // A keyword longer than the longest text is in no text, so at most one unit more is kept.
    encode: (keyword) => tokenizeKeyword(keyword.slice(0, longestText + 1), files.isFrequent),
    // Order comes from dates or likes, so terms have no scores.
    resolution: 1,
  });
  await index.mount(new BlockStorage(files));
  return {
    files,
    async find(keyword) {
      // The storage gives typed arrays, and FlexSearch hands them on as they are.
      const hits: unknown = await index.search(keyword, { limit: posts });
      return hits as DocIds;
    },
  };
}
