/**
 * Similar posts, computed from text and tags where the export gives none: BM25 weights over words and
 * character pairs, cosine, near-duplicates thinned out. What posts repeat is left out (left-out.ts), terms
 * are counted (count.ts), weighed (weigh.ts), then posts are compared (rank.ts), each step on all posts
 * before the next one begins.
 */
import { IntTable } from "../lib/int-table.ts";
import { startJobs, threadsFor, type Jobs, type JobRunner } from "../lib/job-threads.ts";
import type { PostTexts } from "../lib/post-texts.ts";
import type { CountJobs, CountOptions } from "./count.ts";
import { sketchLength } from "./near-duplicates.ts";
import type { PostRange, RankJobs, RankOptions } from "./rank.ts";
import { emptyVectors, listsOf } from "./vectors.ts";
import { leftOutOptions, type LeftOutJobs } from "./left-out.ts";
import { postsFrom } from "./terms.ts";
import { mixed } from "./tokens.ts";
import type { WeighJobs, WeighOptions } from "./weigh.ts";

/** Version of the method; a change to anything in similar/ that changes results raises it. */
export const similarMethod = "bm25-cosine 4";

/**
 * Terms in more posts than this share, or than this many, say little and cost most: without them the
 * cost grows little faster than the number of posts.
 */
const commonShare = 1 / 4;
const commonPosts = 2000;
/** A term in no more posts than this is never too common, however small the collection. */
const fewPosts = 8;
/** What two posts need to have in common to be similar (see rank.ts). Found by reading pairs of posts. */
const enoughInCommon = 0.25;
/** Posts whose cosines with a post show how similar it is to any: the mean is within an eighth. */
const sampled = 1000;
/** Posts that a thread compares with all others at a time. */
const postsPerJob = 500;

/** Similar posts of every post. */
export interface SimilarPosts {
  /** The similar posts' ids, post after post, best first. */
  readonly ids: Float64Array;
  /** Offset in `ids` of each post's; last, the length of `ids`. */
  readonly offsets: Uint32Array;
}

/** How similar posts are computed. */
export interface SimilarityOptions {
  /** Number of threads, 0 for none besides this one; the result is the same for every number. */
  readonly threads?: number;
  /** Whether repeated passages and URLs are left out; for benchmarks. */
  readonly leavesOut?: boolean;
  /** What two posts need to have in common; for benchmarks. */
  readonly leastInCommon?: number;
  /** Called with the number of posts whose similar posts are found. */
  readonly progress?: (posts: number) => void;
}

/**
 * Finds similar posts among all posts.
 *
 * @returns up to `mostSimilar` for each, in the order of the posts; ties by that order
 */
export async function similarPosts(
  texts: PostTexts,
  {
    threads = threadsFor(texts.units),
    leavesOut = true,
    leastInCommon = enoughInCommon,
    progress = () => {},
  }: SimilarityOptions = {},
): Promise<SimilarPosts> {
  const { count, postIds } = texts;
  const posts = postsFrom(texts, await leftOutOf(texts, leavesOut, threads));
  const sketches = new Uint32Array(new SharedArrayBuffer(count * sketchLength * 4));
  const { meanLength, ...counts } = await countTerms({ posts, sketches }, count, threads);
  const useful = usefulTerms(counts, count);
  const vectors = emptyVectors(count);
  await weigh({ posts, ...useful, meanLength, vectors }, count, threads);
  const lists = listsOf(vectors, useful.terms.length);
  const sample = sampleOf(postIds);
  const sampleLists = listsOf(vectors, useful.terms.length, sample);
  const [means, deviations] = [0, 1].map(
    () => new Float32Array(new SharedArrayBuffer(count * 4)),
  ) as [Float32Array, Float32Array];
  const options = {
    vectors,
    lists,
    sample,
    sampleLists,
    means,
    deviations,
    sketches,
    leastInCommon,
  };
  return rank(options, postIds, threads, progress);
}

/** Works with the jobs of a module in this folder. */
async function withJobs<J extends Jobs, T>(
  file: string,
  options: unknown,
  threads: number,
  work: (runner: JobRunner<J>) => Promise<T>,
): Promise<T> {
  const runner = await startJobs<J>(new URL(file, import.meta.url), options, threads);
  try {
    return await work(runner);
  } finally {
    await runner.stop();
  }
}

