/** npm run release: builds a snapshot and publishes it on Netlify, tested before and after it is live. */
import "./cli/node-version.ts";
import { resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { runAsMain } from "./cli/command.ts";
import { netlifyIn } from "./deploy/netlify-cli.ts";
import { release } from "./deploy/release-snapshot.ts";

await runAsMain(import.meta.filename, (args, io) => {
  const folder = resolve(import.meta.dirname, "..");
  return release(args, io, {
    folder,
    runCli: netlifyIn(folder, process.env),
    wait: setTimeout,
  });
});
