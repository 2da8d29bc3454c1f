/** The lists of an older index, where that is intact and was made of the same texts. */
import { join } from "node:path";
import { readIndexHeader } from "../../functions/engine/index-header.ts";
import {
  blocksIn,
  indexFiles,
  indexFolder,
  type ListKind,
} from "../../functions/engine/index-format.ts";
import { FileStore } from "../../functions/engine/block-store.ts";
import { assertBlocksIntact, type StoredBlocks } from "./blocks.ts";
import type { Postings } from "./write-postings.ts";

/**
 * The lists of an older index.
 *
 * @param snapshot folder of the older snapshot
 * @param texts digest that the manifest of the older index must have
 * @returns undefined where there is no such index, or part of it is missing or damaged
 */
export async function readOlderPostings(
  snapshot: string,
  texts: string,
): Promise<Postings | undefined> {
  const folder = new FileStore(join(snapshot, indexFolder));
  try {
    const { manifest, catalog, names } = await readIndexHeader(folder);
    if (manifest.texts !== texts) return undefined;
    const listsOf = async (kind: ListKind): Promise<StoredBlocks> => {
      const stored = {
        snapshot,
        kind,
        placement: manifest.placement,
        part: manifest.parts[indexFiles[kind]],
        ...blocksIn(catalog, kind),
        keyOffsets: catalog[`${kind}KeyOffsets`],
        keys: catalog[`${kind}Keys`],
      };
      await assertBlocksIntact(stored);
      return stored;
    };
    return {
      frequentGrams: names.frequentGrams,
      posts: await listsOf("posts"),
      positions: await listsOf("positions"),
    };
  } catch {
    // No older index, or one that cannot be read: the lists are made from the texts.
    return undefined;
  } finally {
    folder.close();
  }
}
