/** The lists of the index, compared with their definition in functions/engine/grams.ts, taken literally. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { longestFrequent, separator } from "../../functions/engine/grams.ts";
import {
  countUnits,
  findFrequentGrams,
  buildPostings,
  unitRanges,
  type Texts,
} from "./build-postings.ts";

function textsOf(posts: readonly string[]): Texts {
  const offsets = new Uint32Array(posts.length + 1);
  for (const [i, post] of posts.entries()) offsets[i + 1] = offsets[i]! + post.length;
  const joined = posts.join("");
  const units = Uint16Array.from({ length: joined.length }, (_, i) => joined.charCodeAt(i));
  return { units, offsets, widths: new Uint8Array(units.length) };
}

type Lists = Map<string, number[]>;

/** What the index holds, found by looking at every gram of every width. */
function definition(
  posts: readonly string[],
  frequent: number,
): { posts: Lists; positions: Lists } {
  const joined = posts.join("");
  const having = (gram: string): number[] =>
    [...posts.keys()].filter((post) => posts[post]!.includes(gram));
  const isFrequent = (gram: string): boolean =>
    gram.length === 1 || (gram.length <= longestFrequent && having(gram).length >= frequent);
  const lists = { posts: new Map(), positions: new Map() };
  const frequentWidth = (at: number): number => {
    let width = joined[at] === separator ? 0 : 1;
    while (width > 0 && isWithin(at, width + 1) && isFrequent(joined.slice(at, at + width + 1)))
      width++;
    return width;
  };
  const isWithin = (at: number, width: number): boolean =>
    at + width <= joined.length && !joined.slice(at, at + width).includes(separator);
  for (let at = 0; at < joined.length; at++) {
    for (let width = 1; width <= frequentWidth(at); width++) {
      const gram = joined.slice(at, at + width);
      if (!lists.posts.has(gram)) lists.posts.set(gram, having(gram));
    }
    const width = Math.max(frequentWidth(at), frequentWidth(at + 1)) + 1;
    if (joined[at] === separator || !isWithin(at, width)) continue;
    const gram = joined.slice(at, at + width);
    lists.positions.set(gram, [...(lists.positions.get(gram) ?? []), at]);
  }
  return lists;
}

const byUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** What the code lists, in the order in which it comes. */
function listed(posts: readonly string[], frequent: number, rangePositions: number) {
  const texts = textsOf(posts);
  const ranges = unitRanges(countUnits(texts), rangePositions);
  const grams = ranges.flatMap((range) => findFrequentGrams(texts, range, frequent));
  const lists = { posts: new Map<string, number[]>(), positions: new Map<string, number[]>() };
  const groups: string[] = [];
  const gramAt = (at: number, width: number): string => posts.join("").slice(at, at + width);
  let inGroup: string[] = [];
  for (const range of ranges)
    buildPostings(texts, range, {
      posts: {
        add: (at, width, list) => lists.posts.set(gramAt(at, width), [...list]),
        endGroup() {},
      },
      positions: {
        add(at, width, list) {
          inGroup.push(gramAt(at, width));
          lists.positions.set(gramAt(at, width), [...list]);
        },
        endGroup(at, width) {
          expect(inGroup.every((gram) => gram.startsWith(gramAt(at, width)))).toBe(true);
          groups.push(gramAt(at, width));
          inGroup = [];
        },
      },
    });
  return { ...lists, grams, groups };
}

const text = fc.string({ unit: fc.constantFrom(..."あいab"), maxLength: 30 });
const post = fc.tuple(text, text).map(([a, b]) => a + separator + b + separator);

test("buildPostings gives the lists of the definition, in the order of their grams", () => {
  fc.assert(
    fc.property(
      fc.array(post, { minLength: 1, maxLength: 20 }),
      fc.constantFrom(1, 2, 4, 100),
      fc.constantFrom(1, 30, 1e6),
      (all, frequent, rangePositions) => {
        const expected = definition(all, frequent);
        const found = listed(all, frequent, rangePositions);
        expect(found.posts).toEqual(expected.posts);
        expect(found.positions).toEqual(expected.positions);
        for (const grams of [[...found.posts.keys()], [...found.positions.keys()], found.groups])
          expect(grams).toEqual(grams.toSorted(byUnits));
        expect(found.grams).toEqual(
          [...expected.posts.keys()].filter((gram) => gram.length > 1).sort(byUnits),
        );
      },
    ),
    { numRuns: 60 },
  );
});

test("findFrequentGrams takes a shared passage as frequent up to a bounded width", () => {
  const all = Array.from({ length: 8 }, () => `${"abcdefghij".repeat(4)}${separator}`);
  const found = listed(all, 3, 1e6);
  expect(Math.max(...found.grams.map((gram) => gram.length))).toBe(longestFrequent);
  expect(found.positions).toEqual(definition(all, 3).positions);
});

test("buildPostings sorts many equal units as it sorts few", () => {
  // Enough of them to be sorted by counting.
  const all = ["ab".repeat(40_000) + separator, "ba".repeat(300) + separator];
  const { positions } = listed(all, 100, 1e6);
  expect(positions.get("ab")?.length).toBe(40_000 + 299);
  expect(positions.get("ab")?.slice(-1)).toEqual([80_001 + 597]);
});
