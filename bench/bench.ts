/**
 * npm run bench: measures the search at several sizes beside the alternatives, in one run.
 * Prints tables and writes bench-results.json.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { deflateRawSync } from "node:zlib";
import { indexFolder } from "../functions/search/index-format.ts";
import { needleOf } from "../functions/search/normalise.ts";
import { build } from "../scripts/publish/publish.ts";
import { buildFunction } from "../tests/support/function-bundle.ts";
import { createOracle } from "../tests/support/oracle.ts";
import { bruteForce, miniSearch, sqlite, type Alternative } from "./alternatives.ts";
import { corpusSource, readCorpus, writeCorpus, type CorpusPost } from "./corpus.ts";
import { mixOf, type Parameters } from "./mix.ts";

const usage = `npm run bench -- [options]

  --sizes N,N,…    posts in each corpus (default: 10000,20000,100000; empty for none)
  --queries N      searches in the mix (default: 2000)
  --help           show this text
`;
/** Searches that the slow alternatives are asked, of the mix. */
const queriesForSlow = 60;
/** MiniSearch needs a minute and a gigabyte for 10,000 posts. */
const miniSearchUpTo = 10_000;
const coldRuns = 9;
const publishingRuns = 3;

const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "10000,20000,100000" },
    queries: { type: "string", default: "2000" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  process.stdout.write(usage);
  process.exit(0);
}

const quantile = (numbers: readonly number[], share: number): number => {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};
const median = (numbers: readonly number[]): number => quantile(numbers, 0.5);
const shown = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(1) : value.toFixed(3);

/** Runs one task of bench/child.ts in a process of its own. */
function child<T>(task: string, ...args: readonly string[]): T {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, "scripts/cli/run.mjs"), join(import.meta.dirname, "child.ts"), task, ...args],
    { encoding: "utf8", maxBuffer: 2 ** 30 },
  );
  if (status !== 0) throw new Error(`${task}: ${stderr}`);
  return JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") as T;
}

const work = mkdtempSync(join(tmpdir(), "case-collection-bench-"));
process.once("exit", () => rmSync(work, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

// The function as the real build makes it, with the sample's index; the corpora's are read instead.
const root = resolve(import.meta.dirname, "..");
const sampleSnapshot = join(work, "sample");
await build(["--export", join(root, "data/sample.sql"), "--out", sampleSnapshot], process);
const { folder: task } = await buildFunction(sampleSnapshot, mkdtempSync(join(work, "function-")));
const bundle = join(task, "functions/search/search.mjs");

/** Runs a script of bench/ on the bundled function, in plain Node. The script prints JSON. */
function onBundle<T>(script: string, snapshot: string, argument: string): T {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, script), pathToFileURL(bundle).href, argument],
    { encoding: "utf8", env: { ...process.env, SNAPSHOT_DIR: snapshot }, maxBuffer: 2 ** 28 },
  );
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as T;
}

function cold(folder: string, q: string): { readonly total: number; readonly imported: number } {
  const runs = Array.from({ length: coldRuns }, () =>
    onBundle<[imported: number, total: number]>("cold.mjs", folder, q),
  );
  return {
    imported: median(runs.map(([imported]) => imported)),
    total: median(runs.map(([, total]) => total)),
  };
}

/** Answers of the function that differ from the oracle's. */
function wrongAnswers(posts: readonly CorpusPost[], folder: string): number {
  const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const oracle = createOracle(
    posts.map(({ hit, text }) => ({
      ...hit,
      postContentHtml: escaped(text),
      tags: hit.tagNames.map((tagName) => ({ tagName })),
    })),
  );
  return readFileSync(join(folder, "answers.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .filter((line) => {
      const [parameters, answer] = JSON.parse(line) as [Parameters, unknown];
      return JSON.stringify(oracle(parameters)) !== JSON.stringify(answer);
    }).length;
}

