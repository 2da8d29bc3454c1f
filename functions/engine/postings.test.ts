/** Lists of numbers, compared with their definitions. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { shift, intersectShifted, mergeSorted, positionsToDocIds } from "./postings.ts";

const ascending = (maxLength: number, max = 400) =>
  fc.uniqueArray(fc.nat(max), { maxLength }).map((numbers) => Uint32Array.from(numbers).sort());
const few = ascending(4);
const many = ascending(200);

test.each([
  ["more positions than beginnings", few, many],
  ["fewer positions than beginnings", many, few],
])(
  "intersectShifted keeps beginnings with a position at the distance, given %s",
  (_, beginnings, positions) => {
    fc.assert(
      fc.property(beginnings, positions, fc.nat(50), (starts, ends, distance) => {
        expect([...intersectShifted(starts, ends, distance)]).toEqual(
          [...starts].filter((start) => ends.includes(start + distance)),
        );
      }),
    );
  },
);

test("shift subtracts the distance and drops results below 0", () => {
  fc.assert(
    fc.property(many, fc.nat(300), (positions, distance) => {
      expect([...shift(positions, distance)]).toEqual(
        [...positions].map((position) => position - distance).filter((start) => start >= 0),
      );
    }),
  );
});

test("mergeSorted keeps every number of each list, in order", () => {
  fc.assert(
    fc.property(fc.array(ascending(20), { maxLength: 9 }), (lists) => {
      const all = lists.flatMap((list) => [...list]).sort((a, b) => a - b);
      expect([...mergeSorted(lists)]).toEqual(all);
    }),
  );
});

test("positionsToDocIds gives each post with a position once", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (lengths) => {
      const offsets = [0];
      for (const length of lengths) offsets.push(offsets.at(-1)! + length);
      const positions = Array.from({ length: offsets.at(-1)! }, (_, i) => i).filter(
        (i) => (i * 7) % 11 < 4,
      );
      const posts = positions.map((at) => offsets.findLastIndex((offset) => offset <= at));
      expect([
        ...positionsToDocIds(Uint32Array.from(positions), Uint32Array.from(offsets)),
      ]).toEqual([...new Set(posts)]);
    }),
  );
});
