/**
 * npm run bench:agents: known-item search in words. Queries are made of the words of random posts; where
 * is the post among the results? Beside the substring search of `/api/search`, SQLite FTS5 and MiniSearch.
 * With --cost, what answers cost instead (agents-cost.ts).
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import Database from "better-sqlite3";
import MiniSearch from "minisearch";
import { needleOf, normalise } from "../functions/search/normalise.ts";
import { rankedSearch } from "../functions/mcp/ranked-search.ts";
import { build } from "../scripts/publish/build-snapshot.ts";
import { mountedIndex } from "../tests/support/mounted-index.ts";
import { agentCosts } from "./agents-cost.ts";
import { publishedCorpus, randomFrom, wordsIn, type CorpusPost } from "./corpus.ts";
import { quantile, shown, shownAll, table } from "./quantiles.ts";

if (process.argv.includes("--cost")) {
  await agentCosts();
  process.exit(0);
}

const queriesPerKind = 300;
const root = resolve(import.meta.dirname, "..");
const datasets = resolve(root, "../shared/datasets");
const exports = ["real-small.sqlite", "real-medium-aozora.sqlite"]
  .map((name) => join(datasets, name))
  .filter(existsSync);
if (exports.length === 0) exports.push(join(root, "data/sample.sql"));

const random = randomFrom(11);
const some = <T>(list: readonly T[], count: number): T[] => {
  const left = [...new Set(list)];
  return Array.from(
    { length: Math.min(count, left.length) },
    () => left.splice(Math.floor(random() * left.length), 1)[0] as T,
  );
};

/** Kinds of queries, each made of a post and of words of other posts. */
const kinds: Readonly<
  Record<string, (title: string[], text: string[], foreign: string[]) => string[]>
> = {
  "three words": (_, text) => some(text, 3),
  "eight words in other order": (_, text) => some(text, 8),
  "three title words, two of the text, two foreign": (title, text, foreign) =>
    some([...some(title, 3), ...some(text, 2), ...some(foreign, 2)], 7),
  "a question": (title, text, foreign) => [
    `${[...some(title, 2), ...some(text, 2)].join("の")}について、${some(foreign, 1).join("")}はどうすればいいですか？`,
  ],
};

/** Ranks of ids for a query, the best first. */
type Method = (query: string) => Promise<readonly number[]> | readonly number[];

/** SQLite's FTS5 with trigrams and bm25; words below three characters match nothing there. */
function fts5(posts: readonly CorpusPost[]): Method {
  const database = new Database("");
  database.exec("CREATE VIRTUAL TABLE texts USING fts5(title, text, tokenize = 'trigram')");
  const insert = database.prepare("INSERT INTO texts (rowid, title, text) VALUES (?, ?, ?)");
  for (const [i, { searched }] of posts.entries()) insert.run(i + 1, searched[0], searched[1]);
  const select = database
    .prepare<[string], number>(
      "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts, 2.0, 1.0) LIMIT 10",
    )
    .pluck();
  return (query) => {
    const words = wordsIn(normalise(query)).map((word) => `"${word.replaceAll('"', "")}"`);
    return words.length === 0 ? [] : select.all(words.join(" OR ")).map((id) => id - 1);
  };
}

function miniSearch(posts: readonly CorpusPost[]): Method {
  const index = new MiniSearch({
    fields: ["title", "text"],
    tokenize: (text) => wordsIn(text),
    processTerm: (term) => normalise(term),
  });
  index.addAll(posts.map(({ searched }, id) => ({ id, title: searched[0], text: searched[1] })));
  return (query) =>
    index
      .search(query, { boost: { title: 2 } })
      .slice(0, 10)
      .map(({ id }) => id as number);
}

for (const file of exports) {
  const folder = join(mkdtempSync(join(tmpdir(), "case-collection-bench-")), "dist");
  const silent = { write: () => true };
  await build(["--export", file, "--out", folder, "--index", "bundle"], {
    stdout: silent,
    stderr: silent,
    env: {},
  });
  const posts = publishedCorpus(folder);
  const index = await mountedIndex(folder, 2 ** 28);
  const methods: Readonly<Record<string, Method>> = {
    "substring, newest first": async (q) => [...(await index.find(needleOf(q)))].slice(0, 10),
    "ranked by words": async (q) => {
      const { hits } = await rankedSearch(index, {
        q,
        tags: [],
        orderby: undefined,
        page: 1,
        pageSize: 10,
      });
      return hits.map(({ hit }) => numberOf.get(hit.postId) ?? -1);
    },
    "SQLite FTS5, trigram, bm25": fts5(posts),
    "MiniSearch with a segmenter": miniSearch(posts),
  };
  const numberOf = new Map(posts.map(({ hit }, number) => [hit.postId, number]));
  const rows: string[][] = [];
  for (const [kind, make] of Object.entries(kinds)) {
    const asked = some([...posts.keys()], queriesPerKind).map((number) => {
      const other = posts[Math.floor(random() * posts.length)]!.searched[1];
      const { searched } = posts[number]!;
      return {
        number,
        query: make(wordsIn(searched[0]), wordsIn(searched[1]), wordsIn(other)).join(" "),
      };
    });
    const all = await Promise.all(
      asked.map(async ({ number, query }) => {
        const lists = await Promise.all(wordsIn(query).map((word) => index.find(needleOf(word))));
        const holding = lists.reduce(
          (left, list) => left.filter((post) => list.includes(post)),
          index.files.everyPost,
        );
        return holding.includes(number);
      }),
    );
    const share = shown(all.filter(Boolean).length / all.length);
    rows.push([kind, "(the post contains all words)", "", "", share, "", ""]);
    for (const [name, method] of Object.entries(methods)) {
      const ranks: number[] = [];
      const times: number[] = [];
      for (const { number, query } of asked) {
        const start = performance.now();
        const found = await method(query);
        times.push(performance.now() - start);
        ranks.push(found.indexOf(number) + 1);
      }
      const within = (most: number): string =>
        (ranks.filter((rank) => rank > 0 && rank <= most).length / ranks.length).toFixed(2);
      const reciprocal =
        ranks.reduce((sum, rank) => sum + (rank > 0 ? 1 / rank : 0), 0) / ranks.length;
      const taken = shownAll(quantile(times, 0.5), quantile(times, 0.99));
      const found = [within(1), within(3), within(10), reciprocal.toFixed(2)];
      rows.push([kind, name, ...found, taken]);
    }
  }
  const head = "query | method | first | in 3 | in 10 | mean reciprocal rank | p50 / p99 ms";
  process.stdout.write(
    `\n${basename(file)}, ${posts.length} posts\n\n${table(head.split(" | "), rows)}`,
  );
  rmSync(join(folder, ".."), { recursive: true });
}
