import { expect, test } from "vitest";
import { searchQueryFrom } from "./search-query.ts";

test("a name of many marks does not change how the other tags are read", () => {
  const long = `z${"\u0301".repeat(40)}`;
  const { tags } = searchQueryFrom(new URLSearchParams({ tags: `cafe\u0301 ${long}` }));
  expect(tags).toEqual(["caf\u00E9", long].sort());
});
