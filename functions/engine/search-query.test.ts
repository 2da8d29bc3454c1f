import { expect, test } from "vitest";
import { hasUnambiguousQuery, parseSearchQuery } from "./search-query.ts";

test("parseSearchQuery reads other tags as usual beside a tag of many marks", () => {
  const long = `z${"\u0301".repeat(40)}`;
  const { tags } = parseSearchQuery(new URLSearchParams({ tags: `cafe\u0301 ${long}` }));
  expect(tags).toEqual(["caf\u00E9", long].sort());
});

test.each([
  ["", true],
  ["?q=%E9%9B%BB%E8%BB%8A&page=2&utm_source=x", true],
  ["?q=a+b%3B&tags=x%20y&Q=1", true],
  ["?%71=zzz", false],
  ["?q=zzz;x", false],
  ["?q=a&page=1&q=b", false],
  ["?q=%zz", false],
  ["?q=%e9%9b%b", false],
])("hasUnambiguousQuery of %j is %j", (search, expected) => {
  expect(hasUnambiguousQuery(search)).toBe(expected);
});
