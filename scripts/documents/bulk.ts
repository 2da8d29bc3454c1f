/**
 * Every post in one file: JSON Lines, compressed by gzip (RFC 1952), each line the bytes of the post's own
 * document, by ascending id. Above a bound the file is cut into parts by ranges of ids.
 */
import { createHash, type Hash } from "node:crypto";
import { closeSync, openSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { constants, crc32, deflateRawSync } from "node:zlib";
import { bulkFile } from "../../functions/contract/http.ts";

/** A file with posts. */
export interface BulkPart {
  /** Relative to the snapshot's folder. */
  readonly path: string;
  readonly firstId: number;
  readonly lastId: number;
  readonly posts: number;
  readonly bytes: number;
  /** SHA-256 of the file, in hexadecimal. */
  readonly digest: string;
}

/**
 * Bytes at which a part is full. A file of this size is still easy to download and to publish again. A full
 * part ends before the next multiple of `idsPerStep`.
 */
const partBytes = 25_000_000;

/**
 * A part begins at a multiple of this number of ids. So an edited post rarely moves the border of its part,
 * and a new post never does. Only a post's own part and the last part change.
 */
const idsPerStep = 1000;

/** Uncompressed bytes that are compressed at once. It bounds the memory; more saves about 1 %. */
const chunkBytes = 2 ** 18;

/** Twice as fast as zlib's default, for files that are at most 5 % larger. */
const level = 4;

/** No name, no time: the same posts give the same bytes. The last two: no extra flags, unknown system. */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** An empty block that is the last one (RFC 1951, 3.2.3: fixed codes). */
const lastBlock = Buffer.from([0x03, 0x00]);

/**
 * A gzip file that grows. Its chunks are compressed one by one, each up to a byte boundary (a "sync
 * flush"), so that writing needs neither a stream nor a callback and the file is still a single member,
 * which is all that browsers unpack.
 */
class GzipFile {
  readonly #file: number;
  readonly #hash: Hash = createHash("sha256");
  /** What is not compressed yet. One buffer for all chunks: new ones would pile up until they are collected. */
  readonly #chunk = Buffer.allocUnsafe(chunkBytes);
  #filled = 0;
  #crc = 0;
  #length = 0;
  /** Bytes written so far; what is not compressed yet does not count. */
  bytes = 0;

  constructor(path: string) {
    this.#file = openSync(path, "wx");
    this.#write(gzipHeader);
  }

  add(data: Uint8Array): void {
    for (let at = 0; at < data.length;) {
      const taken = data.subarray(at, at + chunkBytes - this.#filled);
      this.#chunk.set(taken, this.#filled);
      this.#filled += taken.length;
      at += taken.length;
      if (this.#filled === chunkBytes) this.#flush();
    }
  }

  /** Completes the file. @returns its SHA-256, in hexadecimal */
  close(): string {
    this.#flush();
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(this.#crc);
    trailer.writeUInt32LE(this.#length % 2 ** 32, 4);
    this.#write(lastBlock);
    this.#write(trailer);
    closeSync(this.#file);
    return this.#hash.digest("hex");
  }

  #flush(): void {
    if (this.#filled === 0) return;
    const data = this.#chunk.subarray(0, this.#filled);
    this.#filled = 0;
    this.#crc = crc32(data, this.#crc);
    this.#length += data.length;
    this.#write(deflateRawSync(data, { level, finishFlush: constants.Z_SYNC_FLUSH }));
  }

  #write(data: Uint8Array): void {
    for (let at = 0; at < data.length;) at += writeSync(this.#file, data, at);
    this.#hash.update(data);
    this.bytes += data.length;
  }
}

/** A part that is being written. */
interface OpenPart {
  readonly file: GzipFile;
  readonly path: string;
  readonly firstId: number;
}

const newline = Buffer.from("\n");

/** Writes posts into one file or several, with constant memory. */
export class BulkWriter {
  readonly #folder: string;
  readonly #partBytes: number;
  readonly #parts: BulkPart[] = [];
  #current: OpenPart | undefined;
  #lastId = 0;
  #posts = 0;

  /**
   * @param folder of the snapshot; the files' folder in it must exist
   * @param bound bytes at which a part is full
   */
  constructor(folder: string, bound = partBytes) {
    this.#folder = folder;
    this.#partBytes = bound;
  }

  /** Adds a post; ids must ascend. @param document its bytes, without a line break */
  add(postId: number, document: Uint8Array): void {
    const step = Math.floor(postId / idsPerStep);
    const isNewStep = step !== Math.floor(this.#lastId / idsPerStep);
    if (isNewStep && this.#current !== undefined && this.#current.file.bytes >= this.#partBytes)
      this.#close(this.#current);
    this.#current ??= this.#open(this.#parts.length === 0 ? undefined : step * idsPerStep, postId);
    this.#current.file.add(document);
    this.#current.file.add(newline);
    this.#lastId = postId;
    this.#posts++;
  }

  /** Completes the last file. @returns all files, by ascending ids; one that is empty without posts */
  finish(): readonly BulkPart[] {
    this.#close(this.#current ?? this.#open(undefined, 0));
    const [first, ...others] = this.#parts;
    if (first === undefined || others.length === 0) return this.#parts;
    // Only now is it known that the first file is a part.
    const path = bulkFile(0);
    renameSync(join(this.#folder, first.path), join(this.#folder, path));
    return [{ ...first, path }, ...others];
  }

  #open(rangeStart: number | undefined, firstId: number): OpenPart {
    const path = bulkFile(rangeStart);
    return { file: new GzipFile(join(this.#folder, path)), path, firstId };
  }

  #close({ file, path, firstId }: OpenPart): void {
    const digest = file.close();
    this.#parts.push({
      path,
      firstId,
      lastId: this.#lastId,
      posts: this.#posts,
      bytes: file.bytes,
      digest,
    });
    this.#current = undefined;
    this.#posts = 0;
  }
}
