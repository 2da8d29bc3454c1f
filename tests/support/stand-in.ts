/** A server on loopback that stands in for a site that is pulled, with faults that any server may have. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What is wrong with an answer. */
export type Fault =
  | "429"
  | "429 for ten seconds"
  | "500"
  | "503"
  | "html"
  | "challenge"
  | "cut"
  | "closed";

const html = { "Content-Type": "text/html" };
const json = { "Content-Type": "application/json" };

const faulty: Readonly<Record<Fault, (response: ServerResponse) => unknown>> = {
  "429": (response) => response.writeHead(429, json).end("{}"),
  "429 for ten seconds": (response) =>
    response.writeHead(429, { ...json, "Retry-After": "10" }).end("{}"),
  "500": (response) => response.writeHead(500).end("upstream error"),
  "503": (response) => response.writeHead(503, html).end("<h1>busy</h1>"),
  html: (response) => response.writeHead(200, html).end("<h1>Just a moment...</h1>"),
  challenge: (response) => response.writeHead(403, html).end("<h1>Are you human?</h1>"),
  cut: (response) => response.writeHead(200, json).end('[{"success":true,"result":[{"id":1,"ti'),
  closed: (response) => response.destroy(),
};

/** What any API may answer for a while. */
export const apiFaults = Object.keys(faulty) as readonly Fault[];
/** The same of a server with files, where 403 is its own word. */
export const fileFaults = apiFaults.filter((fault) => fault !== "challenge");

/** What a test may change while the site runs. */
interface Hooks {
  /** Chooses a fault for a request. */
  faultOf: (request: number) => Fault | undefined;
  /**
   * Answers a request instead.
   *
   * @returns whether it did
   */
  instead: (request: number, path: string, response: ServerResponse) => boolean;
  /** How JSON is written: its Content-Type, undefined for none, and its bytes. */
  writer: (body: string) => readonly [type: string | undefined, bytes: Buffer];
}

/** A running stand-in. */
export interface StandIn extends Hooks {
  readonly url: string;
  /** Paths of all requests, with their queries. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** A request with its number, and the ways to answer it. */
export interface Asked {
  readonly request: IncomingMessage;
  readonly number: number;
  readonly response: ServerResponse;
  /** Answers with JSON. */
  readonly json: (status: number, body: unknown, headers?: Record<string, string>) => void;
}

/**
 * Serves a site.
 *
 * @param answer answers the requests that no fault is chosen for
 */
export async function serveStandIn(answer: (asked: Asked) => unknown): Promise<StandIn> {
  const asked: string[] = [];
  const hooks: Hooks = {
    faultOf: () => undefined,
    instead: () => false,
    writer: (body) => ["application/json; charset=UTF-8", Buffer.from(body)],
  };
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    const number = asked.push(path) - 1;
    const fault = hooks.faultOf(number);
    if (fault !== undefined) return void faulty[fault](response);
    if (hooks.instead(number, path, response)) return;
    answer({
      request,
      number,
      response,
      json(status, body, headers = {}) {
        const [type, bytes] = hooks.writer(JSON.stringify(body));
        if (type !== undefined) response.setHeader("Content-Type", type);
        response.writeHead(status, headers).end(bytes);
      },
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return Object.assign(hooks, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  });
}
