/** The headers of files in dist/_headers, read by the platform's own parser, and by our server. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllHeaders } from "@netlify/headers-parser";
import { expect, test } from "vitest";
import * as http from "../functions/contract/http.ts";
import { readHeaders } from "../scripts/snapshot/headers-file.ts";
import { built, sample, temporaryFolder } from "./support/support.ts";

/** The rules of a snapshot as the platform reads them. */
async function platformRules(folder: string): Promise<(readonly [string, object])[]> {
  const { headers, errors } = await parseAllHeaders({
    headersFiles: [join(folder, "_headers")],
    configHeaders: [],
    minimal: true,
  });
  expect(errors).toEqual([]);
  return headers.map((rule) => [rule.for, rule.values]);
}

test("dist/_headers has the contract's headers, path by path", async () => {
  const folder = await built(sample);
  expect(await platformRules(folder)).toEqual(Object.entries(http.fileHeaders()));
  expect(readHeaders(folder)).toEqual(http.fileHeaders());
});

test("dist/_headers names the hosts of pictures in one policy", async () => {
  const pictures = ["https://img.example", "https://cdn.example:8443"];
  const collection = join(temporaryFolder(), "collection.json");
  writeFileSync(collection, JSON.stringify({ pictures }));
  const folder = await built(sample, "--collection", collection);
  const policies = (await platformRules(folder)).flatMap(([path, headers]) =>
    "Content-Security-Policy" in headers ? [[path, headers["Content-Security-Policy"]]] : [],
  );
  expect(policies).toEqual([
    [
      "/*",
      expect.stringMatching(/; img-src 'self' https:\/\/img\.example https:\/\/cdn\.example:8443$/),
    ],
  ]);
});

test("fileHeaders gives API files the headers of a successful answer", () => {
  const rules = http.fileHeaders();
  for (const path of [`${http.paths.posts}*`, http.paths.openapi])
    expect({ ...rules["/api/*"], ...rules[path], ...http.siteHeaders }).toEqual({
      ...http.siteHeaders,
      ...http.successHeaders,
    });
});

test("fileHeaders allows other sites any request header where they may read", () => {
  // A browser asks first. For a file, the CDN answers that with the headers of the file.
  const open = Object.entries(http.fileHeaders()).filter(
    ([, values]) => values["Access-Control-Allow-Origin"] === "*",
  );
  expect(open.length).toBeGreaterThan(5);
  for (const [path, values] of open)
    expect([path, values["Access-Control-Allow-Headers"]]).toEqual([path, "*"]);
});

test("fileHeaders covers the parts of the bulk file", () => {
  expect(http.fileHeaders()).toHaveProperty(["/bulk/*"]);
  expect(`/${http.bulkFile(1000)}`).toMatch(/^\/bulk\/[^/]+$/);
});
