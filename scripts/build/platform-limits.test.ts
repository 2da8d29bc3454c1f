import { describe, expect, test } from "vitest";
import {
  answerWarnings,
  assertRuntime,
  creditLine,
  directoryWarnings,
  sizeWarnings,
} from "./platform-limits.ts";

/** A number of files of a folder, as a manifest lists them. */
const filesIn = (folder: string, count: number): [path: string, digest: string][] =>
  Array.from({ length: count }, (_, i) => [`${folder}/${i}.json`, ""]);

test("directoryWarnings and sizeWarnings say nothing up to the platform's limits", () => {
  expect(directoryWarnings(filesIn("api/posts", 54_000))).toEqual([]);
  expect(sizeWarnings({ zippedBytes: 50_000_000, bytes: 250_000_000 })).toEqual([]);
});

test("directoryWarnings and sizeWarnings name figures and limits beyond these", () => {
  expect(
    directoryWarnings([...filesIn("api/posts", 54_001), ...filesIn("site", 7)]).join(),
  ).toMatch(/^api\/posts\/ has 54,001 files; Netlify accepts 54,000 in one directory/);
  expect(sizeWarnings({ zippedBytes: 50_100_001, bytes: 1 }).join()).toMatch(
    /50\.1 MB zipped .* carries 50\.0 MB/,
  );
  expect(sizeWarnings({ zippedBytes: 1, bytes: 260_000_000 }).join()).toMatch(
    /260\.0 MB unzipped; .* and 250\.0 MB/,
  );
});

test("answerWarnings names answers that are too large, and the posts that take most", () => {
  expect(answerWarnings({ search: 6_000_000, mcp: 6_000_000, postIds: [1] })).toEqual([]);
  expect(answerWarnings({ search: 6_700_000, mcp: 27_000_000, postIds: [7, 8] }).join()).toMatch(
    /6\.7 MB, and 27\.0 MB for agents .* 6\.0 MB at most.*Shorten titles.*: 7, 8\.$/,
  );
  expect(answerWarnings({ search: 1, mcp: 6_000_001, postIds: [1] })).toHaveLength(1);
});

describe("assertRuntime", () => {
  test.each([undefined, "", "nodejs22.x", "nodejs24.x"])(
    "accepts the runtime %s on Netlify",
    (runtime) => {
      expect(() =>
        assertRuntime({ NETLIFY: "true", AWS_LAMBDA_JS_RUNTIME: runtime }),
      ).not.toThrow();
    },
  );

  test("refuses a runtime below 22 on Netlify, with what to do", () => {
    expect(() => assertRuntime({ NETLIFY: "true", AWS_LAMBDA_JS_RUNTIME: "nodejs20.x" })).toThrow(
      /AWS_LAMBDA_JS_RUNTIME is nodejs20\.x.*remove this variable.*nodejs22\.x/,
    );
  });

  test("accepts an old runtime elsewhere", () => {
    expect(() => assertRuntime({ AWS_LAMBDA_JS_RUNTIME: "nodejs18.x" })).not.toThrow();
  });
});

test("creditLine counts the deploy, and the traffic of what changed", () => {
  expect(creditLine(0)).toMatch(/^about 15\.0 of/);
  expect(creditLine(1_500_000_000)).toMatch(/^about 45\.0 of/);
});
