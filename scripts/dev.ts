/**
 * npm run dev: builds a snapshot and serves it on http://localhost:8888 as Netlify would, until Ctrl-C.
 * Its options are those of the build: `npm run dev -- --export FILE`.
 */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { answering, startNetlifyDev } from "./netlify-dev.ts";

const port = 8888;
const filePort = 8889;
const args = process.argv.slice(2);

const built = spawnSync(process.execPath, ["--import", "tsx", "scripts/build.ts", ...args], {
  stdio: "inherit",
});
if (built.status !== 0 || args.includes("--help")) process.exit(built.status ?? 1);

// The build has accepted the options; of these only the folder matters here.
const { values } = parseArgs({ args, options: { out: { type: "string" } }, strict: false });
const folder = typeof values.out === "string" ? values.out : "dist";

const netlify = startNetlifyDev({ folder, port, filePort, output: "inherit" });
let stopping = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => {
    // A second Ctrl-C does not wait for a clean end.
    netlify.stop(stopping ? "SIGKILL" : "SIGTERM");
    stopping = true;
  });
answering(`http://localhost:${port}/api/openapi.json`, 60).then(
  () => process.stdout.write(`\nTry http://localhost:${port}/api/search — Ctrl-C ends.\n`),
  () => {},
);
const code = await netlify.ended;
process.exit(stopping ? 0 : code);
