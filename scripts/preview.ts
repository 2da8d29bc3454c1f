/** npm run preview: serves a snapshot whole on loopback: its files by http-server, all else by the function. */
import "./cli/node-version.ts";
import { defineCommand, runAsMain, type CommandIo } from "./cli/command.ts";
import { portOption, surviveMissingFiles } from "./local/file-server.ts";
import { servePreview } from "./local/preview-server.ts";

const command = defineCommand({
  name: "preview",
  summary: `Serves a snapshot on loopback until Ctrl-C: files, searches, errors and the MCP server. It starts at once
and needs no other program; npm run dev builds first, and shows Netlify's own rules at work.`,
  positionals: {
    folder: { type: "string", value: "DIR", help: "folder of the snapshot", default: "dist" },
  },
  options: {
    port: { ...portOption, default: 8080 },
  },
});

/** Serves a snapshot. @returns the exit code, where it cannot be served */
const preview = (args: readonly string[], io: CommandIo): Promise<number> =>
  command.run(args, io, async ({ folder, port }) => {
    surviveMissingFiles();
    await servePreview(folder, port, (message, cause) =>
      io.stderr.write(`${message}: ${String(cause)}\n`),
    );
    io.stdout.write(`${folder}: http://127.0.0.1:${port}/ (Ctrl-C ends)\n`);
    return new Promise(() => {});
  });

await runAsMain(import.meta.filename, preview);
