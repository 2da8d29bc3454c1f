/** Starts and stops the local emulation of Netlify, for `npm run dev` and for the tests. */
import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { TextStream } from "../cli/command.ts";

export interface NetlifyDevOptions {
  /** Folder with netlify.toml, functions, scripts, node_modules and the snapshot in `dist`. */
  readonly root: string;
  readonly port: number;
  /** Port of the file server that it asks. */
  readonly filePort: number;
  /** Where its output goes; undefined for nowhere. */
  readonly output: TextStream | undefined;
}

/** A running emulation. */
export interface NetlifyDev {
  /** Ends it with all processes that it started. */
  stop(signal?: NodeJS.Signals): void;
  /** Resolves with the exit code when it has ended. */
  readonly ended: Promise<number>;
}

/**
 * Lines of the CLI that say nothing of use: it asks for a missing file five times and reports each; its own
 * port, which only `npm run dev` asks; deprecations inside of it; settings that this project chose.
 */
const noise =
  /Request from |Response with status |Rewrote URL|Waiting for framework|framework dev server|Ignored general context|Injected netlify|Edge functions are disabled|Reload(?:ing|ed) function|^\s*$|^\s*[╭│╰]|\bDEP0\d+|--trace-/;

/**
 * Starts `netlify dev` without login, prompt or network. It looks for files in `dist` only: `--dir`
 * would make it use a file server of its own, which sends headers of its own.
 */
export function startNetlifyDev({ root, port, filePort, output }: NetlifyDevOptions): NetlifyDev {
  const child = spawn(
    resolve(root, "node_modules/.bin/netlify"),
    [
      "dev",
      "--offline",
      "--no-open",
      "--skip-gitignore",
      "--internal-disable-edge-functions",
      "--port",
      String(port),
      "--target-port",
      String(filePort),
      "--command",
      `node --import tsx scripts/dev-files.ts --skip-build --port ${filePort}`,
    ],
    {
      cwd: root,
      // Its own process group: the emulation starts other processes, and all must end with it.
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, CI: "true", BROWSER: "none" },
    },
  );
  const show = (lines: Readable): void =>
    void createInterface(lines).on("line", (line) => {
      if (!noise.test(line)) output?.write(`${line}\n`);
    });
  show(child.stdout);
  show(child.stderr);
  const ended = new Promise<number>((done, failed) => {
    child.once("error", failed);
    child.once("exit", (code) => done(code ?? 0));
  });
  return {
    ended,
    stop(signal = "SIGTERM") {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, signal);
      } catch {
        // The group has ended already.
      }
    },
  };
}
