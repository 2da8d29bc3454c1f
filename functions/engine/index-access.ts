/** The index of one snapshot: opened by the first request that needs it, then kept. */
import { join, resolve } from "node:path";
import type { Context } from "@netlify/functions";
import { openIndex, type MountedIndex } from "./flexsearch-index.ts";
import { createHttpStore } from "./http-store.ts";
import { blockFolder, indexFolder } from "./index-format.ts";
import { createWholeFileStore, FileStore } from "./block-store.ts";

/** Where an index is, and what it may hold in memory. */
export interface IndexOptions {
  /** Folder of a snapshot: the one that holds `.search-index/`. Asked when the index is opened. */
  readonly snapshotFolder: () => string;
  /** Megabytes of index blocks to keep in memory. */
  readonly cacheMegabytes: number;
  /**
   * Where the public blocks of an index are: URLs without a trailing slash, the best first. Asked when
   * the index is opened. Where this is left out, they are read from the snapshot's folder.
   */
  readonly blockUrls?: (context: Context | undefined) => readonly string[];
}

/** Access to an index. Where it cannot be opened, the next request tries again. */
export class IndexAccess {
  readonly #options: IndexOptions;
  #indexStore: FileStore | undefined;
  #opened: Promise<MountedIndex> | undefined;

  constructor(options: IndexOptions) {
    this.#options = options;
  }

  /**
   * Runs work on the index.
   *
   * @throws IndexUnavailable, or an error of the file system
   */
  async use<T>(
    context: Context | undefined,
    work: (index: MountedIndex) => Promise<T>,
  ): Promise<T> {
    const opened = (this.#opened ??= this.#open(context));
    // One that failed to open is not kept.
    const index = await opened.catch((cause: unknown) => {
      if (this.#opened === opened) this.close();
      throw cause;
    });
    return work(index);
  }

  /** Closes the files; no request may read from the index meanwhile. The next one opens it again. */
  close(): void {
    this.#indexStore?.close();
    this.#indexStore = undefined;
    this.#opened = undefined;
  }

  async #open(context: Context | undefined): Promise<MountedIndex> {
    const { snapshotFolder, cacheMegabytes, blockUrls } = this.#options;
    const snapshot = resolve(process.env["LAMBDA_TASK_ROOT"] ?? process.cwd(), snapshotFolder());
    this.#indexStore = new FileStore(join(snapshot, indexFolder));
    const publicBlocks =
      blockUrls === undefined
        ? createWholeFileStore(join(snapshot, blockFolder))
        : createHttpStore(blockUrls(context));
    return openIndex(this.#indexStore, publicBlocks, cacheMegabytes * 2 ** 20);
  }
}
