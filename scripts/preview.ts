/** npm run preview: serves a snapshot that is there, until Ctrl-C. */
import "./cli/node-version.ts";
import { defineCommand, runAsMain } from "./cli/command.ts";
import type { CommandIo } from "./cli/io.ts";
import { endWithParent, untilEnded } from "./local/processes.ts";
import { faultLog, portOption, serveSnapshot } from "./local/site-server.ts";
import { assertSnapshot } from "./snapshot/manifest.ts";

const previewCommand = defineCommand({
  name: "preview",
  summary: `Serves a snapshot on loopback until Ctrl-C: files, searches, errors and the MCP server. It builds nothing;
npm run dev does, and serves in the same way.`,
  positionals: {
    folder: { type: "string", value: "DIR", help: "folder of the snapshot", default: "dist" },
  },
  options: {
    port: { ...portOption, default: 8080 },
  },
});

/**
 * Serves a snapshot.
 *
 * @returns the exit code, where it cannot be served
 */
const preview = (args: readonly string[], io: CommandIo): Promise<number> =>
  previewCommand.run(args, io, async ({ folder, port }) => {
    endWithParent();
    assertSnapshot(folder);
    await serveSnapshot(folder, port, faultLog(io));
    io.stdout.write(`${folder}: http://127.0.0.1:${port}/ (Ctrl-C ends)\n`);
    return untilEnded();
  });

await runAsMain(import.meta.filename, preview);
