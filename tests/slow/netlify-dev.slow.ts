/** `netlify dev` by itself, on a clone without a snapshot: it builds first, and leaves no server. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test, vi } from "vitest";
import { sample } from "../support/support.ts";
import { siteFolder, startNetlifyDev } from "../support/local-site.ts";
import { answering } from "../support/ports.ts";

test("netlify dev builds the export, and ends with everything it started", async () => {
  const folder = siteFolder();
  const file = join(folder, "data/export.sqlite");
  new Database(file)
    .exec(readFileSync(sample, "utf8"))
    .exec("UPDATE posts SET post_title = 'zzqx' WHERE post_id = 1")
    .close();
  const site = await startNetlifyDev(folder);
  await answering(`${site.url}/api/search`, 300);
  expect(site.output()).toContain("40 posts");
  const response = await fetch(`${site.url}/api/search?q=zzqx`);
  expect(await response.json()).toMatchObject({ metadata: { count: 1 } });
  const config = readFileSync(join(folder, "netlify.toml"), "utf8");
  const [, filePort = ""] = /^targetPort = (\d+)$/m.exec(config) ?? [];
  expect((await fetch(`http://127.0.0.1:${filePort}/`)).status).toBe(200);
  await site.stop();
  await vi.waitFor(
    () => expect(fetch(`http://127.0.0.1:${filePort}/`)).rejects.toThrow("fetch failed"),
    { timeout: 60_000, interval: 200 },
  );
});

test("netlify dev ends with the reason when the export cannot be built", async () => {
  const folder = siteFolder();
  rmSync(join(folder, "data/sample.sql"));
  const site = await startNetlifyDev(folder);
  await site.says(/there is no such file\. Name an export/);
  expect(await site.ended).not.toBe(0);
  await site.stop();
});
