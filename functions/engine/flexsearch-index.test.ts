/** The mounted index, asked as any FlexSearch index is. */
import { Index } from "flexsearch";
import { expect, test, vi } from "vitest";
import { mountedIndex } from "../../tests/support/mounted-index.ts";
import { postsWith, smallIndex, type TitleAndText } from "../../tests/support/small-index.ts";
import { BlockStorage } from "./flexsearch-storage.ts";

const posts = Array.from({ length: 30 }, (_, i): TitleAndText => [
  `title ${i}`,
  `common ${i % 2 === 0 ? "even" : "odd"} ${i * 7919}`,
]);
const snapshot = await smallIndex(posts);
const mounted = await mountedIndex(snapshot);

test.each(["o", "odd", "common", "even 15838", ""])(
  "the FlexSearch index mounted on BlockStorage finds the posts with %j",
  async (keyword) => {
    const search = vi.spyOn(Index.prototype, "search");
    const found = await mounted.find(keyword);
    const [index] = search.mock.contexts;
    expect(await search.mock.results[0]?.value).toBe(found);
    search.mockRestore();
    expect(await (index as Index).db).toBeInstanceOf(BlockStorage);
    expect([...found]).toEqual(postsWith(posts, keyword));
    expect(found.length).toBeGreaterThan(0);
  },
);

test("find encodes only part of a keyword longer than any text", async () => {
  const [segment] = mounted.reader.segments;
  const { isFrequent, longestText } = segment!;
  let asked = 0;
  Object.assign(segment!, { isFrequent: (gram: string) => (asked++, isFrequent(gram)) });
  expect(await mounted.find("common ".repeat(10_000))).toHaveLength(0);
  Object.assign(segment!, { isFrequent });
  expect(asked).toBeGreaterThan(0);
  expect(asked).toBeLessThan(20 * longestText);
});

test("BlockStorage refuses writes", async () => {
  const storage = new BlockStorage(mounted.reader);
  for (const write of [storage.commit, storage.remove, storage.clear, storage.destroy])
    await expect(write()).rejects.toThrow("read only");
});
