/** Ways to find posts by words, each as it would be used: ours, and alternatives beside it. */
import MiniSearch from "minisearch";
import { stemmer } from "stemmer";
import { parseQuery } from "../functions/mcp/query-parser.ts";
import { rankedSearch } from "../functions/mcp/ranked-search.ts";
import type { MountedIndex } from "../functions/engine/flexsearch-index.ts";
import { normalizeKeyword, normalize } from "../functions/engine/normalize.ts";
import { mountedIndex } from "../tests/support/mounted-index.ts";
import { trigramsOf } from "./alternatives.ts";
import { readCorpus, wordsIn, workFolder, writeIndex, type CorpusPost } from "./corpus.ts";

/** Numbers of the ten best posts for a query, the best first. */
export type Method = (query: string) => Promise<readonly number[]> | readonly number[];

/** SQLite's FTS5 with trigrams and bm25; words below three characters match nothing there. */
function fts5(posts: readonly CorpusPost[]): Method {
  const select = trigramsOf(posts)
    .prepare<[string], number>(
      "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts, 2.0, 1.0) LIMIT 10",
    )
    .pluck();
  return (query) => {
    const words = wordsIn(normalize(query)).map((word) => `"${word.replaceAll('"', "")}"`);
    return words.length === 0 ? [] : select.all(words.join(" OR ")).map((id) => id - 1);
  };
}

/** MiniSearch with our own words of a query, their stems, and the parameters that ours has. */
function miniSearch(posts: readonly CorpusPost[]): Method {
  const index = new MiniSearch({
    fields: ["title", "text"],
    tokenize: (text) => wordsIn(text),
    processTerm: (term) => stemmer(normalize(term)),
  });
  index.addAll(posts.map(({ searched }, id) => ({ id, title: searched[0], text: searched[1] })));
  const bm25 = { k: 0.5, b: 0.9, d: 0 };
  return (query) =>
    index
      .search(
        parseQuery(query, stemmer)
          .words.map(({ word }) => word)
          .join(" "),
        { boost: { title: 2 }, bm25 },
      )
      .slice(0, 10)
      .map(({ id }) => id as number);
}

/** An export with its index. */
export interface Searched {
  readonly posts: readonly CorpusPost[];
  readonly index: MountedIndex;
  /** Every way, by its name. */
  readonly methods: Readonly<Record<string, Method>>;
}

/** Makes the index of an export, and of the alternatives. */
export async function searched(file: string): Promise<Searched> {
  const folder = workFolder();
  await writeIndex(folder, file, "bundle");
  const posts = readCorpus(file);
  const index = await mountedIndex(folder, 2 ** 28);
  const numberOf = new Map(posts.map(({ post }, number) => [post.postId, number]));
  const methods: Searched["methods"] = {
    "substring, newest first": async (q) =>
      [...(await index.find(normalizeKeyword(q)))].slice(0, 10),
    "ranked by words": async (q) => {
      const all = { tags: [], orderby: undefined, page: 1, pageSize: 10 };
      const { hits } = await rankedSearch(index, { q, ...all });
      return hits.map(({ hit }) => numberOf.get(hit.postId) ?? -1);
    },
    "SQLite FTS5, trigram, bm25": fts5(posts),
    "MiniSearch with a segmenter": miniSearch(posts),
  };
  return { posts, index, methods };
}

/** How well posts were found. */
export interface Ranks {
  /** Shares of the queries whose post is first, among three, among ten. */
  readonly first: number;
  readonly inThree: number;
  readonly inTen: number;
  /** Mean reciprocal rank; 0 for a post that is not among ten. */
  readonly reciprocal: number;
}

/**
 * @param ranks of the post that was looked for, by query, from 1; 0 where it is not among ten
 */
export function ranksOf(ranks: readonly number[]): Ranks {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const within = (most: number): number =>
    mean(ranks.map((rank) => (rank > 0 && rank <= most ? 1 : 0)));
  return {
    first: within(1),
    inThree: within(3),
    inTen: within(10),
    reciprocal: mean(ranks.map((rank) => (rank > 0 ? 1 / rank : 0))),
  };
}
