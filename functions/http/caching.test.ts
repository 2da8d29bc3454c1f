/** ETags, conditional requests, and the headers for the CDN. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { built, publishedPosts, sample, searchOn } from "../../tests/support/support.ts";
import { searches } from "../../tests/support/queries.ts";

const folder = await built(sample);
const other = await built(sample, "--post-url", "https://other.example/{postId}");
const { get } = searchOn(folder);
const etagOf = async (path: string): Promise<string> => (await get(path)).headers.get("etag") ?? "";

test("/api/search lets the CDN cache answers by its five parameters until the next deploy", async () => {
  const { headers } = await get("/api/search?q=a");
  expect(headers.get("netlify-cdn-cache-control")).toBe("public, durable, max-age=31536000");
  expect(headers.get("netlify-vary")).toBe("query=q|tags|orderby|page|pageSize");
  expect(headers.get("cache-control")).toBe("public, max-age=60, s-maxage=300");
});

test.each(["?%71=a", "?q=a;b", "?q=a&q=b"])(
  "/api/search lets the CDN keep no answer to the ambiguous %s",
  async (search) => {
    const path = `/api/search${search}`;
    const answers = [
      await get(path),
      await get(path, { headers: { "If-None-Match": await etagOf(path) } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 304]);
    for (const { headers } of answers) {
      expect(headers.get("netlify-cdn-cache-control")).toBe("no-store");
      expect(headers.get("cache-control")).toBe("public, max-age=60, s-maxage=300");
    }
  },
);

test("/api/search sends the same Netlify-Vary with every answer", async () => {
  const vary = (response: Response): string | null => response.headers.get("netlify-vary");
  const expected = vary(await get("/api/search"));
  expect(vary(await get("/api/search", { method: "POST" }))).toBe(expected);
  const etag = await etagOf("/api/search");
  expect(vary(await get("/api/search", { headers: { "If-None-Match": etag } }))).toBe(expected);
  expect(vary(await searchOn("/nowhere").get("/api/search"))).toBe(expected);
});

describe("/api/search with equivalent queries", () => {
  test.each([
    ["q=%E3%81%AE&page=2", "page=2&q=%E3%81%AE"],
    ["q=a", "q=a&orderby=timeDesc&page=1&pageSize=10&tags="],
    ["q=a", "q=a&utm_source=x&q=b"],
    ["pageSize=50", "pageSize=51"],
    ["page=1", "page=0"],
    ["orderby=timeDesc", "orderby=nonsense"],
    ["tags=a+b", "tags=b++a+b"],
    ["q=%7e", "q=~"],
    ["", "q="],
  ])("answers ?%s and ?%s alike", async (a, b) => {
    const [first, second] = [await get(`/api/search?${a}`), await get(`/api/search?${b}`)];
    expect(await second.text()).toBe(await first.text());
    expect(second.headers.get("etag")).toBe(first.headers.get("etag"));
  });
});

test("/api/search gives different answers different ETags", async () => {
  const bodies = new Map<string, string>();
  await fc.assert(
    fc.asyncProperty(searches(publishedPosts(folder)), async (parameters) => {
      const response = await get(`/api/search?${new URLSearchParams(parameters)}`);
      const etag = response.headers.get("etag") ?? "";
      const body = await response.text();
      expect(etag).toMatch(/^"[\w-]{16,}"$/);
      expect(bodies.get(etag) ?? body).toBe(body);
      bodies.set(etag, body);
    }),
    { numRuns: 500 },
  );
  expect(bodies.size).toBeGreaterThan(200);
});

test("/api/search gives another ETag for another snapshot", async () => {
  const there = await searchOn(other).get("/api/search?q=a");
  expect(there.headers.get("etag")).not.toBe(await etagOf("/api/search?q=a"));
});

describe("/api/search with If-None-Match", () => {
  const path = "/api/search?q=%E3%81%AE";
  test.each([
    ["the tag", (etag: string) => etag, 304],
    ["the weak tag", (etag: string) => `W/${etag}`, 304],
    ["a list with the tag", (etag: string) => `"x", ${etag}`, 304],
    ["any", () => "*", 304],
    ["another tag", () => '"x"', 200],
    ["nonsense", () => ",,,", 200],
  ])("decides between 304 and 200 for %s", async (_, header, status) => {
    const etag = await etagOf(path);
    const response = await get(path, { headers: { "If-None-Match": header(etag) } });
    expect(response.status).toBe(status);
    expect(response.headers.get("etag")).toBe(etag);
    expect(response.headers.get("cache-control")).toBe("public, max-age=60, s-maxage=300");
    expect((await response.text()) === "").toBe(status === 304);
  });
});
