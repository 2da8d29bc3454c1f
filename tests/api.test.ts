/** The contract's tables, row by row: through a real `netlify dev`, and on the function itself where the emulation differs from production. */
import { readFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { createServer, request as httpRequest } from "node:http";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startSite, type LocalSite } from "./support/local-site.ts";
import { built, publishedPosts, realExports, root, sample, searchOn } from "./support/support.ts";

const json = "application/json; charset=utf-8";
const cached = "public, max-age=60, s-maxage=300";

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** Asks without any help from a URL parser: the path goes out exactly as it stands here. */
function ask(port: number, path: string, method = "GET"): Promise<Answer> {
  return new Promise((done, failed) => {
    const request = httpRequest({ host: "localhost", port, path, method }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const headers = new Headers();
        for (const [name, value] of Object.entries(response.headers))
          if (value !== undefined) headers.set(name, String(value));
        done({
          status: response.statusCode ?? 0,
          headers,
          body: Buffer.concat(chunks).toString(),
        });
      });
    });
    request.on("error", failed);
    request.end();
  });
}

const exports = [sample, ...realExports.filter((file) => file.endsWith("real-votes-se.sqlite"))];

describe.each(exports)("netlify dev on %s", (file) => {
  const snapshot = built(file);
  const posts = publishedPosts(snapshot).toSorted((a, b) => a.postId - b.postId);
  const first = posts[0]?.postId ?? 0;
  const lastId = posts.at(-1)?.postId ?? 0;
  let port = 0;
  let site: LocalSite;
  const get = (path: string, method?: string): Promise<Answer> => ask(port, path, method);

  beforeAll(async () => {
    site = await startSite(snapshot);
    port = site.port;
  });
  afterAll(() => site.stop());

  function expectSuccess({ status, headers }: Answer): void {
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe(json);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("cache-control")).toBe(cached);
  }
  function expectError({ status, headers, body }: Answer, expected: number, message: string): void {
    expect({ status, body: JSON.parse(body) as unknown }).toEqual({
      status: expected,
      body: { error: message },
    });
    expect(headers.get("content-type")).toBe(json);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("cache-control")).toBe("no-store");
  }

  test("posts that exist", async () => {
    for (const id of [first, lastId]) {
      const answer = await get(`/api/posts/${id}`);
      expectSuccess(answer);
      expect(answer.body).toBe(readFileSync(join(snapshot, `api/posts/${id}.json`), "utf8"));
      // A file: no function ran.
      expect(answer.headers.get("x-nf-invocation-metadata")).toBeNull();
    }
  });

  test.each(["999999999", "99999999999999999999999", "01", "0000007"])(
    "no post: /api/posts/%s",
    async (id) => {
      expectError(await get(`/api/posts/${id}`), 404, "Post not found");
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
    "1.json.json",
    "%3Cscript%3E",
  ])("no post id: /api/posts/%s", async (id) => {
    expectError(await get(`/api/posts/${id}`), 400, "postId must be a positive integer");
  });

  test("the description", async () => {
    const answer = await get("/api/openapi.json");
    expectSuccess(answer);
    expect(JSON.parse(answer.body)).toMatchObject({ openapi: "3.1.0", info: { version: "1.0.0" } });
  });

  test("every published body follows the published description", async () => {
    const { components } = JSON.parse((await get("/api/openapi.json")).body) as {
      components: { schemas: Record<string, object> };
    };
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addSchema({ $id: "api", components });
    const check = (name: string, body: string): void => {
      const validate = ajv.getSchema(`api#/components/schemas/${name}`);
      if (validate === undefined) throw new Error(`no schema ${name}`);
      validate(JSON.parse(body));
      expect(validate.errors).toBeNull();
    };
    for (const path of ["?", "?q=%E3%81%AE", "?q=zzqx", "?page=99", "?orderby=like&pageSize=50"])
      check("SearchResult", (await get(`/api/search${path}`)).body);
    for (const { postId } of posts.slice(0, 40))
      check("Post", (await get(`/api/posts/${postId}`)).body);
    check("Error", (await get("/api/posts/x")).body);
  });

  test.each([
    "/api",
    "/api/",
    "/api/nope",
    "/api/search/x",
    "/api/openapi",
    "/api/posts.json",
    "/search-index/manifest.json",
  ])("unknown: %s", async (path) => {
    expectError(await get(path), 404, "Not found");
  });

  const { search } = searchOn(snapshot);
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
    ["pageSize=50", { totalPages: Math.ceil(posts.length / 50) }],
    ["pageSize=51", { totalPages: Math.ceil(posts.length / 50) }],
    ["pageSize=99999999999999999999", { totalPages: Math.ceil(posts.length / 50) }],
    ["pageSize=0", { totalPages: Math.ceil(posts.length / 10) }],
    ["pageSize=1", { totalPages: posts.length, hasMore: true }],
    ["tags=no-such-tag", { count: 0, totalPages: 0, hasMore: false }],
    ["unknown=1", { count: posts.length }],
  ];
  test.each(rules)("search ?%s", async (query, metadata) => {
    const answer = await get(`/api/search?${query}`);
    expectSuccess(answer);
    const body = JSON.parse(answer.body) as { metadata: unknown };
    expect(body.metadata).toMatchObject(metadata);
    const parameters = [...new URLSearchParams(query)].toReversed();
    expect(body).toEqual(await search(Object.fromEntries(parameters)));
  });

  test.each(["/", "/en/", "/site/page.js", "/site/style.css", "/llms.txt", "/api/openapi.json"])(
    "%s has the headers of every file",
    async (path) => {
      const { status, headers } = await get(path);
      expect(status).toBe(200);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("content-security-policy")).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      );
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("permissions-policy")).toContain("geolocation=()");
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    },
  );

  test.each(["/", "/en/", "/.well-known/api-catalog"])(
    "%s links to what describes the API",
    async (path) => {
      const links = (await get(path)).headers.get("link") ?? "";
      expect(links).toMatch(/<\/api\/openapi\.json>; rel="service-desc"/);
      expect(links).toMatch(/<\/>; rel="service-doc"/);
      for (const [, target = ""] of links.matchAll(/<([^>]*)>/g))
        expect((await get(target)).status, target).toBe(200);
    },
  );

  test.each([
    ["/", "text/html; charset=utf-8"],
    ["/site/page.js", "text/javascript; charset=utf-8"],
    ["/llms.txt", "text/plain; charset=utf-8"],
    [
      "/.well-known/api-catalog",
      'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    ],
  ])("%s is %s", async (path, type) => {
    expect((await get(path)).headers.get("content-type")).toBe(type);
  });

  test("scripts of other sites may read the entity tag", async () => {
    for (const path of ["/api/search", `/api/posts/${first}`, "/api/posts/0", "/api/nope"])
      expect((await get(path)).headers.get("access-control-expose-headers"), path).toBe("ETag");
  });

  /** Runs `npm run smoke` without blocking: this process may be the one that answers. */
  test("the smoke test passes here, and fails on a site that is not the API", async () => {
    const run = (url: string) =>
      new Promise<{ code: number | null; output: string }>((done) => {
        const child = spawn(
          process.execPath,
          ["scripts/cli/run.mjs", "scripts/smoke.ts", url, "--posts", "5"],
          { cwd: root },
        );
        let output = "";
        child.stdout.on("data", (data: Buffer) => (output += data.toString()));
        child.once("close", (code) => done({ code, output }));
      });
    const { code, output } = await run(`http://localhost:${port}`);
    expect(output).not.toContain("FAIL");
    expect(output.match(/^ok /gm)?.length).toBeGreaterThan(30);
    expect(code).toBe(0);
    const wrong = createServer((_, response) => response.end("{}"));
    await new Promise<void>((done) => wrong.listen(0, "127.0.0.1", done));
    const { port: wrongPort } = wrong.address() as { port: number };
    const failed = await run(`http://127.0.0.1:${wrongPort}`);
    wrong.close();
    expect(failed.output).toMatch(/^FAIL  the description/m);
    expect(failed.code).toBe(1);
  });

  test.each([
    `/api/posts/${first}`,
    "/api/posts/0",
    "/api/posts/999999999",
    "/api/openapi.json",
    "/api/nope",
    "/api/search?q=a",
  ])("HEAD %s has the status and headers of GET, and no body", async (path) => {
    const head = await get(path, "HEAD");
    const full = await get(path);
    expect(head.status).toBe(full.status);
    expect(head.body).toBe("");
    for (const name of ["content-type", "access-control-allow-origin", "cache-control", "etag"])
      expect(head.headers.get(name), name).toBe(full.headers.get(name));
  });
});

