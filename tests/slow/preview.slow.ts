/** The preview while builds replace its snapshot again and again. */
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { startIn } from "../support/local-site.ts";
import { answering, freePort } from "../support/ports.ts";
import {
  built,
  commandArguments,
  exportWith,
  sample,
  temporaryFolder,
} from "../support/support.ts";

/**
 * Replaces a folder by a copy of each of two others in turn, as builds do, by two renames, until it is terminated.
 * A snapshot stays for 50 milliseconds, a tenth of what the fastest build takes.
 */
const swapper = `
const { cpSync, renameSync, rmSync } = require("node:fs");
const { workerData: { served, snapshots } } = require("node:worker_threads");
for (let i = 1; ; i++) {
  cpSync(snapshots[i % 2], served + ".staging", { recursive: true });
  renameSync(served, served + ".previous");
  renameSync(served + ".staging", served);
  rmSync(served + ".previous", { recursive: true });
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
}`;

test("npm run preview answers from either snapshot or with 503 during replacement", async () => {
  const folder = temporaryFolder();
  const served = join(folder, "dist");
  const fewer = exportWith(
    "DELETE FROM posts WHERE post_id IN (1, 4); UPDATE posts SET post_content_html = post_content_html || '<p>longer</p>'",
  );
  const snapshots = [await built(sample), await built(fewer, "--post-files", "7")] as const;
  cpSync(snapshots[0], served, { recursive: true });
  const textOf = (one: string, id: number): string =>
    readFileSync(join(one, `api/posts/${id}.json`), "utf8");
  const newest = readdirSync(join(snapshots[1], "api/posts"))
    .map((name) => parseInt(name))
    .map((id) => [id, ...snapshots.map((one) => textOf(one, id))] as const);

  const port = await freePort();
  const site = startIn(folder, port, process.execPath, [
    ...commandArguments("preview", served, "--port", String(port)),
  ]);
  const url = `http://127.0.0.1:${port}`;
  await answering(`${url}/snapshot.json`, 60);
  const worker = new Worker(swapper, { eval: true, workerData: { served, snapshots } });

  /** A request in between is answered 503. */
  async function ask(path: string): Promise<Response> {
    for (let left = 99; ; left--) {
      const response = await fetch(url + path);
      if (response.status !== 503 || left === 0) return response;
      await response.arrayBuffer();
    }
  }

  const asking = Array.from({ length: 8 }, async (_, client) => {
    for (let i = 0; i < 100; i++) {
      const [id, ...texts] = newest[(i + client) % newest.length] ?? [];
      const post = await ask(`/api/posts/${id}`);
      expect(post.status).toBe(200);
      expect(texts).toContain(await post.text());
      // In packs in one of the two.
      expect((await ask("/api/posts/5")).status).toBe(200);
      // In one of the two alone.
      expect([200, 404]).toContain((await ask("/api/posts/4")).status);
      const search = await ask(`/api/search?q=${encodeURIComponent("電車")}`);
      expect(search.status).toBe(200);
      expect(await search.json()).toHaveProperty("metadata.count");
    }
  });
  try {
    await Promise.all(asking);
  } finally {
    await worker.terminate();
    await site.stop();
  }
});
