/**
 * Similar posts, computed from text and tags where the export gives none: BM25 weights over words and
 * character pairs, cosine, near-duplicates thinned out. Terms are counted (count.ts), weighed
 * (weigh.ts), then posts are compared (rank.ts), each step on all posts before the next one begins.
 */
import { IntTable } from "../lib/int-table.ts";
import { startJobs, threadsFor, type Jobs, type JobRunner } from "../lib/job-threads.ts";
import type { PostTexts } from "../lib/post-texts.ts";
import type { CountJobs, CountOptions } from "./count.ts";
import { sketchLength } from "./near-duplicates.ts";
import type { PostRange, RankJobs, RankOptions } from "./rank.ts";
import { emptyVectors, listsOf, termsPerPost, type Vectors } from "./vectors.ts";
import { postsFrom } from "./terms.ts";
import type { WeighJobs, WeighOptions } from "./weigh.ts";

/** Version of the method; a change to anything in similar/ that changes results raises it. */
export const similarMethod = "bm25-cosine 3";

/**
 * The least cosine that counts as similar: 99 of 100 random pairs are below it, within these bounds.
 * Long texts on all subjects are far apart, short ones on few subjects are close.
 */
const chance = 0.99;
const leastBound = 0.03;
const greatestBound = 0.09;
/**
 * Terms in more posts than this share, or than this many, say little and cost most: without them the
 * cost grows little faster than the number of posts.
 */
const commonShare = 1 / 4;
const commonPosts = 2000;
/** A term in no more posts than this is never too common, however small the collection. */
const fewPosts = 8;
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
  { threads = threadsFor(texts.units), progress = () => {} }: SimilarityOptions = {},
): Promise<SimilarPosts> {
  const { count, postIds } = texts;
  const posts = postsFrom(texts);
  const sketches = new Uint32Array(new SharedArrayBuffer(count * sketchLength * 4));
  const { meanLength, ...counts } = await countTerms({ posts, sketches }, count, threads);
  const useful = usefulTerms(counts, count);
  const vectors = emptyVectors(count);
  await weigh({ posts, ...useful, meanLength, vectors }, count, threads);
  const lists = listsOf(vectors, useful.terms.length);
  const least = leastSimilarity(vectors, useful.terms.length);
  return rank({ vectors, lists, sketches, least }, postIds, threads, progress);
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
): Pick<WeighOptions, "terms" | "idf"> {
  const common = Math.max(fewPosts, Math.min(commonPosts, count * commonShare));
  // A term of one post alone joins it to nothing.
  const useful = [...terms.keys()].filter((i) => posts[i]! >= 2 && posts[i]! <= common);
  return {
    terms: Uint32Array.from(useful, (i) => terms[i]!),
    idf: Float32Array.from(useful, (i) => Math.sqrt(Math.log(count / posts[i]!))),
  };
}

const weigh = (options: WeighOptions, count: number, threads: number): Promise<void> =>
  withJobs<WeighJobs, void>("weigh.ts", options, threads, async (runner) => {
    for await (const _ of runner.run("weigh", rangesOf(count)));
  });

/** The least cosine that counts as similar, from 20,000 pairs spread evenly over all posts. */
function leastSimilarity({ columns, weights, sizes }: Vectors, terms: number): number {
  const posts = sizes.length;
  const [firsts, seconds] = [200, 100];
  const cosines: number[] = [];
  const row = new Float32Array(terms);
  for (let i = 0; i < firsts && posts > 1; i++) {
    const first = Math.floor((i * posts) / firsts);
    const start = first * termsPerPost;
    for (let at = start; at < start + sizes[first]!; at++) row[columns[at]!] = weights[at]!;
    for (let j = 0; j < seconds; j++) {
      const second = (first + 1 + Math.floor((j * (posts - 1)) / seconds)) % posts;
      const from = second * termsPerPost;
      let cosine = 0;
      for (let at = from; at < from + sizes[second]!; at++)
        cosine += row[columns[at]!]! * weights[at]!;
      cosines.push(cosine);
    }
    for (let at = start; at < start + sizes[first]!; at++) row[columns[at]!] = 0;
  }
  const level = cosines.sort((a, b) => a - b)[Math.floor(cosines.length * chance)] ?? 0;
  return Math.min(greatestBound, Math.max(leastBound, level));
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
