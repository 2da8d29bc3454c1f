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

test("the headers of files are the contract's, path by path", () => {
  expect(headers.map((rule) => [rule.for, rule.values])).toEqual(Object.entries(http.fileHeaders));
});

test("an API file has the headers of a successful answer", () => {
  const { "/*": ofAll, "/api/*": ofApi } = http.fileHeaders;
  for (const path of [`${http.paths.posts}*`, http.paths.openapi])
    expect({ ...ofAll, ...ofApi, ...http.fileHeaders[path] }).toEqual({
      ...http.siteHeaders,
      ...http.successHeaders,
    });
});

test("the rule of the compressed files covers their parts", () => {
  expect(http.fileHeaders).toHaveProperty(["/bulk/*"]);
  expect(`/${http.bulkFile(1000)}`).toMatch(/^\/bulk\/[^/]+$/);
});
