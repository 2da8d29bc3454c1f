/**
 * npm run bench:agents: known-item search in words. Queries are made of the words of random posts; where
 * is the post among the results? Beside the substring search of `/api/search`, SQLite FTS5 and MiniSearch.
 * With --cost, what answers cost instead (agents-cost.ts); with --questions, questions that people might ask, in
 * other words than the posts' titles (agents-questions.ts).
 */
import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { agentCosts } from "./agents-cost.ts";
import { agentQuestions } from "./agents-questions.ts";
import { randomFrom, wordsIn } from "./corpus.ts";
import { quantile, shownAll, table } from "./quantiles.ts";
import { ranksOf, searched } from "./ranked-methods.ts";

if (process.argv.includes("--cost")) {
  await agentCosts();
  process.exit(0);
}
if (process.argv.includes("--questions")) {
  await agentQuestions();
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

for (const file of exports) {
  const { posts, methods } = await searched(file);
  const rows: string[][] = [];
  for (const [kind, make] of Object.entries(kinds)) {
    const asked = some([...posts.keys()], queriesPerKind).map((number) => {
      const other = posts[Math.floor(random() * posts.length)]!.searched[1];
      const [title, text] = posts[number]!.searched;
      return { number, query: make(wordsIn(title), wordsIn(text), wordsIn(other)).join(" ") };
    });
    for (const [name, method] of Object.entries(methods)) {
      const ranks: number[] = [];
      const times: number[] = [];
      for (const { number, query } of asked) {
        const start = performance.now();
        const found = await method(query);
        times.push(performance.now() - start);
        ranks.push(found.indexOf(number) + 1);
      }
      const { first, inThree, inTen, reciprocal } = ranksOf(ranks);
      const taken = shownAll(quantile(times, 0.5), quantile(times, 0.99));
      const found = [first, inThree, inTen, reciprocal].map((share) => share.toFixed(2));
      rows.push([kind, name, ...found, taken]);
    }
  }
  const head = "query | method | first | in 3 | in 10 | mean reciprocal rank | p50 / p99 ms";
  process.stdout.write(
    `\n${basename(file)}, ${posts.length} posts\n\n${table(head.split(" | "), rows)}`,
  );
}
