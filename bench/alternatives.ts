/** What a user would pick instead: each takes a needle and gives the number of posts that contain it. */
import Database from "better-sqlite3";
import { Index } from "flexsearch";
import MiniSearch from "minisearch";
import type { CorpusPost } from "./corpus.ts";

export interface Alternative {
  readonly name: string;
  /** Milliseconds that making it took. */
  readonly setUp: number;
  readonly count: (needle: string) => number;
}

const timed = (name: string, make: () => (needle: string) => number): Alternative => {
  const start = performance.now();
  const count = make();
  return { name, setUp: performance.now() - start, count };
};

/** One string of all texts, scanned with `indexOf`. */
export const bruteForce = (posts: readonly CorpusPost[]): Alternative =>
  timed("brute force, one string", () => {
    const ends: number[] = [];
    let length = 0;
    const all = posts
      .map(({ searched }) => {
        const text = `${searched.join("\0")}\0`;
        ends.push((length += text.length));
        return text;
      })
      .join("");
    return (needle) => {
      if (needle === "") return posts.length;
      let hits = 0;
      let post = 0;
      for (let at = all.indexOf(needle); at !== -1;) {
        while ((ends[post] as number) <= at) post++;
        hits++;
        at = all.indexOf(needle, ends[post]);
      }
      return hits;
    };
  });

/** Neighbouring units; a text of one unit is given itself. */
const pairs = (text: string): string[] =>
  text.length < 2
    ? [text]
    : Array.from({ length: text.length - 1 }, (_, i) => text.slice(i, i + 2));

/** SQLite: `instr` alone, or FTS5 with trigrams and `instr` below three characters. */
export const sqlite = (posts: readonly CorpusPost[], fts: boolean): Alternative =>
  timed(fts ? "SQLite FTS5 trigram" : "SQLite instr", () => {
    const database = new Database("");
    database.exec(
      fts
        ? "CREATE VIRTUAL TABLE texts USING fts5(title, text, tokenize = 'trigram case_sensitive 1')"
        : "CREATE TABLE texts (title TEXT, text TEXT)",
    );
    const insert = database.prepare("INSERT INTO texts VALUES (?, ?)");
    database.transaction(() => {
      for (const { searched } of posts) insert.run(...searched);
    })();
    const scan = database
      .prepare<[string, string], number>(
        "SELECT count(*) FROM texts WHERE instr(title, ?) OR instr(text, ?)",
      )
      .pluck();
    if (!fts) return (needle) => scan.get(needle, needle) ?? 0;
    const match = database
      .prepare<[string], number>("SELECT count(*) FROM texts WHERE texts MATCH ?")
      .pluck();
    return (needle) =>
      [...needle].length < 3
        ? (scan.get(needle, needle) ?? 0)
        : (match.get(`"${needle.replaceAll('"', '""')}"`) ?? 0);
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
    return (needle) =>
      needle === ""
        ? texts.length
        : index.search(needle, texts.length).filter((id) => texts[id as number]?.includes(needle))
            .length;
  });

/** MiniSearch on pairs of characters, every candidate verified. */
export const miniSearch = (posts: readonly CorpusPost[]): Alternative =>
  timed("MiniSearch, bigrams + verify", () => {
    const texts = posts.map(({ searched }) => searched.join("\0"));
    const index = new MiniSearch({
      fields: ["text"],
      tokenize: (text) => [...new Set([...text, ...pairs(text)])],
      processTerm: (term) => term,
      searchOptions: { tokenize: pairs, combineWith: "AND" },
    });
    index.addAll(texts.map((text, id) => ({ id, text })));
    return (needle) =>
      needle === ""
        ? texts.length
        : index.search(needle).filter(({ id }) => texts[id as number]?.includes(needle)).length;
  });
