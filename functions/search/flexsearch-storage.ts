/** FlexSearch's storage interface over the published blocks: lists are read, and nothing is written. */
import type { Id, Index, StorageInterface } from "flexsearch";
import type { IndexFiles, PostNumbers } from "./index-files.ts";
import { postsWithAdjoining } from "./matching.ts";
import { postsOf } from "./positions.ts";

/** The part of a list that FlexSearch asks for. @param limit 0 for all */
const pageOf = (posts: PostNumbers, limit: number, offset: number): PostNumbers =>
  offset === 0 && (limit === 0 || limit >= posts.length)
    ? posts
    : posts.subarray(offset, limit === 0 ? undefined : offset + limit);

async function refuse(): Promise<never> {
  throw new Error("a published index is read only");
}

/**
 * The storage that an index is mounted on. Ids are the numbers of posts, newest first; its methods
 * reject with `IndexUnavailable` when a part of the index is not as it should be.
 */
export class BlockStorage implements StorageInterface {
  readonly db: IndexFiles;

  constructor(files: IndexFiles) {
    this.db = files;
  }

  /** `index.mount` calls this: from now on the index asks this storage. */
  async mount(index: object): Promise<void> {
    Object.assign(index, { db: this });
  }

  /** The posts that contain a gram. FlexSearch asks so for the only term of a keyword. */
  async get(gram: string, _context: string, limit = 0, offset = 0): Promise<PostNumbers> {
    const { db } = this;
    if (db.isFrequent(gram)) return pageOf(await db.posts(gram), limit, offset);
    const [positions] = await db.positions([gram]);
    return pageOf(postsOf(positions!, db.catalog.textOffsets), limit, offset);
  }

  /** The posts in which terms follow each other unit by unit; every post where there is no term. */
  async search(_: Index, terms: string[], limit = 0, offset = 0): Promise<PostNumbers> {
    const { db } = this;
    const posts = terms.length === 0 ? db.everyPost : await postsWithAdjoining(db, terms);
    return pageOf(posts, limit, offset);
  }

  /** Posts with their SearchHit objects, as JSON, in the order of `ids`. */
  async enrich(ids: readonly number[]): Promise<{ id: number; doc: string }[]> {
    const hits = await this.db.hits(ids);
    return ids.map((id, i) => ({ id, doc: hits[i]! }));
  }

  async has(id: Id): Promise<boolean> {
    return Number(id) < this.db.manifest.posts;
  }

  async open(): Promise<void> {}
  async close(): Promise<void> {}
  readonly commit = refuse;
  readonly remove = refuse;
  readonly clear = refuse;
  readonly destroy = refuse;
}
