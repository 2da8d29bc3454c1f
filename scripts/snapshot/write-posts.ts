/** The rows of an export → the documents of all posts, and what the other files need to know of the posts. */
import {
  post as postSchema,
  searchHit,
  type Post,
  type SearchHit,
} from "../../functions/contract/resources.ts";
import type { Progress } from "../cli/progress.ts";
import { ExamplePost } from "../documents/example-calls.ts";
import { hitFromPost, postFromRows, type PostTitle, type PostUrl } from "../documents/post.ts";
import type { Export } from "../export/open.ts";
import { givenSimilarPosts, postRows, rowsOf, type PostRows } from "../export/rows.ts";
import { contractRules } from "../lib/json-schema.ts";
import { collectGarbage, collectInLoop } from "../lib/collect-garbage.ts";
import { startJobs } from "../lib/job-threads.ts";
import type { PostTexts } from "../lib/post-texts.ts";
import { similarPosts } from "../similar/similar-posts.ts";
import { TotalsCounter, type Totals } from "./totals.ts";
import type {
  PostDocument,
  PostWriterJobs,
  PostWriterOptions,
  SharedPostFiles,
} from "./post-writer.ts";

/** With fewer posts, starting a thread takes longer than it saves. */
const fewestForThread = 2000;
/** Posts are handed over in batches, up to this many characters or posts. */
const batchCharacters = 2 ** 18;
const batchPosts = 256;

/** A document that does not follow the contract: a fault of this program, not of the export. */
class InvalidDocument extends Error {}

/** Totals for all posts, and what other files need to know of each. */
export interface WrittenPosts extends SharedPostFiles {
  /** Every post as search shows it, by ascending id. */
  readonly hits: readonly SearchHit[];
  /** SHA-256 of each post's document, in the order of the hits. */
  readonly digests: readonly string[];
  /** Bytes of the posts' own files. */
  readonly bytes: number;
  readonly totals: Totals;
  /** Number of posts by tag name. */
  readonly tagCounts: ReadonlyMap<string, number>;
  /** The post that shows well in documentation. */
  readonly example: ExamplePost;
}

/** How posts are written. */
export interface WritePostsOptions extends PostWriterOptions {
  /** Ids of the posts that get no file of their own. */
  readonly packed: ReadonlySet<number>;
  readonly postUrl: PostUrl;
}

/**
 * Writes every post.
 *
 * @param texts every post, by ascending id
 * @throws InvalidDocument when a document would not follow the contract
 */
export async function writePosts(
  source: Export,
  texts: PostTexts,
  { packed, postUrl, ...options }: WritePostsOptions,
  progress: Progress,
): Promise<WrittenPosts> {
  const hits: SearchHit[] = [];
  const counter = new TotalsCounter();
  const tagCounts = new Map<string, number>();
  const example = new ExamplePost();
  const assertValid = contractAssertion();
  const documents = documentsOf(source, await similarityOf(source, texts, progress), postUrl);
  const step = progress.step("documents", "posts", texts.count);
  const writer = await startJobs<PostWriterJobs>(
    new URL("post-writer.ts", import.meta.url),
    options,
    texts.count < fewestForThread ? 0 : 1,
  );
  function* contents(): Generator<PostDocument> {
    for (const post of documents) {
      const hit = hitFromPost(post);
      assertValid(post, hit);
      const content = JSON.stringify(post);
      collectInLoop(hits.length);
      hits.push(hit);
      counter.add(post);
      example.consider(post, content.length);
      for (const name of hit.tagNames) tagCounts.set(name, (tagCounts.get(name) ?? 0) + 1);
      yield { postId: post.postId, content, isPacked: packed.has(post.postId) };
    }
  }
  try {
    const digests: string[] = [];
    let bytes = 0;
    for await (const written of writer.run("write", inBatches(contents()))) {
      for (const digest of written.digests) digests.push(digest);
      bytes += written.bytes;
      step.update(digests.length);
    }
    const shared = await writer.one("finish");
    return { hits, tagCounts, example, totals: counter.totals, digests, bytes, ...shared };
  } finally {
    await writer.stop();
    step.done();
  }
}

function* inBatches(documents: Iterable<PostDocument>): Generator<readonly PostDocument[]> {
  let batch: PostDocument[] = [];
  let characters = 0;
  for (const document of documents) {
    batch.push(document);
    characters += document.content.length;
    if (characters < batchCharacters && batch.length < batchPosts) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

/** The documents of all posts, by ascending id. */
function* documentsOf(
  source: Export,
  similarOf: (postId: number) => Iterable<number>,
  postUrl: PostUrl,
): Generator<Post> {
  const titles = new Map<number, string>();
  const columns = ["post_id", "post_title"] as const;
  for (const { post_id, post_title } of rowsOf(source, "posts", { columns }))
    titles.set(post_id, post_title);
  const titleOf = (rows: PostRows | undefined): PostTitle | undefined =>
    rows && { postId: rows.post.post_id, postTitle: rows.post.post_title };
  for (const [previous, rows, next] of withNeighbours(postRows(source)))
    yield postFromRows(
      rows,
      {
        previous: titleOf(previous),
        next: titleOf(next),
        similar: similarOf(rows.post.post_id),
        titleOf: (postId) => titles.get(postId),
      },
      postUrl,
    );
}

/** A function that throws when a document does not follow the contract. */
function contractAssertion(): (post: Post, hit: SearchHit) => void {
  const rulesOfPost = contractRules(postSchema);
  const rulesOfHit = contractRules(searchHit);
  return (post, hit) => {
    const problems = [...rulesOfPost(post), ...rulesOfHit(hit)];
    if (problems.length > 0)
      throw new InvalidDocument(`post ${post.postId}: ${problems.join("; ")}`);
  };
}

/**
 * Similar posts of every post: the export's own where it has them, else computed.
 * Call the returned function for every post id, in ascending order.
 */
async function similarityOf(
  source: Export,
  texts: PostTexts,
  progress: Progress,
): Promise<(postId: number) => Iterable<number>> {
  if (source.has("similar_posts")) return givenSimilarPosts(source);
  const step = progress.step("similar posts", "posts", texts.count);
  try {
    const { ids, offsets } = await similarPosts(texts, { progress: step.update });
    collectGarbage();
    let position = 0;
    return () => ids.subarray(offsets[position], offsets[++position]);
  } finally {
    step.done();
  }
}

/** Each element with the one before and the one after it. */
function* withNeighbours<T>(
  elements: Iterable<T>,
): Generator<readonly [previous: T | undefined, element: T, next: T | undefined]> {
  let previous: T | undefined;
  let current: T | undefined;
  for (const next of elements) {
    if (current !== undefined) yield [previous, current, next];
    previous = current;
    current = next;
  }
  if (current !== undefined) yield [previous, current, undefined];
}
