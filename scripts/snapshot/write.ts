/** A checked export → the files of a snapshot: posts, OpenAPI document, error bodies, search index. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { apiVersion } from "../../functions/contract/api.ts";
import { documents, paths } from "../../functions/contract/http.ts";
import {
  post as postSchema,
  searchHit,
  type SearchHit,
} from "../../functions/contract/resources.ts";
import { format as indexFormat, indexFolder } from "../../functions/search/index-format.ts";
import { openApiDocument } from "../documents/openapi.ts";
import {
  hitFromPost,
  postFile,
  postFromRows,
  type PostTitle,
  type PostUrl,
} from "../documents/post.ts";
import { newestFirst } from "../../functions/search/sort-orders.ts";
import { writeSearchIndex } from "../search-index/write.ts";
import { compareCodePoints } from "../lib/code-points.ts";
import type { Export } from "../export/open.ts";
import { givenSimilarPosts, postRows, rowsOf, type PostRows } from "../export/rows.ts";
import {
  FileWriter,
  type FileSummary,
  type FileWriterOptions,
  type SnapshotFile,
  type WrittenFiles,
} from "./file-writer.ts";
import { sizeWarnings, zippedBytes } from "../publish/platform-limits.ts";
import type { Progress } from "../cli/progress.ts";
import { apiCatalog, llmsText, robotsText } from "../documents/discovery.ts";
import { exampleCalls, ExamplePost } from "../documents/example-calls.ts";
import { documentationPage, notFoundPage } from "../documents/page/page.ts";
import {
  similarMethod,
  type Comparable,
  type SimilarityOptions,
  type SimilarPosts,
} from "../similar/similar-posts.ts";
import { TaskThread } from "../lib/task-thread.ts";
import { contractRules } from "../lib/json-schema.ts";
import { visibleText } from "../documents/visible-text.ts";

/** Files of a snapshot besides the posts and the search index, relative to its folder. */
export const snapshotFiles = {
  manifest: "snapshot.json",
  openapi: paths.openapi.slice(1),
  /** What the platform serves at any other address where nothing is. */
  notFoundPage: "404.html",
  pageInJapanese: `${documents.ja.slice(1)}index.html`,
  pageInEnglish: `${documents.en.slice(1)}index.html`,
  llms: documents.llms.slice(1),
  catalog: documents.catalog.slice(1),
  robots: documents.robots.slice(1),
} as const;

/** Files of the documentation page, which are published as they stand in scripts/documents/page/client/. */
const clientFolder = join(import.meta.dirname, "../documents/page/client");
const clientFiles = readdirSync(clientFolder).map((name) => `site/${name}`);

/** Name and version of the snapshot's layout. */
export const snapshotFormat = { name: "case-collection-snapshot", version: 2 } as const;

/** Contents of snapshot.json. */
export interface SnapshotManifest {
  readonly format: string;
  readonly version: number;
  /** Digest of all posts, the address and the formats: what every answer follows from. */
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

/** Where terms are kept from build to build; hosts that keep node_modules keep this, too. */
const cacheFile = resolve(
  import.meta.dirname,
  "../../node_modules/.cache/case-collection/terms.bin",
);

/** The visible text of every post, by ascending id. */
function* textsOf(source: Export): Generator<readonly [postId: number, text: string]> {
  for (const { post_id, post_content_html } of rowsOf(source, "posts", {
    columns: ["post_id", "post_content_html"],
    orderBy: ["post_id"],
  }))
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
    new URL("../similar/similar-posts.ts", import.meta.url),
    { cacheFile } satisfies SimilarityOptions,
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
  readonly example: ExamplePost;
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
  for (const { post_id, post_title } of rowsOf(source, "posts", {
    columns: ["post_id", "post_title"],
  }))
    titles.set(post_id, post_title);

  const rulesOfPost = contractRules(postSchema);
  const rulesOfHit = contractRules(searchHit);
  const hits: SearchHit[] = [];
  const tagIds = new Set<number>();
  const tagCounts = new Map<string, number>();
  const example = new ExamplePost();
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
      example.consider(post, content.length);
      hits.push(hit);
      for (const name of hit.tagNames) tagCounts.set(name, (tagCounts.get(name) ?? 0) + 1);
      for (const { tagId } of post.tags) tagIds.add(tagId);
      comments += post.comments.length;
      step.update(hits.length);
    }
    return { hits, tagIds, tagCounts, example, comments, ...(await writer.finish()) };
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
  for (const path of [...Object.values(snapshotFiles), ...clientFiles, postFile(1)])
    mkdirSync(join(folder, dirname(path)), { recursive: true });
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
  // Everything that is published follows from the documents, the addresses and the program.
  const id = createHash("sha256")
    .update(posts.digests)
    .update(`${siteUrl} ${snapshotFormat.version} ${indexFormat.version} ${apiVersion}`)
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

  const counts = { posts: posts.hits.length, comments: posts.comments, tags: posts.tagIds.size };
  const parameters = posts.example.parameters;
  const calls = await exampleCalls(folder, parameters);
  const page = { siteUrl, counts, parameters, calls };
  const texts: Readonly<Record<keyof Omit<typeof snapshotFiles, "manifest">, string>> = {
    openapi: JSON.stringify(openApiDocument({ siteUrl, postUrl: postUrl(1) }, parameters)),
    notFoundPage: notFoundPage(),
    pageInJapanese: documentationPage("ja", page),
    pageInEnglish: documentationPage("en", page),
    llms: llmsText(siteUrl, calls),
    catalog: apiCatalog(siteUrl),
    robots: robotsText(siteUrl),
  };
  for (const [name, content] of Object.entries(texts)) {
    const path = snapshotFiles[name as keyof typeof texts];
    note(path, writer.write({ path, content }));
  }
  for (const path of clientFiles) {
    const content = readFileSync(join(clientFolder, basename(path)), "utf8");
    note(path, writer.write({ path, content }));
  }

  const manifest: SnapshotManifest = {
    format: snapshotFormat.name,
    version: snapshotFormat.version,
    id,
    apiVersion,
    counts,
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
