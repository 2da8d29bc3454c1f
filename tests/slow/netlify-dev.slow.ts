/** `netlify dev` by itself, on a clone without a snapshot: it builds first, and leaves no server. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { answering, freePort } from "../../scripts/local/processes.ts";
import { siteFolder, startIn } from "../support/local-site.ts";

/** As documented, and without the edge functions, which need a download of Deno. */
const options = [
  "dev",
  "--offline",
  "--no-open",
  "--skip-gitignore",
  "--internal-disable-edge-functions",
];

test("it builds the sample, serves it, and ends with everything that it started", async () => {
  const folder = siteFolder();
  const port = await freePort();
  const netlify = join(folder, "node_modules/.bin/netlify");
  const site = startIn(folder, port, netlify, [...options, "--port", String(port)]);
  await answering(`${site.url}/api/search`, 60);
  expect(site.output()).toContain("40 posts");
  expect((await fetch(`${site.url}/api/posts/1`)).status).toBe(200);
  await site.stop();
  // The file server looks each second whether the emulation is gone.
  await new Promise((wait) => setTimeout(wait, 2500));
  await expect(fetch("http://127.0.0.1:8889/")).rejects.toThrow("fetch failed");
});

test("an export that cannot be built ends it with the reason", async () => {
  const folder = siteFolder();
  rmSync(join(folder, "data/sample.sql"));
  const port = await freePort();
  const site = startIn(folder, port, join(folder, "node_modules/.bin/netlify"), [
    ...options,
    "--port",
    String(port),
  ]);
  await site.says(/there is no such file\. Name an export/);
  await site.stop();
});
