/** A checked export → the files of a snapshot: posts, OpenAPI document, error bodies, search index. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { apiVersion } from "../functions/contract/api.ts";
import { paths } from "../functions/contract/http.ts";
import { post as postSchema, searchHit, type SearchHit } from "../functions/contract/resources.ts";
import { format as indexFormat, indexFolder } from "../functions/search/index-format.ts";
import { errorBody } from "../functions/search/responses.ts";
import { openApiDocument } from "./api/openapi.ts";
import {
  givenSimilarPosts,
  hitFromPost,
  postFromRows,
  postRows,
  rowsOf,
  type PostRows,
  type PostTitle,
  type PostUrl,
} from "./api/posts.ts";
import { newestFirst, writeSearchIndex } from "./api/search.ts";
import { compareCodePoints } from "./code-points.ts";
import type { Export } from "./export.ts";
import {
  FileWriter,
  type FileSummary,
  type FileWriterOptions,
  type SnapshotFile,
  type WrittenFiles,
} from "./file-writer.ts";
import { sizeWarnings, zippedBytes } from "./limits.ts";
import type { Progress } from "./progress.ts";
import { similarMethod, type Comparable, type SimilarPosts } from "./similar.ts";
import { TaskThread } from "./task-thread.ts";
import { contractRules } from "./validator.ts";
import { visibleText } from "./visible-text.ts";

/** Files of a snapshot besides the posts and the search index, relative to its folder. */
export const snapshotFiles = {
  manifest: "snapshot.json",
  openapi: paths.openapi.slice(1),
  /** Body of the 404 for unknown paths; netlify.toml names it. */
  notFound: "errors/not-found.json",
  /** What the platform serves when nothing else matches: the same body, as a last resort. */
  lastResort: "404.html",
} as const;

/** Name and version of the snapshot's layout. */
export const snapshotFormat = { name: "case-collection-snapshot", version: 2 } as const;

/** File of a post, relative to the snapshot's folder. */
export const postFile = (postId: number): string => `${paths.posts.slice(1)}${postId}.json`;

/** Contents of snapshot.json. */
export interface SnapshotManifest {
  readonly format: string;
  readonly version: number;
  /** Digest of all that is published: equal content, equal id. */
  readonly id: string;
  readonly apiVersion: string;
  readonly counts: { readonly posts: number; readonly comments: number; readonly tags: number };
  readonly similarPosts: { readonly source: "export" | "computed"; readonly method: string | null };
  /** Digest of what the snapshot was made from: export, options and program. */
  readonly source: string;
  /** Every post, for telling what changed: see `postDigests`. */
  readonly posts: PackedDigests;
  /** Number of posts by tag name. */
  readonly tags: Readonly<Record<string, number>>;
  /** Every other file by its path. */
  readonly files: Readonly<Record<string, { readonly bytes: number; readonly digest: string }>>;
}

/** Ids and digests of posts, packed: 100,000 posts take about a megabyte. */
export interface PackedDigests {
  /** Base64 of the gaps between ascending ids, seven bits a byte, the high bit set on all but the last. */
  readonly ids: string;
  /** Base64 of the digests, six bytes each, in the order of the ids. */
  readonly digests: string;
}

const digestBytes = 6;
const sha256Bytes = 32;

function packDigests(posts: ReadonlyMap<number, Buffer>): PackedDigests {
  const gaps: number[] = [];
  let before = 0;
  for (const id of posts.keys()) {
    let gap = id - before;
    before = id;
    for (; gap > 127; gap = Math.floor(gap / 128)) gaps.push((gap % 128) + 128);
    gaps.push(gap);
  }
  return {
    ids: Buffer.from(gaps).toString("base64"),
    digests: Buffer.concat([...posts.values()]).toString("base64"),
  };
}

