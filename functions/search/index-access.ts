/** The index of the snapshot that is there now: opened once, and again when a build has replaced it. */
import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Context } from "@netlify/functions";
import { openIndex, type MountedIndex } from "./flexsearch-index.ts";
import { httpSource } from "./http-source.ts";
import { blockFolder, indexFiles, indexFolder } from "./index-format.ts";
import { fileSource, FolderSource, IndexUnavailable, type PartSource } from "./part-source.ts";

/** Where an index is, and what it may hold in memory. */
export interface IndexOptions {
  /** Folder of a snapshot: the one that holds `.search-index/`. Asked at each request. */
  readonly snapshotFolder: () => string;
  /** Megabytes of index blocks to keep in memory. */
  readonly cacheMegabytes: number;
  /**
   * Where the public blocks of an index are: URLs without a trailing slash, the best first. Asked when
   * an index is opened. Where this is left out, they are read from the snapshot's folder.
   */
  readonly blockUrls?: (context: Context | undefined) => readonly string[];
}

/** An index with its open files, which close when it was released and no request reads from it any more. */
class OpenIndex {
  /** What the manifest's file was when the index was opened. */
  readonly version: string;
  readonly opened: Promise<MountedIndex>;
  readonly #folder: FolderSource;
  // The one that opened it, and each request that reads from it.
  #holders = 1;

  /** @param budget bytes of blocks to keep in memory */
  constructor(version: string, folder: FolderSource, publicBlocks: PartSource, budget: number) {
    this.version = version;
    this.#folder = folder;
    this.opened = openIndex(folder, publicBlocks, budget);
  }

  /** Runs `work` on the index, whose files stay open meanwhile. */
  async use<T>(work: (index: MountedIndex) => Promise<T>): Promise<T> {
    this.#holders++;
    try {
      return await work(await this.opened);
    } finally {
      this.release();
    }
  }

  release(): void {
    if (--this.#holders === 0) this.#folder.close();
  }
}

/** Access to the index of the snapshot that is there now. One that cannot be opened is opened again by the next request. */
export class IndexAccess {
  readonly #options: IndexOptions;
  #current: OpenIndex | undefined;

  constructor(options: IndexOptions) {
    this.#options = options;
  }

  /** Runs work on the index. @throws IndexUnavailable, or an error of the file system */
  async use<T>(
    context: Context | undefined,
    work: (index: MountedIndex) => Promise<T>,
  ): Promise<T> {
    return this.#openIndex(context).use(work);
  }

  /** Lets go of open files; the next use opens them again. */
  close(): void {
    this.#current?.release();
    this.#current = undefined;
  }

  #openIndex(context: Context | undefined): OpenIndex {
    const { snapshotFolder, cacheMegabytes, blockUrls } = this.#options;
    const snapshot = resolve(process.env["LAMBDA_TASK_ROOT"] ?? process.cwd(), snapshotFolder());
    const folder = join(snapshot, indexFolder);
    const manifest = statSync(join(folder, indexFiles.manifest), { throwIfNoEntry: false });
    if (manifest === undefined)
      throw new IndexUnavailable(join(folder, indexFiles.manifest), "is not there");
    const version = `${folder} ${manifest.ino} ${manifest.mtimeMs} ${manifest.size}`;
    if (this.#current?.version === version) return this.#current;
    this.#current?.release();
    const publicBlocks =
      blockUrls === undefined
        ? fileSource(join(snapshot, blockFolder))
        : httpSource(blockUrls(context));
    const budget = cacheMegabytes * 2 ** 20;
    const open = new OpenIndex(version, new FolderSource(folder), publicBlocks, budget);
    this.#current = open;
    // Each request that uses the index sees the failure itself.
    open.opened.catch(() => {
      if (this.#current === open) this.close();
    });
    return open;
  }
}
