/**
 * Serves the files of a snapshot, for `npm run preview` and behind `netlify dev`.
 *
 * It stands for the file store behind Netlify's rules, so it sends bytes and a status, and no header
 * that a rule of netlify.toml sets: the local preview then shows those rules and nothing else.
 */
import { createReadStream, statSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { extname, join, normalize, resolve } from "node:path";
import { errorHeaders, errors, paths } from "../../functions/contract/http.ts";

/** Types that Netlify gives by a name's ending. Those of JSON are set by rules. */
const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
};

/**
 * The file that a URL names, or undefined. As on the platform, names with a leading dot are not served.
 *
 * @param root absolute path of the served folder
 */
function fileAt(root: string, url: string): string | undefined {
  let path: string;
  try {
    path = decodeURIComponent(new URL(url, "http://localhost").pathname);
  } catch {
    return undefined;
  }
  if (/\/\.(?!well-known\/)/.test(path)) return undefined;
  // Normalising an absolute path leaves nothing that climbs above the root.
  const file = join(root, normalize(path.endsWith("/") ? `${path}index.html` : path));
  try {
    return statSync(file).isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}

/**
 * `netlify dev` decodes a path before it applies a rule, so it takes the `%3F` of a post id for the
 * start of a query and asks here instead of asking the function.
 */
const hasLostQuestionMark = (url: string): boolean =>
  url.startsWith(paths.posts) && /%3f/i.test(url);

function send(
  { method }: IncomingMessage,
  response: ServerResponse,
  status: number,
  file: string | undefined,
): void {
  if (file === undefined) {
    response.writeHead(status).end();
    return;
  }
  const type = types[extname(file)];
  response.writeHead(status, type === undefined ? {} : { "Content-Type": type });
  if (method === "HEAD") response.end();
  else
    createReadStream(file)
      .on("error", () => response.destroy())
      .pipe(response);
}

/**
 * Serves the files of a folder on loopback until the process ends.
 *
 * @param folder a snapshot
 */
export const serveFiles = (folder: string, port: number): Promise<Server> =>
  new Promise((done, failed) => {
    const server = createServer((request, response) => answer(resolve(folder), request, response));
    server.once("error", failed).listen(port, "127.0.0.1", () => done(server));
  });

function answer(root: string, request: IncomingMessage, response: ServerResponse): void {
  const { url = "/" } = request;
  const file = fileAt(root, url);
  if (file !== undefined) send(request, response, 200, file);
  else if (hasLostQuestionMark(url)) {
    const { status, message } = errors.invalidPostId;
    response.writeHead(status, errorHeaders).end(JSON.stringify({ error: message }));
  } else send(request, response, 404, fileAt(root, "/404.html"));
}
