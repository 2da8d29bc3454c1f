/**
 * The site in a real `netlify dev`, as netlify.toml sets it up: that files, rules and function work together there.
 * Each kind of request is asked once, because the emulation asks for a missing file five times; the other tests of
 * the site ask the rest.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as http from "../../functions/contract/http.ts";
import { startSite, type LocalSite } from "../support/local-site.ts";
import { publishedPosts, searchOn } from "../support/support.ts";

let site: LocalSite;
let snapshot: string;
beforeAll(async () => {
  site = await startSite();
  snapshot = join(site.folder, "dist");
});
afterAll(() => site.stop());

/** Asks once more where the emulation fails: while it loads the function again, it answers with an error of its own. */
async function get(path: string, method = "GET"): Promise<Response> {
  for (let left = 60; ; left--) {
    const response = await fetch(site.url + path, { method });
    // The emulation may end a connection, which fails where a body was not read yet.
    const body = await response.arrayBuffer();
    if (response.status < 500 || left === 0)
      return new Response(method === "HEAD" ? null : body, response);
    await new Promise((wait) => setTimeout(wait, 1000));
  }
}

function expectHeaders({ headers }: Response, expected: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(expected)) expect(headers.get(name), name).toBe(value);
}

test.each(["", "/"])(
  "netlify dev serves a post's file without the function, with %j appended",
  async (end) => {
    const ids = publishedPosts(snapshot).map(({ postId }) => postId);
    for (const postId of [Math.min(...ids), Math.max(...ids)]) {
      const response = await get(`/api/posts/${postId}${end}`);
      expect(response.status).toBe(200);
      expectHeaders(response, http.successHeaders);
      expect(response.headers.get("x-nf-invocation-metadata")).toBeNull();
      expect(await response.text()).toBe(
        readFileSync(join(snapshot, `api/posts/${postId}.json`), "utf8"),
      );
    }
  },
);

test("/api/search is answered by the function", async () => {
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
] as const)("%s is answered by the function with the error %s", async (path, kind) => {
  const { status, message } = http.errors[kind];
  const response = await get(path);
  expect(response.status).toBe(status);
  expectHeaders(response, http.errorHeaders);
  expect(await response.json()).toEqual({ error: message });
});

// The emulation makes entity tags of its own, where a file has a length.
test.each(["/api/posts/1", "/api/search?q=a"])(
  "HEAD %s has the status and headers of GET, and no body",
  async (path) => {
    const head = await get(path, "HEAD");
    const full = await get(path);
    expect(head.status).toBe(full.status);
    expect(await head.text()).toBe("");
    for (const name of ["content-type", "access-control-allow-origin", "cache-control"])
      expect(head.headers.get(name), name).toBe(full.headers.get(name));
  },
);

const page = { Link: http.linkHeader };
const open = { "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "ETag" };
const files: readonly (readonly [path: string, headers: Readonly<Record<string, string>>])[] = [
  ["/", page],
  ["/en/docs/", page],
  ["/site/page.js", {}],
  ["/site/style.css", {}],
  ["/llms.txt", open],
  ["/snapshot.json", open],
  ["/.well-known/api-catalog", { ...open, ...page }],
  ["/api/openapi.json", http.successHeaders],
  ...Object.values(http.downloads).map((path) => [path, open] as const),
];
// Content-Type and Cache-Control are those of http-server, which knows the API's.
test.each(files)("%s is a file with the headers of its rules", async (path, headers) => {
  const response = await get(path);
  expect(response.status).toBe(200);
  expectHeaders(response, {
    ...http.siteHeaders,
    "Content-Security-Policy": http.contentSecurityPolicy(),
    ...headers,
  });
});
