/** npm run build: reads an export and writes a snapshot. */
import "./cli/node-version.ts";
import { runAsMain } from "./cli/command.ts";
import { build } from "./build/build-snapshot.ts";

await runAsMain(import.meta.filename, build);
