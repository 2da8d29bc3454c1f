/**
 * npm run bench:agents -- --cost: what an answer of the MCP server costs, on collections of 10,000 and 100,000
 * posts of real text: whole answers, warm and cold, with the index in the bundle and as public blocks; queries
 * of 32 words, and the memory after many of them. Prints a table.
 */
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { RequestHandler, HandlerOptions } from "../functions/http/handler.ts";
import { blockFolder } from "../functions/engine/index-format.ts";
import { serveBlocks } from "../tests/support/block-server.ts";
import { randomFrom, readCorpus, wordsIn, workFolder, writeCorpus, writeIndex } from "./corpus.ts";
import { functionOn, network } from "./function-on.ts";
import { quantile, shownAll, table } from "./quantiles.ts";

const warmQueries = 1000;
const coldQueries = 100;
const longQueries = 10_000;
/** Memory is looked at after each of these many parts of them: a cache fills first, growth would go on. */
const parts = 5;

/**
 * Asks the MCP server for a search.
 *
 * @returns milliseconds
 */
async function ask(server: RequestHandler, query: string): Promise<number> {
  const params = { name: "search", arguments: { query } };
  const headers = {
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const start = performance.now();
  const request = new Request("https://api.example/mcp", { method: "POST", headers, body });
  const text = await (await server(request)).text();
  if (!text.includes("matchSome")) throw new Error(text.slice(0, 300));
  return performance.now() - start;
}

const rss = async (): Promise<number> => {
  // Results are held until the time for their snippets is over.
  await setTimeout(1500);
  globalThis.gc?.();
  return process.memoryUsage().rss / 1e6;
};

/** A collection with its index in both places. */
interface Subject {
  readonly posts: number;
  readonly folder: string;
  /** The function on one of both, with an empty cache. */
  readonly serverOf: (
    placement: "bundle" | "cdn",
    options?: Partial<HandlerOptions>,
  ) => RequestHandler;
  /** Queries of a number of words each. */
  readonly queries: (count: number, words: number) => string[];
}

async function subjectOf(posts: number): Promise<Subject> {
  const folder = workFolder();
  const corpus = join(folder, "corpus.sqlite");
  await writeCorpus(corpus, posts);
  for (const placement of ["bundle", "cdn"] as const)
    await writeIndex(join(folder, placement), corpus, placement);
  const all = readCorpus(corpus);
  const byId = new Map(all.map(({ post }) => [post.postId, post]));
  const random = randomFrom(posts);
  const wordOf = (): string => {
    const [, text = ""] = all[Math.floor(random() * all.length)]?.searched ?? [];
    const at = Math.floor(random() * Math.max(1, text.length - 40));
    const words = wordsIn(text.slice(at, at + 40));
    return words[Math.floor(words.length / 2)] ?? "電車";
  };
  const readFile = async ({ pathname }: URL): Promise<Response> =>
    Response.json(byId.get(Number.parseInt(pathname.slice(11))));
  return {
    posts,
    folder,
    serverOf: (placement, options) => functionOn(join(folder, placement), { readFile, ...options }),
    queries: (count, words) =>
      Array.from({ length: count }, () => Array.from({ length: words }, wordOf).join(" ")),
  };
}

async function timed(server: RequestHandler, queries: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (const query of queries) times.push(await ask(server, query));
  return times;
}

const row = (posts: number, what: string, times: readonly number[], memory = ""): string[] => [
  posts.toLocaleString("en-US"),
  what,
  shownAll(...[0.5, 0.95, 0.99, 1].map((share) => quantile(times, share))),
  memory,
];

/** Many long queries, and the memory after each part of them. */
async function longRow({ posts, serverOf, queries }: Subject): Promise<string[]> {
  // A small cache, so that what else grows would be seen.
  const server = serverOf("bundle", { cacheMegabytes: 16 });
  await timed(server, queries(200, 32));
  const memory = [await rss()];
  const times: number[] = [];
  for (let part = 0; part < parts; part++) {
    times.push(...(await timed(server, queries(longQueries / parts, 32))));
    memory.push(await rss());
  }
  const what = `bundle, 32 words, cache of 16 MB, ${times.length.toLocaleString("en-US")} queries`;
  return row(posts, what, times, `${memory.map((one) => one.toFixed(0)).join(" → ")} MB`);
}

async function rowsOf(subject: Subject): Promise<string[][]> {
  const { posts, folder, serverOf, queries } = subject;
  const bundle = serverOf("bundle");
  await timed(bundle, queries(200, 4));
  const rows = [
    row(posts, "bundle, warm, one word", await timed(bundle, queries(warmQueries, 1))),
    row(posts, "bundle, warm, four words", await timed(bundle, queries(warmQueries, 4))),
    row(posts, "bundle, 32 words", await timed(bundle, queries(200, 32))),
    await longRow(subject),
  ];
  const blocks = await serveBlocks(join(folder, "cdn", blockFolder), network);
  const cold: number[] = [];
  for (const query of queries(coldQueries, 4))
    cold.push(await ask(serverOf("cdn", { blockUrls: () => [blocks.url] }), query));
  await blocks.close();
  return [...rows, row(posts, "public blocks, cold, 20 ms and 50 MB/s, four words", cold)];
}

/** Measures, and prints a table. */
export async function agentCosts(): Promise<void> {
  const rows: string[][] = [];
  for (const posts of [10_000, 100_000]) rows.push(...(await rowsOf(await subjectOf(posts))));
  const head = ["posts", "whole answers of `search`, ms", "p50 / p95 / p99 / most", "memory"];
  process.stdout.write(`\n${table(head, rows)}`);
}