function timesOf(alternative: Alternative, needles: readonly string[]): number[] {
  for (const needle of needles.slice(0, 20)) alternative.count(needle);
  return needles.map((needle) => {
    const start = performance.now();
    alternative.count(needle);
    return performance.now() - start;
  });
}

function measure(size: number) {
  const say = (what: string): void => void process.stderr.write(`${size} posts: ${what}\n`);
  const folder = join(work, String(size));
  mkdirSync(folder);
  const corpus = join(folder, "corpus.sqlite");
  say("corpus");
  writeCorpus(corpus, size);
  say("index build");
  const built = child<{ ms: number; peak: number; grams: number; postings: number; bytes: number }>(
    "build",
    folder,
    corpus,
  );
  const files = readdirSync(join(folder, indexFolder)).map((name) => {
    const content = readFileSync(join(folder, indexFolder, name));
    return { name, bytes: content.length, zipped: deflateRawSync(content, { level: 9 }).length };
  });
  const posts = readCorpus(corpus);
  const mix = mixOf(posts, Number(values.queries));
  writeFileSync(join(folder, "mix.json"), JSON.stringify(mix));
  say("cold starts");
  const coldKeyword = cold(folder, "人間");
  const coldPhrase = cold(folder, "している");
  say("mix of searches");
  const warm = onBundle<{ times: number[]; peak: number }>("warm.mjs", folder, folder);
  const match = child<{ times: number[] }>("match", folder);
  const hostile = child<Record<string, number>>("hostile", folder, corpus);
  say("comparison with the oracle");
  const wrong = wrongAnswers(posts, folder);

  say("alternatives");
  const needles = mix.map(({ q = "" }) => needleOf(q));
  const few = needles.slice(0, queriesForSlow);
  const brute = bruteForce(posts);
  const results = [
    { alternative: brute, times: timesOf(brute, needles), asked: needles },
    ...[false, true].map((fts) => {
      const alternative = sqlite(posts, fts);
      return { alternative, times: timesOf(alternative, few), asked: few };
    }),
    ...(size <= miniSearchUpTo
      ? [miniSearch(posts)].map((alternative) => ({
          alternative,
          times: timesOf(alternative, few),
          asked: few,
        }))
      : []),
  ];
  const own = (asked: readonly string[]): number[] => match.times.slice(0, asked.length);
  rmSync(folder, { recursive: true });
  return {
    posts: size,
    wrong,
    queries: mix.length,
    coldKeyword,
    coldPhrase,
    warm: { p50: median(warm.times), p99: quantile(warm.times, 0.99) },
    match: { p50: median(match.times), p99: quantile(match.times, 0.99) },
    peakMegabytes: warm.peak,
    build: { seconds: built.ms / 1000, peakMegabytes: built.peak, grams: built.grams },
    files,
    zippedMegabytes: files.reduce((sum, file) => sum + file.zipped, 0) / 1e6,
    hostile,
    alternatives: results.map(({ alternative, times, asked }) => ({
      name: alternative.name,
      setUpSeconds: alternative.setUp / 1000,
      queries: asked.length,
      wrong: asked.filter((needle) => alternative.count(needle) !== brute.count(needle)).length,
      p50: median(times),
      p99: quantile(times, 0.99),
      timesSlowerP50: median(times) / median(own(asked)),
      timesSlowerP99: quantile(times, 0.99) / quantile(own(asked), 0.99),
    })),
  };
}

