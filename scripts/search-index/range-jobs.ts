/** The work on one range of first units, as jobs for threads. */
import type { ListKind } from "../../functions/engine/index-format.ts";
import { findFrequentGrams, buildPostings, type Texts, type UnitRange } from "./build-postings.ts";
import {
  PostingBlockWriter,
  type BlockSizes,
  type EncodedPostings,
} from "./posting-block-writer.ts";

/** What every job needs. */
export interface JobOptions {
  readonly texts: Texts;
  /** A gram is frequent when this many posts contain it. */
  readonly frequent: number;
  readonly sizes: BlockSizes;
}

/** Every job by its name. */
export type PostingJobs = {
  /** Finds the frequent grams; must be done on all ranges before lists are packed. */
  readonly find: (range: UnitRange) => string[];
  /** Packs all lists. */
  readonly pack: (range: UnitRange) => Readonly<Record<ListKind, EncodedPostings>>;
};

export default function createJobs({ texts, frequent, sizes }: JobOptions): PostingJobs {
  return {
    find: (range) => findFrequentGrams(texts, range, frequent),
    pack(range) {
      const { units, offsets } = texts;
      const posts = new PostingBlockWriter(units, offsets.length - 1, sizes);
      const positions = new PostingBlockWriter(units, units.length, sizes);
      buildPostings(texts, range, { posts, positions });
      return { posts: posts.finish(), positions: positions.finish() };
    },
  };
}
