/** A block of lists, as the build packs it. */
import { PostingBlock } from "../../functions/engine/posting-block.ts";
import { PostingBlockWriter } from "../../scripts/search-index/posting-block-writer.ts";

/** A gram and its numbers. */
export type ListEntry = readonly [gram: string, list: readonly number[]];

/**
 * Packs all entries into one block.
 *
 * @param entries in the order of the grams' units, at least one
 * @param universe all numbers are below this
 */
export function listBlock(
  entries: readonly ListEntry[],
  universe: number,
  pageBytes = 1e6,
): PostingBlock {
  const joined = entries.map(([gram]) => gram).join("");
  const units = Uint16Array.from({ length: joined.length }, (_, i) => joined.charCodeAt(i));
  const packer = new PostingBlockWriter(units, universe, { blockBytes: 1e9, pageBytes });
  let at = 0;
  for (const [gram, list] of entries) {
    packer.add(at, gram.length, Uint32Array.from(list));
    at += gram.length;
  }
  const [block] = packer.finish().blocks;
  if (block === undefined) throw new Error("nothing to pack");
  return new PostingBlock(block, universe);
}
