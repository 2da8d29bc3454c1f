/**
 * Every post in one file: JSON Lines, compressed by gzip (RFC 1952), each line the bytes of the post's own
 * document, by ascending id. Above a bound the file is cut into parts by ranges of ids.
 */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { bulkFile } from "../../functions/contract/http.ts";
import { GrowableArray } from "../lib/growable-array.ts";

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
 * Bytes of documents at which a part is full. Compressed, such a file is still easy to download and to publish
 * again. A full part ends before the next multiple of `idsPerStep`.
 */
const partBytes = 64_000_000;

/**
 * A part begins at a multiple of this number of ids. So an edited post rarely moves the border of its part,
 * and a new post never does. Only a post's own part and the last part change.
 */
const idsPerStep = 1000;

/** Twice as fast as zlib's default, for files that are at most 5 % larger. */
const bulkLevel = 4;

/**
 * One member, which is all that browsers unpack. Without a name or a time: the same posts give the same bytes,
 * on every system.
 */
function gzip(data: Uint8Array): Buffer {
  const file = gzipSync(data, { level: bulkLevel });
  // The system that compressed (RFC 1952, 2.3.1): unknown.
  file[9] = 255;
  return file;
}

const newline = Buffer.from("\n");
const partNumber = (postId: number): number => Math.floor(postId / idsPerStep);

/** Writes posts into one file or several. Memory holds one part at a time. */
export class BulkWriter {
  readonly #folder: string;
  readonly #partBytes: number;
  readonly #parts: BulkPart[] = [];
  /** The part that is not written yet. */
  readonly #lines = new GrowableArray(Uint8Array);
  #firstId = 0;
  #lastId = 0;
  #posts = 0;

  /**
   * @param folder of the snapshot
   * @param bound bytes of documents at which a part is full
   */
  constructor(folder: string, bound = partBytes) {
    this.#folder = folder;
    this.#partBytes = bound;
  }

  /**
   * Adds a post; ids must ascend.
   *
   * @param document its bytes, without a line break
   */
  add(postId: number, document: Uint8Array): void {
    const isNewStep = partNumber(postId) !== partNumber(this.#lastId);
    if (isNewStep && this.#lines.length >= this.#partBytes) this.#write(this.#rangeStart);
    if (this.#posts === 0) this.#firstId = postId;
    this.#lines.append(document);
    this.#lines.append(newline);
    this.#lastId = postId;
    this.#posts++;
  }

  /**
   * Writes the last file.
   *
   * @returns all files, by ascending ids; one that is empty without posts
   */
  finish(): readonly BulkPart[] {
    this.#write(this.#parts.length === 0 ? undefined : this.#rangeStart);
    return this.#parts;
  }

  /** The first id that may be in the part. */
  get #rangeStart(): number {
    return this.#parts.length === 0 ? 0 : partNumber(this.#firstId) * idsPerStep;
  }

  /**
   * @param rangeStart undefined for the only file
   */
  #write(rangeStart: number | undefined): void {
    const path = bulkFile(rangeStart);
    const file = gzip(this.#lines.values.subarray(0, this.#lines.length));
    const target = join(this.#folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, file, { flag: "wx" });
    this.#parts.push({
      path,
      firstId: this.#firstId,
      lastId: this.#lastId,
      posts: this.#posts,
      bytes: file.length,
      digest: createHash("sha256").update(file).digest("hex"),
    });
    this.#lines.length = 0;
    this.#posts = 0;
  }
}
