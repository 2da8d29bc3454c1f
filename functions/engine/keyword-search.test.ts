/** Several segments answer as one index does, or not at all. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mountedIndex } from "../../tests/support/mounted-index.ts";
import {
  postsWith,
  smallIndex,
  smallLayout,
  type TitleAndText,
} from "../../tests/support/small-index.ts";
import { IndexUnavailable } from "./block-store.ts";
import { blockFolder } from "./index-format.ts";
import { searchKeywordWithFrequencies } from "./keyword-search.ts";

const posts: TitleAndText[] = Array.from({ length: 40 }, (_, i) => [
  `title ${i}`,
  `common ${i % 2 === 0 ? "even" : "odd"} ${"rare ".repeat(i % 3)}${i * 7919}`,
]);
const keywords = ["common", "even", "rare rare", "title 7", String(39 * 7919), "e", "nowhere"];
const snapshot = await smallIndex(posts, { placement: "cdn" });

const memory = () => ({
  ones: new Uint32Array(posts.length).fill(1),
  scratch: new Uint32Array(posts.length),
});

test("searchKeyword rejects where a block of any segment is damaged, and never finds fewer posts", async () => {
  const blocks = readdirSync(join(snapshot, blockFolder));
  expect((await mountedIndex(snapshot)).reader.segments.length).toBeGreaterThan(3);
  let refused = 0;
  for (const block of blocks) {
    const damaged = `${snapshot}-${block}`;
    cpSync(snapshot, damaged, { recursive: true });
    const file = join(damaged, blockFolder, block);
    writeFileSync(file, readFileSync(file).fill(7, 5, 6));
    const { find } = await mountedIndex(damaged);
    for (const keyword of keywords) {
      const found = await find(keyword).catch((cause: unknown) => cause);
      if (found instanceof IndexUnavailable) refused++;
      else expect([...(found as Uint32Array)]).toEqual(postsWith(posts, keyword));
    }
  }
  expect(refused).toBeGreaterThan(50);
});

test("searchKeywordWithFrequencies counts in each segment", async () => {
  const layout = { ...smallLayout, frequentFrom: () => 1000 };
  const { reader } = await mountedIndex(await smallIndex(posts, { placement: "cdn", layout }));
  const { docIds, freqs } = await searchKeywordWithFrequencies(reader, "rare ", memory());
  expect([...docIds]).toEqual(postsWith(posts, "rare "));
  expect([...freqs]).toEqual(
    Array.from(docIds, (post) => posts[post]![1].split("rare ").length - 1),
  );
});

test("searchKeywordWithFrequencies counts once in all segments where a keyword is frequent in one", async () => {
  const { reader } = await mountedIndex(snapshot);
  const frequentIn = reader.segments.filter(({ isFrequent }) => isFrequent("rare"));
  expect(frequentIn.length).toBeGreaterThan(0);
  expect(frequentIn.length).toBeLessThan(reader.segments.length);
  const { docIds, freqs } = await searchKeywordWithFrequencies(reader, "rare", memory());
  expect([...docIds]).toEqual(postsWith(posts, "rare"));
  expect(new Set(freqs)).toEqual(new Set([1]));
});

test("searchKeyword finds a keyword that reads like the name of a block", async () => {
  const blocks = Array.from({ length: 12 }, (_, i): TitleAndText => [
    "a",
    `block ${i % 4} and some more text ${i}`,
  ]);
  const { find } = await mountedIndex(await smallIndex(blocks, { placement: "bundle" }));
  // All blocks are loaded first.
  for (const unit of new Set(blocks.flat().join(""))) await find(unit);
  for (const keyword of ["block 0", "block 1", "block 2", "block 3"])
    expect([...(await find(keyword))]).toEqual(postsWith(blocks, keyword));
});
