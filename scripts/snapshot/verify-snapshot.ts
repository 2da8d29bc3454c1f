/** Reads a snapshot back as its users will, and finds whatever would be wrong for them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { paths, postFile } from "../../functions/contract/http.ts";
import {
  searchResult,
  type Post,
  type PostSummary,
  type SearchResult,
} from "../../functions/contract/resources.ts";
import { needleOf } from "../../functions/search/normalise.ts";
import { createHandler } from "../../functions/search/handler.ts";
import type { Progress } from "../cli/progress.ts";
import { visibleText } from "../documents/visible-text.ts";
import { firstOf } from "../lib/first-of.ts";
import { collectGarbage, collectInLoop } from "../lib/collect-garbage.ts";
import { EventTurns } from "../lib/event-turns.ts";
import { spanOf, PostTexts, type SharedTexts } from "../lib/post-texts.ts";
import { contractRules, publishedRules, type Description, type Rules } from "../lib/json-schema.ts";
import { isListed, unlistedEntries } from "./compare-files.ts";
import {
  ManifestError,
  postDigests,
  readManifest,
  sha256,
  type SnapshotManifest,
} from "./manifest.ts";
import { problemsOfList } from "./verify-list.ts";
import { snapshotFiles } from "./published-files.ts";
import { PostReader } from "./read-posts.ts";
import { TotalsCounter } from "./totals.ts";
import { problemsOfDownloads } from "./verify-downloads.ts";
import { problemsOfManifest } from "./verify-manifest.ts";

/** Searches that are compared with a plain scan of all texts. */
const sampledSearches = 24;
/** Posts in packs that the function is asked for. */
const sampledPackedPosts = 24;

/** What the snapshot must agree with. */
export interface Expected {
  readonly posts: number;
  readonly comments: number;
}

/**
 * Verifies the files of a snapshot: each is the one that was built, and no other is there; every post
 * follows the published description, every reference leads somewhere, the neighbours form one chain,
 * counts agree, the downloads hold the same posts, and the search answers a sample of keywords as a scan of all texts does.
 *
 * @param folder a folder with a snapshot, published or staged
 * @param expected what the export says, where there is one
 * @returns what is wrong, in words; nothing when all is well
 */
export async function problemsOfSnapshot(
  folder: string,
  progress: Progress,
  expected?: Expected,
): Promise<string[]> {
  let manifest: SnapshotManifest;
  let description: PublishedDescription;
  let rules: Rules;
  let reader: PostReader;
  try {
    reader = new PostReader(folder);
    manifest = readManifest(folder);
    const openapi = readFileSync(join(folder, snapshotFiles.openapi), "utf8");
    description = JSON.parse(openapi) as PublishedDescription;
    rules = publishedRules(description, "Post");
  } catch (error) {
    return [
      `${folder} is not a complete snapshot: ${error instanceof ManifestError ? `${snapshotFiles.manifest} ` : ""}${(error as Error).message}`,
    ];
  }
  const [posts, wrongDownloads] = await Promise.all([
    readPosts(reader, manifest, rules, progress),
    problemsOfDownloads(folder, manifest),
  ]);
  collectGarbage();
  const written = new Set(posts.texts.postIds);
  return firstOf(
    [
      ...changedFiles(folder, manifest),
      ...unlistedEntries(folder, manifest).map((path) =>
        path.endsWith("/")
          ? `${path}: is an empty folder`
          : `${path}: ${snapshotFiles.manifest} does not list this file`,
      ),
      ...(await problemsOfList(folder, manifest, reader.packs)),
      ...posts.problems,
      ...posts.references.problems((id) => written.has(id)),
      ...notWritten(posts.counter.totals, expected),
      ...problemsOfManifest(manifest, {
        apiVersion: String(description.info?.version),
        totals: posts.counter.totals,
        tagCounts: posts.tagCounts,
        digests: posts.digests,
      }),
      ...wrongDownloads,
      ...(await wrongAnswers(folder, posts.texts, reader, manifest)),
    ],
    "",
  );
}

/** A published description, as far as it is compared. */
interface PublishedDescription extends Description {
  readonly info?: { readonly version?: unknown };
}

/** Files besides the posts that are not those that were built. */
function changedFiles(folder: string, { files }: SnapshotManifest): string[] {
  return Object.entries(files).flatMap(([path, { bytes, digest }]) => {
    try {
      const content = readFileSync(join(folder, path));
      if (!isListed(content, digest)) return [changed(path)];
      return content.length === bytes
        ? []
        : [`${path}: has ${content.length} bytes, ${snapshotFiles.manifest} says ${bytes}`];
    } catch (error) {
      return [`${path}: ${(error as Error).message}`];
    }
  });
}

const changed = (path: string): string => `${path}: is not the file that was built`;