/** The posts part of a build beside `cp -r` of the files that it writes, in turn. */
function measurePublishing(file: string) {
  process.stderr.write(`${basename(file)}: posts part of a build\n`);
  const runs = Array.from({ length: publishingRuns }, (_, run) => {
    const folder = join(work, `publish-${run}`);
    mkdirSync(folder);
    const { steps, memory } = child<{
      steps: Record<string, number>;
      memory: Record<string, number>;
    }>("publish", folder, file);
    const start = performance.now();
    spawnSync("cp", ["-r", join(folder, "api/posts"), join(folder, "copy")]);
    const copy = performance.now() - start;
    const posts = readdirSync(join(folder, "api/posts")).length;
    rmSync(folder, { recursive: true });
    return { posts, write: steps["posts"] ?? 0, copy, megabytes: memory["posts"] ?? 0 };
  });
  return {
    export: basename(file),
    posts: runs[0]?.posts ?? 0,
    writeSeconds: median(runs.map(({ write }) => write)) / 1000,
    copySeconds: median(runs.map(({ copy }) => copy)) / 1000,
    ratio: median(runs.map(({ write, copy }) => write / copy)),
    megabytes: median(runs.map(({ megabytes }) => megabytes)),
  };
}

const isReal = !corpusSource.endsWith(".sql");
if (!isReal)
  process.stderr.write("The real data set is not there: corpora are made of the sample's text.\n");
const results = values.sizes
  .split(",")
  .filter((size) => size !== "")
  .map((size) => measure(Number(size)));
const publishing = [corpusSource, corpusSource.replace("real-medium-aozora", "real-large")]
  .filter((file, i, all) => all.indexOf(file) === i)
  .map(measurePublishing);

const row = (name: string, cell: (result: (typeof results)[number]) => string): string =>
  `| ${name} | ${results.map(cell).join(" | ")} |`;
const lines = [
  `Node ${process.version}, ${cpus()[0]?.model ?? "?"} × ${cpus().length}, text of ${basename(corpusSource)}`,
  "",
  row("posts", ({ posts }) => posts.toLocaleString("en-US")),
  row("---", () => "---"),
  row("wrong answers / searches", ({ wrong, queries }) => `${wrong} / ${queries}`),
  row(
    "cold, 人間 (of it importing the bundle), ms",
    ({ coldKeyword }) => `${shown(coldKeyword.total)} (${shown(coldKeyword.imported)})`,
  ),
  row("cold, している, ms", ({ coldPhrase }) => shown(coldPhrase.total)),
  row(
    "warm, request to body, p50 / p99, ms",
    ({ warm }) => `${shown(warm.p50)} / ${shown(warm.p99)}`,
  ),
  row("matching alone, p50 / p99, ms", ({ match }) => `${shown(match.p50)} / ${shown(match.p99)}`),
  row("index and text, zipped, MB", ({ zippedMegabytes }) => shown(zippedMegabytes)),
  row("peak memory after the mix, MB", ({ peakMegabytes }) => shown(peakMegabytes)),
  row(
    "index build, s / peak MB",
    ({ build }) => `${shown(build.seconds)} / ${shown(build.peakMegabytes)}`,
  ),
  row("costliest hostile search, ms", ({ hostile }) => shown(Math.max(...Object.values(hostile)))),
  "",
  "| matching | posts | set-up s | wrong | p50 ms | p99 ms | p50, times ours | p99, times ours |",
  "|---|---|---|---|---|---|---|---|",
  ...results.flatMap(({ posts, alternatives }) =>
    alternatives.map(
      (one) =>
        `| ${one.name} | ${posts.toLocaleString("en-US")} | ${shown(one.setUpSeconds)} | ${one.wrong} / ${one.queries} | ${shown(one.p50)} | ${shown(one.p99)} | ${shown(one.timesSlowerP50)} | ${shown(one.timesSlowerP99)} |`,
    ),
  ),
  "",
  "| posts part of a build | posts | s | `cp -r` of its files, s | ratio | memory, MB |",
  "|---|---|---|---|---|---|",
  ...publishing.map(
    (one) =>
      `| ${one.export} | ${one.posts.toLocaleString("en-US")} | ${shown(one.writeSeconds)} | ${shown(one.copySeconds)} | ${shown(one.ratio)} | ${shown(one.megabytes)} |`,
  ),
];
process.stdout.write(`${lines.join("\n")}\n`);
writeFileSync(
  "bench-results.json",
  `${JSON.stringify({ source: basename(corpusSource), node: process.version, results, publishing }, null, 2)}\n`,
);
