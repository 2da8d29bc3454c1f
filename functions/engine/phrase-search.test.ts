/** Long keywords: lists that are read in a second round, and texts that are compared instead. */
import { describe, expect, test } from "vitest";
import type { Layout } from "../../scripts/search-index/write-segments.ts";
import { mountedIndex } from "../../tests/support/mounted-index.ts";
import {
  postsWith,
  smallIndex,
  smallLayout,
  type TitleAndText,
} from "../../tests/support/small-index.ts";
import { textBlockUnits } from "./index-format.ts";

/** Nothing is frequent, so that grams are short and a long keyword has many. */
const layout: Layout = { ...smallLayout, frequentFrom: () => 1000, largestSegment: () => 2 ** 20 };

const open = async (posts: readonly TitleAndText[], placement: "bundle" | "cdn") => {
  const snapshot = await smallIndex(posts, { placement, layout });
  const mounted = await mountedIndex(snapshot);
  let textsRead = 0;
  for (const segment of mounted.reader.segments) {
    const text = segment.text.bind(segment);
    Object.assign(segment, {
      text: (position: number, length: number) => (textsRead++, text(position, length)),
    });
  }
  return {
    found: async (keyword: string) => [...(await mounted.find(keyword))],
    textsRead: () => textsRead,
  };
};

/** Units that come again only after 977. */
const passage = (length: number, from = 0): string =>
  Array.from({ length }, (_, i) => String.fromCharCode(0x4e00 + (((from + i) * 31) % 977))).join(
    "",
  );
const withOther = (text: string, at: number): string =>
  `${text.slice(0, at)}x${text.slice(at + 1)}`;

describe.each(["bundle", "cdn"] as const)("the mounted index in the %s", (placement) => {
  test("finds a long keyword only where every unit matches", async () => {
    const quoted = passage(150);
    // Each unit is wrong in one of the posts, so each list decides about one of them.
    const posts: TitleAndText[] = [
      ["whole", quoted],
      ...Array.from(quoted, (_, at): TitleAndText => [`${at}`, withOther(quoted, at)]),
    ];
    const { found } = await open(posts, placement);
    for (const keyword of [quoted, quoted.slice(1), quoted.slice(0, 149), quoted.slice(20, 120)])
      expect(await found(keyword)).toEqual(postsWith(posts, keyword));
  });
});

test("the mounted index compares a long quotation with a text across two blocks", async () => {
  const before = Array.from({ length: 40 }, (_, i): TitleAndText => [
    `post ${i}`,
    `${i}${passage(textBlockUnits / 40 - 20, i * 13)}`,
  ]);
  const quoted = `y${passage(1500)}`;
  const posts: TitleAndText[] = [...before, ["a", quoted], ["b", withOther(quoted, 900)]];
  const begins = before.flat().reduce((sum, { length }) => sum + length + 1, 2);
  expect(begins).toBeLessThan(textBlockUnits);
  expect(begins + quoted.length).toBeGreaterThan(textBlockUnits);
  const { found, textsRead } = await open(posts, "cdn");
  for (const keyword of [quoted, withOther(quoted, 900), withOther(quoted, 1200)])
    expect(await found(keyword)).toEqual(postsWith(posts, keyword));
  expect(textsRead()).toBeGreaterThan(0);
});

test("the mounted index compares a long quotation with surrogate pairs unit by unit", async () => {
  const text = Array.from(
    { length: 400 },
    (_, i) =>
      String.fromCodePoint(0x1f300 + ((i * 7) % 300)) + String.fromCharCode(0x3042 + (i % 80)),
  ).join("");
  const posts: TitleAndText[] = [
    ["a", text],
    ["b", `${text.slice(30)}x`],
    ["c", "😀"],
  ];
  const { found, textsRead } = await open(posts, "cdn");
  for (const keyword of [text.slice(0, 600), text.slice(60, 800), text.slice(31, 400)])
    expect(await found(keyword)).toEqual(postsWith(posts, keyword));
  expect(textsRead()).toBeGreaterThan(0);
});

test("searchPhrase does not look for a keyword beyond the last block of texts", async () => {
  // Texts end where a block of them ends: a title of one unit, then this, each with three units around it.
  const text = Array.from({ length: textBlockUnits - 7 }, (_, i) =>
    String.fromCharCode(0x4e00 + ((i * i * 7919) % 15_013)),
  ).join("");
  const { found } = await open([["t", text]], "cdn");
  for (const more of [0, 2, 20]) {
    const quoted = text.slice(-600);
    const keyword = quoted + quoted.slice(0, more);
    expect(await found(keyword)).toEqual(more === 0 ? [0] : []);
  }
});
