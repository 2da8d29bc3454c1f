/**
 * Builds a snapshot and serves its files to `netlify dev`, which starts this server (netlify.toml).
 * `netlify dev` applies its rules first, and then asks this server.
 */
import "./cli/node-version.ts";
import { paths } from "../functions/contract/http.ts";
import { defineCommand, runAsMain, type CommandIo } from "./cli/command.ts";
import { endWithParent, untilEnded } from "./local/processes.ts";
import { fileAt, filesIn, surviveMissingFiles, type ReadFile } from "./local/snapshot-files.ts";
import { claimFolder, watchedBuild } from "./local/watched-build.ts";
import {
  contractError,
  faultLog,
  listen,
  ofOneSnapshot,
  pathOf,
  portOption,
  type WholeAnswer,
} from "./local/whole-answer.ts";
import { buildCommand } from "./publish/options.ts";

const command = defineCommand({
  name: "dev-files",
  summary: `Serves the files in dist to netlify dev, which starts this command by itself. Before that it builds the
export in data/, or the sample where there is none, and it builds again when that changes.`,
  options: {
    port: { ...portOption, default: 8889 },
  },
});

/** Files whose type the platform gives by their names. Those of all others are set by rules. */
const typed = /\.(?:html|css|js|svg|txt)$/;

/** A file without the headers that rules set, so that `netlify dev` shows the rules of netlify.toml and nothing else. */
async function platformFile(folder: string, read: ReadFile, url: string): Promise<WholeAnswer> {
  const file = fileAt(folder, pathOf(url));
  // `netlify dev` decodes a path before it applies a rule, so it takes the `%3F` of a post id for the
  // start of a query and asks here instead of asking the function.
  if (file === undefined && url.startsWith(paths.posts) && /%3f/i.test(url))
    return contractError("invalidPostId");
  const { status, headers, body } = await read(file);
  const type = headers["content-type"];
  const isTyped = type !== undefined && typed.test(file ?? "/404.html");
  return { status, headers: isTyped ? { "Content-Type": type } : {}, body };
}

/** Serves files. @returns the exit code, where they cannot be served */
const devFiles = (args: readonly string[], io: CommandIo): Promise<number> =>
  command.run(args, io, ({ port }) =>
    buildCommand.run([], io, async (values) => {
      const { out } = values;
      endWithParent();
      claimFolder(out);
      surviveMissingFiles();
      if (!(await watchedBuild(values, io))) return 1;
      const read = filesIn(out);
      const answer = ({ url = "/" }) => ofOneSnapshot(out, () => platformFile(out, read, url));
      await listen(port, answer, faultLog(io));
      return untilEnded();
    }),
  );

await runAsMain(import.meta.filename, devFiles);
