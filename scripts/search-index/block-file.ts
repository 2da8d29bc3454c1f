/** Writes a file block by block, and keeps where each block lies and what its digest is. */
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";
import { digestOf, type PartEntry } from "../../functions/search/index-format.ts";

export class BlockFile {
  /** Byte offset of each block, and the end of the last one. */
  readonly offsets: number[] = [0];
  readonly digests: number[] = [];
  #digest = 0;
  readonly #descriptor: number;

  /** Creates the file. An older one of this name is unlinked, not written into: it may be linked elsewhere. */
  constructor(path: string) {
    rmSync(path, { force: true });
    this.#descriptor = openSync(path, "wx");
  }

  add(block: Uint8Array): void {
    for (let done = 0; done < block.length;)
      done += writeSync(this.#descriptor, block, done, block.length - done);
    this.offsets.push(this.#bytes + block.length);
    this.digests.push(digestOf(block));
    this.#digest = crc32(block, this.#digest);
  }

  get #bytes(): number {
    return this.offsets.at(-1) ?? 0;
  }

  /** Length and digest of what was written so far. */
  get part(): PartEntry {
    return { bytes: this.#bytes, digest: this.#digest };
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
