/** Writes the files of a snapshot, or takes over those of an older one that are the same. */
import { createHash } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Task } from "../lib/task-thread.ts";

/** Where files go. */
export interface FileWriterOptions {
  /** Folder of the new snapshot. */
  readonly folder: string;
  /** Folder of an older snapshot. */
  readonly reuse: string | undefined;
}

/** A file of a snapshot. */
export interface SnapshotFile {
  /** Relative to the snapshot's folder. */
  readonly path: string;
  readonly content: string;
}

/** What a file holds. */
export interface FileSummary {
  readonly bytes: number;
  /** SHA-256. */
  readonly digest: Buffer;
}

const summaryOf = (data: Buffer): FileSummary => ({
  bytes: data.length,
  digest: createHash("sha256").update(data).digest(),
});

/** Writes files one by one. */
export class FileWriter {
  readonly #folder: string;
  readonly #reuse: string | undefined;

  constructor({ folder, reuse }: FileWriterOptions) {
    this.#folder = folder;
    this.#reuse = reuse;
  }

  /** Writes a file. Where the older snapshot has the same, that stays: its inode, its time. */
  write({ path, content }: SnapshotFile): FileSummary {
    const data = Buffer.from(content);
    if (!this.#isUnchanged(path, data) || !this.#link(path))
      writeFileSync(join(this.#folder, path), data);
    return summaryOf(data);
  }

  /** Puts the older file in the place of one that is already written, when both are the same. */
  settle(path: string, data: Buffer): FileSummary {
    const file = join(this.#folder, path);
    if (this.#isUnchanged(path, data)) {
      rmSync(file);
      if (!this.#link(path)) writeFileSync(file, data);
    }
    return summaryOf(data);
  }

  #isUnchanged(path: string, data: Buffer): boolean {
    if (this.#reuse === undefined) return false;
    try {
      return readFileSync(join(this.#reuse, path)).equals(data);
    } catch {
      return false;
    }
  }

  /** @returns whether the older file is now linked; not on a file system without hard links */
  #link(path: string): boolean {
    try {
      linkSync(join(this.#reuse ?? "", path), join(this.#folder, path));
      return true;
    } catch {
      return false;
    }
  }
}

/** What a thread wrote, in the order of its files. */
export interface WrittenFiles {
  readonly bytes: number;
  /** 32 bytes a file. */
  readonly digests: Uint8Array;
}

/** Writes files in a thread: making the documents and writing them take about the same time. */
export default function createTask(options: FileWriterOptions): Task<SnapshotFile, WrittenFiles> {
  const writer = new FileWriter(options);
  const digests: Buffer[] = [];
  let total = 0;
  return {
    take(file) {
      const { bytes, digest } = writer.write(file);
      total += bytes;
      digests.push(digest);
    },
    finish: () => ({ bytes: total, digests: Buffer.concat(digests) }),
  };
}
