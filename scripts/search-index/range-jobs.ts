/** The work on one range of a segment's first units, as jobs for threads. */
import type { ListKind } from "../../functions/engine/index-format.ts";
import { findFrequentGrams, buildPostings, type Texts, type UnitRange } from "./build-postings.ts";
import {
  PostingBlockWriter,
  type BlockSizes,
  type EncodedPostings,
} from "./posting-block-writer.ts";

/** A job: one range of a segment. */
export interface RangeJob {
  readonly texts: Texts;
  readonly range: UnitRange;
  /** A gram is frequent when this many posts contain it. */
  readonly frequent: number;
}

/** Every job by its name. */
export type PostingJobs = {
  /** Finds the frequent grams; must be done on all ranges of a segment before its lists are packed. */
  readonly find: (job: RangeJob) => string[];
  /** Packs all lists. */
  readonly pack: (job: RangeJob) => Readonly<Record<ListKind, EncodedPostings>>;
};

export default function createJobs(sizes: BlockSizes): PostingJobs {
  return {
    find: ({ texts, range, frequent }) => findFrequentGrams(texts, range, frequent),
    pack({ texts, range }) {
      const { units, offsets } = texts;
      const posts = new PostingBlockWriter(units, offsets.length - 1, sizes);
      const positions = new PostingBlockWriter(units, units.length, sizes);
      buildPostings(texts, range, { posts, positions });
      return { posts: posts.finish(), positions: positions.finish() };
    },
  };
}
