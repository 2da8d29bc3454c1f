/**
 * npm run bench: measures the search at several sizes beside the alternatives, in one run.
 * Prints tables.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs, promisify } from "node:util";
import { deflateRawSync } from "node:zlib";
import { blockFolder } from "../functions/engine/index-format.ts";
import { normalizeKeyword } from "../functions/engine/normalize.ts";
import { build } from "../scripts/build/build-snapshot.ts";
import { readManifest } from "../scripts/snapshot/manifest.ts";
import { serveBlocks } from "../tests/support/block-server.ts";
import { buildFunction } from "../tests/support/function-bundle.ts";
import { createOracle } from "../tests/support/oracle.ts";
import { bruteForce, flexSearch, sqlite, type Alternative } from "./alternatives.ts";
import type { Cost } from "./child.ts";
import { corpusSource, readCorpus, workFolder, writeCorpus, type CorpusPost } from "./corpus.ts";
import { mixOf, type Parameters } from "./mix.ts";
import { median, quantile, quantiles, shown, shownAll, table } from "./quantiles.ts";
import { child } from "./run-child.ts";

const usage = `npm run bench -- [options]

  --sizes N,N,…    posts in each corpus (default: 1000,10000,22000,100000; empty for none)
  --queries N      searches in the mix (default: 2000)
  --keywords N      keywords of 1 to 60 units that are compared with a scan of all texts (default: 500)
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
    keywords: { type: "string", default: "500" },
    builds: { type: "string", default: "100000" },
    own: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  process.stdout.write(usage);
  process.exit(0);
}

const work = workFolder();
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
  const oracle = createOracle(posts.map(({ post }) => post));
  return readFileSync(join(folder, "answers.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .filter((line) => {
      const [parameters, answer] = JSON.parse(line) as [Parameters, unknown];
      return JSON.stringify(oracle(parameters)) !== JSON.stringify(answer);
    }).length;
}

function timesOf(alternative: Alternative, keywords: readonly string[]): number[] {
  for (const keyword of keywords.slice(0, 20)) alternative.count(keyword);
  return keywords.map((keyword) => {
    const start = performance.now();
    alternative.count(keyword);
    return performance.now() - start;
  });
}

/** What a build of an index reports. */
interface Built extends Cost {
  readonly bundled: readonly string[];
  readonly published: readonly string[];
}

/** The alternatives beside our own times for the same keywords: a row each. */
function alternativeRows(
  posts: readonly CorpusPost[],
  keywords: readonly string[],
  own: readonly number[],
): string[][] {
  const few = keywords.slice(0, queriesForSlow);
  const brute = bruteForce(posts);
  const slow = [sqlite(posts), ...(posts.length <= inMemoryUpTo ? [flexSearch(posts)] : [])];
  const all = [{ one: brute, asked: keywords }, ...slow.map((one) => ({ one, asked: few }))];
  return all.map(({ one, asked }) => {
    const times = timesOf(one, asked);
    const wrong = asked.filter((keyword) => one.count(keyword) !== brute.count(keyword)).length;
    const [p50, p99] = [median(times), quantile(times, 0.99)];
    const ours = own.slice(0, asked.length);
    return [
      one.name,
      posts.length.toLocaleString("en-US"),
      shown(one.setUp / 1000),
      `${wrong} / ${asked.length}`,
      ...[p50, p99, p50 / median(ours), p99 / quantile(ours, 0.99)].map(shown),
    ];
  });
}

/**
 * The function with the index of a folder: started anew, and warm.
 *
 * @returns figures by the name of their row
 */
async function functionFigures(folder: string): Promise<Record<string, string>> {
  const server = await serveBlocks(join(folder, blockFolder));
  const keyword = await cold(folder, server.url, "人間");
  const phrase = await cold(folder, server.url, "している");
  const { times, peak } = await onBundle<{ times: number[]; peak: number }>(
    "warm.mjs",
    folder,
    server.url,
    folder,
  );
  await server.close();
  return {
    "cold, 人間 (of it importing the bundle), ms": `${shown(keyword.total)} (${shown(keyword.imported)})`,
    "cold, している, ms": shown(phrase.total),
    "warm, request to body, p50 / p99, ms": shownAll(median(times), quantile(times, 0.99)),
    "peak memory after the mix, MB": shown(peak),
  };
}

/**
 * Public blocks over a network.
 *
 * @returns figures by the name of their row
 */
function networkFigures(
  folder: string,
  corpus: string,
  mix: readonly Parameters[],
): Record<string, string> {
  const elsewhere = join(folder, "cdn");
  const { published } = child<Built>("build", elsewhere, corpus, "cdn", folder);
  const bytes = published.reduce((sum, path) => sum + statSync(join(elsewhere, path)).size, 0);
  writeFileSync(join(elsewhere, "mix.json"), JSON.stringify(mix.slice(0, coldSearches)));
  const cdn = child<{ times: number[]; requests: number[] }>("cdn", elsewhere);
  return {
    "with public blocks: MB / files": `${shown(bytes / 1e6)} / ${published.length}`,
    "20 ms and 50 MB/s before every read, cold, p50 / p95 / p99, ms": shownAll(
      ...quantiles(cdn.times),
    ),
    "requests of these, p50 / p95 / p99": quantiles(cdn.requests).join(" / "),
  };
}

