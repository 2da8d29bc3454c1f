/**
 * Similar posts, computed from text and tags where the export gives none: BM25 weights over words and
 * character pairs, cosine, near-duplicates thinned out. What posts repeat is left out (boilerplate.ts), terms
 * are counted (count.ts), weighed (weigh.ts), then posts are compared (rank.ts), each step on all posts
 * before the next one begins.
 */
import { IntMap } from "../lib/int-map.ts";
import { createWorkerPool, threadsFor } from "../lib/worker-pool.ts";
import type { PostTexts } from "../lib/post-texts.ts";
import type { CountJobs, CountOptions, RangeCounts } from "./count.ts";
import { sketchLength } from "./near-duplicates.ts";
import type { PostRange, RankJobs, RankOptions } from "./rank.ts";
import { emptyVectors, invertVectors, sharedBuffer } from "./vectors.ts";
import { boilerplateOptions, type BoilerplateJobs } from "./boilerplate.ts";
import { postsFrom, type Posts } from "./terms.ts";
import { mixHash } from "./tokens.ts";
import type { WeighJobs, WeighOptions } from "./weigh.ts";

/** Version of the method; a change to anything in similar/ that changes results raises it. */
export const similarMethod = "bm25-cosine 4";

/**
 * Terms in more posts than this share, or than this many, say little and cost most: without them the
 * cost grows little faster than the number of posts.
 */
const commonTermShare = 1 / 4;
const commonTermPosts = 2000;
/** A term in no more posts than this is never too common, however small the collection. */
const fewPosts = 8;
/** What two posts need to have in common to be similar (see rank.ts). Found by reading pairs of posts. */
const minSimilarity = 0.25;
/** Posts whose cosines with a post show how similar it is to any: the mean is within an eighth. */
const sampleSize = 1000;
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
  options: SimilarityOptions = {},
): Promise<SimilarPosts> {
  const { threads = threadsFor(texts.units), leavesOut = true } = options;
  const { leastInCommon = minSimilarity, progress = () => {} } = options;
  const crew: Crew = { count: texts.count, threads };
  // Each step is a function of its own, so that what only that step needs is given back.
  const posts = postsFrom(texts, await findBoilerplate(crew, texts, leavesOut));
  const vectors = await weighTerms(crew, posts, texts.postIds);
  return rankPosts(crew, { ...vectors, leastInCommon }, texts.postIds, progress);
}

/** Who works on which posts. */
interface Crew {
  /** Number of posts. */
  readonly count: number;
  readonly threads: number;
}

/** Work on ranges of posts. */
type JobsByRange = Readonly<Record<string, (range: PostRange) => unknown>>;

/**
 * Does jobs of a module in this folder on all posts, range by range.
 *
 * @returns what each gives, in their order
 */
async function* onAll<J extends JobsByRange>(
  { count, threads }: Crew,
  file: string,
  options: unknown,
  ...names: readonly (keyof J & string)[]
): AsyncGenerator<ReturnType<J[keyof J]>> {
  const runner = await createWorkerPool<JobsByRange>(
    new URL(file, import.meta.url),
    options,
    threads,
  );
  try {
    for (const name of names)
      yield* runner.run(name, postRanges(count)) as AsyncGenerator<ReturnType<J[keyof J]>>;
  } finally {
    await runner.stop();
  }
}

/** Waits for jobs that leave their results in shared memory. */
async function done(jobs: AsyncGenerator<void>): Promise<void> {
  while ((await jobs.next()).done !== true);
}

/**
 * Marks of what is left out.
 *
 * @param leavesOut whether anything is
 */
async function findBoilerplate(
  crew: Crew,
  texts: PostTexts,
  leavesOut: boolean,
): Promise<Posts["leftOut"]> {
  const options = boilerplateOptions(texts.shared(), crew.count, texts.units);
  if (leavesOut)
    await done(onAll<BoilerplateJobs>(crew, "boilerplate.ts", options, "count", "mark"));
  return options.leftOut;
}

