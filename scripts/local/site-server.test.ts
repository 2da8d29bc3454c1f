/** The site of a snapshot as `npm run dev` and `npm run preview` serve it, asked over loopback. */
import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import {
  catalogType,
  downloadHeaders,
  linkHeader,
  siteHeaders,
  successHeaders,
} from "../../functions/contract/http.ts";
import type { SearchResult } from "../../functions/contract/resources.ts";
import { freePort } from "../../tests/support/ports.ts";
import { oddPaths, rawRequest } from "../../tests/support/odd-paths.ts";
import {
  built,
  builtCopy,
  exportWith,
  publishedPosts,
  sample,
  temporaryFolder,
} from "../../tests/support/support.ts";
import { smokeTest } from "../checks/smoke-test.ts";
import { SiteServer, serveSnapshot } from "./site-server.ts";

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
] as const)("serveSnapshot with posts in %s", (_, options) => {
  test("passes the smoke test", async () => {
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

test("serveSnapshot answers 304 for a post that the client has", async () => {
  const url = `${site}/api/posts/1`;
  const { headers } = await fetch(url);
  const etag = headers.get("etag") ?? "";
  expect((await fetch(url, { headers: { "If-None-Match": etag } })).status).toBe(304);
});

describe("serveSnapshot", () => {
  const url = `${site}/api/posts/1`;
  const whole = readFileSync(join(snapshot, "api/posts/1.json"));
  const ask = async (headers: Record<string, string>) => {
    const response = await fetch(url, { headers });
    return [response.status, Buffer.from(await response.arrayBuffer()).toString()] as const;
  };
  const part = (from: number, to: number) => [206, whole.subarray(from, to).toString()] as const;

  test.each([
    ["bytes=0-9", part(0, 10)],
    ["bytes=10-", part(10, whole.length)],
  ])("answers the range %s with that part", async (range, expected) =>
    expect(await ask({ Range: range })).toEqual(expected),
  );

  // Of another form, another unit, several, or malformed.
  test.each(["bytes=-5", "lines=0-1", "bytes=0-1,5-6", "bytes=-", "bytes=a-b", "bytes"])(
    "answers the range %s with the whole file",
    async (range) => expect(await ask({ Range: range })).toEqual([200, whole.toString()]),
  );

  test("answers a range with If-Range with the whole file", async () => {
    const { headers } = await fetch(url);
    for (const condition of ['"other"', headers.get("etag"), headers.get("last-modified")])
      expect(await ask({ Range: "bytes=0-9", "If-Range": condition ?? "" })).toEqual([
        200,
        whole.toString(),
      ]);
  });
});

test("serveSnapshot answers HEAD with the status and the headers of GET", async () => {
  for (const path of ["/", "/api/posts/1", "/api/search", "/api/nope", "/nope"]) {
    const [head, get] = await Promise.all(
      ["HEAD", "GET"].map((method) => fetch(site + path, { method })),
    );
    expect([head?.status, await head?.text()], path).toEqual([get?.status, ""]);
    for (const name of ["content-type", "cache-control", "etag", "access-control-allow-origin"])
      expect(head?.headers.get(name), `${path} ${name}`).toBe(get?.headers.get(name));
  }
});

test.each([
  ["/", "text/html; charset=utf-8", { ...siteHeaders, Link: linkHeader }],
  ["/en/?post=1", "text/html; charset=utf-8", { ...siteHeaders, Link: linkHeader }],
  ["/site/page.js", "text/javascript; charset=utf-8", siteHeaders],
  ["/site/style.css", "text/css; charset=utf-8", siteHeaders],
  ["/llms.txt", "text/plain; charset=utf-8", siteHeaders],
  ["/sync.py", "text/x-python; charset=utf-8", downloadHeaders.syncPython],
  ["/bulk/posts.jsonl.gz", "application/gzip", downloadHeaders.bulk],
  ["/.well-known/api-catalog", catalogType, { Link: linkHeader }],
  ["/api/posts/1", "application/json; charset=utf-8", { ...siteHeaders, ...successHeaders }],
  ["/api/posts/%31", "application/json; charset=utf-8", { ...siteHeaders, ...successHeaders }],
  ["/api/openapi.json", "application/json; charset=utf-8", { ...siteHeaders, ...successHeaders }],
])("serveSnapshot gives %s the headers of its rules", async (path, type, expected) => {
  const { status, headers } = await fetch(site + path);
  expect([status, headers.get("content-type")]).toEqual([200, type]);
  for (const [name, value] of Object.entries(expected)) expect(headers.get(name), name).toBe(value);
});

test("serveSnapshot redirects a folder with a page to that page", async () => {
  const { status, headers } = await fetch(`${site}/en`, { redirect: "manual" });
  expect([status, headers.get("location")]).toEqual([302, "/en/"]);
});

test("serveSnapshot answers odd URLs, and goes on", async () => {
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
  "serveSnapshot answers a Host header %j, and goes on",
  async (host) => {
    // Names of other machines, too: any page may read what is here (Access-Control-Allow-Origin: *).
    for (const path of ["/", "/api/posts/1", "/api/search"])
      expect((await rawRequest(port, path, host)).status).toBe(200);
    expect(log).toEqual([]);
  },
);

test("serveSnapshot refuses MCP requests from another origin", async () => {
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

test("serveSnapshot names a port in use", async () => {
  await expect(serveSnapshot(snapshot, port, () => {})).rejects.toThrow(
    `port ${port} is in use. Choose another one with --port.`,
  );
});

test("serveSnapshot answers 503 without a snapshot, then from the one there", async () => {
  const folder = join(temporaryFolder(), "dist");
  const own = `http://127.0.0.1:${await start(folder)}`;
  for (const path of ["/", "/api/search", "/api/posts/1"]) {
    const response = await fetch(own + path);
    expect(response.status).toBe(503);
    expect(await response.json()).toHaveProperty("error");
    expect(response.headers.get("retry-after")).not.toBeNull();
  }
  const count = async () => {
    const response = await fetch(`${own}/api/search`);
    return ((await response.json()) as SearchResult).metadata.count;
  };
  cpSync(snapshot, folder, { recursive: true });
  const posts = publishedPosts(snapshot).length;
  expect(await count()).toBe(posts);
  renameSync(folder, `${folder}.before`);
  cpSync(await built(exportWith("DELETE FROM posts WHERE post_id = 1")), folder, {
    recursive: true,
  });
  expect(await count()).toBe(posts - 1);
});

test("SiteServer.pause waits for answers under way, and holds requests until resume", async () => {
  const folder = await builtCopy(sample);
  const paused = new SiteServer(folder, (message) => log.push(message));
  const own = await freePort();
  servers.push(await paused.listen(own));
  const events: string[] = [];
  // An answer that needs the rest of its request.
  const socket = connect(own, "127.0.0.1");
  socket.write(
    "POST /api/search HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nConnection: close\r\n\r\n1",
  );
  await vi.waitFor(() => expect(socket.bytesWritten).toBeGreaterThan(0));
  // A later request is answered, so the server has the first one.
  expect((await fetch(`http://127.0.0.1:${own}/api/search`)).status).toBe(200);
  const pause = paused.pause().then(() => events.push("paused"));
  const waiting = fetch(`http://127.0.0.1:${own}/api/posts/1`).then(({ status }) =>
    events.push(`answered ${status}`),
  );
  const first = new Promise<string>((done) => socket.once("data", (data) => done(String(data))));
  // Time in which a server answers.
  expect((await fetch(`${site}/api/search`)).status).toBe(200);
  expect(events).toEqual([]);
  socket.write("2");
  await pause;
  expect(await first).toMatch(/^HTTP\/1\.1 405 /);
  expect(events).toEqual(["paused"]);
  rmSync(join(folder, "api/posts/1.json"));
  paused.resume();
  await waiting;
  expect(events).toEqual(["paused", "answered 404"]);
});

test("serveSnapshot answers a post with a slash behind its id", async () => {
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

test("serveSnapshot does not serve files outside of the folder, or dot files", async () => {
  const folder = await builtCopy(sample);
  writeFileSync(join(folder, ".env"), "secret");
  writeFileSync(join(folder, "../outside.txt"), "secret");
  const own = await start(folder);
  for (const path of [
    "/.env",
    "/%2eenv",
    "/../outside.txt",
    "/%2e%2e/outside.txt",
    "/..%2foutside.txt",
    "http://h/../outside.txt",
    "http://h/.env",
  ])
    expect((await rawRequest(own, path)).status, path).toBe(404);
  expect((await rawRequest(own, "http://h/api/search?q=a")).status).toBe(200);
  expect((await rawRequest(own, "/api/posts/..%2f..%2fsnapshot")).status).toBe(400);
});

test("serveSnapshot answers 404 for a missing page, whatever the client has", async () => {
  const headers = { "If-Modified-Since": "Thu, 01 Jan 2099 00:00:00 GMT", Range: "bytes=0-9" };
  expect((await fetch(`${site}/nope`, { headers })).status).toBe(404);
});
