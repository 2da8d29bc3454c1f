/** Packs posts that are no files of their own: `functions/search/post-packs.ts` says what a pack is. */
import { deflateRawSync } from "node:zlib";
import { platform } from "../../functions/contract/platform.ts";
import { blockFileName, digestOf } from "../../functions/search/index-format.ts";
import type { PostPack } from "../../functions/search/post-packs.ts";
import { blockName } from "../lib/block-name.ts";

/**
 * Posts in a pack. It ends after an id that is chosen by hash, one in 32, so a post that comes or goes changes its
 * own pack and seldom those after it. A pack that is full ends in any case.
 */
const fewestPosts = 48;
const mostPosts = 128;
const endsPack = (postId: number): boolean => Math.imul(postId, 0x9e37_79b1) >>> 27 === 0;

/** A pack also ends when its documents have this many bytes: the function reads a whole pack for one post. */
const fullBytes = 1_000_000;
/** A larger document gets a file of its own, whatever its age: a function's answers are bounded, files are not. */
export const largestDocument = platform.functionAnswer - 2_000_000;

/** Twice as fast as zlib's default, for files that are a few percent larger. */
const level = 4;

/** Packs posts, with constant memory besides the directory. @param write writes a file of the public folder */
export function packWriter(write: (file: string, content: Buffer) => void) {
  const packs: PostPack[] = [];
  let ids: number[] = [];
  let documents: Uint8Array[] = [];
  let bytes = 0;

  /** Adds a post; ids must ascend. @param document its bytes, at most `largestDocument` */
  function add(postId: number, document: Uint8Array): void {
    ids.push(postId);
    documents.push(document);
    bytes += document.length;
    const { length } = ids;
    const isFull = length === mostPosts || bytes >= fullBytes;
    if (isFull || (length >= fewestPosts && endsPack(postId))) closePack();
  }

  /** Completes the last pack. @returns all packs, by ascending ids */
  function finish(): readonly PostPack[] {
    if (ids.length > 0) closePack();
    return packs;
  }

  function closePack(): void {
    const content = deflateRawSync(Buffer.concat(documents), { level });
    const file = blockFileName(blockName(content));
    write(file, content);
    packs.push({
      file,
      bytes: content.length,
      digest: digestOf(content),
      ids,
      lengths: documents.map(({ length }) => length),
    });
    ids = [];
    documents = [];
    bytes = 0;
  }

  return { add, finish };
}
