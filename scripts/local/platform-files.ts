/**
 * The files that `netlify dev` asks for: without the headers that rules set, so that it shows the rules of
 * netlify.toml and nothing else.
 */
import type { Server } from "node:http";
import { paths } from "../../functions/contract/http.ts";
import { fileAt, filesIn } from "./snapshot-files.ts";
import {
  contractError,
  listen,
  ofOneSnapshot,
  pathOf,
  type Ask,
  type Log,
} from "./whole-answer.ts";

/** Files whose type the platform gives by their names. Those of all others are set by rules. */
const typed = /\.(?:html|css|js|svg|txt)$/;

function platformFiles(folder: string): Ask {
  const read = filesIn(folder);
  return ({ url = "/" }) =>
    ofOneSnapshot(folder, async () => {
      const file = fileAt(folder, pathOf(url));
      // `netlify dev` decodes a path before it applies a rule, so it takes the `%3F` of a post id for the
      // start of a query and asks here instead of asking the function.
      if (file === undefined && url.startsWith(paths.posts) && /%3f/i.test(url))
        return contractError("invalidPostId");
      const { status, headers, body } = await read(file);
      const type = headers["content-type"];
      return {
        status,
        headers:
          type !== undefined && typed.test(file ?? "/404.html") ? { "Content-Type": type } : {},
        body,
      };
    });
}

/** Serves the files of a snapshot until the process ends. @throws Failure where the port is in use */
export const servePlatformFiles = (folder: string, port: number, log: Log): Promise<Server> =>
  listen(port, platformFiles(folder), log);
