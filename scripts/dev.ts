/**
 * npm run dev: builds a snapshot and serves it on http://localhost:8888 as Netlify would, until Ctrl-C.
 * Its options are those of the build, without --out: `npm run dev -- --export FILE`.
 */
import { spawnSync } from "node:child_process";
import { answering, startNetlifyDev } from "./local/netlify-dev.ts";

const port = 8888;
const filePort = 8889;
const args = process.argv.slice(2);

if (args.some((arg) => arg.startsWith("--out"))) {
  process.stderr.write("npm run dev serves dist and takes no --out.\n");
  process.exit(1);
}

const built = spawnSync(process.execPath, ["scripts/cli/run.mjs", "scripts/build.ts", ...args], {
  stdio: "inherit",
});
if (built.status !== 0 || args.includes("--help")) process.exit(built.status ?? 1);

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
  () => process.stdout.write(`\nTry http://localhost:${port}/api/search — Ctrl-C ends.\n`),
  () => {},
);
const code = await netlify.ended;
process.exit(stopping ? 0 : code);
