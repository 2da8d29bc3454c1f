/** The function, asked by Request: the contract's tables row by row, and requests that no client should send. */
import { expect, describe, test } from "vitest";
import { built, publishedPosts, sample, searchOn } from "../../tests/support/support.ts";
import { createHandler } from "./handler.ts";

const snapshot = await built(sample);
const posts = publishedPosts(snapshot);
const { get, search, faults } = searchOn(snapshot);

const json = "application/json; charset=utf-8";

function expectApiHeaders({ headers }: Response, cacheControl: string): void {
  expect(headers.get("content-type")).toBe(json);
  expect(headers.get("access-control-allow-origin")).toBe("*");
  expect(headers.get("access-control-expose-headers")).toBe("ETag");
  expect(headers.get("cache-control")).toBe(cacheControl);
}
async function expectError(response: Response, status: number, message: string): Promise<void> {
  expect({ status: response.status, body: await response.json() }).toEqual({
    status,
    body: { error: message },
  });
  expectApiHeaders(response, "no-store");
}

describe("/api/search", () => {
  const rules: [string, Record<string, unknown>][] = [
    ["", { query: "", page: 1, orderby: "timeDesc", count: posts.length }],
    ["q=%20%E3%81%AE%20", { query: " の " }],
    ["q=a+b", { query: "a b" }],
    ["q=%25", { query: "%" }],
    ["q=1&q=2", { query: "1" }],
    ["orderby=timeAsc", { orderby: "timeAsc" }],
    ["orderby=like", { orderby: "like" }],
    ["orderby=LIKE", { orderby: "timeDesc" }],
    ["orderby=", { orderby: "timeDesc" }],
    ["page=2", { page: 2 }],
    ["page=0", { page: 1 }],
    ["page=-1", { page: 1 }],
    ["page=abc", { page: 1 }],
    ["page=1.5", { page: 1 }],
    ["page=999999", { page: 999_999, hasMore: false }],
    ["page=9007199254740993", { page: 9_007_199_254_740_991, hasMore: false }],
    [`page=${"9".repeat(400)}`, { page: 9_007_199_254_740_991, hasMore: false }],
    ["pageSize=50", { totalPages: Math.ceil(posts.length / 50) }],
    ["pageSize=51", { totalPages: Math.ceil(posts.length / 50) }],
    ["pageSize=99999999999999999999", { totalPages: Math.ceil(posts.length / 50) }],
    ["pageSize=0", { totalPages: Math.ceil(posts.length / 10) }],
    ["pageSize=1", { totalPages: posts.length, hasMore: true }],
    ["tags=no-such-tag", { count: 0, totalPages: 0, hasMore: false }],
    ["unknown=1", { count: posts.length }],
  ];
  test.each(rules)("follows the rules of its parameters for ?%s", async (query, metadata) => {
    const response = await get(`/api/search?${query}`);
    expect(response.status).toBe(200);
    expectApiHeaders(response, "public, max-age=60, s-maxage=300");
    const body = (await response.json()) as { metadata: unknown };
    expect(body.metadata).toMatchObject(metadata);
    // The first of a repeated parameter counts; here, the last one would.
    const parameters = [...new URLSearchParams(query)].toReversed();
    expect(body).toEqual(await search(Object.fromEntries(parameters)));
  });

  test.each([
    "q=%",
    "q=%E0%A4",
    "q=%zz&tags=%",
    "q=%00",
    "tags=%00",
    "page=%00",
    "q=%ED%A0%80",
    "&&&=&q",
    "q=%F0%9F%98",
  ])("answers 200 to the malformed ?%s", async (query) => {
    const response = await get(`/api/search?${query}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toHaveProperty(
      "metadata.query",
      new URLSearchParams(query).get("q") ?? "",
    );
  });
});

describe("/api/posts/{id} without a file", () => {
  test.each(["999999999", "99999999999999999999999", "01", "0000007"])(
    "answers 404 to the positive integer %s",
    async (id) => {
      await expectError(await get(`/api/posts/${id}`), 404, "Post not found");
    },
  );

  test.each([
    "abc",
    "0",
    "00",
    "-1",
    "+1",
    "1.5",
    "1e3",
    "0x1",
    "1_000",
    "%EF%BC%91%EF%BC%92",
    "%20",
    "1%20",
    "null",
    "12/34",
    "",
    "%3Cscript%3E",
    "%",
    "%E0",
    "%E0%A4%A",
    "%zz",
    "%C0%80",
    "%00",
    "1%00",
    "..%2f1",
    "1%2F2",
    "%3F",
  ])("answers 400 to the invalid id %s", async (id) => {
    await expectError(await get(`/api/posts/${id}`), 400, "postId must be a positive integer");
  });
});

test.each(["/api", "/api/", "/api/nope", "/api/search/x", "/api/openapi", "/api/posts.json"])(
  "the handler answers 404 to the unknown path %s",
  async (path) => {
    await expectError(await get(path), 404, "Not found");
  },
);

describe("the handler", () => {
  test.each(["POST", "PUT", "PATCH", "DELETE"])("answers 405 to %s", async (method) => {
    for (const path of ["/api/search", "/api/posts/1"]) {
      const response = await get(path, { method });
      await expectError(response, 405, "Method not allowed");
      expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    }
  });

  test("answers OPTIONS as a preflight", async () => {
    const response = await get("/api/search", { method: "OPTIONS" });
    expect(response.status).toBe(204);
    expect(await response.text()).toBe("");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-allow-methods")).toBe("GET, HEAD, OPTIONS");
    expect(response.headers.get("access-control-allow-headers")).toBe("*");
  });

  test.each(["/api/search?q=a", "/api/posts/0", "/api/posts/999999999", "/api/nope"])(
    "answers HEAD %s with the status and headers of GET, without a body",
    async (path) => {
      const head = await get(path, { method: "HEAD" });
      const full = await get(path);
      expect(await head.text()).toBe("");
      expect(head.status).toBe(full.status);
      expect([...head.headers]).toEqual([...full.headers]);
    },
  );
});

test("the handler logs a fault and hides its cause from the client", async () => {
  const logged: unknown[] = [];
  const handler = createHandler({
    snapshotFolder: () => {
      throw new Error("secret");
    },
    cacheMegabytes: 1,
    log: (_, cause) => logged.push(cause),
  });
  const response = await handler(new Request("https://api.example/api/search"));
  await expectError(response, 500, "Internal server error");
  expect(String(logged)).toContain("secret");
});

test("the handler logs no fault for the requests above", () => expect(faults).toEqual([]));
