/** Reads a snapshot back, and finds what would be wrong for its users: digests, schemas and references. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { postFile } from "../../functions/contract/http.ts";
import type { Post, PostSummary } from "../../functions/contract/resources.ts";
import type { Progress } from "../cli/progress.ts";
import { collectGarbageInLoop } from "../lib/collect-garbage.ts";
import { Yielder } from "../lib/yielder.ts";
import { truncateList } from "../lib/text.ts";
import { publishedRules, type Description, type Rules } from "../lib/json-schema.ts";
import { findChangedFiles, findUnexpectedFiles } from "./compare-files.ts";
import {
  ManifestError,
  postDigests,
  readManifest,
  sha256,
  snapshotId,
  type SnapshotManifest,
} from "./manifest.ts";
import { snapshotFiles } from "./published-files.ts";
import { PostReader } from "./read-posts.ts";

/** A snapshot that can be read at all. */
interface OpenedSnapshot {
  readonly manifest: SnapshotManifest;
  readonly reader: PostReader;
  /** The rules of a post, by the published description. */
  readonly rules: Rules;
  /** The API's version by that description. */
  readonly apiVersion: string;
}

/**
 * @throws ManifestError, or another error, where a file is missing that all others are read by
 */
function openSnapshot(folder: string): OpenedSnapshot {
  const reader = new PostReader(folder);
  const manifest = readManifest(folder);
  const openapi = readFileSync(join(folder, snapshotFiles.openapi), "utf8");
  const description = JSON.parse(openapi) as Description & {
    readonly info?: { readonly version?: unknown };
  };
  const rules = publishedRules(description, "Post");
  return { manifest, reader, rules, apiVersion: String(description.info?.version) };
}

/**
 * Verifies the files of a snapshot: each is the one that was built, and no other is there; every post follows the
 * published description, every reference leads somewhere, and the neighbours form one chain.
 *
 * @param folder a folder with a snapshot, published or staged
 * @returns what is wrong, in words; nothing when all is well
 */
export async function verifySnapshot(folder: string, progress: Progress): Promise<string[]> {
  let snapshot: OpenedSnapshot;
  try {
    snapshot = openSnapshot(folder);
  } catch (error) {
    return [
      `${folder} is not a complete snapshot: ${error instanceof ManifestError ? `${snapshotFiles.manifest} ` : ""}${(error as Error).message}`,
    ];
  }
  const { manifest } = snapshot;
  const changed = findChangedFiles(folder, { ...manifest, posts: {}, packed: [] });
  const unexpected = findUnexpectedFiles(folder, manifest).map((path) =>
    path.endsWith("/")
      ? `${path}: is an empty folder`
      : `${path}: ${snapshotFiles.manifest} does not list this file`,
  );
  return truncateList([...changed, ...unexpected, ...(await verifyPosts(snapshot, progress))], "");
}

/** Compares the titles and URLs that documents give of posts: of their own and of others. */
class References {
  /** What was said of each post first, and the post whose document says so. */
  readonly #first = new Map<number, { readonly claim: string; readonly from: number }>();
  readonly problems: string[] = [];

  /**
   * Takes in what a document says of a post.
   *
   * @param from the document's own post
   */
  add(from: number, { postId, postTitle, postUrl }: PostSummary): void {
    // No URL has a line break.
    const claim = `${postUrl}\n${postTitle}`;
    const first = this.#first.get(postId);
    if (first === undefined) this.#first.set(postId, { claim, from });
    else if (first.claim !== claim)
      this.problems.push(
        `${postFile(from)}: gives post ${postId} another title or URL than ${postFile(first.from)}`,
      );
  }

  /** Finds references that lead nowhere. Ask when all are known. */
  *missing(posts: ReadonlyMap<number, unknown>): Generator<string> {
    for (const [postId, { from }] of this.#first)
      if (!posts.has(postId))
        yield `${postFile(from)}: refers to post ${postId}, which is not there`;
  }
}

/**
 * Reads every post that the manifest lists.
 *
 * @returns what is wrong, in words
 */
async function verifyPosts(
  { manifest, reader, rules, apiVersion }: OpenedSnapshot,
  progress: Progress,
): Promise<string[]> {
  const posts = postDigests(manifest);
  const ids = [...posts.keys()];
  const digests: string[] = [];
  const problems: string[] = [];
  const references = new References();
  const step = progress.step("verification", "posts", ids.length);
  const yielder = new Yielder();
  for (const [i, id] of ids.entries()) {
    const path = postFile(id);
    try {
      const content = reader.read(id);
      const digest = sha256(content);
      digests.push(digest);
      if (!digest.startsWith(posts.get(id)!))
        problems.push(`${path}: is not the file that was built`);
      const post = JSON.parse(content.toString()) as Post;
      const broken = rules(post);
      // Only a post that follows its description can be looked into.
      const found =
        broken.length > 0
          ? [broken.join("; ")]
          : problemsWithin(post, { id, previous: ids[i - 1], next: ids[i + 1] });
      for (const problem of found) problems.push(`${path}: ${problem}`);
      if (broken.length === 0)
        for (const to of [post, post.previousPost, post.nextPost, ...post.similarPosts])
          if (to !== null) references.add(id, to);
    } catch (error) {
      const reason = error instanceof SyntaxError ? "is not JSON" : (error as Error).message;
      problems.push(`${path}: ${reason}`);
    }
    step.update(i + 1);
    if (yielder.shouldYield) await yielder.yieldNow();
    collectGarbageInLoop(i);
  }
  step.done();
  const file = snapshotFiles.manifest;
  if (manifest.apiVersion !== apiVersion)
    problems.push(
      `${file} says API version ${manifest.apiVersion}, ${snapshotFiles.openapi} ${apiVersion}`,
    );
  if (manifest.id !== snapshotId(manifest.inputDigest, digests))
    problems.push(`${file}: its id does not follow from its inputDigest and the posts`);
  return [...problems, ...references.problems, ...references.missing(posts)];
}

/** The place of a post among others, by id; undefined where it is the first or the last. */
interface PlaceInChain {
  readonly id: number;
  readonly previous: number | undefined;
  readonly next: number | undefined;
}

/** What is wrong with a post that follows the published description. */
function* problemsWithin(post: Post, { id, previous, next }: PlaceInChain): Generator<string> {
  if (post.postId !== id) yield `is post ${post.postId}`;
  if (post.previousPost?.postId !== previous) yield "previousPost is not the post before it";
  if (post.nextPost?.postId !== next) yield "nextPost is not the post after it";
  if (post.similarPosts.some(({ postId }) => postId === id)) yield "is similar to itself";
  const commentIds = new Set(post.comments.map(({ commentId }) => commentId));
  if (post.countComments !== commentIds.size)
    yield "countComments is not the number of its comments";
  for (const { commentId, commentParent } of post.comments)
    if (commentParent !== 0 && !commentIds.has(commentParent))
      yield `comment ${commentId} answers a comment that is not there`;
}