/** The posts of a snapshot by id, each with a digest of its document. */
export function postDigests({ ids, digests }: PackedDigests): Map<number, string> {
  const all = Buffer.from(digests, "base64");
  const posts = new Map<number, string>();
  let id = 0;
  let gap = 0;
  let factor = 1;
  for (const byte of Buffer.from(ids, "base64")) {
    gap += (byte % 128) * factor;
    factor *= 128;
    if (byte > 127) continue;
    id += gap;
    const at = posts.size * digestBytes;
    posts.set(id, all.toString("hex", at, at + digestBytes));
    gap = 0;
    factor = 1;
  }
  return posts;
}

/** What was written. */
export interface SnapshotReport {
  readonly manifest: SnapshotManifest;
  readonly files: number;
  readonly bytes: number;
  /** What the platform would not take, in words; see `limits.ts`. */
  readonly warnings: readonly string[];
}

/** How a snapshot is to be made. */
export interface SnapshotOptions {
  /** Base address of the API, without a trailing slash. */
  readonly siteUrl: string;
  readonly postUrl: PostUrl;
  /** Digest of what the snapshot is made from. */
  readonly source: string;
  /** A snapshot whose files are taken over where they would be the same. */
  readonly reuse: string | undefined;
}

/** A document that does not follow the contract: a fault of this program, not of the export. */
class InvalidDocument extends Error {}

/** The visible text of every post, by ascending id. */
function* textsOf(source: Export): Generator<readonly [postId: number, text: string]> {
  for (const { post_id, post_content_html } of rowsOf(source, "posts", "post_id"))
    yield [post_id, visibleText(post_content_html)];
}

/**
 * Similar posts of every post: the export's own where it has them, else computed.
 * The function that it gives must be asked for all post ids, ascending.
 */
async function similarityOf(
  source: Export,
  progress: Progress,
): Promise<(postId: number) => Iterable<number>> {
  if (source.has("similar_posts")) return givenSimilarPosts(source);
  const step = progress.step("similar posts", source.count("posts"));
  const thread = new TaskThread<Comparable, SimilarPosts>(
    new URL("similar.ts", import.meta.url),
    {},
    step.update,
  );
  try {
    for (const { post, tags } of postRows(source)) {
      const text = visibleText(post.post_content_html);
      await thread.send(
        {
          postId: post.post_id,
          title: post.post_title,
          text,
          tags: tags.map(({ tagName }) => tagName),
        },
        text.length,
      );
    }
    const { ids, start } = await thread.finish();
    let position = 0;
    return () => ids.subarray(start[position], start[++position]);
  } finally {
    await thread.stop();
    step.done();
  }
}

/** What the posts of a snapshot come to. */
interface WrittenPosts {
  readonly hits: SearchHit[];
  readonly tagIds: ReadonlySet<number>;
  readonly tagCounts: ReadonlyMap<string, number>;
  readonly comments: number;
  readonly bytes: number;
  /** SHA-256 of each document, by ascending post id. */
  readonly digests: Uint8Array;
}

/** Makes the document of every post; a thread writes them. */
async function writePosts(
  source: Export,
  options: FileWriterOptions,
  postUrl: PostUrl,
  progress: Progress,
): Promise<WrittenPosts> {
  const similarOf = await similarityOf(source, progress);
  const titles = new Map<number, string>();
  for (const { post_id, post_title } of rowsOf(source, "posts")) titles.set(post_id, post_title);

  const rulesOfPost = contractRules(postSchema);
  const rulesOfHit = contractRules(searchHit);
  const hits: SearchHit[] = [];
  const tagIds = new Set<number>();
  const tagCounts = new Map<string, number>();
  let comments = 0;
  const step = progress.step("posts", titles.size);
  const titleOf = (rows: PostRows | undefined): PostTitle | undefined =>
    rows && { postId: rows.post.post_id, postTitle: rows.post.post_title };
  const writer = new TaskThread<SnapshotFile, WrittenFiles>(
    new URL("file-writer.ts", import.meta.url),
    options,
  );
  try {
    for (const [previous, rows, next] of withNeighbours(postRows(source))) {
      const post = postFromRows(
        rows,
        {
          previous: titleOf(previous),
          next: titleOf(next),
          similar: similarOf(rows.post.post_id),
          titleOf: (postId) => titles.get(postId),
        },
        postUrl,
      );
      const hit = hitFromPost(post);
      const problems = [...rulesOfPost(post), ...rulesOfHit(hit)];
      if (problems.length > 0)
        throw new InvalidDocument(`post ${post.postId}: ${problems.join("; ")}`);
      const content = JSON.stringify(post);
      await writer.send({ path: postFile(post.postId), content }, content.length);
      hits.push(hit);
      for (const name of hit.tagNames) tagCounts.set(name, (tagCounts.get(name) ?? 0) + 1);
      for (const { tagId } of post.tags) tagIds.add(tagId);
      comments += post.comments.length;
      step.update(hits.length);
    }
    return { hits, tagIds, tagCounts, comments, ...(await writer.finish()) };
  } finally {
    await writer.stop();
    step.done();
  }
}

