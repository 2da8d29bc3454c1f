import fc from "fast-check";
import { expect, test } from "vitest";
import { compareGrams } from "./index-format.ts";
import { packPostings, unpackPostings } from "./postings.ts";

const posts = 5000;
const list = fc
  .uniqueArray(fc.nat(posts - 1), { minLength: 1, maxLength: 300 })
  .map((ids) => ids.sort((a, b) => a - b));
const entries = fc
  .uniqueArray(fc.tuple(fc.string({ unit: "binary", minLength: 1, maxLength: 5 }), list), {
    selector: ([gram]) => gram,
    maxLength: 40,
  })
  .map((all) => all.sort(([a], [b]) => compareGrams(a, b)));

test("unpacking gives back what was packed", () => {
  fc.assert(
    fc.property(entries, (packed) => {
      const { entries: unpacked } = unpackPostings(packPostings(packed, posts), posts);
      expect(unpacked.map(([gram, [ids]]) => [gram, [...ids]])).toEqual(packed);
    }),
  );
});

test.each([1, 2, 63, 5000])("a list of every %ith post, and its ends", (step) => {
  const ids = Array.from({ length: Math.ceil(posts / step) }, (_, i) => i * step);
  for (const packed of [ids, [0], [posts - 1], [0, posts - 1]]) {
    const { entries: unpacked } = unpackPostings(packPostings([["の", packed]], posts), posts);
    expect([...(unpacked[0]?.[1][0] ?? [])]).toEqual(packed);
  }
});

test("a list of every post takes a bit a post", () => {
  const every = Array.from({ length: posts }, (_, i) => i);
  expect(packPostings([["の", every]], posts).length).toBeLessThan(posts / 8 + 16);
});
