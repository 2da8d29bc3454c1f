/** Keywords that repeat, in texts that repeat, and dense lists as bitmaps. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { publishedLayout } from "../../scripts/search-index/write-segments.ts";
import { mountedIndex } from "../../tests/support/mounted-index.ts";
import {
  postsWith,
  smallIndex,
  smallLayout,
  type TitleAndText,
} from "../../tests/support/small-index.ts";
import { BitSet } from "./bit-set.ts";
import { searchKeywordWithFrequencies } from "./keyword-search.ts";

test("PositionSet.intersectShifted keeps positions whose offset is in the other set", () => {
  const lists = fc.integer({ min: 1, max: 200 }).chain((units) => {
    const list = fc.uniqueArray(fc.nat(units - 1), { maxLength: 200 });
    return fc.tuple(fc.constant(units), list, list);
  });
  fc.assert(
    fc.property(lists, fc.nat(250), ([units, candidates, others], offset) => {
      const left = BitSet.empty(units).addAll(Uint32Array.from(candidates));
      const right = BitSet.empty(units).addAll(Uint32Array.from(others));
      const expected = candidates.filter((at) => others.includes(at + offset));
      expect([...left.intersectShifted(right, offset).toList()]).toEqual(
        expected.sort((a, b) => a - b),
      );
    }),
    { numRuns: 1000 },
  );
});

/** Texts of some 3,000 units, and keywords of them. */
const fibonacci = (length: number): string => {
  let [before, text] = ["a", "ab"];
  while (text.length < length) [before, text] = [text, text + before];
  return text.slice(0, length);
};
const hostile: readonly [name: string, text: string][] = [
  ["one character", "a".repeat(3000)],
  ["a period of two", "ab".repeat(1500)],
  ["a period of three", "abc".repeat(1000)],
  ["a period of 13", "abcdefghijklm".repeat(230)],
  ["a period that is longer than most keywords", `${"a".repeat(700)}b`.repeat(5)],
  ["nearly a period", `${"a".repeat(8)}b`.repeat(330)],
  ["no period, but only two grams more at each length", fibonacci(3000)],
];

/** How often a text contains a keyword. */
function countIn(text: string, keyword: string): number {
  let count = 0;
  for (let at = text.indexOf(keyword); at >= 0; at = text.indexOf(keyword, at + 1)) count++;
  return count;
}

describe.each(["bundle", "cdn"] as const)("searchPhraseWithFrequencies in the %s", (placement) => {
  test.each(hostile)("finds and counts keywords in texts with %s", async (_, text) => {
    const posts: TitleAndText[] = [
      ["whole", text],
      ["half", text.slice(0, 1500)],
      ["other", text.slice(7, 900)],
      ["last", `${text.slice(0, 1200)}x${text.slice(0, 300)}`],
    ];
    const keywords = [text.slice(3, 1002), text.slice(5, 66)].flatMap((one) => [
      one,
      `${one}x`,
      `${one.slice(0, 30)}x${one.slice(30)}`,
    ]);
    for (const layout of [publishedLayout, smallLayout]) {
      const { reader, find } = await mountedIndex(await smallIndex(posts, { placement, layout }));
      for (const keyword of keywords) {
        const found = postsWith(posts, keyword);
        expect([...(await find(keyword))]).toEqual(found);
        const scratch = new Uint32Array(posts.length);
        const memory = { ones: scratch.slice().fill(1), scratch };
        const { docIds, freqs } = await searchKeywordWithFrequencies(reader, keyword, memory);
        expect([...docIds]).toEqual(found);
        expect([...freqs]).toEqual(found.map((post) => countIn(posts[post]![1], keyword)));
      }
    }
  });
});
