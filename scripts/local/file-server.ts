/** Serves the files of a snapshot on loopback with http-server, for the preview and for `netlify dev`. */
import { realpathSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { join, posix, resolve } from "node:path";
import { createServer as createFileServer, type Middleware } from "http-server";
import { Failure } from "../cli/command.ts";

/** The option of every command that listens. */
export const portOption = {
  type: "integer",
  value: "PORT",
  help: "port to listen on",
  minimum: 1,
  maximum: 65_535,
} as const;

/** Answers a request. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** What a server does besides serving the files that paths name. */
export interface FileServerOptions {
  /** The path whose file answers where a path itself names none. */
  readonly rewrite?: (pathname: string) => string;
  /** Headers of a file. Those that http-server sends come after, where they have other names. */
  readonly headersOf?: (file: string) => Readonly<Record<string, string>>;
  /** The headers of http-server that are sent with a file, by their names in lower case. */
  readonly kept: (file: string) => readonly string[];
  /** Who answers instead of a file, or of the page for missing ones. @param file its path, if there is one */
  readonly instead: (request: IncomingMessage, file: string | undefined) => Answer | undefined;
}

/** A path of no file, with an ending, so that http-server answers with 404.html. */
const missing = "/.missing.html";

/**
 * The file that a URL names, as a path below the root; undefined where there is none. As on the
 * platform, names with a leading dot are not served.
 */
function fileAt(root: string, pathname: string): string | undefined {
  try {
    // A slash that is escaped is a part of a name, and no name here has one.
    if (!pathname.startsWith("/") || /%2f/i.test(pathname)) return undefined;
    const path = posix.normalize(decodeURIComponent(pathname));
    const file = path.endsWith("/") ? `${path}index.html` : path;
    if (/\/\.(?!well-known\/)|\\/.test(file)) return undefined;
    // A link may lead out of the folder.
    const real = realpathSync(join(root, file));
    return real === join(realpathSync(root), file) && statSync(real).isFile() ? file : undefined;
  } catch {
    // The escapes are malformed, or the system takes no such name.
    return undefined;
  }
}

/** The path of a request's URL, without query and fragment. */
export const pathOf = (url: string): string => url.replace(/[?#].*$/s, "");

/** Serves answers on a port of loopback until the process ends. @throws Failure where it is in use */
export const listen = (port: number, answer: Answer): Promise<Server> =>
  new Promise((done, failed) => {
    const server = createServer(answer);
    server.once("error", (error: NodeJS.ErrnoException) =>
      failed(
        error.code === "EADDRINUSE"
          ? new Failure(`port ${port} is in use. Choose another one with --port.`)
          : new Failure(`port ${port} cannot be used: ${error.message}`),
      ),
    );
    server.listen(port, "127.0.0.1", () => done(server));
  });

/** The type of a file as the platform writes it. */
const platformType = (type: string): string =>
  type.toLowerCase().replace("application/javascript", "text/javascript");

/** Sets headers of a response, and lets pass only some of those that are set later. */
function setHeaders(
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
  kept: readonly string[],
): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  const setHeader = response.setHeader.bind(response);
  response.setHeader = (name, value) => {
    if (!kept.includes(name.toLowerCase()) || response.hasHeader(name)) return response;
    return setHeader(
      name,
      name.toLowerCase() === "content-type" ? platformType(String(value)) : value,
    );
  };
}

/** Responses that http-server is at work on. */
const atWork = new Set<ServerResponse>();

/**
 * Keeps this process running when http-server throws in one of its callbacks. That happens if a file disappears
 * between two accesses, or if no file can be opened. Requests that are open then end without an answer.
 */
export function surviveMissingFiles(): void {
  process.on("uncaughtException", (error: NodeJS.ErrnoException) => {
    if (error.syscall === undefined || !/http-server/.test(error.stack ?? "")) throw error;
    for (const response of atWork) response.destroy();
  });
}

/** Answers requests with the files of a snapshot. @param folder its files may change at any time */
export function fileAnswer(
  folder: string,
  { rewrite = (path) => path, headersOf = () => ({}), kept, instead }: FileServerOptions,
): Answer {
  const root = resolve(folder);
  /** Closes the file that a client no longer waits for; http-server would keep it open. */
  const closing: Middleware = (_, stream) => {
    stream.once("pipe", (file) => stream.response.once("close", () => file.destroy()));
    stream.emit("next");
  };
  const files = createFileServer({ root, cache: "", showDir: "false", before: [closing] }).server;
  return (request, response) => {
    // A proxy would ask with a whole URL.
    request.url = (request.url ?? "").replace(/^https?:\/\/[^/]*/i, "") || "/";
    const pathname = pathOf(request.url);
    const file = fileAt(root, pathname) ?? fileAt(root, rewrite(pathname));
    const answer = instead(request, file);
    if (answer !== undefined) return answer(request, response);
    const served = file ?? "/404.html";
    // The page for missing files is never a part, nor known to a client already.
    if (file === undefined)
      for (const name of ["if-none-match", "if-modified-since", "range"])
        delete request.headers[name];
    // A length from before a file was replaced would cut the new one off.
    const names = kept(served).filter(
      (name) => name !== "content-length" || request.method !== "GET",
    );
    setHeaders(response, headersOf(served), names);
    request.url =
      file === undefined ? missing : encodeURI(file).replace(/[?#]/g, encodeURIComponent);
    atWork.add(response);
    response.once("close", () => atWork.delete(response));
    files.emit("request", request, response);
  };
}
