/** The rows of an export → the documents of all posts, and what the other files need to know of the posts. */
import type { Post, SearchHit } from "../../functions/contract/resources.ts";
import type { Progress } from "../cli/progress.ts";
import { ExamplePost } from "../documents/example-calls.ts";
import { hitFromPost, postFromRows, type PostUrl } from "../documents/post.ts";
import type { Export } from "../export/open.ts";
import { givenSimilarPosts, postRows, readRows } from "../export/rows.ts";
import { collectGarbage, collectGarbageInLoop } from "../lib/collect-garbage.ts";
import { createWorkerPool } from "../lib/worker-pool.ts";
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

/** Totals for all posts, and what other files need to know of each. */
export interface WrittenPosts extends SharedPostFiles {
  /** Every post as a search shows it (SearchHit), by ascending id: all posts, not those of a search. */
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
 * Writes every post. Whether each document follows the contract is checked later, where the snapshot is verified.
 *
 * @param texts every post, by ascending id
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
  const documents = makeDocuments(source, await readSimilarPosts(source, texts, progress), postUrl);
  const step = progress.step("documents", "posts", texts.count);
  // Its jobs are in that file.
  const writer = await createWorkerPool<PostWriterJobs>(
    new URL("post-writer.ts", import.meta.url),
    options,
    texts.count < fewestForThread ? 0 : 1,
  );
  /** The JSON of each post, which is counted on the way, and its SearchHit kept. */
  function* contents(): Generator<PostDocument> {
    for (const post of documents) {
      const hit = hitFromPost(post);
      const content = JSON.stringify(post);
      collectGarbageInLoop(hits.length);
      hits.push(hit);
      counter.add(post);
      example.consider(post);
      for (const name of hit.tagNames) tagCounts.set(name, (tagCounts.get(name) ?? 0) + 1);
      yield { postId: post.postId, content, mayBePacked: packed.has(post.postId) };
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
    const shared = await writer.runOne("finish");
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
function* makeDocuments(
  source: Export,
  similarOf: (postId: number) => Iterable<number>,
  postUrl: PostUrl,
): Generator<Post> {
  const titles = new Map<number, string>();
  const query = { columns: ["post_id", "post_title"], orderBy: ["post_id"] } as const;
  for (const { post_id, post_title } of readRows(source, "posts", query))
    titles.set(post_id, post_title);
  const ids = [...titles.keys()];
  let position = 0;
  for (const rows of postRows(source)) {
    const neighbours = { previous: ids[position - 1] ?? 0, next: ids[position + 1] ?? 0 };
    const similar = similarOf(rows.post.post_id);
    const titleOf = (postId: number): string | undefined => titles.get(postId);
    yield postFromRows(rows, { ...neighbours, similar, titleOf }, postUrl);
    position++;
  }
}

/**
 * Similar posts of every post: the export's own where it has them, else computed.
 * Call the returned function for every post id, in ascending order.
 */
async function readSimilarPosts(
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
