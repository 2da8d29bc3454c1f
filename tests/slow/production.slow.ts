/**
 * What a published site does, as far as it can be known without one: the function that the real build
 * makes, and every kind of request under either reading of the platform's request chain.
 */
import { copyFileSync, cpSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { serveSnapshot } from "../../scripts/local/site-server.ts";
import { smokeTest } from "../../scripts/checks/smoke-test.ts";
import { smoke } from "../../scripts/smoke.ts";
import {
  buildFunction,
  isOfMcp,
  responseOf,
  startFunction,
  type FunctionBundle,
  type StartedFunction,
} from "../support/function-bundle.ts";
import { createOracle } from "../support/oracle.ts";
import { createPlatform, type Platform, type Reading, type SeenUrl } from "../support/platform.ts";
import { freePort } from "../support/ports.ts";
import { searches } from "../support/queries.ts";
import {
  built,
  publishedPosts,
  root,
  runInProcess,
  sample,
  searchOn,
  temporaryFolder,
} from "../support/support.ts";

const snapshot = await built(sample);
const configFile = join(root, "netlify.toml");
let bundle: FunctionBundle;
let started: StartedFunction;
beforeAll(async () => {
  bundle = await buildFunction(snapshot, temporaryFolder());
  started = startFunction(bundle.folder);
});
afterAll(() => started.stop());

const platformWith = (file: string): Promise<Platform> =>
  createPlatform({
    publishFolder: snapshot,
    configFile: file,
    routes: bundle.entry.routes,
    run: (request) => responseOf(started, request),
  });

/** What the smoke test finds wrong with a site that answers so. */
async function smokeFailures(
  platform: Platform,
  reading: Reading,
  seenUrl: SeenUrl,
): Promise<string[]> {
  const failures: string[] = [];
  let checks = 0;
  const results = smokeTest({
    site: "https://site.example",
    fetch: async (url, init) => (await platform(new Request(url, init), reading, seenUrl)).response,
  });
  for await (const { check, failure } of results) {
    checks++;
    if (failure !== undefined) failures.push(`${check}: ${failure}`);
  }
  expect(checks).toBeGreaterThan(100);
  return failures;
}

/**
 * Serves a platform on a port of this machine, until the test ends.
 *
 * @returns its origin
 */
async function served(answer: (request: Request) => Promise<Response>): Promise<string> {
  const server = createServer(async (asked, response) => {
    const { url = "", method = "", headers } = asked;
    const body = method === "POST" ? await text(asked) : null;
    const answered = await answer(
      new Request(`https://site.example${url}`, {
        method,
        body,
        headers: Object.entries(headers).map(([name, value]): [string, string] => [
          name,
          `${value}`,
        ]),
      }),
    );
    response.writeHead(answered.status, [...answered.headers].flat());
    response.end(Buffer.from(await answered.arrayBuffer()));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const readings: readonly (readonly [Reading, SeenUrl])[] = [
  ["documented", "original"],
  ["documented", "rewritten"],
  ["reported", "original"],
  ["reported", "rewritten"],
];

describe.each(readings)("older posts in packs, %s chain, %s URL", (reading, seenUrl) => {
  /** A site of a snapshot whose packs are where the platform publishes them. */
  const siteOf = async (folder: string): Promise<Platform> => {
    const { handler } = searchOn(folder);
    return createPlatform({
      publishFolder: folder,
      configFile,
      routes: bundle.entry.routes,
      run: handler,
    });
  };

  test("are answered as files are, headers included", async () => {
    const [files, packs] = await Promise.all([
      siteOf(snapshot),
      siteOf(await built(sample, "--post-files", "7")),
    ]);
    let fromFunction = 0;
    for (const { postId } of publishedPosts(snapshot)) {
      const ask = (site: Platform) =>
        site(new Request(`https://site.example/api/posts/${postId}`), reading, seenUrl);
      const [file, pack] = await Promise.all([ask(files), ask(packs)]);
      expect(file.ranFunction).toBe(false);
      if (!pack.ranFunction) continue;
      fromFunction++;
      const headers = Object.fromEntries(pack.response.headers);
      // What the platform gives a file itself, or takes away before it answers.
      for (const name of ["etag", "netlify-vary", "netlify-cdn-cache-control"])
        delete headers[name];
      expect(headers).toEqual(Object.fromEntries(file.response.headers));
      expect(await pack.response.text()).toBe(await file.response.text());
    }
    expect(fromFunction).toBe(publishedPosts(snapshot).length - 7);
  });

  test("pass the smoke test", async () => {
    const site = await siteOf(await built(sample, "--post-files", "7"));
    expect(await smokeFailures(site, reading, seenUrl)).toEqual([]);
  });
});

describe("the function of a real build", () => {
  test("has the five expected routes, and runs on nodejs24.x", () => {
    expect(bundle.entry).toMatchObject({ name: "search", runtime: "js", invocationMode: "stream" });
    expect(bundle.entry.routes.map(({ pattern }) => pattern)).toEqual([
      "/api/search",
      "/api/posts/*.json",
      "/_api",
      "/_api/*",
      "/mcp",
    ]);
    expect(bundle.entry.runtimeVersion).toBe("nodejs24.x");
  });

  test("contains its code and the index, and nothing else of the project", () => {
    const own = bundle.files.filter((name) => !name.startsWith("___netlify-") && !isOfMcp(name));
    expect(own).toEqual([
      ...[
        "catalog.bin",
        "hits.bin",
        "manifest.json",
        "names.json",
        "positions.bin",
        "posts.bin",
      ].map((name) => `dist/.search-index/${name}`),
      "functions/search/search.mjs",
      "node_modules/flexsearch/dist/flexsearch.bundle.min.js",
      "node_modules/flexsearch/dist/flexsearch.bundle.module.min.mjs",
      "node_modules/flexsearch/dist/node/node.js",
      "node_modules/flexsearch/package.json",
      "package.json",
    ]);
    expect(bundle.zippedBytes).toBeLessThan(1_800_000);
  });

  test("loads nothing of the MCP server for a search", async () => {
    // The same archive without those packages: what needed one of them would fail.
    const folder = temporaryFolder();
    for (const name of bundle.files.filter((one) => !isOfMcp(one)))
      cpSync(join(bundle.folder, name), join(folder, name));
    const without = startFunction(folder, "ignore");
    try {
      const ask = (path: string, method?: string) =>
        without.ask(`https://site.example${path}`, method);
      expect((await ask("/api/search?q=a")).status).toBe(200);
      expect((await ask("/api/posts/999999")).status).toBe(404);
      expect((await ask("/mcp", "POST")).status).toBe(500);
    } finally {
      without.stop();
    }
  });

  test("answers 500 random searches as the oracle, from its bundle alone", async () => {
    const posts = publishedPosts(snapshot);
    const oracle = createOracle(posts);
    await fc.assert(
      fc.asyncProperty(searches(posts), async (parameters) => {
        const { status, body } = await started.ask(
          `https://site.example/api/search?${new URLSearchParams(parameters)}`,
        );
        expect(status).toBe(200);
        expect(JSON.parse(body)).toEqual(oracle(parameters));
      }),
      { numRuns: 500, seed: 10 },
    );
  });
});

describe("the request chain", () => {
  test.each(readings)("passes the smoke test as %s, with the %s URL", async (reading, seenUrl) => {
    expect(await smokeFailures(await platformWith(configFile), reading, seenUrl)).toEqual([]);
  });

  test.each(readings)("runs no function for a file as %s, with the %s URL", async (...chain) => {
    const platform = await platformWith(configFile);
    for (const path of ["/api/posts/1", "/api/posts/1.json", "/api/openapi.json", "/"]) {
      const answer = await platform(new Request(`https://site.example${path}`), ...chain);
      expect([answer.response.status, answer.ranFunction], path).toEqual([200, false]);
    }
  });

  test.each(readings)(
    "answers posts like serveSnapshot as %s, with the %s URL",
    async (...chain) => {
      const port = await freePort();
      const server = await serveSnapshot(snapshot, port, () => {});
      const platform = await platformWith(configFile);
      for (const id of [
        "1",
        "1/",
        "999999/",
        "abc/",
        "/",
        "1/2",
        "1/2/",
        "1//",
        "1.json",
        "1.json/",
      ]) {
        const path = `/api/posts/${id}`;
        const { response } = await platform(new Request(`https://site.example${path}`), ...chain);
        const own = await fetch(`http://127.0.0.1:${port}${path}`);
        expect([own.status, await own.text()], path).toEqual([
          response.status,
          await response.text(),
        ]);
      }
      server.close();
    },
  );

  test("passes npm run smoke", async () => {
    const platform = await platformWith(configFile);
    const url = await served(
      async (request) => (await platform(request, "documented", "original")).response,
    );
    const { code, stdout } = await runInProcess(smoke, [url]);
    expect(stdout).not.toContain("FAIL");
    expect(stdout.match(/^ok /gm)?.length).toBeGreaterThan(30);
    expect(code).toBe(0);
  });

  test("fails the smoke test as reported when a rule swallows the search", async () => {
    const file = join(temporaryFolder(), "netlify.toml");
    copyFileSync(configFile, file);
    const rules = readFileSync(file, "utf8").replace(
      'to = "/_api/:splat"\nstatus = 200',
      'to = "/404.html"\nstatus = 404',
    );
    expect(rules).toContain('to = "/404.html"');
    writeFileSync(file, rules);
    const platform = await platformWith(file);
    const failures = await smokeFailures(platform, "reported", "original");
    expect(failures.join("\n")).toMatch(/GET \/api\/search: status is 404 instead of 200/);
    // The documented reading does not show it.
    const documented = await platform(
      new Request("https://site.example/api/search"),
      "documented",
      "original",
    );
    expect(documented.response.status).toBe(200);
  });
});
