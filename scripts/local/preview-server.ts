/** A whole site on loopback: files by http-server with the platform's rules, all else by the function. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import {
  allowedMethods,
  errorHeaders,
  errors,
  fileHeaders,
  paths,
} from "../../functions/contract/http.ts";
import { cacheMegabytesFrom } from "../../functions/search/environment.ts";
import { createSearch } from "../../functions/search/handler.ts";
import { assertSnapshot } from "../snapshot/manifest.ts";
import { fileAnswer, listen, pathOf, type Answer } from "./file-server.ts";

/** What http-server sends besides the headers that rules set. */
const kept = ["content-type", "content-length", "content-range", "etag", "last-modified"] as const;

/** What the platform sends where no rule says otherwise. */
const usual = { "Cache-Control": "public, max-age=0, must-revalidate" } as const;

/** The headers that the rules of netlify.toml give a file. */
function headersOf(file: string): Record<string, string> {
  const path = file.replace(/index\.html$/, "");
  const fits = (pattern: string): boolean =>
    pattern.endsWith("*") ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
  const rules = Object.entries(fileHeaders).filter(([pattern]) => fits(pattern));
  return Object.assign({}, usual, ...rules.map(([, headers]) => headers)) as Record<string, string>;
}

/** Whether the function answers a path where no file does. */
const isOfFunction = (path: string): boolean => /^\/(?:api|mcp)(?:\/|$)/.test(path);

/** The request as the platform hands it to a function. @throws TypeError for a method that the web does not allow */
function webRequest(request: IncomingMessage, site: string): Request {
  const { method = "GET", url = "/", headers } = request;
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(site + url, {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, `${value}`]),
    ...(hasBody ? { body: Readable.toWeb(request) as ReadableStream, duplex: "half" } : {}),
  });
}

/** Where faults of the function are reported. */
type Log = (message: string, cause: unknown) => void;

/** Answers requests as the site of a snapshot does. @param site its URL, without a trailing slash */
export function siteAnswer(folder: string, site: string, log: Log): Answer {
  const cacheMegabytes = cacheMegabytesFrom(undefined);
  const search = createSearch({ snapshotFolder: () => folder, cacheMegabytes, log });
  const ask = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = await search(webRequest(request, site));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  };
  const byFunction: Answer = (request, response) => {
    ask(request, response).catch((cause: unknown) => {
      // TRACE and its like, of which no Request can be made.
      if (!(cause instanceof TypeError)) log(`${request.method} ${request.url}`, cause);
      const isMethod = cause instanceof TypeError;
      const { status, message } = isMethod ? errors.methodNotAllowed : errors.internal;
      response
        .writeHead(status, { ...errorHeaders, ...(isMethod ? { Allow: allowedMethods } : {}) })
        .end(JSON.stringify({ error: message }));
    });
  };
  return fileAnswer(folder, {
    rewrite: (path) =>
      path.startsWith(paths.posts) && !path.endsWith("/") ? `${path}.json` : path,
    headersOf,
    kept: () => kept,
    instead({ method, url = "/" }, file) {
      const isRead = method === "GET" || method === "HEAD";
      return isOfFunction(pathOf(url)) && !(file !== undefined && isRead) ? byFunction : undefined;
    },
  });
}

/**
 * Serves a snapshot until the process ends.
 *
 * @throws Failure where no snapshot is there, or the port is in use
 */
export async function servePreview(folder: string, port: number, log: Log): Promise<Server> {
  assertSnapshot(folder);
  return listen(port, siteAnswer(folder, `http://127.0.0.1:${port}`, log));
}
