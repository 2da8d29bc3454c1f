/** Jobs that count the terms of posts: what must be known of all posts before any can be weighed. */
import { IntMap } from "../lib/int-map.ts";
import { sketchAt, writeSketch } from "./near-duplicates.ts";
import type { PostRange } from "./rank.ts";
import { TermCounter, type Posts } from "./terms.ts";

/** What the jobs need. */
export interface CountOptions {
  readonly posts: Posts;
  /** Sketches of all posts, one after the other. The jobs write here. */
  readonly sketches: Uint32Array;
}

/** What is known of a range of posts. */
export interface RangeCounts {
  /** The distinct terms of all its posts. */
  readonly terms: Uint32Array;
  /** Number of its posts that have the term. */
  readonly posts: Uint32Array;
  /** Terms of its posts together, as they count. */
  readonly length: number;
}

export type CountJobs = { readonly count: (range: PostRange) => RangeCounts };

export default function createJobs({ posts, sketches }: CountOptions): CountJobs {
  const counter = new TermCounter(posts);
  return {
    count({ from, to }) {
      const table = new IntMap();
      const having: number[] = [];
      let length = 0;
      for (let post = from; post < to; post++) {
        const { terms, counts } = counter.count(post);
        for (const count of counts) length += count;
        for (const term of terms) {
          const number = table.getOrAdd(term);
          having[number] = (having[number] ?? 0) + 1;
        }
        writeSketch(terms, sketchAt(sketches, post));
      }
      return { terms: table.keys, posts: Uint32Array.from(having), length };
    },
  };
}
