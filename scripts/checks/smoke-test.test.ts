/**
 * The smoke test guards releases, so each of its checks must be able to fail. A row is a site on which one
 * thing is broken, and the check that must fail there; a check without a row fails the last test.
 */
import { afterAll, expect, test } from "vitest";
import { freePort } from "../../tests/support/ports.ts";
import { serveSnapshot } from "../local/site-server.ts";
import { built, sample } from "../../tests/support/support.ts";
import { smokeTest } from "./smoke-test.ts";

const port = await freePort();
const server = await serveSnapshot(await built(sample), port, () => {});
// On a busy machine, seconds go by between two requests. A connection that closes just then fails one of them.
server.keepAliveTimeout = 60_000;
const site = `http://127.0.0.1:${port}`;
afterAll(() => server.close());

/** What the server answered, by request: every run of the smoke test asks nearly the same. */
const answers = new Map<string, Promise<{ body: ArrayBuffer; status: number; headers: Headers }>>();

async function answerOf(url: string, init: RequestInit): Promise<Response> {
  const key = JSON.stringify([url, init.method, init.headers, init.body]);
  const asking =
    answers.get(key) ??
    fetch(url, init).then(async (response) => {
      const { status, headers } = response;
      return { body: await response.arrayBuffer(), status, headers };
    });
  answers.set(key, asking);
  const { body, ...rest } = await asking;
  return new Response(body.byteLength === 0 ? null : body, rest);
}

/** Changes an answer; undefined leaves it as it is. */
type Break = (asked: {
  readonly path: string;
  readonly method: string;
  readonly headers: Headers;
  readonly response: Response;
}) => Promise<Response | undefined> | Response | undefined;

/** The names of all checks, of those that fail, and why these do. */
async function checksWith(change: Break): Promise<Record<"all" | "failed" | "reasons", string[]>> {
  const all: string[] = [];
  const failed: string[] = [];
  const reasons: string[] = [];
  const results = smokeTest({
    site,
    async fetch(url, init = {}) {
      const response = await answerOf(url, init);
      const asked = {
        path: url.slice(site.length),
        method: init.method ?? "GET",
        headers: new Headers(init.headers),
        response,
      };
      return (await change(asked)) ?? response;
    },
  });
  for await (const { check, failure } of results) {
    all.push(check);
    if (failure === undefined) continue;
    failed.push(check);
    reasons.push(failure);
  }
  return { all, failed, reasons };
}

type Json = Record<string, any>;

/** An answer with a changed body. */
async function edited(response: Response, edit: (body: Json) => void): Promise<Response> {
  const body = (await response.clone().json()) as Json;
  edit(body);
  const { status, headers } = response;
  return new Response(JSON.stringify(body), { status, headers });
}

/** Breaks the JSON of the answers whose path fits. */
const json =
  (path: RegExp, edit: (body: Json) => void): Break =>
  ({ path: asked, response }) =>
    path.test(asked) ? edited(response, edit) : undefined;

const search = (query: string): RegExp =>
  new RegExp(`^/api/search\\?${query.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`);
const metadata = (query: string, field: string, value: unknown): [string, Break] => [
  `GET /api/search?${query}`,
  json(search(query), (body) => (body["metadata"][field] = value)),
];

const rows: readonly (readonly [check: string | RegExp, change: Break])[] = [
  [
    "the description is OpenAPI 3.1.0",
    json(/openapi\.json$/, (body) => (body["openapi"] = "3.0.0")),
  ],
  [
    "searches find the newest and the oldest post",
    ({ path }) => (path.endsWith("timeAsc&pageSize=1") ? new Response("{}") : undefined),
  ],
  metadata("", "orderby", "like"),
  metadata("q=%20a%20b%20", "query", "a b"),
  metadata("q=%25_%5C'%22", "query", "%"),
  metadata("q=%E3%81%AE", "query", ""),
  metadata("orderby=timeAsc", "orderby", "timeDesc"),
  metadata("orderby=like", "orderby", "timeDesc"),
  metadata("orderby=nonsense", "orderby", "nonsense"),
  metadata("page=2", "page", 1),
  metadata("page=0", "page", 0),
  metadata("page=x", "page", null),
  metadata("page=999999", "hasMore", true),
  metadata("pageSize=50", "totalPages", 2),
  metadata("pageSize=51", "totalPages", 2),
  metadata("pageSize=0", "totalPages", 0),
  metadata("pageSize=-1", "totalPages", 0),
  metadata("tags=no-such-tag", "count", 40),
  ["GET /api/search?q=a&pageSize=1", json(/q=a&pageSize=1$/, (body) => (body["extra"] = 1))],
  [/^GET \/api\/posts\/\d+$/, json(/posts\/\d+$/, (body) => (body["extra"] = 1))],
  [/^GET \/api\/posts\/\d+$/, json(/posts\/\d+$/, (body) => (body["postId"] += 1000))],
  [
    "GET /docs/",
    ({ path, response }) => {
      if (path !== "/docs/") return undefined;
      const headers = new Headers(response.headers);
      headers.set("Content-Security-Policy", "script-src *");
      return new Response(response.clone().body, { headers });
    },
  ],
];

