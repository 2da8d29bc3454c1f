/** What several tests need: temporary folders, builds, published posts, the function on a snapshot. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join, resolve } from "node:path";
import Database from "better-sqlite3";
import { inject, onTestFinished } from "vitest";
import type { SyncFile } from "../../functions/contract/sync.ts";
import { createHandler, type HandlerOptions } from "../../functions/http/handler.ts";
import type { CommandIo } from "../../scripts/cli/io.ts";
import { PostReader } from "../../scripts/snapshot/read-posts.ts";
import { build } from "../../scripts/build/build-snapshot.ts";
import type { OraclePost } from "./oracle.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Of run-folder.mjs. */
    readonly runFolder: string;
  }
}

export const root = resolve(import.meta.dirname, "../..");
export const sample = join(root, "data/sample.sql");

/** Real exports beside the project, where they exist. */
const datasets = resolve(root, "../shared/datasets");
export const realExports: readonly string[] = existsSync(datasets)
  ? readdirSync(datasets)
      .filter((name) => name.endsWith(".sqlite"))
      .map((name) => join(datasets, name))
  : [];

/** A new folder. It is removed after the running test, or at the end of the run where no test runs. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(inject("runFolder"), "folder-"));
  try {
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  } catch {
    // Made while a file is collected, for all of its tests.
  }
  return folder;
}

/** The sample as a database, with SQL run on it. */
export function exportWith(sql: string): string {
  const file = join(temporaryFolder(), "export.sqlite");
  new Database(file)
    .exec("PRAGMA synchronous = OFF")
    .exec(readFileSync(sample, "utf8"))
    .exec(sql)
    .close();
  return file;
}

/** What a command or a build left: its exit code and what it wrote. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command in this process.
 *
 * @param env all environment variables that it gets
 */
export async function runInProcess(
  command: (args: readonly string[], io: CommandIo) => Promise<number>,
  args: readonly string[],
  env: CommandIo["env"] = {},
): Promise<Ended> {
  const written = { stdout: "", stderr: "" };
  const to = (name: keyof typeof written): CommandIo["stdout"] => ({
    write(text: string) {
      written[name] += text;
    },
  });
  const code = await command(args, { stdout: to("stdout"), stderr: to("stderr"), env });
  return { code, ...written };
}

/** A file in which nothing is said of a collection: a fork's own must not change what tests expect. */
export const unnamed = join(root, "tests/support/unnamed.json");

/** Options of a build or a release, of a collection without a name unless they say which one. */
export const ofUnnamed = (...args: readonly string[]): readonly string[] =>
  args.includes("--collection") ? args : [...args, "--collection", unnamed];

/**
 * Runs a build in this process, of a collection without a name.
 *
 * @param args options as on the command line
 */
export const runBuild = (...args: readonly string[]): Promise<Ended> =>
  runInProcess(build, ofUnnamed(...args));

/** Arguments for Node that run a TypeScript file as the npm scripts do, in any folder. */
export const tsx: readonly string[] = ["--import", import.meta.resolve("tsx")];

/** Arguments for Node that run a command of the project as npm does. */
export const commandArguments = (name: string, ...args: readonly string[]): readonly string[] => [
  ...tsx,
  join(root, `scripts/${name}.ts`),
  ...args,
];

/**
 * Runs a program to its end, without blocking this process.
 *
 * @param env variables beside those of this process
 */
export function runProgram(
  file: string,
  args: readonly string[],
  { cwd = root, env = {} }: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Ended> {
  return new Promise((done, failed) => {
    const child = spawn(file, args, {
      cwd,
      env: { ...process.env, URL: "", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const written = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const)
      child[name].setEncoding("utf8").on("data", (text: string) => {
        written[name] += text;
      });
    child.once("error", failed);
    child.once("close", (code) => done({ code, ...written }));
  });
}

/** Runs a command of the project as a process of its own. */
export const runCommand = (name: string, ...args: readonly string[]): Promise<Ended> =>
  runProgram(process.execPath, commandArguments(name, ...args));

const builds = new Map<string, Promise<string>>();

/** Builds once for all workers, in a folder named after what is built. */
async function buildOnce(key: string, file: string, args: readonly string[]): Promise<string> {
  const folder = join(inject("runFolder"), createHash("sha256").update(key).digest("hex"));
  if (existsSync(folder)) return folder;
  const staged = join(temporaryFolder(), "dist");
  const { code, stderr } = await runBuild("--export", file, "--out", staged, ...args);
  if (code !== 0) throw new Error(stderr);
  try {
    renameSync(staged, folder);
  } catch (error) {
    // The other worker was faster, with the same bytes.
    if ((error as NodeJS.ErrnoException).code !== "ENOTEMPTY") throw error;
  }
  return folder;
}

/**
 * The snapshot of an export. It is built once in a test run, so it must not be changed: see `builtCopy`.
 *
 * @throws what the build wrote, where it fails
 */
export function built(file: string, ...args: readonly string[]): Promise<string> {
  const key = JSON.stringify([file, ...args]);
  const folder = builds.get(key) ?? buildOnce(key, file, args);
  builds.set(key, folder);
  return folder;
}

/** A snapshot of an export that a test may change. */
export async function builtCopy(file: string, ...args: readonly string[]): Promise<string> {
  const folder = join(temporaryFolder(), "dist");
  cpSync(await built(file, ...args), folder, { recursive: true });
  return folder;
}

/** All published posts of a snapshot. */
export function publishedPosts(folder: string): OraclePost[] {
  const { posts } = JSON.parse(readFileSync(join(folder, "sync.json"), "utf8")) as SyncFile;
  const reader = new PostReader(folder);
  return Object.keys(posts).map(
    (id) => JSON.parse(reader.read(Number(id)).toString()) as OraclePost,
  );
}

/** The function on a snapshot. Faults are collected, not printed. */
export function searchOn(
  folder: string,
  cacheMegabytes = 64,
  blockUrls?: HandlerOptions["blockUrls"],
) {
  const faults: string[] = [];
  const handler = createHandler({
    snapshotFolder: () => folder,
    cacheMegabytes,
    ...(blockUrls === undefined ? {} : { blockUrls }),
    log: (message) => faults.push(message),
  });
  return {
    faults,
    handler,
    get: (path: string, init?: RequestInit) =>
      handler(new Request(`https://api.example${path}`, init)),
    /** The body of a search. */
    async search(parameters: Readonly<Record<string, string>>): Promise<unknown> {
      const response = await handler(
        new Request(`https://api.example/api/search?${new URLSearchParams(parameters)}`),
      );
      return response.json();
    },
  };
}

/** What a site answers at an address: a file where there is one, else what the function says. */
export function siteOn(
  folder: string,
): (address: string) => Promise<{ status: number; body: string }> {
  const { get } = searchOn(folder);
  return async (address) => {
    const { pathname, search } = new URL(address, "http://localhost");
    const path = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
    for (const name of [path, `${path}.json`])
      if (existsSync(join(folder, name)))
        return { status: 200, body: readFileSync(join(folder, name), "utf8") };
    const response = await get(pathname + search);
    return { status: response.status, body: await response.text() };
  };
}

/** Every file below a folder, by its path there. */
export function filesIn(folder: string): Map<string, Buffer> {
  return new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return [path.slice(folder.length + 1), readFileSync(path)] as const;
      })
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** The digest of every file below a folder, by its path there: equal where all names and bytes are. */
export const digestsIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    [...filesIn(folder)].map(([name, content]) => [
      name,
      createHash("sha256").update(content).digest("hex"),
    ]),
  );
