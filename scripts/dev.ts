/** npm run dev: builds a snapshot and serves it on http://localhost:8888 as Netlify would, until Ctrl-C. */
import "./cli/node-version.ts";
import { defineCommand, runAsMain, type CommandIo } from "./cli/command.ts";
import { answering, startNetlifyDev } from "./local/netlify-dev.ts";
import { buildOptions } from "./publish/options.ts";
import { build } from "./publish/build.ts";

const port = 8888;
const filePort = 8889;

// It serves dist, and something must be built to be served.
const { out: _, "dry-run": __, ...options } = buildOptions;

const command = defineCommand({
  name: "dev",
  summary: `Builds a snapshot into dist and serves it on http://localhost:${port} as Netlify would, until Ctrl-C.`,
  options,
});

/** Builds and serves. @returns the exit code */
const dev = (args: readonly string[], io: CommandIo): Promise<number> =>
  command.run(args, io, async () => {
    const code = await build(args, io);
    return code === 0 ? serve(io) : code;
  });

async function serve({ stdout }: CommandIo): Promise<never> {
  const netlify = startNetlifyDev({ root: process.cwd(), port, filePort, output: "inherit" });
  let stopping = false;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => {
      // A second Ctrl-C does not wait for a clean end.
      netlify.stop(stopping ? "SIGKILL" : "SIGTERM");
      stopping = true;
    });
  // Whoever started this may be killed instead of pressing Ctrl-C: then nobody could stop it any more.
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) netlify.stop();
  }, 1000).unref();
  answering(`http://localhost:${port}/api/openapi.json`, 60).then(
    () => stdout.write(`\nTry http://localhost:${port}/api/search. Ctrl-C ends.\n`),
    () => {},
  );
  const code = await netlify.ended;
  // Ended before it answered, nothing is left to wait for.
  process.exit(stopping ? 0 : code);
}

await runAsMain(import.meta.filename, dev);
