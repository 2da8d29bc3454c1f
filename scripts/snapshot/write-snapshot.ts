/** A checked export → the files of a snapshot: posts, search index, pages and descriptions, snapshot.json. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { apiVersion } from "../../functions/contract/api.ts";
import type { Collection, CollectionFacts } from "../../functions/contract/collection.ts";
import { fileHeaders } from "../../functions/contract/http.ts";
import type { Post, SearchResult } from "../../functions/contract/resources.ts";
import { indexFiles, indexFolder, listKinds } from "../../functions/engine/index-format.ts";
import { newestFirst } from "../../functions/engine/sort-orders.ts";
import type { Progress } from "../cli/progress.ts";
import { apiCatalog } from "../documents/api-catalog.ts";
import { makeExamples } from "../documents/example-calls.ts";
import { llmsText } from "../documents/llms.ts";
import { atomFeed, feedPosts } from "../documents/feed.ts";
import { openApiDocument } from "../documents/openapi.ts";
import { robotsText } from "../documents/robots.ts";
import { bundlePage } from "../documents/page/bundle.ts";
import { sampleProgram } from "../documents/page/code-samples.ts";
import { glanceOf } from "../documents/page/glance.ts";
import { languages } from "../documents/page/languages.ts";
import { docsPage, notFoundPage, postsPage } from "../documents/page/page.ts";
import {
  presentCollection,
  summarizeCollection,
  type Presentation,
} from "../documents/presentation.ts";
import type { PostUrl } from "../documents/post.ts";
import { syncText } from "../documents/sync-file.ts";
import { visibleText } from "../documents/visible-text.ts";
import type { Export } from "../export/open.ts";
import { isoDate } from "../export/column-rules.ts";
import { postRows, readRows } from "../export/rows.ts";
import { collectGarbage } from "../lib/collect-garbage.ts";
import { compareCodePoints } from "../lib/text.ts";
import { Yielder } from "../lib/yielder.ts";
import { PostTexts } from "../lib/post-texts.ts";
import type { PlacementOption } from "../search-index/placement.ts";
import { writeSearchIndex } from "../search-index/write-index.ts";
import { similarMethod } from "../similar/similar-posts.ts";
import { FileWriter } from "./file-writer.ts";
import { largestAnswers, type AnswerSizes } from "./largest-answers.ts";
import {
  sha256,
  shortDigest,
  snapshotFormat,
  snapshotId,
  type FileEntry,
  type SnapshotManifest,
} from "./manifest.ts";
import { headersText } from "./headers-file.ts";
import { clientFolder, docsFile, pageFile, snapshotFiles } from "./published-files.ts";
import { PostReader } from "./read-posts.ts";
import { writePosts, type WrittenPosts } from "./write-posts.ts";

/** How a snapshot is to be made. */
export interface SnapshotOptions {
  /** Origin of the API, without a trailing slash. */
  readonly siteUrl: string;
  readonly postUrl: PostUrl;
  readonly collection: Collection;
  /** Where the blocks of the search index go. */
  readonly placement: PlacementOption;
  /** How many posts get files of their own, the newest; all others go into packs. */
  readonly postFiles: number;
  /** Digest of what the snapshot is made from. */
  readonly inputDigest: string;
  /** A snapshot whose files are taken over where they would be the same. */
  readonly reuse: string | undefined;
  /** Whether all posts are published in files for bulk download, too. */
  readonly bulk: boolean;
}

/** What was written. */
export interface SnapshotReport {
  readonly manifest: SnapshotManifest;
  /** Number of files besides the search index. */
  readonly documents: number;
  /** Bytes of all files. */
  readonly bytes: number;
  readonly index: IndexSize;
  readonly answers: AnswerSizes;
}

/** What the search index takes in the function, in bytes. */
export interface IndexSize {
  readonly bytes: number;
  /** In a function's archive, up to a few percent more than there. */
  readonly zippedBytes: number;
}

/** Whether a file of the index holds packed lists: compressing them again takes seconds and saves 3 %. */
const isIncompressible = (path: string): boolean =>
  listKinds.some((kind) => path === `${indexFolder}/${indexFiles[kind]}`);

/** A snapshot whose posts are written. */
interface SnapshotDraft {
  readonly id: string;
  readonly folder: string;
  readonly options: SnapshotOptions;
  readonly posts: WrittenPosts;
  readonly presentation: Presentation;
  readonly writer: FileWriter;
}

