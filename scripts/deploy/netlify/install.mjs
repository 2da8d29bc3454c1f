/** Installs the Netlify CLI where it is first needed: it is larger than all that the other commands need. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/** The folder of package.json and its lock, which name the version of the CLI and of all that it needs. */
const source = join(import.meta.dirname, "cli");
/** Where it is installed. A name with a dot is none that npm looks at; `npm ci` of the project removes it. */
const target = join(import.meta.dirname, "../../../node_modules/.netlify-cli");
const lockFile = "package-lock.json";

/** Whether the version of the lock is there. npm writes its hidden lock last, so an installation that was cut off has none. */
const isInstalled = () =>
  existsSync(join(target, "node_modules/.package-lock.json")) &&
  readFileSync(join(target, lockFile)).equals(readFileSync(join(source, lockFile)));

/**
 * Installs the CLI, unless that is done. No package runs a script of its own, since a release has a token.
 *
 * @returns {string | undefined} the path of the CLI's program; undefined where npm failed, which has said why
 */
export function installNetlifyCli() {
  if (!isInstalled()) {
    process.stderr.write("Installing the Netlify CLI, once (about 350 MB) …\n");
    rmSync(target, { recursive: true, force: true });
    for (const name of ["package.json", lockFile]) cpSync(join(source, name), join(target, name));
    const { status } = spawnSync(
      "npm",
      ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
      // stdout belongs to the command that needs the CLI. On Windows, npm is a script that only a shell starts.
      { cwd: target, stdio: ["ignore", 2, 2], shell: process.platform === "win32" },
    );
    if (status !== 0) {
      process.stderr.write("The Netlify CLI was not installed. Run the command again.\n");
      return undefined;
    }
  }
  return join(target, "node_modules/netlify-cli/bin/run.js");
}
