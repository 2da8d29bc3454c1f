/** Writes the files of a snapshot, or takes over those of an older one that are the same. */
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sha256 } from "./manifest.ts";

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
  readonly content: string | Buffer;
}

/** What a file holds. */
export interface WrittenFile {
  readonly bytes: number;
  /** SHA-256 in hexadecimal. */
  readonly digest: string;
}

/** Writes files one by one. */
export class FileWriter {
  /** What was written, by path. */
  readonly written = new Map<string, WrittenFile>();
  readonly #folder: string;
  readonly #reuse: string | undefined;
  readonly #folders = new Set<string>();

  constructor({ folder, reuse }: FileWriterOptions) {
    this.#folder = folder;
    this.#reuse = reuse;
  }

  /** Writes a file, and makes its folder. Where the older snapshot has the same, that is kept: its inode, its time. */
  write({ path, content }: SnapshotFile): WrittenFile {
    const data = typeof content === "string" ? Buffer.from(content) : content;
    const file = join(this.#folder, path);
    this.#makeFolder(dirname(file));
    // "wx": whatever may be there, for example a link to the older file, is never written through.
    if (!this.#linkWhereSame(path, data, file)) writeFileSync(file, data, { flag: "wx" });
    return this.#note(path, data);
  }

  /** Puts the older file in the place of one that is already written, when both are the same. */
  keepSame({ path, content }: SnapshotFile & { readonly content: Buffer }): WrittenFile {
    const file = join(this.#folder, path);
    const linked = `${file}.linked`;
    if (this.#linkWhereSame(path, content, linked)) {
      // Removed first: renaming one link of a file to another link of it does nothing.
      rmSync(file);
      renameSync(linked, file);
    }
    return this.#note(path, content);
  }

  #makeFolder(folder: string): void {
    if (this.#folders.has(folder)) return;
    mkdirSync(folder, { recursive: true });
    this.#folders.add(folder);
  }

  #note(path: string, data: Buffer): WrittenFile {
    const file = { bytes: data.length, digest: sha256(data) };
    this.written.set(path, file);
    return file;
  }

  /**
   * Links an older file to a new path when it holds the same data. It is compared after it was linked:
   * the path of the older file may lead to another one by now, the link cannot.
   *
   * @returns false, with nothing at `file`, where it differs, is missing, or cannot be linked
   */
  #linkWhereSame(path: string, data: Buffer, file: string): boolean {
    if (this.#reuse === undefined) return false;
    try {
      linkSync(join(this.#reuse, path), file);
    } catch {
      // There is no such file, or the file system has no hard links.
      return false;
    }
    if (readFileSync(file).equals(data)) return true;
    rmSync(file);
    return false;
  }
}
