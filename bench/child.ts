/**
 * One measurement in a process of its own, so that its memory and its caches are its own.
 * The last line of standard output is the result as JSON.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cacheMegabytesFrom } from "../functions/http/environment.ts";
import type { RequestHandler } from "../functions/http/handler.ts";
import { blockFolder } from "../functions/engine/index-format.ts";
import type { MountedIndex } from "../functions/engine/flexsearch-index.ts";
import { normalizeKeyword } from "../functions/engine/normalize.ts";
import { build as buildSnapshot } from "../scripts/build/build-snapshot.ts";
import type { PlacementOption } from "../scripts/search-index/placement.ts";
import { similarPosts } from "../scripts/similar/similar-posts.ts";
import { mountedIndex } from "../tests/support/mounted-index.ts";
import { serveBlocks } from "../tests/support/block-server.ts";
import { scanOf } from "./alternatives.ts";
import { randomFrom, readCorpus, writeIndex } from "./corpus.ts";
import { functionOn, network } from "./function-on.ts";
import { readPosts, withoutTags } from "./relatedness.ts";
import type { Parameters } from "./mix.ts";

const [task, folder = "", corpus = "", extra = "auto", reuse = ""] = process.argv.slice(2);

const milliseconds = async (work: () => unknown): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

/** What some work takes. */
export interface Cost {
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Peak memory of the process, in MB. */
  readonly peak: number;
}

async function costOf(work: () => Promise<void>): Promise<Cost> {
  const before = process.cpuUsage();
  const seconds = (await milliseconds(work)) / 1000;
  const { user, system } = process.cpuUsage(before);
  const peak = process.resourceUsage().maxRSS / 1024;
  return { seconds, cpuSeconds: (user + system) / 1e6, peak };
}

/**
 * Writes the index of a corpus.
 *
 * @param last placement
 */
async function build(): Promise<object> {
  let report: object = {};
  const cost = await costOf(async () => {
    report = await writeIndex(folder, corpus, extra as PlacementOption, reuse || undefined);
  });
  return { ...cost, ...report };
}

/**
 * Asks the function for a search.
 *
 * @throws where that fails
 */
async function answerTo(search: RequestHandler, query: string): Promise<void> {
  const response = await search(new Request(`https://api.example/api/search?${query}`));
  const text = await response.text();
  if (response.status !== 200)
    throw new Error(`${query.slice(0, 100)}: ${response.status} ${text}`);
}

const read = <T>(name: string): T => JSON.parse(readFileSync(join(folder, name), "utf8")) as T;

/** The index of the folder, with the function's cache, which holds all of it. */
const open = (): Promise<MountedIndex> =>
  mountedIndex(folder, cacheMegabytesFrom(undefined) * 2 ** 20);

/** Matching alone: normalised keyword → post numbers, with the blocks in memory. */
async function match(): Promise<object> {
  const mix = read<Parameters[]>("mix.json");
  const index = await open();
  const keywords = mix.map(({ q = "" }) => normalizeKeyword(q));
  for (const keyword of keywords) await index.find(keyword);
  const times: number[] = [];
  for (const keyword of keywords) times.push(await milliseconds(() => index.find(keyword)));
  return { times };
}

/** Searches that are asked before any is timed, so that the code is compiled. */
const warmUp = 40;

/**
 * Whole searches of an index whose blocks are public files, each with nothing in memory but the code. The server that
 * simulates the network runs in this process, too.
 */
async function cdn(): Promise<object> {
  const mix = read<Parameters[]>("mix.json");
  const server = await serveBlocks(join(folder, blockFolder), network);
  const times: number[] = [];
  const requests: number[] = [];
  for (const parameters of [...mix.slice(0, warmUp), ...mix]) {
    server.requests.length = 0;
    const search = functionOn(folder, { blockUrls: () => [server.url] });
    const query = String(new URLSearchParams({ ...parameters, page: "1" }));
    times.push(await milliseconds(() => answerTo(search, query)));
    requests.push(server.requests.length);
  }
  await server.close();
  return { times: times.slice(warmUp), requests: requests.slice(warmUp) };
}

/**
 * Compares keywords with a scan of all texts, which shares no code with the index: pieces of texts of 1 to 60
 * units, every fourth with one unit changed, so that most of these are nowhere.
 */
