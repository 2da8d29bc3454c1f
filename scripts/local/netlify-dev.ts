/** Starts and stops the local emulation of Netlify, for `npm run dev` and for the tests. */
import { spawn } from "node:child_process";
import { resolve } from "node:path";

export interface NetlifyDevOptions {
  /** Folder with netlify.toml, functions, scripts, node_modules and the snapshot in `dist`. */
  readonly root: string;
  readonly port: number;
  /** Port of the file server behind it. */
  readonly filePort: number;
  /** Where its output goes. */
  readonly output: "inherit" | "ignore";
}

/** A running emulation. */
export interface NetlifyDev {
  /** Ends it with all processes that it started. */
  stop(signal?: NodeJS.Signals): void;
  /** Resolves with the exit code when it has ended. */
  readonly ended: Promise<number>;
}

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
      `node --import tsx scripts/dev-files.ts --port ${filePort}`,
    ],
    {
      cwd: root,
      // Its own process group: the emulation starts other processes, and all must end with it.
      detached: true,
      stdio: ["ignore", output, output],
      env: { ...process.env, CI: "true", BROWSER: "none" },
    },
  );
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

/** Resolves when a URL answers, whatever it answers. @param seconds how long to wait at most */
export async function answering(url: string, seconds: number): Promise<void> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    try {
      await fetch(url);
      return;
    } catch (cause) {
      if (Date.now() > end) throw new Error(`${url} does not answer`, { cause });
      await new Promise((wait) => setTimeout(wait, 200));
    }
  }
}