describe("the function itself", () => {
  const folder = built(sample);
  const { get, faults } = searchOn(folder);

  test.each(["POST", "PUT", "PATCH", "DELETE"])("%s is not allowed", async (method) => {
    for (const path of ["/api/search", "/api/posts/1"]) {
      const response = await get(path, { method });
      expect(response.status).toBe(405);
      expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
      expect(response.headers.get("content-type")).toBe(json);
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(await response.json()).toEqual({ error: "Method not allowed" });
    }
  });

  test("OPTIONS answers a preflight", async () => {
    const response = await get("/api/search", { method: "OPTIONS" });
    expect(response.status).toBe(204);
    expect(await response.text()).toBe("");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-allow-methods")).toBe("GET, HEAD, OPTIONS");
  });

  test.each(["%", "%E0", "%E0%A4%A", "%zz", "%C0%80", "%00", "1%00", "..%2f1", "1%2F2"])(
    "malformed: /api/posts/%s",
    async (segment) => {
      const response = await get(`/api/posts/${segment}`);
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({ error: "postId must be a positive integer" });
    },
  );

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
  ])("a search answers whatever stands in ?%s", async (query) => {
    const response = await get(`/api/search?${query}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toHaveProperty(
      "metadata.query",
      new URLSearchParams(query).get("q") ?? "",
    );
  });

  test("an unknown path", async () => {
    const response = await get("/api/elsewhere");
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ error: "Not found" });
  });

  test("a fault is told to the log alone", async () => {
    const { createSearch } = await import("../functions/search/search.ts");
    const logged: unknown[] = [];
    const handler = createSearch({
      snapshotFolder: () => {
        throw new Error("secret");
      },
      cacheMegabytes: 1,
      log: (_, cause) => logged.push(cause),
    });
    const response = await handler(new Request("https://api.example/api/search"));
    expect(response.status).toBe(500);
    expect(response.headers.get("content-type")).toBe(json);
    expect(await response.json()).toEqual({ error: "Internal server error" });
    expect(String(logged)).toContain("secret");
  });

  test("nothing above was a fault", () => expect(faults).toEqual([]));
});