async function keywords(): Promise<object> {
  const index = await open();
  const posts = readCorpus(corpus);
  const scan = scanOf(posts);
  const random = randomFrom(7);
  const below = (limit: number): number => Math.floor(random() * limit);
  const asked = Number(extra);
  let wrong = 0;
  for (let i = 0; i < asked; i++) {
    const text = posts[below(posts.length)]!.searched[i % 10 === 0 ? 0 : 1];
    const at = below(text.length);
    const piece = text.slice(at, at + 1 + (i % 60));
    const changed = i % 4 === 0 ? below(piece.length) : piece.length;
    // A space at either end is none of a keyword: the index has one around each text, for words.
    const keyword = normalizeKeyword(
      piece.slice(0, changed) + (i % 4 === 0 ? "の" : "") + piece.slice(changed + 1),
    );
    if (String(await index.find(keyword)) !== String(scan(keyword))) wrong++;
  }
  return { asked, wrong };
}

/** Searches that are meant to cost much, once each, after the mix has warmed nothing. */
async function hostile(): Promise<object> {
  const search = functionOn(folder);
  const text = readCorpus(corpus)
    .slice(0, 40)
    .map(({ searched }) => searched[1])
    .join("");
  const many = (count: number, one: (i: number) => string): string =>
    Array.from({ length: count }, (_, i) => one(i)).join("");
  const cases: Record<string, string> = {
    "q of 100,000 characters": `q=${"あ".repeat(100_000)}`,
    "q of 100,000 different characters": `q=${encodeURIComponent(many(100_000, (i) => String.fromCharCode(0x4e00 + ((i * 7919) % 20_000))))}`,
    "q of 1,000 grams of one post": `q=${encodeURIComponent(text.slice(0, 1000))}`,
    "q of 4,000 grams of several posts": `q=${encodeURIComponent(text.slice(0, 4000))}`,
    "q of one frequent pair, 700 times": `q=${encodeURIComponent("のは".repeat(700))}`,
    "1,000 tags": `tags=${many(1000, (i) => `t${i}+`)}`,
    "page=999999999999": "page=999999999999",
    "every ASCII control": `q=${many(32, (i) => `%${i.toString(16).padStart(2, "0")}`)}`,
    "invalid percent sequences": "q=%zz%E3%81&tags=%&page=%",
    "lone surrogates": "q=%ED%A0%80%ED%B0%80",
    "100 repeated parameters": many(100, () => "q=の&tags=a&page=2&"),
    "like, last page, of every post": "orderby=like&page=999999&pageSize=50",
  };
  const results: Record<string, number> = {};
  for (const [name, query] of Object.entries(cases))
    results[name] = await milliseconds(() => answerTo(search, query));
  return results;
}

/** Builds a whole snapshot of an export, as the command does: seconds, CPU seconds, and those of each step. */
async function whole(): Promise<object> {
  const steps: Record<string, number> = {};
  let last = performance.now();
  const stderr = {
    write(line: string): void {
      const [, name] = /^([a-z ]+): [\d,]+ [a-z]+\n$/.exec(line) ?? [];
      if (name === undefined) return;
      steps[name] = (performance.now() - last) / 1000;
      last = performance.now();
    },
  };
  const args = ["--export", corpus, "--out", folder];
  const cost = await costOf(async () => {
    const code = await buildSnapshot(args, { stdout: process.stderr, stderr, env: {} });
    if (code !== 0) throw new Error(`the build of ${corpus} ends with ${code}`);
  });
  return { ...cost, steps };
}

/** Similar posts of an export, without tags; here `folder` is the number of posts, 0 for all. */
async function similar(): Promise<object> {
  const all = readPosts(corpus);
  const wanted = Number(folder) || all.length;
  const posts = withoutTags(
    all.filter(
      (_, i) =>
        Math.floor((i * wanted) / all.length) !== Math.floor(((i - 1) * wanted) / all.length),
    ),
  );
  let ranking: number[][] = [];
  const cost = await costOf(async () => {
    const { ids, offsets } = await similarPosts(posts, {
      leavesOut: !extra.includes("with-repeats"),
      ...(extra.includes("without-cut-off") ? { leastInCommon: 0 } : {}),
    });
    ranking = posts.postIds.map((_, i) => [...ids.subarray(offsets[i], offsets[i + 1])]);
  });
  return { ranking, ...cost };
}

const tasks: Record<string, () => Promise<object>> = {
  build,
  match,
  cdn,
  keywords,
  hostile,
  similar,
  whole,
};
const result = await tasks[task ?? ""]?.();
process.stdout.write(`\n${JSON.stringify(result)}\n`);
