/**
 * npm run bench:agents -- --cost: what an answer of the MCP server costs, on collections of 10,000 and 100,000
 * posts of real text: whole answers, warm and cold, with the index in the bundle and as public blocks; queries
 * of 32 words, and the memory after many of them. Prints a table.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { cacheMegabytesFrom } from "../functions/search/environment.ts";
import { createSearch } from "../functions/search/handler.ts";
import { blockFolder } from "../functions/search/index-format.ts";
import { placementOptions } from "../scripts/search-index/placement.ts";
import { writeSearchIndex } from "../scripts/search-index/write-index.ts";
import { serveBlocks } from "../tests/support/block-server.ts";
import { network } from "./cold-searches.ts";
import { corpusHits, corpusTexts, randomFrom, readCorpus, wordsIn, writeCorpus } from "./corpus.ts";
import { quantile, shown } from "./quantiles.ts";

const warmQueries = 1000;
const coldQueries = 100;
const longQueries = 10_000;
/** Memory is looked at after each of these many parts of them: a cache fills first, growth would go on. */
const parts = 5;

/** A handler with an empty cache, and how it is asked. */
function server(
  folder: string,
  postOf: (id: number) => object,
  {
    blocks,
    cacheMegabytes = cacheMegabytesFrom(undefined),
  }: { blocks?: string; cacheMegabytes?: number } = {},
) {
  const handler = createSearch({
    snapshotFolder: () => folder,
    cacheMegabytes,
    ...(blocks === undefined ? {} : { blockUrls: () => [blocks] }),
    log: (message) => process.stderr.write(`${message}\n`),
    readFile: async ({ pathname }) => Response.json(postOf(Number.parseInt(pathname.slice(11)))),
  });
  return async (query: string): Promise<number> => {
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "search", arguments: { query } },
    });
    const start = performance.now();
    const response = await handler(
      new Request("https://api.example/mcp", {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          Accept: "application/json, text/event-stream",
        },
        body,
      }),
    );
    const text = await response.text();
    if (!text.includes("matchSome")) throw new Error(text.slice(0, 300));
    return performance.now() - start;
  };
}

const rss = async (): Promise<number> => {
  // Results are held until the time for their snippets is over.
  await setTimeout(1500);
  globalThis.gc?.();
  return process.memoryUsage().rss / 1e6;
};
const row = (posts: number, what: string, times: readonly number[], memory = ""): void =>
  void process.stdout.write(
    `| ${posts.toLocaleString("en-US")} | ${what} | ${[0.5, 0.95, 0.99, 1].map((q) => shown(quantile(times, q))).join(" / ")} | ${memory} |\n`,
  );

/** Measures, and prints a row each. */
export async function agentCosts(): Promise<void> {
  process.stdout.write(
    "\n| posts | whole answers of `search`, ms | p50 / p95 / p99 / most | memory |\n|---|---|---|---|\n",
  );
  for (const posts of [10_000, 100_000]) {
    const folder = mkdtempSync(join(tmpdir(), "case-collection-bench-"));
    const corpus = join(folder, "corpus.sqlite");
    writeCorpus(corpus, posts);
    for (const placement of placementOptions.filter((one) => one !== "auto"))
      await writeSearchIndex(join(folder, placement), corpusHits(corpus), corpusTexts(corpus), {
        snapshot: "0".repeat(64),
        placement,
      });
    const texts = new Map(readCorpus(corpus).map(({ hit, text }) => [hit.postId, text]));
    const postOf = (postId: number): object => ({ postContentHtml: texts.get(postId) ?? "" });
    const all = [...texts.values()];
    const random = randomFrom(posts);
    const wordsFrom = (count: number): string =>
      Array.from({ length: count }, () => {
        const text = all[Math.floor(random() * all.length)] ?? "";
        const at = Math.floor(random() * Math.max(1, text.length - 40));
        const words = wordsIn(text.slice(at, at + 40));
        return words[Math.floor(words.length / 2)] ?? "電車";
      }).join(" ");
    const queries = (count: number, words: number): string[] =>
      Array.from({ length: count }, () => wordsFrom(words));
    const timed = async (
      ask: (query: string) => Promise<number>,
      list: readonly string[],
    ): Promise<number[]> => {
      const times: number[] = [];
      for (const query of list) times.push(await ask(query));
      return times;
    };

    const bundle = server(join(folder, "bundle"), postOf);
    await timed(bundle, queries(200, 4));
    row(posts, "bundle, warm, four words", await timed(bundle, queries(warmQueries, 4)));
    row(posts, "bundle, 32 words", await timed(bundle, queries(200, 32)));
    // A small cache, so that what else grows would be seen.
    const small = server(join(folder, "bundle"), postOf, { cacheMegabytes: 16 });
    await timed(small, queries(200, 32));
    const memory = [await rss()];
    const long: number[] = [];
    for (let part = 0; part < parts; part++) {
      const count = (posts > 10_000 ? longQueries / 10 : longQueries) / parts;
      long.push(...(await timed(small, queries(count, 32))));
      memory.push(await rss());
    }
    row(
      posts,
      `bundle, 32 words, cache of 16 MB, ${long.length.toLocaleString("en-US")} queries`,
      long,
      `${memory.map((megabytes) => megabytes.toFixed(0)).join(" → ")} MB`,
    );
    const blocks = await serveBlocks(join(folder, "cdn", blockFolder), network);
    const cold: number[] = [];
    for (const query of queries(coldQueries, 4))
      cold.push(await server(join(folder, "cdn"), postOf, { blocks: blocks.url })(query));
    row(posts, "public blocks, cold, 20 ms and 50 MB/s, four words", cold);
    await blocks.close();
    rmSync(folder, { recursive: true });
  }
}
