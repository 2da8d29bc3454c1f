/** The whole preview, asked over loopback. */
import { symlinkSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { freePort } from "./processes.ts";
import { oddPaths, rawRequest } from "../../tests/support/odd-paths.ts";
import {
  built,
  builtCopy,
  publishedPosts,
  sample,
  temporaryFolder,
} from "../../tests/support/support.ts";
import { smokeTest } from "../publish/smoke-test.ts";
import { servePreview } from "./preview-server.ts";

const servers: Server[] = [];
afterAll(() => servers.forEach((server) => server.close()));
const log: string[] = [];

async function start(folder: string): Promise<number> {
  const port = await freePort();
  servers.push(await servePreview(folder, port, (message) => log.push(message)));
  return port;
}

const snapshot = await built(sample);
const port = await start(snapshot);
const site = `http://127.0.0.1:${port}`;

describe.each([
  ["files", []],
  ["packs", ["--post-files", "7"]],
] as const)("with posts in %s", (_, options) => {
  test("it passes the smoke test", async () => {
    const failures: string[] = [];
    let checks = 0;
    await smokeTest({
      site: `http://127.0.0.1:${await start(await built(sample, ...options))}`,
      posts: 3,
      fetch,
      report(check, failure) {
        checks++;
        if (failure !== undefined) failures.push(`${check}: ${failure}`);
      },
    });
    expect(failures).toEqual([]);
    expect(checks).toBeGreaterThan(100);
  });
});

test("a post that a client has answers 304, and a range is a part of its file", async () => {
  const [post] = publishedPosts(snapshot);
  const url = `${site}/api/posts/${post?.postId}`;
  const { headers } = await fetch(url);
  const etag = headers.get("etag") ?? "";
  expect((await fetch(url, { headers: { "If-None-Match": etag } })).status).toBe(304);
  const part = await fetch(url, { headers: { Range: "bytes=0-9" } });
  expect([part.status, await part.text()]).toEqual([206, JSON.stringify(post).slice(0, 10)]);
});

test("odd URLs are answered, and the server goes on", async () => {
  for (const path of oddPaths) {
    const { status, body } = await rawRequest(port, path);
    // 431 and an empty 400 are Node's own, for what is too long or no HTTP.
    expect([200, 302, 400, 404, 405, 431], path).toContain(status);
    if (path.startsWith("/api/posts/") && status !== 200 && body !== "")
      expect(body, path).toMatch(/^\{"error":/);
    expect(body).not.toMatch(/root:|canary|at .*\.ts:/);
  }
  expect((await fetch(`${site}/api/search`)).status).toBe(200);
  expect(log).toEqual([]);
});

test("a folder without a snapshot, and a port in use, are named", async () => {
  const empty = temporaryFolder();
  await expect(servePreview(empty, port, () => {})).rejects.toThrow(
    /no snapshot is there\. Build one/,
  );
  await expect(servePreview(snapshot, port, () => {})).rejects.toThrow(
    `port ${port} is in use. Choose another one with --port.`,
  );
});

test("links out of the folder, and dot files by whatever way, are not served", async () => {
  const folder = await builtCopy(sample);
  writeFileSync(join(folder, ".env"), "secret");
  symlinkSync("..", join(folder, "up"));
  symlinkSync("../dist/snapshot.json", join(folder, "link.json"));
  const own = await start(folder);
  for (const path of [
    "/up/dist/snapshot.json",
    "/link.json",
    "/.env",
    "/../.env",
    "http://h/../../.env",
    "http://h/.env",
  ])
    expect((await rawRequest(own, path)).status, path).toBe(404);
  expect((await rawRequest(own, "http://h/api/search?q=a")).status).toBe(200);
  expect((await rawRequest(own, "/api/posts/..%2f..%2fsnapshot")).status).toBe(400);
});

test("a missing page is missing, whatever a client already has", async () => {
  const headers = { "If-Modified-Since": "Thu, 01 Jan 2099 00:00:00 GMT", Range: "bytes=0-9" };
  expect((await fetch(`${site}/nope`, { headers })).status).toBe(404);
});
