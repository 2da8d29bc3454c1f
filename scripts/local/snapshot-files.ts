/** The files of a snapshot, read by http-server: for our own server, and for `netlify dev`. */
import { realpathSync, statSync } from "node:fs";
import { IncomingMessage, ServerResponse, type IncomingHttpHeaders, type Server } from "node:http";
import { Socket } from "node:net";
import { join, posix, resolve } from "node:path";
import { createServer } from "http-server";
import { errorAnswer, type WholeAnswer } from "./whole-answer.ts";

/** A path of no file, with an ending, so that http-server answers with 404.html. */
const missing = "/.missing.html";

/**
 * The file that a path of a URL names, as a path below the root; undefined where there is none. As on the
 * platform, names with a leading dot are not served, nor is its own file of headers.
 */
export function fileAt(root: string, pathname: string): string | undefined {
  try {
    // A slash that is escaped is a part of a name, and no name here has one.
    if (!pathname.startsWith("/") || /%2f/i.test(pathname)) return undefined;
    const path = posix.normalize(decodeURIComponent(pathname));
    const file = path.endsWith("/") ? `${path}index.html` : path;
    if (/\/\.(?!well-known\/)|\\|^\/_headers$/.test(file)) return undefined;
    // A link may lead out of the folder.
    const real = realpathSync(join(root, file));
    return real === join(realpathSync(root), file) && statSync(real).isFile() ? file : undefined;
  } catch {
    // The escapes are malformed, or the system takes no such name.
    return undefined;
  }
}

/** Ends the wait for each answer that http-server is at work on. */
const atWork = new Set<() => void>();

/**
 * Keeps this process running when http-server throws in one of its callbacks. That happens if a file disappears
 * between two accesses, or if no file can be opened. Answers that it is at work on then count as failed.
 */
export function surviveMissingFiles(): void {
  process.on("uncaughtException", (error: NodeJS.ErrnoException) => {
    if (error.syscall === undefined || !/http-server/.test(error.stack ?? "")) throw error;
    for (const fail of atWork) fail();
  });
}

/** What http-server answers, held back. @throws Error where it could not read a file */
const heldAnswer = (files: Server, url: string, headers: IncomingHttpHeaders) =>
  new Promise<WholeAnswer>((done, failed) => {
    const request = new IncomingMessage(new Socket());
    Object.assign(request, { method: "GET", url, headers }).push(null);
    const response = new ServerResponse(request);
    const body: Uint8Array[] = [];
    const fail = (): void => failed(new Error(`${url}: http-server cannot read it`));
    atWork.add(fail);
    response.write = (part: Uint8Array): boolean => body.push(Buffer.from(part)) > 0;
    response.end = () => {
      atWork.delete(fail);
      const entries = Object.entries(response.getHeaders());
      done({
        status: response.statusCode,
        headers: Object.fromEntries(entries.map(([name, value]) => [name, String(value)])),
        body: Buffer.concat(body),
      });
      return response;
    };
    files.emit("request", request, response);
  });

/** The type of a file as the platform writes it. */
const platformType = (type: string): string =>
  type.toLowerCase().replace("application/javascript", "text/javascript");

/**
 * Reads a file.
 *
 * @param file a path that `fileAt` gives; undefined for the page for missing files
 * @param headers of the request: a 304 answers a client that has the file
 */
export type ReadFile = (
  file: string | undefined,
  headers?: IncomingHttpHeaders,
) => Promise<WholeAnswer>;

/** Reads files of a folder, with the headers that http-server gives them, named in lower case. */
export function filesIn(folder: string): ReadFile {
  const files = createServer({ root: resolve(folder), cache: "", showDir: "false" }).server;
  return async (file, headers = {}) => {
    // The page for missing files is never known to a client already.
    if (file === undefined) return heldAnswer(files, missing, {});
    // What http-server makes of a Range is not what HTTP says: see `rangeOf`.
    const { range: _, "if-range": __, ...kept } = headers;
    const url = encodeURI(file).replace(/[?#]/g, encodeURIComponent);
    const answer = await heldAnswer(files, url, kept);
    const type = platformType(answer.headers["content-type"] ?? "");
    return { ...answer, headers: { ...answer.headers, "content-type": type } };
  };
}

/**
 * The part of a file that a request asks for (RFC 9110, 14), or the whole file, which is always right: for
 * several parts, for another unit, and for an If-Range, since http-server's entity tags are weak.
 */
export function rangeOf(whole: WholeAnswer, headers: IncomingHttpHeaders): WholeAnswer {
  const { range = "", "if-range": condition } = headers;
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  if (whole.status !== 200 || condition !== undefined || first + last === "") return whole;
  if (first !== "" && last !== "" && Number(last) < Number(first)) return whole;
  const size = whole.body.length;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size : Math.min(size, Number(last) + 1);
  if (start >= end)
    return errorAnswer(416, "Range not satisfiable", { "Content-Range": `bytes */${size}` });
  return {
    status: 206,
    headers: { ...whole.headers, "Content-Range": `bytes ${start}-${end - 1}/${size}` },
    body: whole.body.subarray(start, end),
  };
}
