/**
 * npm run bench: measures the search at several sizes beside the alternatives, in one run.
 * Prints tables.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs, promisify } from "node:util";
import { deflateRawSync } from "node:zlib";
import { blockFolder } from "../functions/search/index-format.ts";
import { needleOf } from "../functions/search/normalise.ts";
import { build } from "../scripts/publish/build-snapshot.ts";
import { readManifest } from "../scripts/snapshot/manifest.ts";
import { serveBlocks } from "../tests/support/block-server.ts";
import { buildFunction } from "../tests/support/function-bundle.ts";
import { createOracle } from "../tests/support/oracle.ts";
import { bruteForce, flexSearch, sqlite, type Alternative } from "./alternatives.ts";
import { corpusSource, readCorpus, writeCorpus, writeExport, type CorpusPost } from "./corpus.ts";
import { mixOf, type Parameters } from "./mix.ts";
import { median, quantile, quantiles, shown } from "./quantiles.ts";
import { child } from "./run-child.ts";

const usage = `npm run bench -- [options]

  --sizes N,N,…    posts in each corpus (default: 1000,10000,22000,100000; empty for none)
  --queries N      searches in the mix (default: 2000)
  --needles N      needles of 1 to 60 units that are compared with a scan of all texts (default: 500)
  --builds N,N,…   posts in exports that are built as a whole, beside the source itself (default: 100000)
  --own            measure no alternatives
  --help           show this text
`;
/** Searches that the slow alternatives are asked, of the mix. */
const queriesForSlow = 60;
/** FlexSearch needs half a minute and half a gigabyte for 10,000 posts. */
const inMemoryUpTo = 10_000;
const coldRuns = 9;
/** Searches of the mix that are asked of public blocks, each with an empty cache. */
const coldSearches = 300;

const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "1000,10000,22000,100000" },
    queries: { type: "string", default: "2000" },
    needles: { type: "string", default: "500" },
    builds: { type: "string", default: "100000" },
    own: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  process.stdout.write(usage);
  process.exit(0);
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

const execute = promisify(execFile);

/**
 * Runs a script of bench/ on the bundled function, in plain Node. The script prints JSON.
 *
 * @param blocksUrl where public blocks are
 */
async function onBundle<T>(
  script: string,
  snapshot: string,
  blocksUrl: string,
  argument: string,
): Promise<T> {
  const { stdout } = await execute(
    process.execPath,
    [join(import.meta.dirname, script), pathToFileURL(bundle).href, argument],
    {
      env: { ...process.env, SNAPSHOT_DIR: snapshot, SEARCH_BLOCKS_URL: blocksUrl },
      maxBuffer: 2 ** 28,
    },
  );
  return JSON.parse(stdout) as T;
}