/**
 * Writes all files of a snapshot.
 *
 * @param source an export that passed its check
 * @param folder an empty folder; when this throws, it is left incomplete
 */
export async function writeSnapshot(
  source: Export,
  folder: string,
  options: SnapshotOptions,
  progress: Progress,
): Promise<SnapshotReport> {
  const { inputDigest, postUrl, reuse, bulk } = options;
  const packed = postsForPacks(source, options.postFiles);
  const writer = new FileWriter({ folder, reuse });
  const texts = await readTexts(source, progress);
  const posts = await writePosts(source, texts, { folder, reuse, bulk, packed, postUrl }, progress);
  // Written by another writer, in its thread; snapshot.json lists them, too.
  for (const file of [...posts.bulk, ...posts.packFiles]) writer.written.set(file.path, file);
  const inPacks = posts.packs.flatMap(({ ids }) => ids);
  const id = snapshotId(inputDigest, posts.digests);
  collectGarbage();
  const { collection: given } = options;
  const collection = { ...given, language: given.language ?? guessLanguage(posts) };
  const presentation = presentCollection(collection, collectFacts(posts));
  const draft: SnapshotDraft = { id, folder, options, posts, presentation, writer };
  const { count, ...index } = await writeIndex(draft, texts, progress);
  await writeDocuments(draft);
  const files = [...writer.written].map(([path, { bytes, digest }]): [string, FileEntry] => [
    path,
    { bytes, digest: shortDigest.file(digest) },
  ]);

  const manifest: SnapshotManifest = {
    format: snapshotFormat.name,
    version: snapshotFormat.version,
    id,
    apiVersion,
    counts: posts.totals,
    similarPosts: source.has("similar_posts")
      ? { source: "export", method: null }
      : { source: "computed", method: similarMethod },
    inputDigest,
    posts: Object.fromEntries(
      posts.hits.map(({ postId }, i) => [postId, shortDigest.post(posts.digests[i] ?? "")]),
    ),
    ...(inPacks.length === 0 ? {} : { packed: inPacks }),
    tags: Object.fromEntries([...posts.tagCounts].sort(([a], [b]) => compareCodePoints(a, b))),
    files: Object.fromEntries(files),
  };
  const written = writer.write({
    path: snapshotFiles.manifest,
    content: `${JSON.stringify(manifest, null, 2)}\n`,
  });
  return {
    manifest,
    documents: posts.hits.length - inPacks.length + files.length - count + 1,
    bytes: files.reduce((sum, [, { bytes }]) => sum + bytes, posts.bytes + written.bytes),
    index,
    answers: largestAnswers(posts.hits, posts.tagCounts),
  };
}

/** What the posts say of the collection. */
function collectFacts({ hits }: WrittenPosts): CollectionFacts {
  let [firstDate, lastDate] = [hits[0]?.postDateGmt ?? "", ""];
  for (const { postDateGmt: date } of hits) {
    if (date < firstDate) firstDate = date;
    if (date > lastDate) lastDate = date;
  }
  return { posts: hits.length, firstDate, lastDate };
}

/** Share of kana among the letters of titles from which on posts are in Japanese. */
const japaneseShare = 0.1;