/**
 * Writes all files of a snapshot.
 *
 * @param source an export that passed its check
 * @param folder an empty folder
 * @throws InvalidDocument when a document would not follow the contract; then the folder is incomplete
 */
export async function writeSnapshot(
  source: Export,
  folder: string,
  { siteUrl, postUrl, source: sourceDigest, reuse }: SnapshotOptions,
  progress: Progress,
): Promise<SnapshotReport> {
  for (const path of [...Object.values(snapshotFiles), postFile(1)])
    mkdirSync(dirname(join(folder, path)), { recursive: true });
  const posts = await writePosts(source, { folder, reuse }, postUrl, progress);
  const digests = new Map<number, Buffer>();
  for (const [i, { postId }] of posts.hits.entries())
    digests.set(
      postId,
      Buffer.from(posts.digests.buffer, posts.digests.byteOffset + i * sha256Bytes, digestBytes),
    );

  const writer = new FileWriter({ folder, reuse });
  const files: Record<string, { bytes: number; digest: string }> = {};
  const note = (path: string, { bytes, digest }: FileSummary): void => {
    files[path] = { bytes, digest: digest.toString("hex", 0, 8) };
  };
  // The index follows from the documents and its format, so these make the snapshot's id.
  const content = createHash("sha256").update(posts.digests);
  for (const [path, text] of [
    [snapshotFiles.openapi, JSON.stringify(openApiDocument(siteUrl))],
    [snapshotFiles.notFound, errorBody("notFound")],
    [snapshotFiles.lastResort, errorBody("notFound")],
  ] as const) {
    const summary = writer.write({ path, content: text });
    note(path, summary);
    content.update(path).update(summary.digest);
  }
  const id = content
    .update(`${snapshotFormat.version} ${indexFormat.version} ${apiVersion}`)
    .digest("hex");

  const indexing = progress.step("search index", undefined);
  const index = writeSearchIndex(
    join(folder, indexFolder),
    id,
    posts.hits.sort(newestFirst),
    textsOf(source),
    reuse && join(reuse, indexFolder),
    indexing.update,
  );
  let zipped = 0;
  for (const name of index.files) {
    const path = `${indexFolder}/${name}`;
    const data = readFileSync(join(folder, path));
    note(path, writer.settle(path, data));
    zipped += zippedBytes(data);
  }
  indexing.done();

  const manifest: SnapshotManifest = {
    format: snapshotFormat.name,
    version: snapshotFormat.version,
    id,
    apiVersion,
    counts: { posts: posts.hits.length, comments: posts.comments, tags: posts.tagIds.size },
    similarPosts: source.has("similar_posts")
      ? { source: "export", method: null }
      : { source: "computed", method: similarMethod },
    source: sourceDigest,
    posts: packDigests(digests),
    tags: Object.fromEntries([...posts.tagCounts].sort(([a], [b]) => compareCodePoints(a, b))),
    files,
  };
  const { bytes: manifestBytes } = writer.write({
    path: snapshotFiles.manifest,
    content: `${JSON.stringify(manifest, null, 2)}\n`,
  });
  const others = Object.values(files).reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    manifest,
    files: posts.hits.length + Object.keys(files).length - index.files.length + 1,
    bytes: posts.bytes + others + manifestBytes,
    warnings: sizeWarnings(zipped, index.bytes),
  };
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