/** Cuts all posts into ranges. */
function* rangesOf(count: number): Generator<PostRange> {
  for (let from = 0; from < count; from += postsPerJob)
    yield { from, to: Math.min(from + postsPerJob, count) };
}

/** Finds what says nothing about a post. @returns by piece of the texts, a bit for each unit */
const leftOutOf = (
  texts: PostTexts,
  leavesOut: boolean,
  threads: number,
): Promise<readonly Uint8Array[]> => {
  const options = leftOutOptions(texts.shared(), texts.count, texts.units);
  return withJobs<LeftOutJobs, readonly Uint8Array[]>(
    "left-out.ts",
    options,
    threads,
    async (runner) => {
      if (!leavesOut) return options.leftOut;
      for await (const _ of runner.run("count", rangesOf(texts.count)));
      for await (const _ of runner.run("mark", rangesOf(texts.count)));
      return options.leftOut;
    },
  );
};

/** The terms of all posts. */
interface TermCounts {
  /** All distinct terms. */
  readonly terms: Uint32Array;
  /** Number of posts that have the term. */
  readonly posts: readonly number[];
}

const countTerms = (
  options: CountOptions,
  count: number,
  threads: number,
): Promise<TermCounts & { readonly meanLength: number }> =>
  withJobs<CountJobs, TermCounts & { readonly meanLength: number }>(
    "count.ts",
    options,
    threads,
    async (runner) => {
      const table = new IntTable();
      const posts: number[] = [];
      let total = 0;
      for await (const counted of runner.run("count", rangesOf(count))) {
        for (let i = 0; i < counted.terms.length; i++) {
          const number = table.number(counted.terms[i]!);
          posts[number] = (posts[number] ?? 0) + counted.posts[i]!;
        }
        total += counted.length;
      }
      return { terms: table.keys, posts, meanLength: total / count };
    },
  );

/** The terms that join posts, and how much they weigh. @param count number of posts */
function usefulTerms(
  { terms, posts }: TermCounts,
  count: number,
): Pick<WeighOptions, "terms" | "idf" | "common" | "rarest"> {
  const most = Math.max(fewPosts, Math.min(commonPosts, count * commonShare));
  // A term of one post alone joins it to nothing.
  const useful = [...terms.keys()].filter((i) => posts[i]! >= 2 && posts[i]! <= most);
  return {
    terms: Uint32Array.from(useful, (i) => terms[i]!),
    idf: Float32Array.from(useful, (i) => Math.sqrt(Math.log(count / posts[i]!))),
    common: terms.filter((_, i) => posts[i]! > most),
    rarest: Math.sqrt(Math.log(Math.max(1, count))),
  };
}

const weigh = (options: WeighOptions, count: number, threads: number): Promise<void> =>
  withJobs<WeighJobs, void>("weigh.ts", options, threads, async (runner) => {
    for await (const _ of runner.run("weigh", rangesOf(count)));
  });

/** Posts that stand for all: those whose ids have the smallest hashes. @returns ascending positions */
function sampleOf(postIds: readonly number[]): Uint32Array {
  const hashes = Float64Array.from(postIds, (id) => mixed(mixed(id) ^ (id / 2 ** 32)));
  const chosen = [...hashes.keys()].sort((a, b) => hashes[a]! - hashes[b]! || a - b);
  return Uint32Array.from(chosen.slice(0, sampled)).sort();
}

const rank = (
  options: RankOptions,
  postIds: readonly number[],
  threads: number,
  progress: (posts: number) => void,
): Promise<SimilarPosts> =>
  withJobs<RankJobs, SimilarPosts>("rank.ts", options, threads, async (runner) => {
    const ids: number[] = [];
    const offsets = new Uint32Array(postIds.length + 1);
    for await (const _ of runner.run("spread", rangesOf(postIds.length)));
    let post = 0;
    for await (const { posts, counts } of runner.run("rank", rangesOf(postIds.length))) {
      for (const other of posts) ids.push(postIds[other]!);
      for (const found of counts) {
        offsets[post + 1] = offsets[post]! + found;
        post++;
      }
      progress(post);
    }
    return { ids: Float64Array.from(ids), offsets };
  });
