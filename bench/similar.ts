/**
 * npm run bench:similar: the quality of similar posts beside baselines and without each part of the method,
 * as a reader judged them, or by tags that no method sees; and what they cost. Prints tables.
 */
import { existsSync } from "node:fs";
import { cpus } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import {
  qualityOf,
  randomRanking,
  precisionOf,
  readPosts,
  readRelated,
  wordRanking,
  type JudgedPost,
  type Quality,
  type Ranking,
} from "./relatedness.ts";
import type { Cost } from "./child.ts";
import { table } from "./quantiles.ts";
import { child } from "./run-child.ts";

const root = resolve(import.meta.dirname, "..");
const datasets = resolve(root, "../shared/datasets");
const usage = `npm run bench:similar -- [--data DIR] [--read N]

  --data DIR   folder of real-votes-se, real-small, real-medium-aozora and real-large.sqlite
               (default: ../shared/datasets; without it, the sample alone)
  --read N     print the titles of N random posts of each set with those of their similar posts
  --help       show this text
`;
const { values } = parseArgs({
  options: {
    data: { type: "string", default: datasets },
    read: { type: "string", default: "0" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  process.stdout.write(usage);
  process.exit(0);
}
const real = ["real-votes-se", "real-small", "real-medium-aozora"]
  .map((name) => join(values.data, `${name}.sqlite`))
  .filter((file) => existsSync(file));
const files = real.length > 0 ? real : [join(root, "data/sample.sql")];

interface Run extends Cost {
  readonly ranking: Ranking;
}

/**
 * The build's own method in a process of its own.
 *
 * @param posts how many, spread over all; 0 for all
 * @param variant parts that are switched off: with-repeats, without-cut-off
 */
const own = (file: string, posts = 0, variant = ""): Run =>
  child("similar", String(posts), file, variant);

/** What a person called related among the posts of real-small; the file comes with the data sets, CC BY 4.0. */
const judgements = join(import.meta.dirname, "real-small.related.tsv");
const isRead = (file: string): boolean => file.includes("real-small");
const nameOf = (file: string): string => file.replace(/^.*\/|\.\w+$/g, "");
const figure = (value: number | undefined): string => value?.toFixed(3) ?? "";
const rows: string[][] = [];
for (const file of files) {
  process.stderr.write(`${nameOf(file)}\n`);
  const posts = readPosts(file);
  const { ranking } = own(file);
  const methods: readonly (readonly [name: string, ranking: Ranking])[] = [
    ["random", randomRanking(posts)],
    ["TF-IDF of words", wordRanking(posts)],
    ["neither part", own(file, 0, "with-repeats,without-cut-off").ranking],
    ["repeats left out, no cut-off", own(file, 0, "without-cut-off").ranking],
    ["cut-off, with repeats", own(file, 0, "with-repeats").ranking],
    ["**the build's**", ranking],
  ];
  const related = isRead(file) ? readRelated(judgements, posts) : undefined;
  for (const [name, one] of methods) {
    const quality: Quality = qualityOf(posts, one);
    const read = (first: number): string => {
      if (related === undefined) return "";
      const { right, given } = precisionOf(one, related, first);
      return `${(right / Math.max(1, given)).toFixed(2)} (${right} of ${given})`;
    };
    // Tags that name the file that a post edits reward shared quotes.
    const byTags =
      related === undefined
        ? [quality.tagOverlap, quality.rarestTag, quality.rarestTagGiven]
        : [undefined, undefined, undefined];
    const given = quality.given.toFixed(1);
    rows.push([nameOf(file), name, read(3), read(5), ...byTags.map(figure), given]);
  }
  read(posts, ranking, Number(values.read));
}

/** Prints random posts with their similar ones, for a person to judge. */
function read(posts: readonly JudgedPost[], ranking: Ranking, count: number): void {
  const titleOf = (post: number): string => posts[post]?.title ?? "";
  for (let i = 0; i < count; i++) {
    const post = Math.floor(((i * 0.618_034 + 0.137) % 1) * posts.length);
    const others = (ranking[post] ?? []).slice(0, 5).map(titleOf);
    process.stdout.write(`${titleOf(post)}\n  → ${others.join("\n  → ") || "(none)"}\n`);
  }
}

const head =
  "posts of | method | read: first 3 | read: first 5 | tag overlap, first 5 | rarest tag, first 5 | rarest tag per given | given, of 15";
process.stdout.write(
  `Node ${process.version}, ${cpus()[0]?.model ?? "?"} × ${cpus().length}\n\n${table(head.split(" | "), rows)}`,
);

const large = join(values.data, "real-large.sqlite");
const costs: [file: string, run: Run][] = files.map((file) => [file, own(file)]);
for (const size of existsSync(large) ? [10_000, 30_000, 100_000] : []) {
  process.stderr.write(`${size} posts\n`);
  costs.push([large, own(large, size)]);
}
const costRows = costs.map(([file, { ranking, seconds, peak }]) => [
  nameOf(file),
  ranking.length.toLocaleString("en-US"),
  seconds.toFixed(1),
  peak.toFixed(0),
]);
process.stdout.write(`\n${table(["posts of", "posts", "s", "peak MB"], costRows)}`);
