/** Packs posts that are no files of their own: `functions/search/post-packs.ts` says what a pack is. */
import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { blockFile, digestOf, nameWords } from "../../functions/search/index-format.ts";
import type { PostPack } from "../../functions/search/post-packs.ts";

/**
 * Posts in a pack. Where it ends depends on ids alone: at one in 32 of them, chosen by hash, so that a
 * post that comes or goes changes its own pack and not all behind it.
 */
const fewestPosts = 48;
const mostPosts = 128;
const endsPack = (postId: number): boolean => Math.imul(postId, 0x9e37_79b1) >>> 27 === 0;

/** Compresses within a few percent as well as the highest level, in a third of the time. */
const level = 6;

/** Packs posts, with constant memory besides the directory. */
export class PackWriter {
  readonly #write: (file: string, content: Buffer) => void;
  readonly #packs: PostPack[] = [];
  #ids: number[] = [];
  #documents: Uint8Array[] = [];

  /** @param write writes a file of the public folder */
  constructor(write: (file: string, content: Buffer) => void) {
    this.#write = write;
  }

  /** Adds a post; ids must ascend. @param document its bytes */
  add(postId: number, document: Uint8Array): void {
    this.#ids.push(postId);
    this.#documents.push(document);
    const { length } = this.#ids;
    if (length === mostPosts || (length >= fewestPosts && endsPack(postId))) this.#close();
  }

  /** Completes the last pack. @returns all packs, by ascending ids */
  finish(): readonly PostPack[] {
    if (this.#ids.length > 0) this.#close();
    return this.#packs;
  }

  #close(): void {
    const content = deflateRawSync(Buffer.concat(this.#documents), { level });
    const hash = createHash("sha256").update(content).digest();
    const file = blockFile(
      Uint32Array.from({ length: nameWords }, (_, i) => hash.readUInt32BE(i * 4)),
    );
    this.#write(file, content);
    this.#packs.push({
      file,
      bytes: content.length,
      digest: digestOf(content),
      ids: this.#ids,
      lengths: this.#documents.map(({ length }) => length),
    });
    this.#ids = [];
    this.#documents = [];
  }
}
