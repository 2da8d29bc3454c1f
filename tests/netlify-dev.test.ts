/**
 * The site in a real `netlify dev`: that files, rules and function work together. Each kind of
 * request is asked once, because the emulation asks for a missing file five times; the function's own
 * tests ask the rest.
 */
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../scripts/local/processes.ts";
import * as http from "../functions/contract/http.ts";
import type { SearchResult } from "../functions/contract/resources.ts";
import type { SearchOutput } from "../functions/mcp/tool-results.ts";
import { siteFolder, startSite, type LocalSite } from "./support/local-site.ts";
import { oddPaths, rawRequest } from "./support/odd-paths.ts";
import {
  built,
  commandArguments,
  exportWith,
  publishedPosts,
  root,
  runProgram,
  sample,
  searchOn,
  temporaryFolder,
  tsx,
} from "./support/support.ts";

const snapshot = await built(sample);
const posts = publishedPosts(snapshot).toSorted((a, b) => a.postId - b.postId);

/** The sample as a file that a test may change. */
const exportFile = exportWith("");
let site: LocalSite;
beforeAll(async () => {
  site = await startSite(exportFile);
});
afterAll(() => site.stop());
const get = (path: string, method = "GET"): Promise<Response> => fetch(site.url + path, { method });

function expectHeaders({ headers }: Response, expected: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(expected)) expect(headers.get(name), name).toBe(value);
}

test("a post is a file with the contract's headers, and runs no function", async () => {
  for (const { postId } of [posts.at(0), posts.at(-1)].filter((post) => post !== undefined)) {
    const response = await get(`/api/posts/${postId}`);
    expect(response.status).toBe(200);
    expectHeaders(response, http.successHeaders);
    expect(response.headers.get("x-nf-invocation-metadata")).toBeNull();
    expect(await response.text()).toBe(
      readFileSync(join(snapshot, `api/posts/${postId}.json`), "utf8"),
    );
  }
});

test("a search is answered by the function", async () => {
  const response = await get("/api/search?q=%E3%81%AE&orderby=like&page=2&pageSize=3&tags=");
  expect(response.status).toBe(200);
  expectHeaders(response, http.successHeaders);
  const { search } = searchOn(snapshot);
  expect(await response.json()).toEqual(
    await search({ q: "の", orderby: "like", page: "2", pageSize: "3" }),
  );
});

test.each([
  ["/api/posts/999999999", "postNotFound"],
  ["/api/posts/abc", "invalidPostId"],
  ["/api/posts/12/34", "invalidPostId"],
  ["/api/nope", "notFound"],
] as const)("%s reaches the function: %s", async (path, kind) => {
  const { status, message } = http.errors[kind];
  const response = await get(path);
  expect(response.status).toBe(status);
  expectHeaders(response, http.errorHeaders);
  expect(await response.json()).toEqual({ error: message });
});

test.each([
  `/api/posts/${posts[0]?.postId}`,
  "/api/openapi.json",
  "/api/search?q=a",
  "/api/posts/0",
])("HEAD %s has the status and headers of GET, and no body", async (path) => {
  const head = await get(path, "HEAD");
  const full = await get(path);
  expect(head.status).toBe(full.status);
  expect(await head.text()).toBe("");
  for (const name of ["content-type", "access-control-allow-origin", "cache-control", "etag"])
    expect(head.headers.get(name), name).toBe(full.headers.get(name));
});

test.each([
  ["/", "text/html; charset=utf-8"],
  ["/en/", "text/html; charset=utf-8"],
  ["/site/page.js", "text/javascript; charset=utf-8"],
  ["/site/style.css", "text/css; charset=utf-8"],
  ["/llms.txt", "text/plain; charset=utf-8"],
  ["/.well-known/api-catalog", http.catalogType],
  ["/api/openapi.json", "application/json; charset=utf-8"],
])("%s is a file of type %s with the headers of every file", async (path, type) => {
  const response = await get(path);
  expect(response.status).toBe(200);
  expectHeaders(response, { ...http.siteHeaders, "Content-Type": type });
});

test.each(["/", "/en/", "/.well-known/api-catalog"])(
  "%s links to what describes the API",
  async (path) => expectHeaders(await get(path), { Link: http.linkHeader }),
);

test("odd URLs are answered by the contract, and the emulation goes on", async () => {
  const atOnce = 24;
  // The preview's test asks all of them; what reaches the CLI takes it a second each.
  const paths = oddPaths.filter((_, i) => i % 3 === 0);
  for (let from = 0; from < paths.length; from += atOnce)
    await Promise.all(
      paths.slice(from, from + atOnce).map(async (path) => {
        const { status, body } = await rawRequest(site.port, path);
        expect([200, 301, 302, 400, 404, 431], path).toContain(status);
        if (path.startsWith("/api/posts/") && status !== 200 && body !== "")
          expect(body, path).toMatch(/^\{"error":/);
      }),
    );
  expect((await get("/api/posts/2%0A")).status).toBe(400);
  expect((await get("/api/posts/999.json")).status).toBe(404);
  expect(site.output()).not.toMatch(/Starting it again|URI malformed|DEP00/);
});

test("a second start on the same port is refused before anything is built", async () => {
  const folder = siteFolder();
  const { code, stdout, stderr } = await runProgram(
    process.execPath,
    commandArguments("dev", "--sample", "--port", String(site.port)),
    { cwd: folder },
  );
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toBe(`port ${site.port} is in use. Choose another one with --port.\n`);
  expect(existsSync(join(folder, "dist"))).toBe(false);
});

test("a second server of the same folder is refused, as it would replace what the first one shows", async () => {
  const before = readFileSync(join(site.folder, "dist/snapshot.json"), "utf8");
  const { code, stdout, stderr } = await runProgram(
    process.execPath,
    commandArguments("dev", "--sample", "--port", String(await freePort())),
    { cwd: site.folder },
  );
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^Another npm run dev or netlify dev serves dist of this folder/);
  expect(readFileSync(join(site.folder, "dist/snapshot.json"), "utf8")).toBe(before);
});

