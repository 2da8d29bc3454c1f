import { expect, test } from "vitest";
import { mountedIndex } from "../../tests/support/mounted-index.ts";
import { smallIndex } from "../../tests/support/small-index.ts";
import { filterByTags } from "./results.ts";

test("filterByTags stops at the first tag that no post has", async () => {
  const { reader } = await mountedIndex(await smallIndex([["a", "text"]]));
  let asked = 0;
  const tagsWithKey = reader.tagsWithKey.bind(reader);
  Object.assign(reader, { tagsWithKey: (key: string) => (asked++, tagsWithKey(key)) });
  const names = Array.from({ length: 1000 }, (_, i) => `unknown${i}`);
  expect([...filterByTags(reader, reader.allDocs, ["a", "b"])]).toEqual([0]);
  expect([...filterByTags(reader, reader.allDocs, ["b", ...names])]).toEqual([]);
  expect(asked).toBe(4);
});
