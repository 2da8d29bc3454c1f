import { expect, test } from "vitest";
import { mountedIndex } from "../../tests/support/mounted-index.ts";
import { smallIndex } from "../../tests/support/small-index.ts";
import { postsTagged } from "./results.ts";

test("names that no post has end the work, however many a request gives", async () => {
  const { files } = await mountedIndex(await smallIndex([["a", "text"]]));
  let asked = 0;
  const tagsWithKey = files.tagsWithKey.bind(files);
  Object.assign(files, { tagsWithKey: (key: string) => (asked++, tagsWithKey(key)) });
  const names = Array.from({ length: 1000 }, (_, i) => `unknown${i}`);
  expect([...postsTagged(files, files.everyPost, ["a", "b"])]).toEqual([0]);
  expect([...postsTagged(files, files.everyPost, ["b", ...names])]).toEqual([]);
  expect(asked).toBe(4);
});
