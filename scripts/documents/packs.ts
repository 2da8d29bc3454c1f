/** Packs posts that are no files of their own: `functions/engine/post-packs.ts` says what a pack is. */
import { deflateRawSync } from "node:zlib";
import { platform } from "../../functions/contract/platform.ts";
import { blockFileName, computeChecksum } from "../../functions/engine/index-format.ts";
import type { PostPack } from "../../functions/engine/post-packs.ts";
import { blockName } from "../lib/fs.ts";

/**
 * Posts in a pack. It ends after an id that is chosen by hash, one in 32, so a post that comes or goes changes its own
 * pack and seldom those after it. A pack that is full ends in any case. Of ids without gaps, a pack has some 64 posts.
 */
const fewestPosts = 48;
const mostPosts = 128;
const endsPack = (postId: number): boolean => Math.imul(postId, 0x9e37_79b1) >>> 27 === 0;

/** A pack also ends when its documents have this many bytes: the function reads a whole pack for one post. */
const fullBytes = 1_000_000;
/** A larger document gets a file of its own, whatever its age: a function's answers are bounded, files are not. */
export const largestDocument = platform.functionAnswer - 2_000_000;

/** Twice as fast as zlib's default, for files that are a few percent larger. */
const packLevel = 4;

/** Packs posts, with constant memory besides the directory. */
export class PackWriter {
  readonly #write: (file: string, content: Buffer) => void;
  readonly #packs: PostPack[] = [];
  #ids: number[] = [];
  #documents: Uint8Array[] = [];
  #bytes = 0;

  /**
   * @param write writes a file of the public folder
   */
  constructor(write: (file: string, content: Buffer) => void) {
    this.#write = write;
  }

  /**
   * Adds a post; ids must ascend.
   *
   * @param document its bytes, at most `largestDocument`
   */
  add(postId: number, document: Uint8Array): void {
    this.#ids.push(postId);
    this.#documents.push(document);
    this.#bytes += document.length;
    const { length } = this.#ids;
    const isFull = length === mostPosts || this.#bytes >= fullBytes;
    if (isFull || (length >= fewestPosts && endsPack(postId))) this.#closePack();
  }

  /**
   * Completes the last pack.
   *
   * @returns all packs, by ascending ids
   */
  finish(): readonly PostPack[] {
    if (this.#ids.length > 0) this.#closePack();
    return this.#packs;
  }

  #closePack(): void {
    const content = deflateRawSync(Buffer.concat(this.#documents), { level: packLevel });
    const file = blockFileName(blockName(content));
    this.#write(file, content);
    this.#packs.push({
      file,
      bytes: content.length,
      digest: computeChecksum(content),
      ids: this.#ids,
      lengths: this.#documents.map(({ length }) => length),
    });
    this.#ids = [];
    this.#documents = [];
    this.#bytes = 0;
  }
}
