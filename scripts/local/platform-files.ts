/**
 * The files that `netlify dev` asks for: http-server without the headers that rules set, so that the local
 * preview shows the rules of netlify.toml and nothing else.
 */
import type { Server } from "node:http";
import { errorHeaders, errors, paths } from "../../functions/contract/http.ts";
import { assertSnapshot } from "../snapshot/manifest.ts";
import { fileAnswer, listen, type Answer } from "./file-server.ts";

/** Files whose type the platform gives by their names. Those of all others are set by rules. */
const typed = /\.(?:html|css|js|svg|txt)$/;

const invalidPostId: Answer = (_, response) => {
  const { status, message } = errors.invalidPostId;
  response.writeHead(status, errorHeaders).end(JSON.stringify({ error: message }));
};

const platformFiles = (folder: string): Answer =>
  fileAnswer(folder, {
    kept: (file) => (typed.test(file) ? ["content-type"] : []),
    // `netlify dev` decodes a path before it applies a rule, so it takes the `%3F` of a post id for the
    // start of a query and asks here instead of asking the function.
    instead: ({ url = "/" }, file) =>
      file === undefined && url.startsWith(paths.posts) && /%3f/i.test(url)
        ? invalidPostId
        : undefined,
  });

/**
 * Serves the files of a snapshot until the process ends.
 *
 * @throws Failure where no snapshot is there, or the port is in use
 */
export async function servePlatformFiles(folder: string, port: number): Promise<Server> {
  assertSnapshot(folder);
  return listen(port, platformFiles(folder));
}