/** Compares the titles and URLs that documents give of posts: of their own and of others. */
class References {
  /** What was said of each post first, and the post whose document says so. */
  readonly #first = new Map<number, { readonly claim: string; readonly from: number }>();
  readonly #problems: string[] = [];

  /** Takes in what a document says of a post. @param from the document's own post */
  add(from: number, { postId, postTitle, postUrl }: PostSummary): void {
    // No URL has a line break.
    const claim = `${postUrl}\n${postTitle}`;
    const first = this.#first.get(postId);
    if (first === undefined) this.#first.set(postId, { claim, from });
    else if (first.claim !== claim)
      this.#problems.push(
        `${postFile(from)}: gives post ${postId} another title or URL than ${postFile(first.from)}`,
      );
  }

  /** What is wrong. Ask when all are known. @param has whether a post has a document */
  problems(has: (postId: number) => boolean): string[] {
    const missing = [...this.#first].filter(([postId]) => !has(postId));
    return [
      ...this.#problems,
      ...missing.map(
        ([postId, { from }]) => `${postFile(from)}: refers to post ${postId}, which is not there`,
      ),
    ];
  }
}

/** What is known of all posts after they were read one by one. */
class PostsRead {
  readonly problems: string[] = [];
  /** Titles and texts, for searches. */
  readonly texts = new PostTexts();
  readonly tagNames = new Map<number, string>();
  /** Number of posts by tag name. */
  readonly tagCounts = new Map<string, number>();
  /** SHA-256 of every post, by ascending id. */
  readonly digests: string[] = [];
  readonly counter = new TotalsCounter();
  readonly references = new References();

  add(path: string, post: Post): void {
    for (const to of [post, post.previousPost, post.nextPost, ...post.similarPosts])
      if (to !== null) this.references.add(post.postId, to);
    for (const { tagId, tagName } of post.tags) {
      if ((this.tagNames.get(tagId) ?? tagName) !== tagName)
        this.problems.push(`${path}: tag ${tagId} has two names`);
      this.tagNames.set(tagId, tagName);
      this.tagCounts.set(tagName, (this.tagCounts.get(tagName) ?? 0) + 1);
    }
    this.counter.add(post);
    const text = visibleText(post.postContentHtml);
    this.texts.add({ postId: post.postId, title: post.postTitle, text, tags: [] });
  }
}

/** Reads every post that the manifest lists. */
async function readPosts(
  reader: PostReader,
  manifest: SnapshotManifest,
  rules: Rules,
  progress: Progress,
): Promise<PostsRead> {
  const read = new PostsRead();
  const listed = [...postDigests(manifest)];
  const step = progress.step("verification", "posts", listed.length);
  const turns = new EventTurns();
  for (const [i, [id, digest]] of listed.entries()) {
    const path = postFile(id);
    try {
      const content = reader.read(id);
      const found = sha256(content);
      read.digests.push(found);
      if (!found.startsWith(digest)) read.problems.push(changed(path));
      const post = JSON.parse(content.toString()) as Post;
      const neighbours = { previous: listed[i - 1]?.[0] ?? null, next: listed[i + 1]?.[0] ?? null };
      const broken = rules(post);
      // Only a post that follows its description can be looked into.
      if (broken.length > 0) read.problems.push(`${path}: ${broken.join("; ")}`);
      else {
        for (const problem of problemsWithin(post, id, neighbours))
          read.problems.push(`${path}: ${problem}`);
        read.add(path, post);
      }
    } catch (error) {
      const reason = error instanceof SyntaxError ? "is not JSON" : (error as Error).message;
      read.problems.push(`${path}: ${reason}`);
    }
    step.update(i + 1);
    if (turns.isDue) await turns.take();
    collectInLoop(i);
  }
  step.done();
  return read;
}

/** What is wrong with a post that follows the published description. */
function* problemsWithin(
  post: Post,
  id: number,
  { previous, next }: { readonly previous: number | null; readonly next: number | null },
): Generator<string> {
  if (post.postId !== id) yield `is post ${post.postId}`;
  if ((post.previousPost?.postId ?? null) !== previous)
    yield "previousPost is not the post before it";
  if ((post.nextPost?.postId ?? null) !== next) yield "nextPost is not the post after it";
  if (post.similarPosts.some(({ postId }) => postId === id)) yield "is similar to itself";
  const commentIds = new Set(post.comments.map(({ commentId }) => commentId));
  if (post.countComments !== commentIds.size)
    yield "countComments is not the number of its comments";
  for (const { commentId, commentParent } of post.comments)
    if (commentParent !== 0 && !commentIds.has(commentParent))
      yield `comment ${commentId} answers a comment that is not there`;
}

/** Posts and comments of the export that were not written. */
function* notWritten(found: Expected, expected: Expected | undefined): Generator<string> {
  for (const name of ["posts", "comments"] as const)
    if (expected !== undefined && expected[name] !== found[name])
      yield `${found[name]} ${name} were written, the export has ${expected[name]}`;
}