/** What is measured of a collection of one size. */
interface Measured {
  /** By the name of their row. */
  readonly figures: Readonly<Record<string, string>>;
  readonly alternatives: readonly (readonly string[])[];
}

async function measure(size: number): Promise<Measured> {
  const say = (what: string): void => void process.stderr.write(`${size} posts: ${what}\n`);
  const folder = join(work, String(size));
  mkdirSync(folder);
  const corpus = join(folder, "corpus.sqlite");
  say("corpus");
  await writeCorpus(corpus, size);
  say("index build");
  const { bundled, published, ...built } = child<Built>("build", folder, corpus);
  const zippedBytes = bundled
    .map((path) => deflateRawSync(readFileSync(join(folder, path)), { level: 9 }).length)
    .reduce((sum, bytes) => sum + bytes, 0);
  const posts = readCorpus(corpus);
  const mix = mixOf(posts, Number(values.queries));
  writeFileSync(join(folder, "mix.json"), JSON.stringify(mix));
  say("cold starts, and a mix of searches");
  const ofFunction = await functionFigures(folder);
  const { times } = child<{ times: number[] }>("match", folder);
  const hostile = child<Record<string, number>>("hostile", folder, corpus);
  say("comparison with the oracle");
  const keywords = child<{ asked: number; wrong: number }>(
    "keywords",
    folder,
    corpus,
    values.keywords,
  );
  const wrong = wrongAnswers(posts, folder) + keywords.wrong;
  say("public blocks over a network");
  const ofNetwork = networkFigures(folder, corpus, mix);
  say("alternatives");
  const asked = mix.map(({ q = "" }) => normalizeKeyword(q));
  const alternatives = values.own ? [] : alternativeRows(posts, asked, times);
  rmSync(folder, { recursive: true });
  const figures = {
    posts: size.toLocaleString("en-US"),
    "wrong answers / searches": `${wrong} / ${mix.length + keywords.asked}`,
    ...ofFunction,
    "matching alone, p50 / p99, ms": shownAll(median(times), quantile(times, 0.99)),
    "index in the function, zipped, MB (placement)": `${shown(zippedBytes / 1e6)} (${published.length === 0 ? "bundle" : "cdn"})`,
    "index build, s / CPU s / peak MB": shownAll(built.seconds, built.cpuSeconds, built.peak),
    ...ofNetwork,
    "costliest hostile search, ms": shown(Math.max(...Object.values(hostile))),
  };
  return { figures, alternatives };
}

/** A build of everything, from the command's start to its end, in a process of its own: a row. */
function measureBuild(file: string): string[] {
  process.stderr.write(`${basename(file)}: whole build\n`);
  const folder = join(work, "built");
  const { seconds, cpuSeconds, peak, steps } = child<Cost & { steps: Record<string, number> }>(
    "whole",
    folder,
    file,
  );
  const { counts } = readManifest(folder);
  rmSync(folder, { recursive: true });
  return [
    basename(file),
    counts.posts.toLocaleString("en-US"),
    ...[seconds, cpuSeconds, peak].map(shown),
    Object.entries(steps)
      .map(([name, taken]) => `${name} ${shown(taken)}`)
      .join(", "),
  ];
}

if (corpusSource.endsWith(".sql"))
  process.stderr.write("The real data set is not there: corpora are made of the sample's text.\n");
const results: Measured[] = [];
const numbersIn = (list: string): number[] => list.split(",").filter(Boolean).map(Number);
for (const size of numbersIn(values.sizes)) results.push(await measure(size));
const builds = [measureBuild(corpusSource)];
for (const posts of numbersIn(values.builds)) {
  const file = join(work, `export-${posts}.sqlite`);
  await writeCorpus(file, posts);
  builds.push(measureBuild(file));
}

const [head = [], ...rows] = Object.keys(results[0]?.figures ?? {}).map((name) => [
  name,
  ...results.map(({ figures }) => figures[name] ?? ""),
]);
const alternativesHead =
  "matching | posts | set-up s | wrong | p50 ms | p99 ms | p50, times ours | p99, times ours";
process.stdout
  .write(`Node ${process.version}, ${cpus()[0]?.model ?? "?"} × ${cpus().length}, text of ${basename(corpusSource)}

${table(head, rows)}
${table(
  alternativesHead.split(" | "),
  results.flatMap(({ alternatives }) => alternatives),
)}
${table("whole build | posts | s | CPU s | peak MB | steps, s".split(" | "), builds)}`);
