/** A file of the search index that is written block by block. */
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";
import { digestOf, type Part } from "../../functions/search/index-format.ts";

/** Writes blocks one after another, and keeps the offset and the digest of each. */
export class BlockFile {
  /** Offset of each block, in bytes; last, the length of the file. */
  readonly at: number[] = [0];
  readonly digests: number[] = [];
  #digest = 0;
  readonly #descriptor: number;

  /** @param path of the file; an existing one is replaced */
  constructor(path: string) {
    rmSync(path, { force: true });
    this.#descriptor = openSync(path, "wx");
  }

  add(block: Uint8Array): void {
    for (let done = 0; done < block.length;)
      done += writeSync(this.#descriptor, block, done, block.length - done);
    this.at.push(this.bytes + block.length);
    this.digests.push(digestOf(block));
    this.#digest = crc32(block, this.#digest);
  }

  get bytes(): number {
    return this.at.at(-1) ?? 0;
  }

  /** Closes the file. @returns its length and the digest of all bytes */
  close(): Part {
    closeSync(this.#descriptor);
    return { bytes: this.bytes, digest: this.#digest };
  }
}
