/** Serves the files of a folder over loopback, as slowly and as badly as a test wants. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import { Readable } from "node:stream";

/** What happens to a request. */
export type Fault =
  | "missing"
  | "cut short"
  | "altered"
  | "of another deploy"
  | "slow"
  | "endless"
  | "disconnected";

export const allFaults: readonly Fault[] = [
  "missing",
  "cut short",
  "altered",
  "of another deploy",
  "slow",
  "endless",
  "disconnected",
];

/** The network that is put before every read. */
export interface Network {
  /** Time until a request's first byte, in milliseconds. */
  readonly latency: number;
  /** All bodies together, in bytes a millisecond. */
  readonly rate: number;
}

/** A server that runs. */
export interface BlockServer {
  readonly url: string;
  /** Names of the files that were asked for, in order. */
  readonly requests: string[];
  /** The fault of a file at this request; undefined for none. May be replaced at any time. */
  faultOf: (name: string) => Fault | undefined;
  /** Requests that were answered at the same time, at most. */
  readonly mostAtOnce: number;
  close(): Promise<void>;
}

/** A body that begins like the file, and never ends. */
function* endlessly(body: Uint8Array): Generator<Uint8Array> {
  yield body;
  for (;;) yield new Uint8Array(2 ** 16);
}

/** Longer than the function waits. */
const slowMilliseconds = 5000;

/**
 * Starts a server.
 *
 * @param network none: as fast as it can
 */
export async function serveBlocks(folder: string, network?: Network): Promise<BlockServer> {
  let linkFree = 0;
  let running = 0;
  let mostAtOnce = 0;
  const timers = new Set<NodeJS.Timeout>();
  const later = (milliseconds: number, task: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      task();
    }, milliseconds);
    timers.add(timer);
  };
  const requests: string[] = [];

  /** Sends a body when the network would have: after its latency, and after the bodies before it. */
  function send(response: ServerResponse, body: Uint8Array): void {
    if (network === undefined) {
      response.end(body);
      return;
    }
    const start = Math.max(performance.now() + network.latency, linkFree);
    linkFree = start + body.length / network.rate;
    later(linkFree - performance.now(), () => response.end(body));
  }

  function answer(name: string, response: ServerResponse): void {
    const fault = server.faultOf(name);
    let body: Uint8Array;
    try {
      body = readFileSync(join(folder, name));
    } catch {
      response.writeHead(404).end();
      return;
    }
    switch (fault) {
      case undefined:
        return send(response, body);
      case "missing":
        response.writeHead(404).end("Not found");
        return;
      case "cut short":
        return send(response, body.subarray(0, body.length - 1));
      case "altered":
        return send(response, body.with(body.length >> 1, body[body.length >> 1]! ^ 1));
      case "of another deploy":
        return send(response, body.toReversed());
      case "slow":
        return later(slowMilliseconds, () => response.end(body));
      case "endless":
        return void Readable.from(endlessly(body))
          .on("error", () => response.destroy())
          .pipe(response.on("close", () => response.destroy()));
      case "disconnected":
        response.destroy();
    }
  }

  const http = createServer((request, response) => {
    const name = basename(request.url ?? "");
    requests.push(name);
    mostAtOnce = Math.max(mostAtOnce, ++running);
    response.once("close", () => running--);
    answer(name, response);
  });
  http.keepAliveTimeout = 60_000;
  await once(http.listen(0, "127.0.0.1"), "listening");
  const server: BlockServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    requests,
    faultOf: () => undefined,
    get mostAtOnce() {
      return mostAtOnce;
    },
    async close() {
      for (const timer of timers) clearTimeout(timer);
      http.closeAllConnections();
      http.close();
    },
  };
  return server;
}
