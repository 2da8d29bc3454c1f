/** What a user would pick instead: each takes a keyword and gives the number of posts that contain it. */
import Database from "better-sqlite3";
import { Index } from "flexsearch";
import type { CorpusPost } from "./corpus.ts";

export interface Alternative {
  readonly name: string;
  /** Milliseconds that making it took. */
  readonly setUp: number;
  readonly count: (keyword: string) => number;
}

const timed = (name: string, make: () => (keyword: string) => number): Alternative => {
  const start = performance.now();
  const count = make();
  return { name, setUp: performance.now() - start, count };
};

/**
 * One string of all texts, scanned with `indexOf`.
 *
 * @returns gives the numbers of the posts that contain a keyword
 */
export function scanOf(posts: readonly CorpusPost[]): (keyword: string) => number[] {
  const ends: number[] = [];
  let length = 0;
  const all = posts
    .map(({ searched }) => {
      const text = `${searched.join("\0")}\0`;
      ends.push((length += text.length));
      return text;
    })
    .join("");
  return (keyword) => {
    if (keyword === "") return [...posts.keys()];
    const found: number[] = [];
    let post = 0;
    for (let at = all.indexOf(keyword); at !== -1; at = all.indexOf(keyword, ends[post])) {
      while (ends[post]! <= at) post++;
      found.push(post);
    }
    return found;
  };
}

/** `scanOf`, as an alternative. */
export const bruteForce = (posts: readonly CorpusPost[]): Alternative =>
  timed("brute force, one string", () => {
    const scan = scanOf(posts);
    return (keyword) => scan(keyword).length;
  });

/** Neighbouring units; a text of one unit is given itself. */
const pairs = (text: string): string[] =>
  text.length < 2
    ? [text]
    : Array.from({ length: text.length - 1 }, (_, i) => text.slice(i, i + 2));

/** SQLite FTS5 with trigrams: the table `texts`, whose rows are in the order of the posts, from 1. */
export function trigramsOf(posts: readonly CorpusPost[]): Database.Database {
  const database = new Database("");
  database.exec(
    "CREATE VIRTUAL TABLE texts USING fts5(title, text, tokenize = 'trigram case_sensitive 1')",
  );
  const insert = database.prepare("INSERT INTO texts VALUES (?, ?)");
  database.transaction(() => {
    for (const { searched } of posts) insert.run(...searched);
  })();
  return database;
}

/** FTS5; `instr` for keywords of fewer than three characters. */
export const sqlite = (posts: readonly CorpusPost[]): Alternative =>
  timed("SQLite FTS5 trigram", () => {
    const database = trigramsOf(posts);
    const scan = database
      .prepare<[string, string], number>(
        "SELECT count(*) FROM texts WHERE instr(title, ?) OR instr(text, ?)",
      )
      .pluck();
    const match = database
      .prepare<[string], number>("SELECT count(*) FROM texts WHERE texts MATCH ?")
      .pluck();
    return (keyword) =>
      [...keyword].length < 3
        ? (scan.get(keyword, keyword) ?? 0)
        : (match.get(`"${keyword.replaceAll('"', '""')}"`) ?? 0);
  });

/** FlexSearch on single characters and pairs, every candidate verified. */
export const flexSearch = (posts: readonly CorpusPost[]): Alternative =>
  timed("FlexSearch, bigrams + verify", () => {
    const texts = posts.map(({ searched }) => searched.join("\0"));
    const index = new Index({
      tokenize: "strict",
      resolution: 1,
      encode: (text: string) => [...new Set([...text, ...pairs(text)])],
    });
    for (const [id, text] of texts.entries()) index.add(id, text);
    return (keyword) =>
      keyword === ""
        ? texts.length
        : index.search(keyword, texts.length).filter((id) => texts[id as number]?.includes(keyword))
            .length;
  });
