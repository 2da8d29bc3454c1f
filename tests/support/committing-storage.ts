/**
 * The lists of the search index as FlexSearch itself makes them: `add` collects them, and `commit` hands
 * them to a storage that packs them into blocks. Shares no code with the build but the format of a block.
 */
import { Index, type StorageInterface } from "flexsearch";
import { longestFrequent, separator } from "../../functions/engine/grams.ts";
import { PostingBlockWriter } from "../../scripts/search-index/posting-block-writer.ts";
import type { Layout } from "../../scripts/search-index/write-segments.ts";

/** What FlexSearch collected: the ids of each term, in the slots of their scores. `resolution: 1` has one. */
interface Collected {
  readonly map: Map<string, readonly (readonly number[])[]>;
  readonly reg: { clear(): void };
}

/** A storage that takes each term's ids, terms in the order of their units. */
class CommittingStorage implements StorageInterface {
  readonly db = {};
  readonly #take: (lists: [gram: string, ids: Uint32Array][]) => void;

  constructor(take: (lists: [gram: string, ids: Uint32Array][]) => void) {
    this.#take = take;
  }

  async mount(index: object): Promise<void> {
    Object.assign(index, { db: this });
  }

  async commit(index: Index): Promise<void> {
    const { map, reg } = index as unknown as Collected;
    const byUnits = (a: string, b: string): number => (a < b ? -1 : 1);
    this.#take(
      [...map.keys()]
        .sort(byUnits)
        .map((gram) => [gram, Uint32Array.from(map.get(gram)?.[0] ?? [])]),
    );
    map.clear();
    reg.clear();
  }

  async open(): Promise<void> {}
  async close(): Promise<void> {}
  async clear(): Promise<void> {}
  async destroy(): Promise<void> {}
}

/** The frequent grams by their definition, a width at a time: this many posts contain each. */
function frequentGramsOf(posts: readonly string[], least: number): Set<string> {
  const frequent = new Set<string>();
  const isFrequent = (gram: string): boolean => gram.length === 1 || frequent.has(gram);
  for (let width = 2; width <= longestFrequent; width++) {
    const counts = new Map<string, number>();
    for (const post of posts) {
      const grams = new Set<string>();
      for (let at = 0; at + width <= post.length; at++) {
        const gram = post.slice(at, at + width);
        if (isFrequent(gram.slice(1)) && isFrequent(gram.slice(0, -1)) && !gram.includes(separator))
          grams.add(gram);
      }
      for (const gram of grams) counts.set(gram, (counts.get(gram) ?? 0) + 1);
    }
    for (const [gram, count] of counts) if (count >= least) frequent.add(gram);
  }
  return frequent;
}

const indexOf = async (storage: CommittingStorage, encode: (text: string) => string[]) => {
  // Without `commit: false`, FlexSearch would commit by a timer.
  const index = new Index<false, CommittingStorage>({ resolution: 1, commit: false, encode });
  await index.mount(storage);
  return index as unknown as { add(id: number, text: string): void; commit(): Promise<void> };
};

/** The bytes of both kinds of lists. */
export interface CommittedLists {
  readonly posts: Buffer;
  readonly positions: Buffer;
}

/**
 * Adds all posts to two FlexSearch indexes and commits both: posts with their frequent grams as terms,
 * and positions with the gram there as their term.
 *
 * @param posts title and text of each post, newest first, each followed by a separator
 */
export async function committedLists(
  posts: readonly string[],
  { frequentFrom, blockBytes, pageBytes, rangePositions }: Layout,
): Promise<CommittedLists> {
  const frequent = frequentGramsOf(posts, frequentFrom(posts.length));
  const isFrequent = (gram: string): boolean =>
    gram !== separator && (gram.length === 1 || frequent.has(gram));
  const all = posts.join("");
  const frequentWidth = (at: number): number => {
    let width = 0;
    while (at + width < all.length && isFrequent(all.slice(at, at + width + 1))) width++;
    return width;
  };
  const pack = (
    universe: number,
    lists: [string, Uint32Array][],
    group: (gram: string) => string,
  ) => {
    const joined = lists.map(([gram]) => gram).join("");
    const packer = new PostingBlockWriter(
      Uint16Array.from({ length: joined.length }, (_, i) => joined.charCodeAt(i)),
      universe,
      { blockBytes, pageBytes },
    );
    let at = 0;
    for (const [i, [gram, ids]] of lists.entries()) {
      packer.add(at, gram.length, ids);
      const next = lists[i + 1]?.[0];
      if (next === undefined || group(next) !== group(gram))
        packer.endGroup(at, group(gram).length);
      at += gram.length;
    }
    return packer.finish().blocks;
  };
  /** What all grams of a group begin with: the shortest beginning that is not frequent. */
  const groupOf = (gram: string): string => {
    let width = 1;
    while (isFrequent(gram.slice(0, width))) width++;
    return gram.slice(0, width);
  };

  const blocks = { posts: [] as Uint8Array[], positions: [] as Uint8Array[] };
  // FlexSearch takes a text; the terms of a post are given with a separator between them.
  const postsIndex = await indexOf(
    new CommittingStorage((lists) =>
      blocks.posts.push(...pack(posts.length, lists, (gram) => gram)),
    ),
    (terms) => terms.split(separator),
  );
  const positionsIndex = await indexOf(
    new CommittingStorage((lists) => blocks.positions.push(...pack(all.length, lists, groupOf))),
    (gram) => [gram],
  );
  const counts = new Uint32Array(65_536);
  for (let at = 0; at < all.length; at++) counts[all.charCodeAt(at)]!++;
  counts[0] = 0;
  // Commits by ranges of first units: what an index registers before a commit is bounded by its `Set`.
  for (let from = 1, to = 1; from < counts.length; from = to) {
    let held = 0;
    while (to < counts.length && held < rangePositions) held += counts[to++]!;
    const isInRange = (at: number): boolean =>
      all.charCodeAt(at) >= from && all.charCodeAt(at) < to;
    let start = 0;
    for (const [number, post] of posts.entries()) {
      const terms = new Set<string>();
      for (let at = start; at < start + post.length; at++) {
        if (!isInRange(at)) continue;
        const width = frequentWidth(at);
        for (let i = 1; i <= width; i++) terms.add(all.slice(at, at + i));
        const reach = Math.max(width, frequentWidth(at + 1)) + 1;
        const gram = all.slice(at, at + reach);
        // At the end of a text, a frequent gram reaches no further.
        if (!gram.includes(separator)) positionsIndex.add(at, gram);
        else if (!isFrequent(gram.slice(0, gram.indexOf(separator))))
          positionsIndex.add(at, gram.slice(0, gram.indexOf(separator)));
      }
      if (terms.size > 0) postsIndex.add(number, [...terms].join(separator));
      start += post.length;
    }
    await postsIndex.commit();
    await positionsIndex.commit();
  }
  return { posts: Buffer.concat(blocks.posts), positions: Buffer.concat(blocks.positions) };
}
