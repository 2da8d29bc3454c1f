/** The whole site of a snapshot on loopback: files with the platform's rules, all else by the function. */
import type { IncomingMessage, Server } from "node:http";
import { join } from "node:path";
import { allowedMethods, fileHeaders, paths } from "../../functions/contract/http.ts";
import { cacheMegabytesFrom } from "../../functions/search/environment.ts";
import { createHandler } from "../../functions/search/handler.ts";
import { stateOf } from "../lib/paths.ts";
import { snapshotFiles } from "../snapshot/published-files.ts";
import { fileAt, filesIn, rangeOf } from "./snapshot-files.ts";
import {
  contractError,
  listen,
  ofOneSnapshot,
  pathOf,
  type Ask,
  type Log,
  type WholeAnswer,
} from "./whole-answer.ts";

/** What http-server sends besides the headers that rules set. */
const kept = ["content-type", "etag", "last-modified"] as const;

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

/** An answer of http-server with the headers of the platform. @param file that it is of */
function asOnPlatform({ status, headers, body }: WholeAnswer, file: string): WholeAnswer {
  const rules = headersOf(file);
  const isRuled = new Set(Object.keys(rules).map((name) => name.toLowerCase()));
  const own = kept
    .filter((name) => headers[name] !== undefined && !isRuled.has(name))
    .map((name) => [name, headers[name] ?? ""]);
  return { status, headers: { ...rules, ...Object.fromEntries(own) }, body };
}

/** Whether the function answers a path where no file does. */
const isOfFunction = (path: string): boolean => /^\/(?:api|mcp)(?:\/|$)/.test(path);

/** The request as the platform hands it to a function; undefined for TRACE and its like, which no Request can have. */
function webRequest(request: IncomingMessage, site: string, body: Uint8Array): Request | undefined {
  const { method = "GET", url = "/", headers } = request;
  if (["CONNECT", "TRACE", "TRACK"].includes(method)) return undefined;
  return new Request(site + url.replace(/^https?:\/\/[^/?#]*/i, ""), {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, `${value}`]),
    body: method === "GET" || method === "HEAD" ? null : Buffer.from(body),
  });
}

/** The file that a path leads to, by itself or by the rule for posts; the platform reads `7/` as it reads `7`. */
const fileOf = (folder: string, path: string): string | undefined =>
  fileAt(folder, path) ??
  (path.startsWith(paths.posts) ? fileAt(folder, `${path.replace(/\/$/, "")}.json`) : undefined);

const wholeAnswer = async (response: Response): Promise<WholeAnswer> => ({
  status: response.status,
  headers: Object.fromEntries(response.headers),
  body: Buffer.from(await response.arrayBuffer()),
});

/** Answers requests as the site of a snapshot does. @param site its URL, without a trailing slash */
function siteAnswer(folder: string, site: string, log: Log): Ask {
  const cacheMegabytes = cacheMegabytesFrom(undefined);
  const functionOnFolder = () =>
    createHandler({ snapshotFolder: () => folder, cacheMegabytes, log });
  let [served, search] = ["", functionOnFolder()];
  /** The function on the snapshot that is there now. */
  const functionNow = () => {
    const now = stateOf(join(folder, snapshotFiles.manifest));
    if (now !== served) {
      search.close();
      [served, search] = [now, functionOnFolder()];
    }
    return search;
  };
  const read = filesIn(folder);
  return (request, body) =>
    ofOneSnapshot(folder, async () => {
      const { method, url, headers } = request;
      const path = pathOf(url);
      const file = fileOf(folder, path);
      const isRead = method === "GET" || method === "HEAD";
      if (isOfFunction(path) && !(file !== undefined && isRead)) {
        const asked = webRequest(request, site, body);
        if (asked !== undefined) return wholeAnswer(await functionNow()(asked));
      }
      if (!isRead) return contractError("methodNotAllowed", { Allow: allowedMethods });
      const answer = asOnPlatform(await read(file, headers), file ?? "/404.html");
      return method === "GET" ? rangeOf(answer, headers) : answer;
    });
}

/**
 * Serves the site of a snapshot until the process ends. Builds may replace the snapshot meanwhile.
 *
 * @param folder of the snapshot; while none is there, requests are answered with 503
 * @throws Failure where the port is in use
 */
export const serveSnapshot = (folder: string, port: number, log: Log): Promise<Server> =>
  listen(port, siteAnswer(folder, `http://127.0.0.1:${port}`, log), log);