async function cold(folder: string, blocksUrl: string, q: string) {
  const runs: [imported: number, total: number][] = [];
  for (let run = 0; run < coldRuns; run++)
    runs.push(await onBundle("cold.mjs", folder, blocksUrl, q));
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

/** What a build of an index reports. */
interface Built {
  readonly ms: number;
  readonly cpuSeconds: number;
  readonly peak: number;
  readonly bundled: readonly string[];
  readonly published: readonly string[];
}

/** The alternatives beside our own times for the same needles. */
function measureAlternatives(
  posts: readonly CorpusPost[],
  needles: readonly string[],
  own: readonly number[],
) {
  const few = needles.slice(0, queriesForSlow);
  const brute = bruteForce(posts);
  const slow = [sqlite(posts), ...(posts.length <= inMemoryUpTo ? [flexSearch(posts)] : [])];
  const results = [
    { alternative: brute, times: timesOf(brute, needles), asked: needles },
    ...slow.map((alternative) => ({ alternative, times: timesOf(alternative, few), asked: few })),
  ];
  return results.map(({ alternative, times, asked }) => ({
    name: alternative.name,
    setUpSeconds: alternative.setUp / 1000,
    queries: asked.length,
    wrong: asked.filter((needle) => alternative.count(needle) !== brute.count(needle)).length,
    p50: median(times),
    p99: quantile(times, 0.99),
    timesSlowerP50: median(times) / median(own.slice(0, asked.length)),
    timesSlowerP99: quantile(times, 0.99) / quantile(own.slice(0, asked.length), 0.99),
  }));
}

async function measure(size: number) {
  const say = (what: string): void => void process.stderr.write(`${size} posts: ${what}\n`);
  const folder = join(work, String(size));
  mkdirSync(folder);
  const corpus = join(folder, "corpus.sqlite");
  say("corpus");
  writeCorpus(corpus, size);
  say("index build");
  const built = child<Built>("build", folder, corpus);
  const zippedBytes = built.bundled
    .map((path) => deflateRawSync(readFileSync(join(folder, path)), { level: 9 }).length)
    .reduce((sum, bytes) => sum + bytes, 0);
  const posts = readCorpus(corpus);
  const mix = mixOf(posts, Number(values.queries));
  writeFileSync(join(folder, "mix.json"), JSON.stringify(mix));

  const server = await serveBlocks(join(folder, blockFolder));
  say("cold starts");
  const coldKeyword = await cold(folder, server.url, "人間");
  const coldPhrase = await cold(folder, server.url, "している");
  say("mix of searches");
  const warm = await onBundle<{ times: number[]; peak: number }>(
    "warm.mjs",
    folder,
    server.url,
    folder,
  );
  await server.close();
  const match = child<{ times: number[] }>("match", folder);
  const hostile = child<Record<string, number>>("hostile", folder, corpus);
  say("comparison with the oracle");
  const wrong = wrongAnswers(posts, folder);
  const needles = child<{ asked: number; wrong: number }>(
    "needles",
    folder,
    corpus,
    values.needles,
  );
  say("public blocks over a network");
  const elsewhere = join(folder, "cdn");
  const published = child<Built>("build", elsewhere, corpus, "cdn", folder);
  writeFileSync(join(elsewhere, "mix.json"), JSON.stringify(mix.slice(0, coldSearches)));
  const cdn = child<{ times: number[]; requests: number[] }>("cdn", elsewhere);

  say("alternatives");
  const alternatives = values.own
    ? []
    : measureAlternatives(
        posts,
        mix.map(({ q = "" }) => needleOf(q)),
        match.times,
      );
  rmSync(folder, { recursive: true });
  return {
    posts: size,
    wrong: wrong + needles.wrong,
    queries: mix.length + needles.asked,
    coldKeyword,
    coldPhrase,
    warm: { p50: median(warm.times), p99: quantile(warm.times, 0.99) },
    match: { p50: median(match.times), p99: quantile(match.times, 0.99) },
    peakMegabytes: warm.peak,
    build: {
      seconds: built.ms / 1000,
      cpuSeconds: built.cpuSeconds,
      peakMegabytes: built.peak,
    },
    placement: built.published.length === 0 ? "bundle" : "cdn",
    zippedMegabytes: zippedBytes / 1e6,
    cdn: {
      files: published.published.length,
      megabytes:
        [...published.bundled, ...published.published]
          .map((path) => statSync(join(elsewhere, path)).size)
          .reduce((sum, bytes) => sum + bytes, 0) / 1e6,
      milliseconds: quantiles(cdn.times),
      requests: quantiles(cdn.requests),
    },
    hostile,
    alternatives,
  };
}

/** A build of everything, from the command's start to its end, in a process of its own. */
function measureBuild(file: string) {
  process.stderr.write(`${basename(file)}: whole build\n`);
  const folder = join(work, "built");
  const built = child<{
    seconds: number;
    cpuSeconds: number;
    peak: number;
    steps: Record<string, number>;
  }>("whole", folder, file);
  const { counts } = readManifest(folder);
  rmSync(folder, { recursive: true });
  return { export: basename(file), posts: counts.posts, ...built };
}

/** An export with a number of posts. */
function exportOf(posts: number): string {
  const corpus = join(work, `corpus-${posts}.sqlite`);
  const file = join(work, `export-${posts}.sqlite`);
  writeCorpus(corpus, posts);
  writeExport(corpus, file);
  rmSync(corpus);
  return file;
}

if (corpusSource.endsWith(".sql"))
  process.stderr.write("The real data set is not there: corpora are made of the sample's text.\n");
const results: Awaited<ReturnType<typeof measure>>[] = [];
const numbersIn = (list: string): number[] => list.split(",").filter(Boolean).map(Number);
for (const size of numbersIn(values.sizes)) results.push(await measure(size));
const builds = [corpusSource, ...numbersIn(values.builds).map(exportOf)].map(measureBuild);

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
  row(
    "index in the function, zipped, MB (placement)",
    ({ zippedMegabytes, placement }) => `${shown(zippedMegabytes)} (${placement})`,
  ),
  row("peak memory after the mix, MB", ({ peakMegabytes }) => shown(peakMegabytes)),
  row(
    "index build, s / CPU s / peak MB",
    ({ build }) =>
      `${shown(build.seconds)} / ${shown(build.cpuSeconds)} / ${shown(build.peakMegabytes)}`,
  ),
  row("with public blocks: MB / files", ({ cdn }) => `${shown(cdn.megabytes)} / ${cdn.files}`),
  row("20 ms and 50 MB/s before every read, cold, p50 / p95 / p99, ms", ({ cdn }) =>
    cdn.milliseconds.map(shown).join(" / "),
  ),
  row("requests of these, p50 / p95 / p99", ({ cdn }) => cdn.requests.join(" / ")),
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
  "| whole build | posts | s | CPU s | peak MB | steps, s |",
  "|---|---|---|---|---|---|",
  ...builds.map(
    (one) =>
      `| ${one.export} | ${one.posts.toLocaleString("en-US")} | ${shown(one.seconds)} | ${shown(one.cpuSeconds)} | ${shown(one.peak)} | ` +
      `${Object.entries(one.steps)
        .map(([name, seconds]) => `${name} ${shown(seconds)}`)
        .join(", ")} |`,
  ),
];
process.stdout.write(`${lines.join("\n")}\n`);
