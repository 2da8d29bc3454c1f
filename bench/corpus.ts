/** Corpora of any size, from real text: pieces of posts, joined in another order. */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import Database from "better-sqlite3";
import type { SearchHit } from "../functions/contract/resources.ts";
import { normalise } from "../functions/search/normalise.ts";
import { newestFirst } from "../functions/search/sort-orders.ts";
import { hitFromPost } from "../scripts/documents/post.ts";
import { postRows } from "../scripts/export/rows.ts";
import { PostTexts } from "../scripts/lib/post-texts.ts";
import { openExport } from "../scripts/export/open.ts";
import { readManifest } from "../scripts/snapshot/manifest.ts";
import { PostReader } from "../scripts/snapshot/read-posts.ts";
import { visibleText } from "../scripts/documents/visible-text.ts";

const root = resolve(import.meta.dirname, "..");
const dataset = resolve(root, "../shared/datasets/real-medium-aozora.sqlite");

/** The export that corpora are made of: the real one where it is there, else the sample. */
export const corpusSource = existsSync(dataset) ? dataset : resolve(root, "data/sample.sql");

/** Text of a post, in UTF-16 units: the mean of the real site. */
const postLength = 1100;
const pieceLength = 280;

/** Random numbers that are the same in each run (mulberry32). @returns numbers from 0 up to, not including, 1 */
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
 * Writes posts of about 1,100 units into a database: title and text normalised, newest first.
 * Pieces of the source are dealt out in the order of the text at first, then shuffled again each time
 * all were used, so no post comes twice.
 */
export function writeCorpus(file: string, posts: number): void {
  const source = openExport(corpusSource);
  const pieces: string[] = [];
  const titles: string[] = [];
  const tagSets: string[] = [];
  for (const { post, tags } of postRows(source)) {
    const text = visibleText(post.post_content_html);
    for (let at = 0; at < text.length; at += pieceLength)
      pieces.push(text.slice(at, at + pieceLength));
    titles.push(post.post_title);
    tagSets.push(JSON.stringify(tags.map((tag) => tag.tagName)));
  }
  source.close();

  const random = randomFrom(posts);
  const database = new Database(file);
  database.pragma("synchronous = OFF");
  database.exec(
    "CREATE TABLE posts (id INTEGER PRIMARY KEY, title TEXT, text TEXT, tags TEXT, likes INTEGER)",
  );
  const insert = database.prepare("INSERT INTO posts VALUES (?, ?, ?, ?, ?)");
  let deck = pieces.toReversed();
  database.exec("BEGIN");
  for (let id = 1; id <= posts; id++) {
    let text = "";
    // The last piece overshoots by half its length.
    const wanted = (postLength - pieceLength / 2) * (0.6 + 0.8 * random());
    while (text.length < wanted) {
      text += deck.pop() ?? "";
      if (deck.length === 0) deck = shuffled(pieces, random);
    }
    const from = Math.floor(random() * titles.length);
    insert.run(id, titles[from], text, tagSets[from], Math.floor(random() ** 4 * 1000));
  }
  database.exec("COMMIT");
  database.close();
}

/** Writes a corpus as an export in the canonical shape: no comments, and no similar posts of its own. */
export function writeExport(corpus: string, file: string): void {
  const database = new Database(file);
  database.pragma("synchronous = OFF");
  const sample = readFileSync(resolve(root, "data/sample.sql"), "utf8");
  database.exec(`${sample.slice(0, sample.indexOf("INSERT"))}COMMIT`);
  const insertPost = database.prepare(
    "INSERT INTO posts (post_id, post_title, post_content_html, post_date_gmt, count_likes) VALUES (?, ?, ?, ?, ?)",
  );
  const insertTag = database.prepare("INSERT OR IGNORE INTO tags (tag_name) VALUES (?)");
  const insertPostTag = database.prepare(
    "INSERT OR IGNORE INTO post_tags SELECT ?, tag_id FROM tags WHERE tag_name = ?",
  );
  database.exec("BEGIN");
  for (const row of rowsOf(corpus)) {
    const { postId, postTitle, postDateGmt, countLikes, tagNames } = hitOf(row);
    const html = row.text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    insertPost.run(postId, postTitle, html, postDateGmt, countLikes);
    for (const name of tagNames) {
      insertTag.run(name);
      insertPostTag.run(postId, name);
    }
  }
  database.exec("COMMIT");
  database.close();
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

/** A post of a corpus. */
export interface CorpusPost {
  readonly hit: SearchHit;
  readonly text: string;
  /** Title and text as they are searched. */
  readonly searched: readonly [title: string, text: string];
}

const corpusPost = (hit: SearchHit, text: string): CorpusPost => ({
  hit,
  text,
  searched: [normalise(hit.postTitle), normalise(text)],
});
const byDate = (a: CorpusPost, b: CorpusPost): number => newestFirst(a.hit, b.hit);

interface Row {
  readonly id: number;
  readonly title: string;
  readonly text: string;
  readonly tags: string;
  readonly likes: number;
}

/** Rows of a corpus, by ascending id, that is oldest first. */
function* rowsOf(file: string): Generator<Row> {
  const database = new Database(file, { readonly: true });
  yield* database.prepare<[], Row>("SELECT * FROM posts ORDER BY id").iterate();
  database.close();
}

const hitOf = ({ id, title, tags, likes }: Row): SearchHit => ({
  postId: id,
  postTitle: title,
  postUrl: `https://cases.example/archives/${id}`,
  postDateGmt: new Date(1.6e12 + id * 600_000).toISOString(),
  countLikes: likes,
  countDislikes: 0,
  countComments: 0,
  tagNames: JSON.parse(tags) as string[],
});

/** All hits of a corpus, newest first. */
export const corpusHits = (file: string): SearchHit[] =>
  Array.from(rowsOf(file), hitOf).sort(newestFirst);

/** The texts of a corpus. */
export function corpusTexts(file: string): PostTexts {
  const texts = new PostTexts();
  for (const { id: postId, title, text } of rowsOf(file))
    texts.add({ postId, title, text, tags: [] });
  return texts;
}

/** All posts of a corpus, newest first. */
export const readCorpus = (file: string): CorpusPost[] =>
  Array.from(rowsOf(file), (row) => corpusPost(hitOf(row), row.text)).sort(byDate);

/** All posts of a snapshot, newest first. */
export function publishedCorpus(folder: string): CorpusPost[] {
  const reader = new PostReader(folder);
  const { posts } = readManifest(folder);
  return Object.keys(posts)
    .map((id) => reader.post(Number(id)))
    .map((post) => corpusPost(hitFromPost(post), visibleText(post.postContentHtml)))
    .sort(byDate);
}
