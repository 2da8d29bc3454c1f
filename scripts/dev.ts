/** npm run dev: builds a snapshot and serves it as Netlify would, until Ctrl-C. */
import "./cli/node-version.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { defineCommand, Failure, runAsMain, type CommandIo } from "./cli/command.ts";
import { portOption, surviveMissingFiles, type Answer } from "./local/file-server.ts";
import { startFront, type Front } from "./local/front-server.ts";
import { startNetlifyDev, type NetlifyDev } from "./local/netlify-dev.ts";
import { siteAnswer } from "./local/preview-server.ts";
import { answering, endWithParent, freePort } from "./local/processes.ts";
import { claimDist, watchedBuild } from "./local/watched-build.ts";
import { buildOptions, policyOf, settingsFrom } from "./publish/options.ts";
import { snapshotFiles } from "./snapshot/published-files.ts";

// It serves dist, and something must be built to be served.
const { out: _, "dry-run": __, ...options } = buildOptions;

const command = defineCommand({
  name: "dev",
  summary: `Builds a snapshot into dist and serves it on this machine with Netlify's emulation, until Ctrl-C. It
builds again when the export changes. URLs in the snapshot are those of this server, unless --site-url
names others.`,
  options: {
    ...options,
    port: { ...portOption, default: 8888 },
  },
});

/** Seconds to wait for the first answer of the emulation; then it counts as failed. */
const startSeconds = 60;

/** Builds and serves. @returns the exit code */
const dev = (args: readonly string[], io: CommandIo): Promise<number> =>
  command.run(args, io, async ({ port, ...values }) => {
    const site = `http://localhost:${port}`;
    const log = (message: string): void => void io.stderr.write(`${message}\n`);
    // What is wrong with an option is said here, with this command's own help.
    settingsFrom({ ...values, out: "dist" }, policyOf(io.env));
    claimDist();
    surviveMissingFiles();
    // Takes the port before anything is built: if a server uses it already, that server's snapshot stays.
    const front = await startFront(port, onceBuilt(siteAnswer("dist", site, log)));
    const buildArgs = withoutPort(args);
    if (values["site-url"] === undefined) buildArgs.push("--site-url", site);
    try {
      const code = await watchedBuild(buildArgs, values, io);
      if (code === 0) await serve(site, front, io);
      return code;
    } finally {
      front.server.close();
      front.server.closeAllConnections();
    }
  });

/** Answers when a first snapshot is there; until then it says so. */
const onceBuilt =
  (answer: Answer): Answer =>
  (request, response) => {
    if (existsSync(join("dist", snapshotFiles.manifest))) return answer(request, response);
    response
      .writeHead(503, { "Content-Type": "text/plain; charset=utf-8", "Retry-After": "2" })
      .end("The first snapshot is being built. Try again in a moment.\n");
  };

/** The options of the build. */
function withoutPort(args: readonly string[]): string[] {
  const at = args.indexOf("--port");
  return args.filter(
    (arg, i) => !arg.startsWith("--port=") && (at < 0 || (i !== at && i !== at + 1)),
  );
}

/** Runs the emulation until a signal ends this process, and starts it again when it ends by itself. */
async function serve(site: string, front: Front, io: CommandIo): Promise<never> {
  let netlify: NetlifyDev | undefined;
  let isStopping = false;
  const stop = (signal?: NodeJS.Signals): void => {
    isStopping = true;
    netlify?.stop(signal);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    // A second Ctrl-C does not wait for a clean end.
    process.on(signal, () => stop(isStopping ? "SIGKILL" : "SIGTERM"));
  endWithParent(stop);
  while (!isStopping) {
    const port = await freePort();
    netlify = startNetlifyDev({
      root: process.cwd(),
      port,
      filePort: await freePort(),
      output: io.stdout,
    });
    const ended = netlify.ended.then((code) => ({ code }));
    const early = await Promise.race([
      ended,
      answering(`http://localhost:${port}/api/search`, startSeconds),
    ]);
    // Ended before it answered, it would do so again.
    if (early !== undefined && !isStopping)
      throw new Failure(`Netlify's emulation ended with exit code ${early.code}: see above.`);
    front.leadTo(port);
    io.stdout.write(`\nTry ${site}/api/search. Ctrl-C ends.\n`);
    await ended;
    front.leadTo(undefined);
    if (!isStopping)
      io.stderr.write(
        `Netlify's emulation ended while it answered ${[...front.asked].join(", ") || "nothing"}. Starting it again.\n`,
      );
  }
  process.exit(0);
}

await runAsMain(import.meta.filename, dev);