const covered = new Set<string>();

test.each(rows)("smokeTest fails the check %s where it is broken", async (check, change) => {
  const { failed } = await checksWith(change);
  const fits = (name: string): boolean =>
    typeof check === "string" ? name === check : check.test(name);
  expect(failed.filter(fits).length).toBeGreaterThan(0);
  for (const name of failed) covered.add(name);
});

/** What may be wrong with the answer to a row of the request table. */
const faults: Readonly<Record<string, (response: Response) => Promise<Response> | Response>> = {
  "another status": (response) => new Response(null, { status: 418, headers: response.headers }),
  "no headers": async (response) =>
    new Response(response.status === 204 ? null : await response.arrayBuffer(), {
      status: response.status,
    }),
};

test.each(Object.keys(faults))(
  "smokeTest fails every row of the request table with %s",
  async (fault) => {
    let isTable = false;
    const { all, failed } = await checksWith(async ({ path, method, response }) => {
      // The table begins with this request, after everything that is asked otherwise.
      isTable ||= method === "GET" && path === "/api/search?";
      return isTable ? faults[fault]?.(response) : undefined;
    });
    const table = all.filter((name) => /^(?:GET|HEAD|OPTIONS|POST) /.test(name));
    expect(table.length).toBeGreaterThan(90);
    expect(table.filter((name) => !failed.includes(name))).toEqual([]);
    for (const name of table) covered.add(name);
  },
);

test("smokeTest fails every row that expects JSON with half of it", async () => {
  const halved = new Set<string>();
  const { all, failed } = await checksWith(async ({ path, method, response }) => {
    const isJson = response.headers.get("Content-Type")?.startsWith("application/json") ?? false;
    if (!isJson || method === "HEAD" || !path.startsWith("/api")) return undefined;
    halved.add(`${method} ${path}`);
    const body = await response.text();
    return new Response(body.slice(0, body.length / 2), response);
  });
  const rows = all.filter((name) => halved.has(name));
  expect(rows.length).toBeGreaterThan(30);
  expect(rows.filter((name) => !failed.includes(name))).toEqual([]);
});

test.each(["/api/openapi.json", "/api/search?pageSize=1", "/sync.json", "/"])(
  "smokeTest fails few checks for one answer of 503 at %s",
  async (path) => {
    let left = 1;
    const { failed } = await checksWith((asked) =>
      asked.path === path && left-- > 0 ? new Response(null, { status: 503 }) : undefined,
    );
    expect([failed.length > 0, failed.length <= 3], failed.join("\n")).toEqual([true, true]);
  },
);

test("smokeTest says why a request breaks", async () => {
  const { reasons } = await checksWith(({ path }) => {
    if (path !== "/sync.json") return undefined;
    throw new TypeError("fetch failed", { cause: new Error("read ECONNRESET") });
  });
  expect(reasons.length).toBeGreaterThan(0);
  expect(reasons.filter((reason) => !reason.includes("read ECONNRESET"))).toEqual([]);
});

test("smokeTest accepts a post with the tag no-such-tag", async () => {
  const named = json(search("pageSize=1"), ({ tagCounts }) =>
    tagCounts.push({ ...tagCounts[0], tagName: "no-such-tag" }),
  );
  const { all, failed } = await checksWith(named);
  expect(failed).toEqual([]);
  expect(all).toContain("GET /api/search?tags=no-such-tag-1");
});

test("smokeTest has no check without a row here", async () => {
  const { all, failed } = await checksWith(() => undefined);
  expect(failed).toEqual([]);
  expect(all.filter((name) => !covered.has(name))).toEqual([]);
});
