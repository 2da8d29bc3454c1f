/**
 * Builds a snapshot and serves its files to `netlify dev`, which starts this server (netlify.toml).
 * `netlify dev` applies its rules first, and then asks this server.
 */
import "./cli/node-version.ts";
import { defineCommand, runAsMain, type CommandIo } from "./cli/command.ts";
import { portOption, surviveMissingFiles } from "./local/file-server.ts";
import { servePlatformFiles } from "./local/platform-files.ts";
import { claimDist, watchedBuild } from "./local/watched-build.ts";
import { endWithParent } from "./local/processes.ts";

const command = defineCommand({
  name: "dev-files",
  summary: `Serves the files in dist to netlify dev, which starts this command by itself. Before that it builds the
export in data/, or the sample where there is none, and it builds again when that changes.`,
  options: {
    port: { ...portOption, default: 8889 },
    "skip-build": { type: "boolean", help: "serve what is in dist: npm run dev has built it" },
  },
});

/** Serves files. @returns the exit code, where they cannot be served */
const devFiles = (args: readonly string[], io: CommandIo): Promise<number> =>
  command.run(args, io, async ({ port, "skip-build": skipBuild }) => {
    endWithParent(() => process.exit(0));
    if (!skipBuild) {
      claimDist();
      const code = await watchedBuild([], { export: undefined, sample: false }, io);
      if (code !== 0) return code;
    }
    surviveMissingFiles();
    await servePlatformFiles("dist", port);
    return new Promise(() => {});
  });

await runAsMain(import.meta.filename, devFiles);