/** Walks from a search to a post to all posts after it, and prints what it saw. */
const client = `import createClient from "openapi-fetch";
import type { components, paths } from "./api.ts";

const api = createClient<paths>({ baseUrl: process.env["SITE"] ?? "" });
const { data: found } = await api.GET("/api/search", {
  params: { query: { orderby: "timeAsc", pageSize: 1, q: "電車" } },
});
const hit = found?.results[0];
if (hit === undefined) throw new Error("nothing was found");
type Post = components["schemas"]["Post"];
const read = async (postId: number): Promise<Post> => {
  const { data, error } = await api.GET("/api/posts/{postId}", { params: { path: { postId } } });
  if (error !== undefined) throw new Error(error.error);
  return data;
};
let post = await read(hit.postId);
while (post.previousPost !== null) post = await read(post.previousPost.postId);
const walked: number[] = [post.postId];
while (post.nextPost !== null) walked.push((post = await read(post.nextPost.postId)).postId);
const { error, response } = await api.GET("/api/posts/{postId}", { params: { path: { postId: 999_999 } } });
const message: string | undefined = error?.error;
console.log(JSON.stringify({ hit: hit.postId, count: found?.metadata.count, walked, status: response.status, message }));
`;

test("the downloads have their types, and any origin may read them", async () => {
  for (const name of ["bulk", "sync", "feed"] as const) {
    const response = await get(http.downloads[name]);
    expect(response.status).toBe(200);
    expectHeaders(response, http.downloadHeaders[name]);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(
      readFileSync(join(snapshot, http.downloads[name])),
    );
  }
});

test("an agent with the official MCP client searches, and reads a post from the deploy's own file", async () => {
  const agent = new Client(
    { name: "test", version: "1" },
    { versionNegotiation: { mode: "auto" } },
  );
  await agent.connect(new StreamableHTTPClientTransport(new URL(http.mcpPath, site.url)));
  const found = await agent.callTool({ name: "search", arguments: { query: "電車" } });
  const [hit] = (found.structuredContent as SearchOutput).results;
  const read = await agent.callTool({ name: "fetch", arguments: { id: hit?.id } });
  await agent.close();
  const post = posts.find(({ postId }) => String(postId) === hit?.id);
  expect(read.structuredContent).toMatchObject({ title: post?.postTitle, url: hit?.url });
});

describe("a client generated by openapi-typescript", () => {
  const folder = temporaryFolder();
  const run = (name: string, ...args: readonly string[]) =>
    runProgram(join(root, "node_modules/.bin", name), args, { cwd: folder });
  beforeAll(async () => {
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    writeFileSync(join(folder, "client.ts"), client);
    const url = `${site.url}/api/openapi.json`;
    const { code, stderr } = await run("openapi-typescript", url, "-o", "api.ts");
    expect(code, stderr).toBe(0);
  });

  test("compiles strictly, and only with fields that exist", async () => {
    writeFileSync(join(folder, "wrong.ts"), `${client}\nconsole.log(found?.results[0]?.postBody);`);
    const options =
      "--strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes --noEmit --target es2022 --module nodenext --allowImportingTsExtensions --types node --skipLibCheck";
    const { stdout } = await run("tsc", ...options.split(" "), "client.ts", "wrong.ts");
    const errors = stdout.split("\n").filter((line) => line !== "" && !line.startsWith(" "));
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(/^wrong\.ts.*'postBody' does not exist/);
  });

  test("walks from a search to a post and its neighbours", async () => {
    const { stdout } = await runProgram(process.execPath, [...tsx, "client.ts"], {
      cwd: folder,
      env: { SITE: site.url },
    });
    const trains = posts
      .filter(({ postTitle, postContentHtml }) =>
        `${postTitle} ${postContentHtml}`.includes("電車"),
      )
      .toSorted((a, b) => (a.postDateGmt < b.postDateGmt ? -1 : 1));
    expect(JSON.parse(stdout)).toEqual({
      hit: trains[0]?.postId,
      count: trains.length,
      walked: posts.map(({ postId }) => postId),
      status: 404,
      message: "Post not found",
    });
  });
});

describe("a change of the export", () => {
  const change = (sql: string) => new Database(exportFile).exec(sql).close();
  const countOf = async (q: string): Promise<number> => {
    const { metadata } = (await (await get(`/api/search?q=${q}`)).json()) as SearchResult;
    return metadata.count;
  };

  test("is built again and shown by the next request", async () => {
    expect(await countOf("zzqx")).toBe(0);
    change("UPDATE posts SET post_title = 'zzqx' WHERE post_id = 1");
    await site.says("The next request shows it.");
    expect(await countOf("zzqx")).toBe(1);
  });

  test("that breaks it is reported, and the snapshot before stays", async () => {
    change("UPDATE posts SET post_title = 'zzqx', post_date_gmt = 'soon' WHERE post_id = 2");
    await site.says("The old snapshot stays.");
    expect(site.output()).toMatch(/error: posts 2: post_date_gmt "soon"/);
    expect(await countOf("zzqx")).toBe(1);
  });

  test("that takes it away is reported, and the sample does not come instead", async () => {
    rmSync(exportFile);
    await site.says("is gone. The old snapshot stays.");
    expect(await countOf("zzqx")).toBe(1);
  });
});
