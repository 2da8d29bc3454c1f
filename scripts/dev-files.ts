/** What `netlify dev` starts behind its rules: a server of the files in dist. */
import "./cli/node-version.ts";
import { defineCommand, runAsMain, type CommandIo } from "./cli/command.ts";
import { servePlatformFiles } from "./local/platform-files.ts";

const command = defineCommand({
  name: "dev-files",
  summary:
    "Serves the files in dist to netlify dev, which starts this command by itself (netlify.toml).",
  options: {
    port: { type: "integer", value: "PORT", help: "port to listen on", default: 8889 },
  },
});

/** Serves files. @returns the exit code, where they cannot be served */
const devFiles = (args: readonly string[], io: CommandIo): Promise<number> =>
  command.run(args, io, async ({ port }) => {
    await servePlatformFiles("dist", port);
    return new Promise(() => {});
  });

await runAsMain(import.meta.filename, devFiles);
