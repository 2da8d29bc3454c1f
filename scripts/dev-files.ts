/**
 * Builds a snapshot and serves its files to `netlify dev`, which starts this server (netlify.toml).
 * `netlify dev` applies its rules first, and then asks this server.
 */
import "./cli/node-version.ts";
import { defineCommand, runAsMain, type CommandIo } from "./cli/command.ts";
import { servePlatformFiles } from "./local/platform-files.ts";
import { endWithParent, untilEnded } from "./local/processes.ts";
import { surviveMissingFiles } from "./local/snapshot-files.ts";
import { claimFolder, watchedBuild } from "./local/watched-build.ts";
import { faultLog, portOption } from "./local/whole-answer.ts";
import { buildCommand } from "./publish/options.ts";

const command = defineCommand({
  name: "dev-files",
  summary: `Serves the files in dist to netlify dev, which starts this command by itself. Before that it builds the
export in data/, or the sample where there is none, and it builds again when that changes.`,
  options: {
    port: { ...portOption, default: 8889 },
  },
});

/** Serves files. @returns the exit code, where they cannot be served */
const devFiles = (args: readonly string[], io: CommandIo): Promise<number> =>
  command.run(args, io, ({ port }) =>
    buildCommand.run([], io, async (values) => {
      endWithParent();
      claimFolder(values.out);
      surviveMissingFiles();
      if (!(await watchedBuild(values, io))) return 1;
      await servePlatformFiles(values.out, port, faultLog(io));
      return untilEnded();
    }),
  );

await runAsMain(import.meta.filename, devFiles);
