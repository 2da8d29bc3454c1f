/** The mounted index, asked as any FlexSearch index is. */
import { readdirSync } from "node:fs";
import { Index } from "flexsearch";
import { expect, test } from "vitest";
import { mountedIndex } from "../../tests/support/mounted-index.ts";
import { postsWith, smallIndex, type TitleAndText } from "../../tests/support/small-index.ts";
import { postsContaining } from "./flexsearch-index.ts";
import { createSearch } from "./handler.ts";

const posts = Array.from({ length: 30 }, (_, i): TitleAndText => [
  `title ${i}`,
  `common ${i % 2 === 0 ? "even" : "odd"} ${i * 7919}`,
]);
const snapshot = await smallIndex(posts);
const mounted = await mountedIndex(snapshot);
const { index, storage } = mounted;

test("it is a FlexSearch index, mounted on the storage", async () => {
  expect(index).toBeInstanceOf(Index);
  expect(await index.db).toBe(storage);
  expect([await storage.has(29), await storage.has(30)]).toEqual([true, false]);
});

test.each(["o", "odd", "common", "even 15838", ""])(
  "a search for %j takes limit and offset",
  async (needle) => {
    const all = postsWith(posts, needle);
    expect(all.length).toBeGreaterThan(0);
    expect([...(await postsContaining(mounted, needle))]).toEqual(all);
    for (const [limit, offset] of [
      [1, 0],
      [3, 2],
      [100, 1],
      [7, 100],
    ] as const)
      expect([...(await index.search(needle, { limit, offset }))]).toEqual(
        all.slice(offset, offset + limit),
      );
  },
);

test("a needle that is longer than any text is not encoded whole", async () => {
  const { isFrequent, manifest } = mounted.files;
  let asked = 0;
  Object.assign(mounted.files, { isFrequent: (gram: string) => (asked++, isFrequent(gram)) });
  expect(await postsContaining(mounted, "common ".repeat(10_000))).toHaveLength(0);
  Object.assign(mounted.files, { isFrequent });
  expect(asked).toBeGreaterThan(0);
  expect(asked).toBeLessThan(20 * manifest.longestText);
});

test("posts are enriched with their SearchHit objects", async () => {
  const enriched = await storage.enrich([3, 0]);
  expect(
    enriched.map(({ id, doc }) => [id, (JSON.parse(doc) as { postTitle: string }).postTitle]),
  ).toEqual([
    [3, "title 3"],
    [0, "title 0"],
  ]);
});

test("nothing can be written through it", async () => {
  for (const write of [storage.commit, storage.remove, storage.clear, storage.destroy])
    await expect(write()).rejects.toThrow("read only");
});

test.skipIf(process.platform !== "linux")("an index that was replaced is closed", async () => {
  const folders = await Promise.all([smallIndex(posts), smallIndex(posts.slice(1))]);
  let turn = 0;
  const handler = createSearch({
    snapshotFolder: () => folders[turn % 2] ?? "",
    cacheMegabytes: 1,
    log: () => {},
  });
  const openFiles = (): number => readdirSync("/proc/self/fd").length;
  const ask = async () =>
    (await handler(new Request("https://api.example/api/search?q=title"))).text();
  await ask();
  const before = openFiles();
  for (turn = 1; turn < 40; turn++) {
    const { metadata } = JSON.parse(await ask()) as { metadata: { count: number } };
    expect(metadata.count).toBe(turn % 2 === 0 ? 30 : 29);
  }
  expect(openFiles()).toBeLessThan(before + 10);
});
