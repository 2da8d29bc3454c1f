/** What ListPacker packs, ListBlock reads. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { ListBlock } from "../../functions/search/list-block.ts";
import { ListPacker } from "./list-packer.ts";

type Entry = readonly [gram: string, list: readonly number[]];

/** Packs all entries into one block. */
function blockOf(entries: readonly Entry[], universe: number, pageBytes: number): ListBlock {
  const joined = entries.map(([gram]) => gram).join("");
  const units = Uint16Array.from({ length: joined.length }, (_, i) => joined.charCodeAt(i));
  const packer = new ListPacker(units, universe, { blockBytes: 1e9, pageBytes });
  let at = 0;
  for (const [gram, list] of entries) {
    packer.add(at, gram.length, Uint32Array.from(list));
    at += gram.length;
  }
  const { blocks } = packer.finish();
  expect(blocks).toHaveLength(1);
  return new ListBlock(blocks[0] ?? new Uint8Array(), universe);
}

const byUnits = ([a]: Entry, [b]: Entry): number => (a < b ? -1 : a > b ? 1 : 0);
const gram = fc.string({ unit: fc.constantFrom(..."aあい\uFFFF"), minLength: 1, maxLength: 20 });
const entriesBelow = (universe: number): fc.Arbitrary<Entry[]> =>
  fc
    .uniqueArray(
      fc.tuple(
        gram,
        fc
          .uniqueArray(fc.integer({ min: 0, max: universe - 1 }), { minLength: 1, maxLength: 60 })
          .map((list) => list.sort((a, b) => a - b)),
      ),
      { selector: ([one]) => one, minLength: 1, maxLength: 40 },
    )
    .map((entries) => entries.sort(byUnits));

test.each([60, 5000, 2 ** 27, 2 ** 32 - 1])("lists of numbers below %i come back", (universe) => {
  fc.assert(
    fc.property(
      entriesBelow(universe),
      fc.constantFrom(1, 60, 1e6),
      fc.array(gram, { maxLength: 10 }),
      (entries, pageBytes, others) => {
        const block = blockOf(entries, universe, pageBytes);
        for (const wanted of [...entries.map(([one]) => one), ...others]) {
          const [, whole = []] = entries.find(([one]) => one === wanted) ?? [];
          expect([...block.list(wanted, "whole")]).toEqual(whole);
          const beginning = entries.filter(([one]) => one.startsWith(wanted));
          expect([...block.list(wanted, "beginning")]).toEqual(
            beginning.flatMap(([, list]) => list).sort((a, b) => a - b),
          );
        }
      },
    ),
    { numRuns: 50 },
  );
});

test.each([127, 128, 16_383, 16_384, 70_000])("a list of %i numbers comes back", (length) => {
  const list = Array.from({ length }, (_, i) => i * 3);
  const block = blockOf(
    [
      ["a", list],
      ["b", [1, 2]],
    ],
    3 * length,
    1e9,
  );
  expect([...block.list("a", "whole")]).toEqual(list);
  expect([...block.list("b", "whole")]).toEqual([1, 2]);
});

test("a list of every number takes a bit a number", () => {
  const every = Uint32Array.from({ length: 5000 }, (_, i) => i);
  const packer = new ListPacker(Uint16Array.of(97), every.length, { blockBytes: 1, pageBytes: 1 });
  packer.add(0, 1, every);
  expect(packer.finish().blocks[0]?.length).toBeLessThan(every.length / 8 + 32);
});

test("a group is never divided, and a block is closed after the first that fills it", () => {
  const units = Uint16Array.from("aaabacbabb", (unit) => unit.charCodeAt(0));
  const packer = new ListPacker(units, 100, { blockBytes: 10, pageBytes: 5 });
  for (const at of [0, 2, 4]) packer.add(at, 2, Uint32Array.of(at));
  packer.endGroup(0, 1);
  for (const at of [6, 8]) packer.add(at, 2, Uint32Array.of(at));
  packer.endGroup(6, 1);
  const { blocks, keys, lists } = packer.finish();
  expect([blocks.length, keys, lists]).toEqual([2, ["a", "b"], 5]);
});
