/** npm run preview: serves the files of a snapshot, without the function: posts and pages, but no search. */
import { defineCommand, Failure, runAsMain, type CommandIo } from "./cli/command.ts";
import { serveFiles } from "./local/static-server.ts";

const command = defineCommand({
  name: "preview",
  summary: `Serves the files of a snapshot on loopback until Ctrl-C, without the function and without the rules of
netlify.toml: a post is at /api/posts/1.json, and there is no search. npm run dev serves everything.`,
  positionals: {
    folder: { type: "string", value: "DIR", help: "folder of the snapshot", default: "dist" },
  },
  options: {
    port: { type: "integer", value: "PORT", help: "port to listen on", default: 8080 },
  },
});

/** Serves files. @returns the exit code, when the server has ended */
const preview = (args: readonly string[], io: CommandIo): Promise<number> =>
  command.run(args, io, async ({ folder, port }) => {
    try {
      await serveFiles(folder, port);
    } catch (error) {
      throw new Failure(`port ${port} cannot be used: ${(error as Error).message}`);
    }
    io.stdout.write(`${folder}: http://127.0.0.1:${port}/ (Ctrl-C ends)\n`);
    return new Promise(() => {});
  });

await runAsMain(import.meta.filename, preview);
