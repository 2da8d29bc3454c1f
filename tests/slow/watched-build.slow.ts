/** What `npm run dev` does when the export changes, in this process: build, serve, change, ask. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { SearchResult } from "../../functions/contract/resources.ts";
import type { CommandIo } from "../../scripts/cli/io.ts";
import { buildCommand, type BuildValues } from "../../scripts/build/options.ts";
import { exportWith, temporaryFolder } from "../support/support.ts";
import { freePort } from "../support/ports.ts";
import { SiteServer } from "../../scripts/local/site-server.ts";
import { watchBuild } from "../../scripts/local/watched-build.ts";

/** The options of a build, as its command reads them. */
async function valuesOf(...args: readonly string[]): Promise<BuildValues> {
  let read: BuildValues | undefined;
  const io = { stdout: process.stdout, stderr: process.stderr, env: {} };
  await buildCommand.run(args, io, (values) => {
    read = values;
    return 0;
  });
  if (read === undefined) throw new Error("wrong options");
  return read;
}

/** An io that keeps what is written. */
function recorded(): { readonly io: CommandIo; readonly output: () => string } {
  let text = "";
  const stream = { write: (part: string) => (text += part) };
  return { io: { stdout: stream, stderr: stream, env: {} }, output: () => text };
}

describe("watchBuild", () => {
  const file = exportWith("");
  const collection = join(temporaryFolder(), "collection.json");
  writeFileSync(collection, '{"title":"Parks"}');
  const out = join(temporaryFolder(), "dist");
  const { io, output } = recorded();
  const end = new AbortController();
  let url = "";
  let stop = (): void => {};
  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const site = new SiteServer(out, (message) => io.stderr.write(message));
    const server = await site.listen(port);
    stop = () => server.close();
    const values = await valuesOf("--export", file, "--out", out, "--collection", collection);
    expect(await watchBuild(values, io, site, end.signal)).toBe(true);
  });
  afterAll(() => {
    end.abort();
    stop();
  });
  const change = (sql: string) => new Database(file).exec(sql).close();
  const says = (text: string) =>
    vi.waitFor(() => expect(output()).toContain(text), { timeout: 300_000, interval: 50 });
  const countOf = async (q: string): Promise<number> => {
    const response = await fetch(`${url}/api/search?q=${q}`);
    return ((await response.json()) as SearchResult).metadata.count;
  };

  test("builds a changed export for the next request, and fails none meanwhile", async () => {
    expect(await countOf("zzqx")).toBe(0);
    change("UPDATE posts SET post_title = 'zzqx' WHERE post_id = 1");
    const isShown = (): boolean => output().includes("The next request shows it.");
    const clients = ["/", "/api/posts/1", "/api/search?q=zzqx", "/bulk/posts.jsonl.gz"].map(
      async (path) => {
        while (!isShown()) {
          const response = await fetch(url + path);
          expect([path, response.status]).toEqual([path, 200]);
          await response.arrayBuffer();
        }
      },
    );
    await Promise.all(clients);
    expect(await countOf("zzqx")).toBe(1);
  });

  test("builds a changed collection file, and reports a mistake in it", async () => {
    const page = async () => (await fetch(`${url}/`)).text();
    expect(await page()).toContain("<title>Parks");
    writeFileSync(collection, '{"title":"Lakes"}');
    await vi.waitFor(async () => expect(await page()).toContain("<title>Lakes"), 30_000);
    writeFileSync(collection, '{"title":');
    await says("is not JSON");
    expect(await page()).toContain("<title>Lakes");
    rmSync(collection);
    await says("cannot be read: ENOENT");
    writeFileSync(collection, '{"title":"Woods"}');
    await vi.waitFor(async () => expect(await page()).toContain("<title>Woods"), 30_000);
  });

  test("builds again when the cause of a refusal is gone", async () => {
    const journal = `${file}-journal`;
    writeFileSync(journal, "x");
    await says("-journal is beside");
    rmSync(journal);
    await says("nothing changed since");
  });

  test("reports an export that became faulty, and keeps the snapshot", async () => {
    change("UPDATE posts SET post_title = 'zzqx', post_date_gmt = 'soon' WHERE post_id = 2");
    await says("build stopped: 1 error");
    await says("The old snapshot stays.");
    expect(output()).toMatch(/error: posts 2: post_date_gmt "soon"/);
    expect(output()).not.toMatch(/^\s+at /m);
    expect(await countOf("zzqx")).toBe(1);
  });

  test("reports a deleted export, and does not show the sample instead", async () => {
    rmSync(file);
    await says("there is no such file");
    expect(await countOf("zzqx")).toBe(1);
  });
});

test("watchBuild reports a first build that fails, and returns false", async () => {
  const out = join(temporaryFolder(), "dist");
  const { io, output } = recorded();
  const file = exportWith("UPDATE posts SET post_date_gmt = 'soon' WHERE post_id = 2");
  const values = await valuesOf("--export", file, "--out", out);
  const site = new SiteServer(out, () => {});
  expect(await watchBuild(values, io, site)).toBe(false);
  expect(output()).toMatch(/The server was not started\. Correct that and start again\.\n$/);
  expect(existsSync(out)).toBe(false);
  expect(readFileSync(file).length).toBeGreaterThan(0);
});
