/** Servers of the project as processes, in a folder of their own. */
import { spawn, type ChildProcess } from "node:child_process";
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { answering, freePort } from "./ports.ts";
import { root, temporaryFolder } from "./support.ts";

/** A running site. */
export interface LocalSite {
  readonly port: number;
  readonly pid: number | undefined;
  /** Base URL, without a trailing slash. */
  readonly url: string;
  /** Where it was started: the project's files, with the snapshot in `dist`. */
  readonly folder: string;
  /** What it wrote so far. */
  output(): string;
  /**
   * Resolves when the output has a text.
   *
   * @throws Error with the output when it ends, or after five minutes
   */
  says(text: string | RegExp): Promise<void>;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
  /**
   * Ends it and removes its folder.
   *
   * @returns the exit code
   */
  stop(): Promise<number | null>;
}

/** The project's files in a new folder, without a snapshot. */
export function siteFolder(): string {
  const site = temporaryFolder();
  symlinkSync(join(root, "node_modules"), join(site, "node_modules"));
  for (const name of [
    "data/sample.sql",
    "functions",
    "scripts",
    "netlify.toml",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
  ])
    cpSync(join(root, name), join(site, name), { recursive: true });
  return site;
}

/** Starts a program in a site folder. */
export function startIn(
  folder: string,
  port: number,
  file: string,
  args: readonly string[],
): LocalSite {
  const child: ChildProcess = spawn(file, args, {
    cwd: folder,
    // A group of its own, which is ended as Ctrl-C in a terminal ends one.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, URL: "", CI: "true", BROWSER: "none" },
  });
  let written = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => (written += text));
  const ended = new Promise<number | null>((done) => child.once("close", done));
  return {
    port,
    pid: child.pid,
    url: `http://localhost:${port}`,
    folder,
    output: () => written,
    async says(text) {
      for (
        let i = 0;
        !(typeof text === "string" ? written.includes(text) : text.test(written));
        i++
      ) {
        if (i > 3000 || child.exitCode !== null)
          throw new Error(`it does not say ${String(text)}:\n${written}`);
        await new Promise((wait) => setTimeout(wait, 100));
      }
    },
    ended,
    async stop() {
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGINT");
      const code = await ended;
      rmSync(folder, { recursive: true, force: true });
      return code;
    },
  };
}

/** Starts `netlify dev` in a site folder, with the settings of its netlify.toml and a free port for its files. */
export async function startNetlifyDev(folder: string): Promise<LocalSite> {
  const config = join(folder, "netlify.toml");
  const text = readFileSync(config, "utf8");
  writeFileSync(config, text.replaceAll("8889", String(await freePort())));
  const port = await freePort();
  // Without the edge functions, which need a download of Deno.
  const options = "--offline --no-open --skip-gitignore --internal-disable-edge-functions";
  const netlify = join(folder, "node_modules/.bin/netlify");
  return startIn(folder, port, netlify, ["dev", ...options.split(" "), "--port", String(port)]);
}

/** The sample, served by a `netlify dev` that answers. */
export async function startSite(): Promise<LocalSite> {
  const site = await startNetlifyDev(siteFolder());
  try {
    await answering(`${site.url}/api/search`, 300);
    return site;
  } catch (error) {
    await site.stop();
    throw new Error(site.output(), { cause: error });
  }
}
