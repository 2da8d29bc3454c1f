/** The whole site of a snapshot on loopback: files with the platform's rules, all else by the function. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { allowedMethods, errorHeaders, errors } from "../../functions/contract/http.ts";
import { cacheMegabytesFrom } from "../../functions/http/environment.ts";
import { createHandler, type RequestHandler } from "../../functions/http/handler.ts";
import { Failure } from "../cli/command.ts";
import type { CommandIo } from "../cli/io.ts";
import { fileFingerprint } from "../lib/fs.ts";
import { snapshotFiles } from "../snapshot/published-files.ts";
import { StaticFiles } from "./static-files.ts";

/** The option of every command that listens. */
export const portOption = {
  type: "integer",
  value: "PORT",
  help: "port to listen on",
  minimum: 1,
  maximum: 65_535,
} as const;

/** Where faults are reported. */
type Log = (message: string, cause: unknown) => void;

/** Reports faults on standard error. */
export const faultLog =
  ({ stderr }: CommandIo): Log =>
  (message, cause) =>
    void stderr.write(`${message}: ${String(cause)}\n`);

/** Milliseconds after which a build no longer waits for clients that are slow to read their answers. */
const maxPauseMs = 5000;

/** What a client is told while no snapshot is there, or none stays as long as its answer takes. */
const unavailable = {
  status: 503,
  message: "No snapshot is there: it is being built, or was removed. Try again.",
  headers: { "Retry-After": "2" },
} as const;

/** Sends an error as the API gives it: JSON, which nothing keeps. */
function sendError(
  response: ServerResponse,
  { status, message }: { readonly status: number; readonly message: string },
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { ...errorHeaders, ...headers });
  response.end(JSON.stringify({ error: message }));
}

/** The path of a request's URL with its query. A proxy would ask with a whole URL. */
const requestTarget = ({ url = "/" }: IncomingMessage): string =>
  url.replace(/^https?:\/\/[^/?#]*/i, "") || "/";

/** The path of a URL without escapes; undefined where they are malformed. */
function decodePath(target: string): string | undefined {
  try {
    return decodeURIComponent(target.replace(/[?#].*$/s, ""));
  } catch {
    return undefined;
  }
}

/** Whether the function answers a path where no file does. */
const isFunctionPath = (target: string): boolean => /^\/(?:api|mcp)(?:[/?#]|$)/.test(target);

/**
 * The request as the platform hands it to a function.
 *
 * @param site its URL, without a trailing slash
 */
async function toWebRequest(request: IncomingMessage, site: string): Promise<Request> {
  const { method = "GET", headers } = request;
  return new Request(site + requestTarget(request), {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, `${value}`]),
    body: method === "GET" || method === "HEAD" ? null : await buffer(request),
  });
}

/** A site on loopback. A new snapshot in its folder gets a new handler. */
export class SiteServer {
  readonly #folder: string;
  readonly #log: Log;
  readonly #files: StaticFiles;
  #url = "";
  /** The function on the snapshot with this fingerprint. */
  #handler: RequestHandler | undefined;
  #fingerprint = "";
  /** Answers under way; each is done when the client has it, or has gone. */
  readonly #answers = new Set<Promise<void>>();
  /** Resolves when requests need not wait any more. */
  #resumed: Promise<void> | undefined;
  #resume = (): void => {};

  /**
   * @param folder of the snapshot; while none is there, requests are answered with 503
   */
  constructor(folder: string, log: Log) {
    this.#folder = folder;
    this.#log = log;
    this.#files = new StaticFiles(folder);
  }

  /**
   * Serves the site until the process ends.
   *
   * @throws Failure where the port is in use
   */
  listen(port: number): Promise<Server> {
    this.#url = `http://127.0.0.1:${port}`;
    const server = createServer((request, response) => void this.#respond(request, response));
    server.once("close", () => this.#closeHandler());
    return new Promise((done, failed) => {
      server.once("error", (error: NodeJS.ErrnoException) =>
        failed(
          error.code === "EADDRINUSE"
            ? new Failure(`port ${port} is in use. Choose another one with --port.`)
            : new Failure(`port ${port} cannot be used: ${error.message}`),
        ),
      );
      server.listen(port, "127.0.0.1", () => done(server));
    });
  }

  /** Resolves when a new snapshot may take the place of the old one: no answer is under way, and requests wait. */
  async pause(): Promise<void> {
    this.#resumed = new Promise((done) => (this.#resume = done));
    await Promise.race([
      Promise.all(this.#answers),
      setTimeout(maxPauseMs, undefined, { ref: false }),
    ]);
    this.#closeHandler();
  }

  /** Lets requests go on. */
  resume(): void {
    this.#resumed = undefined;
    this.#resume();
  }

  /** What changes when another snapshot takes the place of this one; empty where none is there. */
  #currentFingerprint(): string {
    return fileFingerprint(join(this.#folder, snapshotFiles.manifest));
  }

  #closeHandler(): void {
    this.#handler?.close();
    this.#handler = undefined;
  }

  /** The function on the snapshot that is there now. */
  #currentHandler(fingerprint: string): RequestHandler {
    if (this.#handler !== undefined && fingerprint === this.#fingerprint) return this.#handler;
    const before = this.#handler;
    void Promise.all(this.#answers).then(() => before?.close());
    this.#fingerprint = fingerprint;
    this.#handler = createHandler({
      snapshotFolder: () => this.#folder,
      cacheMegabytes: cacheMegabytesFrom(undefined),
      log: this.#log,
    });
    return this.#handler;
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await this.#resumed;
    const done = new Promise<void>((ended) => response.once("close", ended));
    this.#answers.add(done);
    void done.then(() => this.#answers.delete(done));
    const fingerprint = this.#currentFingerprint();
    try {
      await this.#answer(request, response, fingerprint);
    } catch (cause) {
      // The client has gone in the middle of its request.
      if (request.destroyed && !request.complete) return;
      if (!response.headersSent && this.#currentFingerprint() !== fingerprint)
        return sendError(response, unavailable, unavailable.headers);
      this.#log(`${request.method} ${request.url}`, cause);
      if (response.headersSent) response.destroy();
      else sendError(response, errors.internal);
    }
  }

  /** @param fingerprint of the snapshot that was there when the request came */
  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
    fingerprint: string,
  ): Promise<void> {
    if (fingerprint === "") return sendError(response, unavailable, unavailable.headers);
    const isReplaced = (): boolean => this.#currentFingerprint() !== fingerprint;
    const target = requestTarget(request);
    const path = decodePath(target);
    const file = path === undefined ? undefined : this.#files.find(path);
    const isRead = request.method === "GET" || request.method === "HEAD";
    // No Request can have the method TRACE.
    const isForbidden = request.method === "TRACE";
    if (isFunctionPath(target) && !(file !== undefined && isRead) && !isForbidden) {
      const asked = await toWebRequest(request, this.#url);
      const answer = await this.#currentHandler(fingerprint)(asked);
      const body = Buffer.from(await answer.arrayBuffer());
      if (isReplaced()) return sendError(response, unavailable, unavailable.headers);
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(body);
    } else if (isRead) this.#files.send(request, response, file, isReplaced);
    else sendError(response, errors.methodNotAllowed, { Allow: allowedMethods });
  }
}

/** Serves the site of a snapshot. See `SiteServer`. */
export const serveSnapshot = (folder: string, port: number, log: Log): Promise<Server> =>
  new SiteServer(folder, log).listen(port);