/** Keywords that occur somewhere in the posts: the same ones for the same snapshot. */
function sampleKeywords(texts: SharedTexts, posts: number): string[] {
  const keywords = ["", "の", "zzqx"];
  const lengths = [1, 2, 3, 4, 8, 20];
  for (let i = keywords.length; i < sampledSearches && posts > 0; i++) {
    const { units, title, text, end } = spanOf(texts, (i * 7919) % posts);
    const [from, to] = i % 3 === 0 ? [title, text - 1] : [text, end - 1];
    const start = from + Math.floor(((to - from) * ((i * 31) % 100)) / 100);
    const cut = units.subarray(start, Math.min(to, start + (lengths[i % lengths.length] ?? 1)));
    // The cut may have halved a character: through UTF-8, its half becomes U+FFFD.
    keywords.push(Buffer.from(String.fromCharCode(...cut)).toString());
  }
  return keywords;
}

/** Ids of the posts whose title or text contains a needle, by a scan of all. */
function postsWith(texts: SharedTexts, postIds: readonly number[], needle: string): Set<number> {
  const found = new Set<number>();
  const bytes = new Map(texts.pieces.map((piece) => [piece, Buffer.from(piece.buffer)]));
  let scanned: Uint16Array | undefined;
  /** The first match in the scanned piece from the position of the last search on, in bytes; -1 for none. */
  let match = -1;
  for (const [post, postId] of postIds.entries()) {
    const { units, title, end } = spanOf(texts, post);
    if (units !== scanned || (match !== -1 && match < title * 2))
      match = bytes.get(units)?.indexOf(needle, title * 2, "utf16le") ?? -1;
    scanned = units;
    // Separators keep titles and texts apart, and no needle has one: a match lies within one of them.
    if (match !== -1 && match < end * 2) found.add(postId);
  }
  return found;
}

/** Asks the function of a snapshot, by path. */
type Ask = (path: string) => Promise<Response>;

/** What the snapshot's function does not answer as its files say. */
async function wrongAnswers(
  folder: string,
  texts: PostTexts,
  reader: PostReader,
  manifest: SnapshotManifest,
): Promise<string[]> {
  const faults = new Set<string>();
  const handler = createHandler({
    snapshotFolder: () => folder,
    cacheMegabytes: 64,
    log: (message) => faults.add(message),
  });
  const ask: Ask = (path) => handler(new Request(new URL(path, "http://localhost")));
  const problems = [
    ...(await wrongSearches(ask, texts)),
    ...(await wrongPackedPosts(ask, reader, manifest)),
  ];
  handler.close();
  return [...faults, ...problems];
}

/** Searches that the index does not answer as a scan of all texts does. */
async function wrongSearches(ask: Ask, posts: PostTexts): Promise<string[]> {
  const problems: string[] = [];
  const texts = posts.shared();
  for (const q of sampleKeywords(texts, posts.count)) {
    const expected = postsWith(texts, posts.postIds, needleOf(q));
    const parameters = new URLSearchParams({ q, pageSize: "50" });
    const body = (await (
      await ask(`${paths.search}?${parameters}`)
    ).json()) as Partial<SearchResult>;
    const broken = contractRules(searchResult)(body);
    if (broken.length > 0) problems.push(`a search for ${JSON.stringify(q)}: ${broken.join("; ")}`);
    if (
      body.metadata?.count !== expected.size ||
      body.results?.some(({ postId }) => !expected.has(postId)) !== false
    )
      problems.push(
        `a search for ${JSON.stringify(q)} finds ${body.metadata?.count ?? "nothing"}, the texts contain it ${expected.size} times`,
      );
  }
  return problems;
}

/** Posts in packs that the manifest does not list as such, or that the function does not answer. */
async function wrongPackedPosts(
  ask: Ask,
  reader: PostReader,
  { packed = [], posts }: SnapshotManifest,
): Promise<string[]> {
  const ids = reader.packs.flatMap((pack) => pack.ids);
  const unlisted = ids.filter((id) => !Object.hasOwn(posts, id));
  if (unlisted.length > 0)
    return [
      `post ${unlisted[0]} is in a pack, but not among the posts of ${snapshotFiles.manifest}`,
    ];
  if (JSON.stringify(ids) !== JSON.stringify(packed))
    return [
      `${snapshotFiles.manifest} lists ${packed.length} posts in packs, there are ${ids.length}, or others`,
    ];
  const problems: string[] = [];
  const step = Math.ceil(ids.length / sampledPackedPosts);
  for (let i = 0; i < ids.length; i += step) {
    const id = ids[i]!;
    const response = await ask(`${paths.posts}${id}`);
    const body = Buffer.from(await response.arrayBuffer());
    if (response.status !== 200 || !body.equals(reader.read(id)))
      problems.push(`post ${id}: the function does not answer with its document`);
  }
  return problems;
}
