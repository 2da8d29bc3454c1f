/** netlify.toml repeats what the contract declares, because it can import nothing. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import * as http from "../functions/contract/http.ts";
import { root } from "./support/support.ts";

const { headers, dev } = parse(readFileSync(join(root, "netlify.toml"), "utf8")) as unknown as {
  headers: { for: string; values: Record<string, string> }[];
  dev: { command: string; targetPort: number };
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

test("what other sites may read, they may ask for with headers of their own, such as If-None-Match", () => {
  // A browser asks first. For a file, the CDN answers that with the headers of the file.
  const open = headers.filter(({ values }) => values["Access-Control-Allow-Origin"] === "*");
  expect(open.length).toBeGreaterThan(5);
  for (const { for: path, values } of open)
    expect([path, values["Access-Control-Allow-Headers"]]).toEqual([path, "*"]);
});

test("the rule of the compressed files covers their parts", () => {
  expect(http.fileHeaders).toHaveProperty(["/bulk/*"]);
  expect(`/${http.bulkFile(1000)}`).toMatch(/^\/bulk\/[^/]+$/);
});

test("the file server of netlify dev has the port that is asked, and sends posts as the contract has it", () => {
  expect(dev.command).toContain(` -p ${dev.targetPort} `);
  expect(dev.command).toContain(` -c '${http.successHeaders["Cache-Control"]}'`);
  expect(dev.command).toContain(`{" ${http.successHeaders["Content-Type"]}":["json"]}`);
});