/** What posts are compared by. */
async function weighTerms(
  crew: Crew,
  posts: Posts,
  postIds: readonly number[],
): Promise<Omit<RankOptions, "leastInCommon">> {
  const { count } = crew;
  const sketches = new Uint32Array(sharedBuffer(count * sketchLength * 4));
  const counting: CountOptions = { posts, sketches };
  const counts = await joinCounts(onAll<CountJobs>(crew, "count.ts", counting, "count"), count);
  const useful = usefulTerms(counts, count);
  const vectors = emptyVectors(count);
  const weighing: WeighOptions = { posts, ...useful, meanLength: counts.meanLength, vectors };
  await done(onAll<WeighJobs>(crew, "weigh.ts", weighing, "weigh"));
  const references = drawSample(postIds);
  return {
    vectors,
    lists: invertVectors(vectors, useful.terms.length),
    references,
    referenceLists: invertVectors(vectors, useful.terms.length, references),
    means: new Float32Array(sharedBuffer(count * 4)),
    deviations: new Float32Array(sharedBuffer(count * 4)),
    sketches,
  };
}

/**
 * The similar posts of all posts.
 *
 * @param progress as in `SimilarityOptions`
 */
async function rankPosts(
  crew: Crew,
  options: RankOptions,
  postIds: readonly number[],
  progress: (posts: number) => void,
): Promise<SimilarPosts> {
  const ids: number[] = [];
  const offsets = new Uint32Array(crew.count + 1);
  let post = 0;
  for await (const found of onAll<RankJobs>(crew, "rank.ts", options, "spread", "rank")) {
    if (found === undefined) continue;
    for (const other of found.posts) ids.push(postIds[other]!);
    for (const length of found.counts) {
      offsets[post + 1] = offsets[post]! + length;
      post++;
    }
    progress(post);
  }
  return { ids: Float64Array.from(ids), offsets };
}

/** Cuts all posts into ranges. */
function* postRanges(count: number): Generator<PostRange> {
  for (let from = 0; from < count; from += postsPerJob)
    yield { from, to: Math.min(from + postsPerJob, count) };
}

/** The terms of all posts. */
interface TermCounts {
  /** All distinct terms. */
  readonly terms: Uint32Array;
  /** Number of posts that have the term. */
  readonly posts: readonly number[];
  /** Mean length of a post: its terms, as they count. */
  readonly meanLength: number;
}

/**
 * Joins the counts of all ranges.
 *
 * @param count number of posts
 */
async function joinCounts(ranges: AsyncIterable<RangeCounts>, count: number): Promise<TermCounts> {
  const table = new IntMap();
  const posts: number[] = [];
  let total = 0;
  for await (const range of ranges) {
    for (let i = 0; i < range.terms.length; i++) {
      const number = table.getOrAdd(range.terms[i]!);
      posts[number] = (posts[number] ?? 0) + range.posts[i]!;
    }
    total += range.length;
  }
  return { terms: table.keys, posts, meanLength: total / count };
}

/**
 * The terms that join posts, and how much they weigh.
 *
 * @param count number of posts
 */
function usefulTerms(
  { terms, posts }: TermCounts,
  count: number,
): Pick<WeighOptions, "terms" | "idf" | "rarest"> {
  const most = Math.max(fewPosts, Math.min(commonTermPosts, count * commonTermShare));
  // A term of one post alone joins it to nothing.
  const useful = [...terms.keys()].filter((i) => posts[i]! >= 2);
  return {
    terms: Uint32Array.from(useful, (i) => terms[i]!),
    idf: Float32Array.from(useful, (i) =>
      posts[i]! > most ? 0 : Math.sqrt(Math.log(count / posts[i]!)),
    ),
    rarest: Math.sqrt(Math.log(Math.max(1, count))),
  };
}

/**
 * Posts that stand for all: those whose ids have the smallest hashes.
 *
 * @returns ascending positions
 */
function drawSample(postIds: readonly number[]): Uint32Array {
  const hashes = Float64Array.from(postIds, (id) => mixHash(mixHash(id) ^ (id / 2 ** 32)));
  const chosen = [...hashes.keys()].sort((a, b) => hashes[a]! - hashes[b]! || a - b);
  return Uint32Array.from(chosen.slice(0, sampleSize)).sort();
}
