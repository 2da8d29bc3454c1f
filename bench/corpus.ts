/** Corpora of any size, from real text: pieces of posts, joined in another order. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Post, SearchHit } from "../functions/contract/resources.ts";
import { normalize } from "../functions/engine/normalize.ts";
import { newestFirst } from "../functions/engine/sort-orders.ts";
import { hitFromPost, postFromRows, type Neighbourhood } from "../scripts/documents/post.ts";
import { visibleText } from "../scripts/documents/visible-text.ts";
import { openExport } from "../scripts/export/open.ts";
import { postRows } from "../scripts/export/rows.ts";
import { PostTexts } from "../scripts/lib/post-texts.ts";
import { writeCanonicalFile } from "../scripts/pull/canonical-file.ts";
import type { PlacementOption } from "../scripts/search-index/placement.ts";
import { writeSearchIndex, type SearchIndexReport } from "../scripts/search-index/write-index.ts";

const root = resolve(import.meta.dirname, "..");
const dataset = resolve(root, "../shared/datasets/real-medium-aozora.sqlite");

/** The export that corpora are made of: the real one where it is there, else the sample. */
export const corpusSource = existsSync(dataset) ? dataset : resolve(root, "data/sample.sql");

/** Makes a folder that is removed when the process ends. */
export function workFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "case-collection-bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Text of a post, in UTF-16 units: the mean of the real site. */
const postLength = 1100;
const pieceLength = 280;

/**
 * Random numbers that are the same in each run (mulberry32).
 *
 * @returns numbers from 0 up to, not including, 1
 */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const copy = [...list];
  for (let i = copy.length - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1));
    [copy[i], copy[other]] = [copy[other] as T, copy[i] as T];
  }
  return copy;
}

/**
 * Writes an export with posts of about 1,100 units. Pieces of the source are dealt out in the order of the text at
 * first, then shuffled again each time all were used, so no post comes twice.
 */
export async function writeCorpus(file: string, posts: number): Promise<void> {
  const pieces: string[] = [];
  const heads: Pick<Post, "postTitle" | "tags">[] = [];
  for (const { postTitle, tags, postContentHtml } of postsOf(corpusSource)) {
    const text = visibleText(postContentHtml);
    for (let at = 0; at < text.length; at += pieceLength)
      pieces.push(text.slice(at, at + pieceLength));
    heads.push({ postTitle, tags });
  }
  const random = randomFrom(posts);
  let deck = pieces.toReversed();
  await writeCanonicalFile(file, async (corpus) => {
    for (let id = 1; id <= posts; id++) {
      let text = "";
      // The last piece overshoots by half its length.
      const wanted = (postLength - pieceLength / 2) * (0.6 + 0.8 * random());
      while (text.length < wanted) {
        text += deck.pop() ?? "";
        if (deck.length === 0) deck = shuffled(pieces, random);
      }
      const { postTitle, tags } = heads[Math.floor(random() * heads.length)]!;
      corpus.add("posts", {
        post_id: id,
        post_title: postTitle,
        // A piece may begin or end within a character.
        post_content_html: text.toWellFormed().replaceAll("&", "&amp;").replaceAll("<", "&lt;"),
        post_date_gmt: new Date(1.6e12 + id * 600_000).toISOString(),
        count_likes: Math.floor(random() ** 4 * 1000),
      });
      for (const { tagId, tagName } of tags) {
        if (!corpus.has("tags", tagId)) corpus.add("tags", { tag_id: tagId, tag_name: tagName });
        corpus.add("post_tags", { post_id: id, tag_id: tagId });
      }
    }
    return [];
  });
}

const segmenter = new Intl.Segmenter("ja", { granularity: "word" });

/** The words of a text: what ICU's dictionary takes for words. */
export const allWordsIn = (text: string): string[] =>
  [...segmenter.segment(text)]
    .filter(({ isWordLike }) => isWordLike === true)
    .map(({ segment }) => segment);

/** Those of two or more characters. */
export const wordsIn = (text: string): string[] =>
  allWordsIn(text).filter(({ length }) => length > 1);

/** A post of an export. */
export interface CorpusPost {
  readonly post: Post;
  /** Title and text as they are searched. */
  readonly searched: readonly [title: string, text: string];
}

/** What no measurement looks at. */
const alone: Neighbourhood = {
  previous: 0,
  next: 0,
  similar: [],
  titleOf: () => undefined,
};

/** The posts of an export, by ascending id. */
export function* postsOf(file: string): Generator<Post> {
  const source = openExport(file);
  for (const rows of postRows(source))
    yield postFromRows(rows, alone, (id) => `https://cases.example/archives/${id}`);
  source.close();
}

/** All posts of an export, newest first. */
export const readCorpus = (file: string): CorpusPost[] =>
  Array.from(postsOf(file))
    .sort(newestFirst)
    .map((post) => ({
      post,
      searched: [normalize(post.postTitle), normalize(visibleText(post.postContentHtml))],
    }));

/**
 * Writes the index of an export.
 *
 * @param reuse a snapshot whose files of lists are used again
 */
export function writeIndex(
  folder: string,
  file: string,
  placement: PlacementOption,
  reuse?: string,
): Promise<SearchIndexReport> {
  const texts = new PostTexts();
  const hits: SearchHit[] = [];
  for (const post of postsOf(file)) {
    const { postId, postTitle: title, postContentHtml } = post;
    texts.add({ postId, title, text: visibleText(postContentHtml), tags: [] });
    hits.push(hitFromPost(post));
  }
  const options = { snapshot: "0".repeat(64), placement, reuse };
  return writeSearchIndex(folder, hits.sort(newestFirst), texts, options);
}
