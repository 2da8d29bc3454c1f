/** The files of a snapshot, served by http-server with the headers that the platform gives them. */
import { statSync } from "node:fs";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { join, resolve } from "node:path";
import { createServer } from "http-server";
import { paths } from "../../functions/contract/http.ts";
import { headersFile, readHeaders } from "../snapshot/headers-file.ts";

/** Types of text files by the endings of their names, where no rule of `_headers` gives another one. */
const textTypes: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json; charset=utf-8",
  py: "text/x-python; charset=utf-8",
  txt: "text/plain; charset=utf-8",
};

/** What the platform sends where no rule says otherwise. */
const defaultCaching = { "Cache-Control": "public, max-age=0, must-revalidate" } as const;

/** A path of no file, with an ending, so that http-server answers with 404.html. */
const missingPath = "/.missing.html";

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    // Nothing is there, or the system takes no such name.
    return false;
  }
}

/** The headers of a file on the platform: by the rules of the snapshot's `_headers`, and by its name. */
function headersFor(folder: string, path: string): Readonly<Record<string, string>> {
  const ending = path.endsWith("/") ? "html" : (/\.(\w+)$/.exec(path)?.[1] ?? "");
  const type = textTypes[ending];
  const rules = Object.entries(readHeaders(folder)).filter(([pattern]) =>
    pattern.endsWith("*") ? path.startsWith(pattern.slice(0, -1)) : path === pattern,
  );
  return Object.assign(
    { ...defaultCaching, ...(type === undefined ? {} : { "Content-Type": type }) },
    ...rules.map(([, headers]) => headers),
  ) as Record<string, string>;
}

/**
 * Sets headers that http-server cannot replace, and sends 503 where the file is not that of one snapshot: it has gone
 * since it was found, or another one has its place.
 */
function guardResponse(
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
  isCurrent: (status: number) => boolean,
): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  const own = new Set(response.getHeaderNames());
  const setHeader = response.setHeader.bind(response);
  response.setHeader = (name, value) =>
    own.has(name.toLowerCase()) ? response : setHeader(name, value);
  const writeHead = response.writeHead.bind(response);
  // Node calls this before the first byte of a body, when http-server has opened the file.
  response.writeHead = (status: number) => {
    if (isCurrent(status)) return writeHead(status);
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    return writeHead(503, { "Cache-Control": "no-store", "Retry-After": "2" });
  };
}

/** The files of a snapshot. */
export class StaticFiles {
  readonly #folder: string;
  /** Answers the `request` events that it is given. */
  readonly #server: Server;

  constructor(folder: string) {
    this.#folder = folder;
    this.#server = createServer({
      root: resolve(folder),
      showDir: "false",
      // It reads a text file synchronously, to find its charset. If the file has just gone, it throws where
      // nobody can catch that. So no file is text to it; `headersFor` gives the types.
      mimetypes: { "application/octet-stream": Object.keys(textTypes) },
    }).server;
  }

  /**
   * Finds the file that a path of a URL leads to, by itself or by the rule for posts. As on the platform, names with a
   * leading dot and its rules are not served, and `7/` is read as `7`.
   *
   * @param path without escapes
   * @returns the path of the file, or of the folder whose index it is; undefined where there is none
   */
  find(path: string): string | undefined {
    if (/\/\.(?!well-known\/)/.test(path) || path === `/${headersFile}`) return undefined;
    const post = path.startsWith(paths.posts) ? [path.replace(/\/?$/, ".json")] : [];
    return [path, ...post].find((one) =>
      ["", "index.html"].some((name) => isFile(join(this.#folder, one, name))),
    );
  }

  /**
   * Sends a file, the part of it that is asked for, or 304; the page for missing files, where there is none.
   *
   * @param path what `find` gave
   * @param isReplaced whether another snapshot has taken the place of the one in which the file was found
   */
  send(
    request: IncomingMessage,
    response: ServerResponse,
    path: string | undefined,
    isReplaced: () => boolean,
  ): void {
    const { headers } = request;
    // A client never has the page for missing files already.
    if (path === undefined)
      for (const name of ["if-none-match", "if-modified-since", "range"]) delete headers[name];
    // The whole file is always right: where http-server cannot read the range, and with its weak entity tags.
    if (headers["if-range"] !== undefined || !/^bytes=\d+-\d*$/.test(headers.range ?? ""))
      delete headers.range;
    request.url = (path ?? missingPath).split("/").map(encodeURIComponent).join("/");
    guardResponse(
      response,
      headersFor(this.#folder, path ?? "/404.html"),
      (status) => path === undefined || (status !== 404 && status !== 500 && !isReplaced()),
    );
    this.#server.emit("request", request, response);
  }
}
