/** Whole searches of indexes whose blocks are public files, behind a simulated network. */
import { createSearch } from "../functions/search/handler.ts";
import { serveBlocks } from "../tests/support/block-server.ts";
import type { Parameters } from "./mix.ts";

/** The network that is put before every read: what a CDN is like from a function near it. */
const network = { latency: 20, rate: 50_000 };
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
 *
 * @param snapshots folders of the indexes; a search asks all of them at the same time
 * @param blocks folder with the blocks of all of them
 */
export async function coldSearches(
  snapshots: readonly string[],
  blocks: string,
  mix: readonly Parameters[],
): Promise<ColdSearches> {
  const server = await serveBlocks(blocks, network);
  const times: number[] = [];
  const requests: number[] = [];
  for (const parameters of [...mix.slice(0, warmUp), ...mix]) {
    server.requests.length = 0;
    const url = `https://api.example/api/search?${new URLSearchParams({ ...parameters, page: "1" })}`;
    const start = performance.now();
    await Promise.all(
      snapshots.map(async (snapshot) => {
        const handler = createSearch({
          snapshotFolder: () => snapshot,
          cacheMegabytes: 384,
          blockUrls: () => [server.url],
          log: (message) => process.stderr.write(`${message}\n`),
        });
        await (await handler(new Request(url))).text();
      }),
    );
    times.push(performance.now() - start);
    requests.push(server.requests.length);
  }
  await server.close();
  return { times: times.slice(warmUp), requests: requests.slice(warmUp) };
}
