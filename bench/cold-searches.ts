/** Whole searches of an index whose blocks are public files, over a simulated network. */
import { join } from "node:path";
import { cacheMegabytesFrom } from "../functions/search/environment.ts";
import { createSearch } from "../functions/search/handler.ts";
import { blockFolder } from "../functions/search/index-format.ts";
import { serveBlocks } from "../tests/support/block-server.ts";
import type { Parameters } from "./mix.ts";

/** The network that is put before every read: what a CDN is like from a function near it. */
export const network = { latency: 20, rate: 50_000 };
/** Searches that are asked before any is timed, so that the code is compiled. */
const warmUp = 40;

/** Milliseconds and requests of each search. */
export interface ColdSearches {
  readonly times: readonly number[];
  readonly requests: readonly number[];
}

/**
 * Asks each search with nothing in memory but the code. The server that simulates the network runs in
 * this process, too.
 */
export async function coldSearches(
  snapshot: string,
  mix: readonly Parameters[],
): Promise<ColdSearches> {
  const server = await serveBlocks(join(snapshot, blockFolder), network);
  const times: number[] = [];
  const requests: number[] = [];
  for (const parameters of [...mix.slice(0, warmUp), ...mix]) {
    server.requests.length = 0;
    const url = `https://api.example/api/search?${new URLSearchParams({ ...parameters, page: "1" })}`;
    const handler = createSearch({
      snapshotFolder: () => snapshot,
      cacheMegabytes: cacheMegabytesFrom(undefined),
      blockUrls: () => [server.url],
      log: (message) => process.stderr.write(`${message}\n`),
    });
    const start = performance.now();
    await (await handler(new Request(url))).text();
    times.push(performance.now() - start);
    requests.push(server.requests.length);
  }
  await server.close();
  return { times: times.slice(warmUp), requests: requests.slice(warmUp) };
}
