/** npm run dev: builds a snapshot, builds it again when the export changes, and serves it, until Ctrl-C. */
import "./cli/node-version.ts";
import { defineCommand, runAsMain } from "./cli/command.ts";
import type { CommandIo } from "./cli/io.ts";
import { endWithParent, untilEnded } from "./local/processes.ts";
import { faultLog, SiteServer, portOption } from "./local/site-server.ts";
import { claimFolder, watchBuild } from "./local/watched-build.ts";
import { buildOptions, buildPolicy, settingsFrom } from "./build/options.ts";

// It serves dist, and something must be built to be served.
const { out: _, "dry-run": __, ...options } = buildOptions;

const devCommand = defineCommand({
  name: "dev",
  summary: `Builds a snapshot into dist and serves it on this machine, whole, until Ctrl-C: files, searches, errors and
the MCP server. It builds again when the export or the collection's file changes. URLs in the snapshot are those of
this server, unless --site-url names others.`,
  options: {
    ...options,
    port: { ...portOption, default: 8888 },
  },
});

/**
 * Builds and serves.
 *
 * @returns the exit code, where there is nothing to serve
 */
const dev = (args: readonly string[], io: CommandIo): Promise<number> =>
  devCommand.run(args, io, async ({ port, ...given }) => {
    const url = `http://localhost:${port}`;
    const own = { "site-url": given["site-url"] ?? url, out: "dist", "dry-run": false };
    const values = { ...given, ...own };
    // What is wrong with an option is said here, with this command's own help.
    settingsFrom(values, buildPolicy(io.env));
    endWithParent();
    claimFolder(values.out);
    const site = new SiteServer(values.out, faultLog(io));
    // Takes the port before anything is built: if a server uses it already, that server's snapshot stays.
    const server = await site.listen(port);
    if (await watchBuild(values, io, site)) {
      io.stdout.write(`\nThe API: ${url}/api/search. Ctrl-C ends.\nThe page: ${url}/\n`);
      return untilEnded();
    }
    server.close();
    server.closeAllConnections();
    return 1;
  });

await runAsMain(import.meta.filename, dev);
