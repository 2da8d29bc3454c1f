/** Keywords that repeat, in texts that repeat: exact, and without looking at a list for each unit. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { publishedLayout } from "../../scripts/search-index/lists.ts";
import { listBlock, type ListEntry } from "../../tests/support/list-block.ts";
import { mountedIndex } from "../../tests/support/mounted-index.ts";
import {
  postsWith,
  smallIndex,
  smallLayout,
  type TitleAndText,
} from "../../tests/support/small-index.ts";
import { occurrencesInTexts } from "./repeated-grams.ts";

/** All places of a needle. */
function placesOf(text: string, needle: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) places.push(at);
  return places;
}

/** The posts with a needle of an even length, and how often, by the lists of the grams of two units that cover it. */
function found(text: string, needle: string, offsets: readonly number[], isOnceEnough = false) {
  const pairs = Array.from({ length: needle.length / 2 }, (_, i) => needle.slice(2 * i, 2 * i + 2));
  const grams = [...new Set(pairs)].sort();
  const entries = grams.map((gram): ListEntry => [gram, placesOf(text, gram)]);
  const listed = entries.filter(([, list]) => list.length > 0);
  const block = listed.length > 0 ? listBlock(listed, text.length) : undefined;
  const packed = grams.map((gram) => ({ gram, lists: block?.lists(gram, "whole") ?? [] }));
  const { posts, counts } = occurrencesInTexts(
    needle,
    packed,
    Uint32Array.from(offsets),
    isOnceEnough,
  );
  return Array.from(posts, (post, i) => [post, counts[i]]);
}

/** The same by a plain search in each post. */
const expected = (text: string, needle: string, offsets: readonly number[]) =>
  offsets
    .slice(1)
    .map((end, post) => [post, placesOf(text.slice(offsets[post], end), needle).length] as const)
    .filter(([, count]) => count > 0);

/** Each post once. */
const once = (all: readonly (readonly [number, number])[]) => all.map(([post]) => [post, 1]);

test("places are confirmed as a plain search finds them", () => {
  const piece = fc.constantFrom("a", "ab", "aab", "abaab", "c", "😀", "\0");
  const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(text, fc.nat(100), fc.integer({ min: 1, max: 12 }), (all, at, half) => {
      const needle = all.slice(at % Math.max(1, all.length)).slice(0, 2 * half);
      fc.pre(needle.length > 0 && needle.length % 2 === 0 && !needle.includes("\0"));
      const offsets = [0, ...placesOf(all, "\0").map((end) => end + 1), all.length];
      expect(found(all, needle, offsets)).toEqual(expected(all, needle, offsets));
      expect(found(all, needle, offsets, true)).toEqual(once(expected(all, needle, offsets)));
    }),
    { numRuns: 500 },
  );
});

test("a text that is longer than what is looked at at a time, too", () => {
  const text = `${"abaab".repeat(1700).slice(0, 8200)}x${"abaab".repeat(4000)}\0${"abaab".repeat(9)}`;
  const needles = [text.slice(0, 2), text.slice(3, 43), text.slice(8180, 8200), "bx", "xa"];
  for (const needle of needles)
    expect(found(text, needle, [0, text.length])).toEqual([[0, placesOf(text, needle).length]]);
});

test("a needle of more letters than a table has rows for", () => {
  const letters = Array.from({ length: 800 }, (_, i) => String.fromCharCode(0x4e00 + i)).join("");
  const needle = `${letters}${letters.slice(0, 400)}x${letters}`;
  const posts = [
    `${letters}${needle}${needle.slice(1201)}${needle}`,
    needle.slice(1),
    `${needle.slice(0, 1200)}${needle}`,
  ].map((post) => `${post}\0`);
  const text = posts.join("");
  const offsets = [...posts, ""].map((_, i) => posts.slice(0, i).join("").length);
  // Of an even length, as its grams have two units.
  const even = needle.slice(0, 2000);
  expect(found(text, even, offsets)).toEqual(expected(text, even, offsets));
  expect(found(text, even, offsets)).toHaveLength(2);
});

test("a needle that is longer than that, in posts that are shorter and longer", () => {
  const posts = [15_000, 20_000, 17_999, 18_000, 30].map(
    (length) => `${"ab".repeat(10_000).slice(0, length)}\0`,
  );
  const text = posts.join("");
  const offsets = [...posts, ""].map((_, i) => posts.slice(0, i).join("").length);
  const needle = "ab".repeat(9000);
  expect(found(text, needle, offsets)).toEqual(expected(text, needle, offsets));
  expect(found(text, needle, offsets, true)).toEqual([
    [1, 1],
    [3, 1],
  ]);
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

describe.each(["bundle", "cdn"] as const)("in the %s", (placement) => {
  test.each(hostile)("%s is looked at about once", async (_, text) => {
    const posts: TitleAndText[] = [
      ["whole", text],
      ["half", text.slice(0, 1500)],
      ["other", text.slice(7, 900)],
      ["last", `${text.slice(0, 1200)}x${text.slice(0, 300)}`],
    ];
    const units = posts.flat().join("\0").length;
    const needles = [text.slice(3, 1002), text.slice(5, 66)].flatMap((one) => [
      one,
      `${one}x`,
      `${one.slice(0, 30)}x${one.slice(30)}`,
    ]);
    for (const layout of [publishedLayout, smallLayout]) {
      const mounted = await mountedIndex(await smallIndex(posts, { placement, layout }));
      let reads = 0;
      const { files } = mounted;
      const [positions, packed] = [files.positions.bind(files), files.packedPositions.bind(files)];
      const counted = (list: Uint32Array): Uint32Array =>
        new Proxy(list, {
          get(target, name) {
            if (typeof name === "string" && /^\d/.test(name)) reads++;
            const value: unknown = Reflect.get(target, name, target);
            return typeof value === "function" ? (value.bind(target) as unknown) : value;
          },
        });
      Object.assign(files, {
        positions: async (grams: readonly string[]) => (await positions(grams)).map(counted),
        packedPositions: async (grams: readonly string[]) => {
          const all = await packed(grams);
          for (const list of all.flat()) {
            const read = list.read.bind(list);
            list.read = (into) => {
              const count = read(into);
              reads += count;
              return count;
            };
          }
          return all;
        },
      });
      for (const needle of needles) {
        reads = 0;
        expect([...(await mounted.find(needle))]).toEqual(postsWith(posts, needle));
        expect(reads).toBeLessThan(20 * units);
      }
    }
  });
});
