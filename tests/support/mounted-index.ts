/** The index of a snapshot, opened without the function around it. */
import { join } from "node:path";
import { openIndex, type MountedIndex } from "../../functions/engine/flexsearch-index.ts";
import { blockFolder, indexFolder } from "../../functions/engine/index-format.ts";
import { createWholeFileStore, FileStore } from "../../functions/engine/block-store.ts";

/**
 * @param snapshot its folder, with public blocks, if it has any, beside the index
 */
export const mountedIndex = (snapshot: string, cacheBytes = 2 ** 20): Promise<MountedIndex> =>
  openIndex(
    new FileStore(join(snapshot, indexFolder)),
    createWholeFileStore(join(snapshot, blockFolder)),
    cacheBytes,
  );
