/** FlexSearch's storage interface over the published blocks: lists are read, and nothing is written. */
import type { Index, StorageInterface } from "flexsearch";
import type { IndexReader } from "./index-reader.ts";
import { searchKeyword } from "./keyword-search.ts";
import type { DocIds } from "./segment-reader.ts";

async function refuse(): Promise<never> {
  throw new Error("a published index is read only");
}

/**
 * The storage that an index is mounted on. Ids are the numbers of posts, newest first. Answers are whole: who asks
 * sets no limit. Methods reject with `IndexUnavailable` when a part of the index is not as it should be.
 */
export class BlockStorage implements StorageInterface {
  /** The reader of the index's files, under the name that FlexSearch's interface wants. An `Index` has a `db`, too: this storage. */
  readonly db: IndexReader;

  constructor(reader: IndexReader) {
    this.db = reader;
  }

  /** `index.mount` calls this: from now on the index asks this storage. */
  async mount(index: object): Promise<void> {
    Object.assign(index, { db: this });
  }

  /** The posts that contain a unit. FlexSearch asks so for the only term of a keyword. */
  get(unit: string): Promise<DocIds> {
    return searchKeyword(this.db, unit);
  }

  /** The posts in which units follow each other; every post where there is no unit. */
  search(_: Index, units: string[]): Promise<DocIds> {
    return searchKeyword(this.db, units.join(""));
  }

  async open(): Promise<void> {}
  async close(): Promise<void> {}
  readonly commit = refuse;
  readonly remove = refuse;
  readonly clear = refuse;
  readonly destroy = refuse;
}