/** The language that titles show by their script, where nobody has named it: only Japanese has kana. */
function guessLanguage({ hits }: WrittenPosts): string | undefined {
  let [kana, letters] = [0, 0];
  for (const { postTitle } of hits) {
    kana += postTitle.match(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
    letters += postTitle.match(/\p{L}/gu)?.length ?? 0;
  }
  return kana > letters * japaneseShare ? "ja" : undefined;
}

/**
 * Writes the search index.
 *
 * @returns its size, and the number of its files
 */
async function writeIndex(
  { id, folder, options: { placement, reuse }, posts, presentation, writer }: SnapshotDraft,
  texts: PostTexts,
  progress: Progress,
): Promise<IndexSize & { readonly count: number }> {
  const step = progress.step("search index", "lists", undefined);
  let written = 0;
  const hits = posts.hits.toSorted(newestFirst);
  const { bundled, published } = await writeSearchIndex(folder, hits, texts, {
    snapshot: id,
    collection: summarizeCollection(presentation),
    placement,
    reuse,
    packs: posts.packs,
    progress(lists) {
      written = lists;
      step.update(lists);
    },
  });
  const size = { bytes: 0, zippedBytes: 0 };
  for (const path of bundled) {
    const data = readFileSync(join(folder, path));
    writer.keepSame({ path, content: data });
    size.bytes += data.length;
    size.zippedBytes += isIncompressible(path)
      ? data.length
      : deflateRawSync(data, { level: 1 }).length;
  }
  for (const path of published)
    writer.keepSame({ path, content: readFileSync(join(folder, path)) });
  step.done(written === 0 ? "unchanged" : undefined);
  return { ...size, count: bundled.length + published.length };
}

/** Title, visible text (both normalised by PostTexts) and tags of every post, by ascending id. */
async function readTexts(source: Export, progress: Progress): Promise<PostTexts> {
  const step = progress.step("texts", "posts", source.count("posts"));
  const yielder = new Yielder();
  const texts = new PostTexts();
  for (const { post, tags } of postRows(source)) {
    texts.add({
      postId: post.post_id,
      title: post.post_title,
      text: visibleText(post.post_content_html),
      tags: tags.map(({ tagName }) => tagName),
    });
    step.update(texts.count);
    if (yielder.shouldYield) await yielder.yieldNow();
  }
  step.done();
  return texts;
}

/** Ids of the posts that get no file of their own, unless they are too large for a pack: all but the newest. */
function postsForPacks(source: Export, postFiles: number): ReadonlySet<number> {
  if (source.count("posts") <= postFiles) return new Set();
  const columns = ["post_id", "post_date_gmt"] as const;
  const dated = Array.from(
    readRows(source, "posts", { columns }),
    ({ post_id: postId, post_date_gmt: date }) => ({ postId, postDateGmt: isoDate(date) }),
  );
  return new Set(
    dated
      .sort(newestFirst)
      .slice(postFiles)
      .map(({ postId }) => postId),
  );
}

/** The documents of the newest posts, newest first. */
function newestPosts(folder: string, { hits }: WrittenPosts): Post[] {
  const reader = new PostReader(folder);
  return hits
    .toSorted(newestFirst)
    .slice(0, feedPosts)
    .map(({ postId }) => reader.post(postId));
}

/** The pages, and where they are in each language. */
const pageRenderers = [
  [pageFile, postsPage],
  [docsFile, docsPage],
] as const;

/** Writes what describes the API, to people and to programs. It shows answers, so posts and index come first. */
async function writeDocuments({
  id,
  folder,
  options,
  posts,
  writer,
  presentation,
}: SnapshotDraft): Promise<void> {
  const { siteUrl, postUrl } = options;
  const { parameters, calls } = await makeExamples(folder, posts.example);
  const newest = newestPosts(folder, posts);
  const feed = atomFeed(siteUrl, newest, new URL(postUrl(1)).host, presentation);
  const page = {
    presentation,
    feed: {
      path: snapshotFiles.feed,
      bytes: Buffer.byteLength(feed),
      digest: sha256(feed),
    },
    siteUrl,
    counts: posts.totals,
    parameters,
    calls,
    bulk: posts.bulk,
    glance: glanceOf(posts.hits),
    newest: calls.newest.body as SearchResult,
    newestPosts: newest,
  };
  const publication = { siteUrl, postUrl: postUrl(1), presentation };
  const texts: Readonly<Record<keyof Omit<typeof snapshotFiles, "manifest" | "page">, string>> = {
    openapi: JSON.stringify(openApiDocument(publication, parameters)),
    headers: headersText(fileHeaders(presentation.collection.pictures)),
    notFoundPage: notFoundPage(presentation),
    llms: llmsText(siteUrl, calls, presentation),
    catalog: apiCatalog(siteUrl, presentation),
    robots: robotsText(siteUrl),
    sync: syncText({
      siteUrl,
      snapshot: id,
      bulk: posts.bulk,
      posts: posts.hits.map(({ postId }, i) => [postId, posts.digests[i] ?? ""]),
    }),
    feed,
    syncJavaScript: `${sampleProgram("sync.js", { siteUrl })}\n`,
    syncPython: `${sampleProgram("sync.py", { siteUrl })}\n`,
  };
  for (const language of languages)
    for (const [fileIn, pageOf] of pageRenderers)
      writer.write({
        path: fileIn(language, presentation.main),
        content: pageOf(language, page),
      });
  for (const [name, content] of Object.entries(texts))
    writer.write({ path: snapshotFiles[name as keyof typeof texts], content });
  for (const [name, content] of bundlePage())
    writer.write({ path: `${clientFolder}/${name}`, content: Buffer.from(content) });
}
