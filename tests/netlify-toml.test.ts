/** netlify.toml repeats what the contract declares, because it can import nothing. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import * as http from "../functions/contract/http.ts";
import { root } from "./support/support.ts";

const { headers } = parse(readFileSync(join(root, "netlify.toml"), "utf8")) as unknown as {
  headers: { for: string; values: Record<string, string> }[];
};
const valuesFor = (path: string): Record<string, string> =>
  headers.find((rule) => rule.for === path)?.values ?? {};

test("the headers of every file are the contract's", () =>
  expect(valuesFor("/*")).toEqual(http.siteHeaders));

test("the headers of the API's files are the contract's", () => {
  const { "Cache-Control": cacheControl, ...rest } = http.successHeaders;
  expect({ ...valuesFor("/api/*"), "X-Content-Type-Options": "nosniff" }).toEqual(rest);
  for (const path of [`${http.paths.posts}*`, http.paths.openapi])
    expect(valuesFor(path)).toEqual({ "Cache-Control": cacheControl });
});

test("the headers of the page and the catalog are the contract's", () => {
  for (const path of [http.documents.ja, http.documents.en])
    expect(valuesFor(path)).toEqual({ Link: http.linkHeader });
  expect(valuesFor(http.documents.catalog)).toEqual({
    "Content-Type": http.catalogType,
    "Access-Control-Allow-Origin": "*",
    Link: http.linkHeader,
  });
});

test("the headers of the downloads are the contract's", () => {
  const { bulk, sync, feed } = http.downloadHeaders;
  expect(valuesFor(http.downloads.bulk.replace(/[^/]*$/, "*"))).toEqual(bulk);
  expect(valuesFor(http.downloads.sync)).toEqual(sync);
  expect(valuesFor(http.downloads.feed)).toEqual(feed);
  // The rule of the compressed files covers their parts.
  expect(`/${http.bulkFile(1000)}`).toMatch(/^\/bulk\/[^/]+$/);
});

test("no other path has headers of its own", () => expect(headers.length).toBe(10));
