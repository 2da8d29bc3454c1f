/** Serves answers on loopback. Each is whole before it is sent, and of one snapshot: builds may replace it at any time. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { errorHeaders, errors, type ErrorKind } from "../../functions/contract/http.ts";
import { Failure, type CommandIo } from "../cli/command.ts";
import { stateOf } from "../lib/paths.ts";
import { snapshotFiles } from "../snapshot/published-files.ts";

/** The option of every command that listens. */
export const portOption = {
  type: "integer",
  value: "PORT",
  help: "port to listen on",
  minimum: 1,
  maximum: 65_535,
} as const;

/** An answer, all of it. */
export interface WholeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Answers a request. @param body what the client sent; of a long one, the beginning */
export type Ask = (request: IncomingMessage, body: Uint8Array) => Promise<WholeAnswer>;

/** Where faults are reported. */
export type Log = (message: string, cause: unknown) => void;

/** Reports faults on standard error. */
export const faultLog =
  ({ stderr }: CommandIo): Log =>
  (message, cause) =>
    void stderr.write(`${message}: ${String(cause)}\n`);

/** An error as the API gives it: JSON, which nothing keeps. */
export const errorAnswer = (
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): WholeAnswer => ({
  status,
  headers: { ...errorHeaders, ...headers },
  body: Buffer.from(JSON.stringify({ error: message })),
});

/** One of the contract's errors. */
export const contractError = (
  kind: ErrorKind,
  headers?: Readonly<Record<string, string>>,
): WholeAnswer => errorAnswer(errors[kind].status, errors[kind].message, headers);

/** How often an answer is asked for while builds replace the snapshot, and the milliseconds in between. */
const tries = 30;
const pause = 10;

/**
 * An answer of one snapshot. If a build replaces it while the answer is made, the answer may be of both, or a file
 * may be missing; then it is made again, as it is where `ask` throws.
 *
 * @param folder of the snapshot; between two renames it is missing for a moment
 * @returns a 503 where no snapshot is there, or none stays as long as an answer takes
 * @throws what `ask` throws for a snapshot that nobody replaces
 */
export async function ofOneSnapshot(
  folder: string,
  ask: () => Promise<WholeAnswer>,
): Promise<WholeAnswer> {
  const manifest = join(folder, snapshotFiles.manifest);
  let fault: unknown;
  for (let left = tries; left > 0; left--) {
    const before = stateOf(manifest);
    fault = undefined;
    try {
      const answer = before === "" ? undefined : await ask();
      if (answer !== undefined && stateOf(manifest) === before) return answer;
    } catch (error) {
      if (stateOf(manifest) === before) fault = error;
    }
    await setTimeout(pause);
  }
  if (fault !== undefined) throw fault;
  return errorAnswer(503, "No snapshot is there: it is being built, or was removed. Try again.", {
    "Retry-After": "2",
  });
}

/** The path of a request's URL, without query and fragment. A proxy would ask with a whole URL. */
export const pathOf = (url = "/"): string =>
  url.replace(/^https?:\/\/[^/?#]*/i, "").replace(/[?#].*$/s, "") || "/";

/** Bytes of a request that are kept: more than the function takes, so that it can refuse what is too long. */
const longestBody = 2 ** 21;

async function bodyOf(request: IncomingMessage): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Uint8Array>) {
    if (length < longestBody) parts.push(part);
    length += part.length;
  }
  return Buffer.concat(parts);
}

async function respond(
  ask: Ask,
  request: IncomingMessage,
  response: ServerResponse,
  log: Log,
): Promise<void> {
  let answer: WholeAnswer;
  try {
    answer = await ask(request, await bodyOf(request));
  } catch (cause) {
    // The client has gone in the middle of its request.
    if (request.destroyed && !request.complete) return;
    log(`${request.method} ${request.url}`, cause);
    answer = contractError("internal");
  }
  response.statusCode = answer.status;
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
  if (request.method !== "HEAD") response.end(answer.body);
  else {
    if (answer.body.length > 0) response.setHeader("Content-Length", answer.body.length);
    response.end();
  }
}

/** Serves answers on a port of loopback until the process ends. @throws Failure where it is in use */
export const listen = (port: number, ask: Ask, log: Log): Promise<Server> =>
  new Promise((done, failed) => {
    const server = createServer((request, response) => void respond(ask, request, response, log));
    server.once("error", (error: NodeJS.ErrnoException) =>
      failed(
        error.code === "EADDRINUSE"
          ? new Failure(`port ${port} is in use. Choose another one with --port.`)
          : new Failure(`port ${port} cannot be used: ${error.message}`),
      ),
    );
    server.listen(port, "127.0.0.1", () => done(server));
  });
