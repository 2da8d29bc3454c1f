/**
 * Serves a folder for `netlify dev`: node scripts/cli/run.mjs scripts/local/static-server.ts FOLDER PORT
 *
 * It stands for the file store behind Netlify's rules, so it sends bytes and a status, and no header
 * that a rule of netlify.toml sets: the local preview then shows those rules and nothing else.
 */
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, resolve } from "node:path";

const [folder = "dist", port = "8889"] = process.argv.slice(2);
const root = resolve(folder);

/** Types that Netlify gives by a name's ending. Those of JSON are set by rules. */
const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
};

/** The file that an address names, or undefined. */
function fileAt(url: string): string | undefined {
  let path: string;
  try {
    path = decodeURIComponent(new URL(url, "http://localhost").pathname);
  } catch {
    return undefined;
  }
  // Normalising an absolute path leaves nothing that climbs above the root.
  const file = join(root, normalize(path.endsWith("/") ? `${path}index.html` : path));
  try {
    return statSync(file).isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}

const server = createServer((request, response) => {
  const file = fileAt(request.url ?? "/");
  if (file === undefined) {
    response.writeHead(404).end();
    return;
  }
  const type = types[extname(file)];
  response.writeHead(200, type === undefined ? {} : { "Content-Type": type });
  if (request.method === "HEAD") response.end();
  else
    createReadStream(file)
      .on("error", () => response.destroy())
      .pipe(response);
});
server.listen(Number(port), "127.0.0.1");
