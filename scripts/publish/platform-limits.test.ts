import { expect, test } from "vitest";
import { postWarnings, sizeWarnings } from "./platform-limits.ts";

test("up to the platform's limits nothing is said", () => {
  expect(postWarnings(54_000)).toEqual([]);
  expect(sizeWarnings(50_000_000, 250_000_000)).toEqual([]);
});

test("beyond them, the figures and the limits are", () => {
  expect(postWarnings(54_001).join()).toMatch(
    /54,001 files in one directory; Netlify takes 54,000/,
  );
  expect(sizeWarnings(50_100_001, 1).join()).toMatch(/50\.1 MB zipped .* carries 50\.0 MB/);
  expect(sizeWarnings(1, 260_000_000).join()).toMatch(/260\.0 MB unzipped; .* and 250\.0 MB/);
});
