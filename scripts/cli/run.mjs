/**
 * Starts a command: node scripts/cli/run.mjs scripts/build.ts [options]
 *
 * Plain JavaScript, so that a Node that is too old for this project says so in a sentence. Node runs
 * the TypeScript of the commands by itself; before 22.18 it asks for a flag.
 */
import { spawnSync } from "node:child_process";
import { pathToFileURL } from "node:url";

/** The oldest Node that this project runs on; package.json repeats it in `engines`. */
const oldest = [22, 14];

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
  process.stderr.write(
    `This project needs Node ${oldest.join(".")} or newer; this is ${process.version}. ` +
      "Install a newer Node. On Linux, npm ci brings one: start the command with npm run.\n",
  );
  process.exit(1);
}

const [, , file, ...args] = process.argv;
if (process.features.typescript) {
  // As if the file had been started itself: see runAsMain in command.ts.
  process.argv.splice(1, 1);
  await import(pathToFileURL(file).href);
} else {
  const flags = ["--experimental-strip-types", "--disable-warning=ExperimentalWarning"];
  const { status } = spawnSync(
    process.execPath,
    [...process.execArgv, ...flags, import.meta.filename, file, ...args],
    { stdio: "inherit" },
  );
  process.exit(status ?? 1);
}
