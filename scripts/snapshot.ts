/** A checked export → the files of a snapshot: posts, OpenAPI document, error bodies, search index. */
import { createHash } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { apiVersion } from "../functions/contract/api.ts";
import { paths } from "../functions/contract/http.ts";
import { post as postSchema, searchHit } from "../functions/contract/resources.ts";
import { format as indexFormat, indexFolder } from "../functions/search/index-format.ts";
import { errorBody } from "../functions/search/responses.ts";
import { openApiDocument } from "./api/openapi.ts";
import {
  givenSimilarPosts,
  hitFromPost,
  postFromRows,
  postRows,
  type PostRows,
  type PostTitle,
  type PostUrl,
} from "./api/posts.ts";
import { newestFirst, writeSearchIndex, type SearchablePost } from "./api/search.ts";
import { compareCodePoints } from "./code-points.ts";
import type { Export } from "./export.ts";
import { indexWarnings } from "./limits.ts";
import type { Progress } from "./progress.ts";
import { similarMethod, similarPosts } from "./similar.ts";
import { problemsAgainst } from "./validator.ts";
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
const sha256 = (content: string | Uint8Array): Buffer =>
  createHash("sha256").update(content).digest();

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

/**
 * Similar posts of every post: the export's own where it has them, else computed.
 * The function must be asked for ascending post ids.
 */
function similarityOf(
  source: Export,
  texts: ReadonlyMap<number, string>,
  progress: Progress,
): (postId: number) => readonly number[] {
  if (source.has("similar_posts")) return givenSimilarPosts(source);
  const ids = [...texts.keys()];
  const step = progress.step("similar posts", ids.length);
  function* comparable() {
    for (const { post, tags } of postRows(source))
      yield {
        title: post.post_title,
        text: texts.get(post.post_id) ?? "",
        tags: tags.map((tag) => tag.tagName),
      };
  }
  const similar = similarPosts(comparable(), ids, step.update);
  step.done();
  const position = new Map(ids.map((id, i) => [id, i]));
  return (postId) => {
    const at = position.get(postId);
    return at === undefined ? [] : (similar[at] ?? []).map((other) => ids[other] as number);
  };
}

/**
 * Writes all files of a snapshot.
 *
 * @param source an export that passed its check
 * @param folder an empty folder
 * @throws InvalidDocument when a document would not follow the contract; then the folder is incomplete
 */
export function writeSnapshot(
  source: Export,
  folder: string,
  { siteUrl, postUrl, source: sourceDigest, reuse }: SnapshotOptions,
  progress: Progress,
): SnapshotReport {
  const content = createHash("sha256");
  let files = 0;
  let bytes = 0;
  const otherFiles: Record<string, { bytes: number; digest: string }> = {};
  function note(path: string, data: Buffer): void {
    otherFiles[path] = { bytes: data.length, digest: sha256(data).toString("hex", 0, 8) };
  }
  /** Writes a file, or takes over the old one where it has the same content. */
  function write(path: string, data: Buffer): void {
    files++;
    bytes += data.length;
    if (reuse === undefined || !takeOver(join(reuse, path), join(folder, path), data))
      writeFileSync(join(folder, path), data);
  }
  /** Writes a file that counts towards the snapshot's id. */
  function publish(path: string, data: Buffer): Buffer {
    const digest = sha256(data);
    content.update(path).update(digest);
    write(path, data);
    return digest;
  }
  function publishOther(path: string, text: string): void {
    const data = Buffer.from(text);
    note(path, data);
    publish(path, data);
  }
  for (const path of [...Object.values(snapshotFiles), postFile(1)])
    mkdirSync(dirname(join(folder, path)), { recursive: true });

  // Texts come first: similar posts need all of them before the first document can be written.
  const total = source.count("posts");
  const texts = new Map<number, string>();
  const titles = new Map<number, string>();
  const reading = progress.step("texts", total);
  for (const { post } of postRows(source)) {
    texts.set(post.post_id, visibleText(post.post_content_html));
    titles.set(post.post_id, post.post_title);
    reading.update(texts.size);
  }
  reading.done();
  const similarOf = similarityOf(source, texts, progress);

  const checkPost = problemsAgainst(postSchema);
  const checkHit = problemsAgainst(searchHit);
  const searchable: SearchablePost[] = [];
  const tagIds = new Set<number>();
  const tagCounts = new Map<string, number>();
  const digests = new Map<number, Buffer>();
  let comments = 0;
  const writing = progress.step("posts", total);
  const titleOf = (rows: PostRows | undefined): PostTitle | undefined =>
    rows && { postId: rows.post.post_id, postTitle: rows.post.post_title };
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
    const problems = [...checkPost(post), ...checkHit(hit)];
    if (problems.length > 0)
      throw new InvalidDocument(`post ${post.postId}: ${problems.join("; ")}`);
    const document = Buffer.from(JSON.stringify(post));
    const digest = publish(postFile(post.postId), document);
    digests.set(post.postId, digest.subarray(0, digestBytes));
    for (const name of hit.tagNames) tagCounts.set(name, (tagCounts.get(name) ?? 0) + 1);
    searchable.push({ hit, text: texts.get(post.postId) ?? "" });
    comments += post.comments.length;
    for (const { tagId } of post.tags) tagIds.add(tagId);
    writing.update(searchable.length);
  }
  writing.done();

  publishOther(snapshotFiles.openapi, JSON.stringify(openApiDocument(siteUrl)));
  publishOther(snapshotFiles.notFound, errorBody("notFound"));
  publishOther(snapshotFiles.lastResort, errorBody("notFound"));

  // The index follows from the documents and its format, so these make the snapshot's id.
  const id = content
    .update(`${snapshotFormat.version} ${indexFormat.version} ${apiVersion}`)
    .digest("hex");
  searchable.sort((a, b) => newestFirst(a.hit, b.hit));
  const indexing = progress.step("search index", undefined);
  const index = writeSearchIndex(
    join(folder, indexFolder),
    id,
    searchable,
    reuse && join(reuse, indexFolder),
    indexing.update,
  );
  for (const name of index.files) {
    const path = `${indexFolder}/${name}`;
    const data = readFileSync(join(folder, path));
    note(path, data);
    if (reuse !== undefined) takeOver(join(reuse, path), join(folder, path), data);
  }
  indexing.done();

  const manifest: SnapshotManifest = {
    format: snapshotFormat.name,
    version: snapshotFormat.version,
    id,
    apiVersion,
    counts: { posts: searchable.length, comments, tags: tagIds.size },
    similarPosts: source.has("similar_posts")
      ? { source: "export", method: null }
      : { source: "computed", method: similarMethod },
    source: sourceDigest,
    posts: packDigests(digests),
    tags: Object.fromEntries([...tagCounts].sort(([a], [b]) => compareCodePoints(a, b))),
    files: otherFiles,
  };
  write(snapshotFiles.manifest, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
  return {
    manifest,
    files,
    bytes: bytes + index.bytes,
    warnings: indexWarnings(index.files.map((name) => join(folder, indexFolder, name))),
  };
}

/**
 * Puts a link to an old file in the place of a new one, when both have the same content: then the
 * file keeps its inode and its time, and nothing is written.
 *
 * @returns whether it did
 */
function takeOver(oldFile: string, newFile: string, content: Buffer): boolean {
  try {
    if (!readFileSync(oldFile).equals(content)) return false;
    rmSync(newFile, { force: true });
    linkSync(oldFile, newFile);
    return true;
  } catch {
    // No old file, or a file system without hard links; then the content is written.
    writeFileSync(newFile, content);
    return true;
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
