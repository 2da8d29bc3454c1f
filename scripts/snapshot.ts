/** A checked export → the files of a snapshot: posts, OpenAPI document, error bodies, search index. */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
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
export const snapshotFormat = { name: "case-collection-snapshot", version: 1 } as const;

/** File of a post, relative to the snapshot's folder. */
const postFile = (postId: number): string => `${paths.posts.slice(1)}${postId}.json`;

/** Contents of snapshot.json. */
export interface SnapshotManifest {
  readonly format: string;
  readonly version: number;
  /** Digest of all that is published: equal content, equal id. */
  readonly id: string;
  readonly apiVersion: string;
  readonly counts: { readonly posts: number; readonly comments: number; readonly tags: number };
  readonly similarPosts: { readonly source: "export" | "computed"; readonly method: string | null };
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
  { siteUrl, postUrl }: SnapshotOptions,
  progress: Progress,
): SnapshotReport {
  const content = createHash("sha256");
  let files = 0;
  let bytes = 0;
  function write(path: string, text: string): void {
    const data = Buffer.from(text);
    writeFileSync(join(folder, path), data);
    files++;
    bytes += data.length;
  }
  /** Writes a file that counts towards the snapshot's id. */
  function publish(path: string, text: string): void {
    content.update(`${path}\0${text.length}\0${text}`);
    write(path, text);
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
    publish(postFile(post.postId), JSON.stringify(post));
    searchable.push({ hit, text: texts.get(post.postId) ?? "" });
    comments += post.comments.length;
    for (const { tagId } of post.tags) tagIds.add(tagId);
    writing.update(searchable.length);
  }
  writing.done();

  publish(snapshotFiles.openapi, JSON.stringify(openApiDocument(siteUrl)));
  publish(snapshotFiles.notFound, errorBody("notFound"));
  publish(snapshotFiles.lastResort, errorBody("notFound"));

  // The index follows from the documents and its format, so these make the snapshot's id.
  const id = content
    .update(`${snapshotFormat.version} ${indexFormat.version} ${apiVersion}`)
    .digest("hex");
  searchable.sort((a, b) => newestFirst(a.hit, b.hit));
  const indexing = progress.step("search index", undefined);
  const index = writeSearchIndex(join(folder, indexFolder), id, searchable, indexing.update);
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
  };
  write(snapshotFiles.manifest, `${JSON.stringify(manifest, null, 2)}\n`);
  return {
    manifest,
    files,
    bytes: bytes + index.bytes,
    warnings: indexWarnings(index.files),
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
