/** `npm run dev` on the sample, with a real `netlify dev`, in a site folder of its own. */
import { spawn, type ChildProcess } from "node:child_process";
import { cpSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../scripts/local/processes.ts";
import { commandArguments, root, sample, temporaryFolder } from "./support.ts";

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
  /** Resolves when the output has a text. @throws Error with the output after 60 seconds */
  says(text: string | RegExp): Promise<void>;
  /** Ends it. @returns the exit code */
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
        if (i > 600 || child.exitCode !== null)
          throw new Error(`it does not say ${String(text)}:\n${written}`);
        await new Promise((wait) => setTimeout(wait, 100));
      }
    },
    async stop() {
      child.kill("SIGTERM");
      const code = await ended;
      rmSync(folder, { recursive: true, force: true });
      return code;
    },
  };
}

/**
 * Serves the snapshot that `built(sample)` is; resolves when Netlify's emulation answers.
 *
 * @param exportFile built instead of the sample
 */
export async function startSite(exportFile = sample): Promise<LocalSite> {
  const port = await freePort();
  const args = [
    "--export",
    exportFile,
    "--site-url",
    "http://localhost:8888",
    "--port",
    String(port),
  ];
  const site = startIn(siteFolder(), port, process.execPath, commandArguments("dev", ...args));
  await site.says("Ctrl-C ends.");
  return site;
}
