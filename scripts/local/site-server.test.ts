/** The site of a snapshot as `npm run dev` and `npm run preview` serve it, asked over loopback. */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { errorHeaders } from "../../functions/contract/http.ts";
import { freePort } from "../../tests/support/ports.ts";
import { oddPaths, rawRequest } from "../../tests/support/odd-paths.ts";
import {
  built,
  builtCopy,
  publishedPosts,
  sample,
  temporaryFolder,
} from "../../tests/support/support.ts";
import { smokeTest } from "../publish/smoke-test.ts";
import { serveSnapshot } from "./site-server.ts";

const servers: Server[] = [];
afterAll(() => servers.forEach((server) => server.close()));
const log: string[] = [];

async function start(folder: string): Promise<number> {
  const port = await freePort();
  servers.push(await serveSnapshot(folder, port, (message) => log.push(message)));
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
    const own = `http://127.0.0.1:${await start(await built(sample, ...options))}`;
    for await (const { check, failure } of smokeTest({ site: own, fetch })) {
      checks++;
      if (failure !== undefined) failures.push(`${check}: ${failure}`);
    }
    expect(failures).toEqual([]);
    expect(checks).toBeGreaterThan(100);
  });
});

test("a post that a client has answers 304", async () => {
  const url = `${site}/api/posts/1`;
  const { headers } = await fetch(url);
  const etag = headers.get("etag") ?? "";
  expect((await fetch(url, { headers: { "If-None-Match": etag } })).status).toBe(304);
});

describe("a range of a file", () => {
  const url = `${site}/api/posts/1`;
  const whole = readFileSync(join(snapshot, "api/posts/1.json"));
  const ask = async (headers: Record<string, string>, method = "GET") => {
    const response = await fetch(url, { method, headers });
    return [response.status, Buffer.from(await response.arrayBuffer()).toString()] as const;
  };
  const part = (from: number, to: number) => [206, whole.subarray(from, to).toString()] as const;

  test.each([
    ["bytes=0-9", part(0, 10)],
    ["bytes=10-", part(10, whole.length)],
    ["bytes=-5", part(whole.length - 5, whole.length)],
    [`bytes=2-${"9".repeat(30)}`, part(2, whole.length)],
  ])("%s", async (range, expected) => expect(await ask({ Range: range })).toEqual(expected));

  // Of another unit, several, or malformed.
  test.each(["lines=0-1", "bytes=0-1,5-6", "bytes=9-2", "bytes=-", "bytes=a-b", "bytes"])(
    "%s may be ignored",
    async (range) => expect(await ask({ Range: range })).toEqual([200, whole.toString()]),
  );

  test.each(["bytes=9999999-", "bytes=-0", `bytes=${whole.length}-`])(
    "%s cannot be satisfied: an error as JSON, which nothing keeps",
    async (range) => {
      const { status, headers, ...response } = await fetch(url, { headers: { Range: range } }).then(
        async (one) => ({ status: one.status, headers: one.headers, body: await one.json() }),
      );
      expect([status, response.body]).toEqual([416, { error: "Range not satisfiable" }]);
      expect(headers.get("content-range")).toBe(`bytes */${whole.length}`);
      for (const [name, value] of Object.entries(errorHeaders))
        expect(headers.get(name), name).toBe(value);
    },
  );

  test("is the whole file with an If-Range, and for HEAD", async () => {
    const { headers } = await fetch(url);
    for (const condition of ['"other"', headers.get("etag"), headers.get("last-modified")])
      expect(await ask({ Range: "bytes=0-9", "If-Range": condition ?? "" })).toEqual([
        200,
        whole.toString(),
      ]);
    expect(await ask({ Range: "bytes=0-9" }, "HEAD")).toEqual([200, ""]);
  });
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

test.each(["127.0.0.1:99999", "", "evil.example", "[::1", "a b", "%", "localhost:80:80"])(
  "a Host header %j is answered, and the server goes on",
  async (host) => {
    // Names of other machines, too: any page may read what is here (Access-Control-Allow-Origin: *).
    for (const path of ["/", "/api/posts/1", "/api/search"])
      expect((await rawRequest(port, path, host)).status).toBe(200);
    expect(log).toEqual([]);
  },
);

test("a page that points its own name at this machine gets nothing from the MCP server", async () => {
  const ask = (origin: string): Promise<Response> =>
    fetch(`${site}/mcp`, {
      method: "POST",
      headers: {
        Origin: origin,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
    });
  expect((await ask("http://evil.example")).status).toBe(403);
  expect((await ask(site)).status).toBe(200);
});

test("a port in use is named", async () => {
  await expect(serveSnapshot(snapshot, port, () => {})).rejects.toThrow(
    `port ${port} is in use. Choose another one with --port.`,
  );
});

test("while no snapshot is there, every request is answered 503, and then by the snapshot", async () => {
  const folder = join(temporaryFolder(), "dist");
  const own = await start(folder);
  const asked = ["/", "/api/search", "/api/posts/1"].map(async (path) => {
    const response = await fetch(`http://127.0.0.1:${own}${path}`);
    expect([response.status, await response.json()]).toEqual([
      503,
      { error: "No snapshot is there: it is being built, or was removed. Try again." },
    ]);
  });
  await Promise.all(asked);
  cpSync(snapshot, folder, { recursive: true });
  expect((await fetch(`http://127.0.0.1:${own}/api/search`)).status).toBe(200);
});

test("a post is answered with a slash behind its id, too, as the platform's rule has it", async () => {
  const packs = `http://127.0.0.1:${await start(await built(sample, "--post-files", "7"))}`;
  for (const one of [site, packs])
    for (const { postId } of publishedPosts(snapshot).slice(0, 9)) {
      const [plain, slash] = await Promise.all(
        ["", "/"].map((end) => fetch(`${one}/api/posts/${postId}${end}`)),
      );
      expect(slash?.status).toBe(200);
      expect(await slash?.text()).toBe(await plain?.text());
    }
  for (const [path, status] of [
    ["999999/", 404],
    ["", 400],
    ["/", 400],
    ["1//", 400],
    ["1/2/", 400],
  ] as const)
    expect((await fetch(`${site}/api/posts/${path}`)).status, path).toBe(status);
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
