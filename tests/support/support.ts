/** What several tests need: temporary folders, the build as a person runs it, published posts. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { createSearch } from "../../functions/search/search.ts";
import type { OraclePost } from "./oracle.ts";

export const root = resolve(import.meta.dirname, "../..");
export const sample = join(root, "data/sample.sql");

/** Real exports beside the project, where they are there. */
const datasets = resolve(root, "../shared/datasets");
export const realExports: readonly string[] = existsSync(datasets)
  ? readdirSync(datasets)
      .filter((name) => name.endsWith(".sqlite"))
      .map((name) => join(datasets, name))
  : [];

/** A folder that is removed when the test file's process ends, or the running test where there is one. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "case-collection-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    onTestFinished(remove);
  } catch {
    process.once("exit", remove);
  }
  return folder;
}

/** Runs `npm run build` as a separate process. */
export function runBuild(...args: readonly string[]): {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
} {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["scripts/cli/run.mjs", "scripts/build.ts", ...args],
    { cwd: root, encoding: "utf8", env: { ...process.env, URL: "" }, maxBuffer: 2 ** 28 },
  );
  return { code: status, stdout, stderr };
}

/** Builds an export into a new folder; fails where the build does. */
export function built(file: string, ...args: readonly string[]): string {
  const folder = join(temporaryFolder(), "dist");
  const { code, stderr } = runBuild("--export", file, "--out", folder, ...args);
  if (code !== 0) throw new Error(stderr);
  return folder;
}

/** All published posts of a snapshot. */
export const publishedPosts = (folder: string): OraclePost[] =>
  readdirSync(join(folder, "api/posts")).map(
    (name) => JSON.parse(readFileSync(join(folder, "api/posts", name), "utf8")) as OraclePost,
  );

/** The function on a snapshot. Faults are collected, not printed. */
export function searchOn(folder: string, cacheMegabytes = 64) {
  const faults: string[] = [];
  const handler = createSearch({
    snapshotFolder: () => folder,
    cacheMegabytes,
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
