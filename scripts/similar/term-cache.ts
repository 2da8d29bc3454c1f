/** Terms of posts from the build before, so that text that did not change is not analysed again. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import { Growing } from "../lib/growable-array.ts";
import type { Terms } from "./vectors.ts";

/** What an analysis gives. */
export interface Analysis {
  readonly terms: Uint32Array;
  readonly counts: Float32Array;
}

/** 32-bit words of a digest that identify a text: 96 bits. */
const keyWords = 3;

/**
 * A file of 32-bit words: a checksum of the rest, a mark of method and layout, the numbers of posts and
 * of terms; then the keys of all posts, the offset of each post's terms, all terms, all counts. It holds
 * hashes and no text. Where it is missing, damaged or of another method, every text is analysed, and
 * the result is the same.
 */
export class AnalysisCache {
  /** Texts that were looked for and not found. */
  missed = 0;
  readonly #file: string | undefined;
  readonly #mark: number;
  readonly #keys = new Growing(Uint32Array);
  #known: Terms | undefined;
  /** Position of each known text. */
  readonly #positions = new Map<string, number>();

  /** @param method name of the method that the terms belong to */
  constructor(file: string | undefined, method: string) {
    this.#file = file;
    this.#mark = crc32(`1 ${method}`);
    if (file !== undefined) this.#load(file);
  }

  #load(file: string): void {
    let data: Buffer;
    try {
      data = readFileSync(file);
    } catch {
      return;
    }
    const words = new Uint32Array(Math.floor(data.length / 4));
    Buffer.from(words.buffer).set(data.subarray(0, words.byteLength));
    const [checksum, mark, posts = 0, terms = 0] = words;
    if (mark !== this.#mark || checksum !== crc32(data.subarray(4))) return;
    let at = 4;
    const next = (length: number): Uint32Array => words.subarray(at, (at += length));
    const keys = next(keyWords * posts);
    this.#known = {
      offsets: next(posts + 1),
      terms: next(terms),
      counts: new Float32Array(words.buffer, at * 4, terms),
    };
    for (let post = 0; post < posts; post++)
      this.#positions.set(keys.subarray(post * keyWords, (post + 1) * keyWords).join(), post);
  }

  /** The analysis of the next post's text, given as its parts, if it is known. */
  find(content: readonly string[]): Analysis | undefined {
    const digest = createHash("sha256").update(JSON.stringify(content)).digest();
    const key = Array.from({ length: keyWords }, (_, i) => digest.readUInt32LE(i * 4));
    for (const word of key) this.#keys.push(word);
    const position = this.#positions.get(key.join());
    if (position === undefined || this.#known === undefined) {
      this.missed++;
      return undefined;
    }
    const { offsets, terms, counts } = this.#known;
    return {
      terms: terms.subarray(offsets[position], offsets[position + 1]),
      counts: counts.subarray(offsets[position], offsets[position + 1]),
    };
  }

  /** Keeps the terms of all posts that were looked for, in that order, for the next build. */
  save({ offsets, terms, counts }: Terms): void {
    const isSame = this.missed === 0 && this.#positions.size === offsets.length - 1;
    if (this.#file === undefined || isSame) return;
    const parts = [
      Uint32Array.of(this.#mark, offsets.length - 1, terms.length),
      this.#keys.values.subarray(0, this.#keys.length),
      offsets,
      terms,
      counts,
    ].map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength));
    const checksum = parts.reduce((crc, part) => crc32(part, crc), 0);
    // Written beside and renamed: another build may be reading. If two write at once, the checksum will not match.
    const staged = `${this.#file}.new`;
    try {
      mkdirSync(dirname(this.#file), { recursive: true });
      writeFileSync(
        staged,
        Buffer.concat([Buffer.from(Uint32Array.of(checksum).buffer), ...parts]),
      );
      renameSync(staged, this.#file);
    } catch {
      // A cache that cannot be written is none; no half of one is left.
      if (existsSync(staged)) rmSync(staged);
    }
  }
}
