/** What ListPacker packs, ListBlock reads. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { PostingBlock, Match } from "../../functions/engine/posting-block.ts";
import { listBlock, type ListEntry } from "../../tests/support/list-block.ts";
import { PostingBlockWriter } from "./posting-block-writer.ts";

/**
 * The numbers of a gram's lists.
 *
 * @param match as there
 */
const numbersOf = (block: PostingBlock, wanted: string, match: Match): number[] =>
  block
    .lists(wanted, match)
    .flatMap((list) => [...list.decodeAll()])
    .sort((a, b) => a - b);

const byUnits = ([a]: ListEntry, [b]: ListEntry): number => (a < b ? -1 : a > b ? 1 : 0);
const gram = fc.string({ unit: fc.constantFrom(..."aあい\uFFFF"), minLength: 1, maxLength: 20 });
const entriesBelow = (universe: number): fc.Arbitrary<ListEntry[]> =>
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

test.each([60, 5000, 2 ** 27, 2 ** 32 - 1])(
  "PostingBlockWriter packs numbers below %i so that PostingBlock reads them again",
  (universe) => {
    fc.assert(
      fc.property(
        entriesBelow(universe),
        fc.constantFrom(1, 60, 1e6),
        fc.array(gram, { maxLength: 10 }),
        (entries, pageBytes, others) => {
          const block = listBlock(entries, universe, pageBytes);
          for (const wanted of [...entries.map(([one]) => one), ...others]) {
            const [, whole = []] = entries.find(([one]) => one === wanted) ?? [];
            expect(numbersOf(block, wanted, "exact")).toEqual(whole);
            const beginning = entries.filter(([one]) => one.startsWith(wanted));
            expect(numbersOf(block, wanted, "prefix")).toEqual(
              beginning.flatMap(([, list]) => list).sort((a, b) => a - b),
            );
          }
        },
      ),
      { numRuns: 50 },
    );
  },
);

test.each([127, 128, 16_383, 16_384, 70_000])(
  "PostingBlockWriter packs a list of %i numbers so that PostingBlock reads it again",
  (length) => {
    const list = Array.from({ length }, (_, i) => i * 3);
    const block = listBlock(
      [
        ["a", list],
        ["b", [1, 2]],
      ],
      3 * length,
    );
    expect(numbersOf(block, "a", "exact")).toEqual(list);
    expect(numbersOf(block, "b", "exact")).toEqual([1, 2]);
  },
);

test("PostingBlockWriter takes a bit a number for a list of every number", () => {
  const every = Uint32Array.from({ length: 5000 }, (_, i) => i);
  const packer = new PostingBlockWriter(Uint16Array.of(97), every.length, {
    blockBytes: 1,
    pageBytes: 1,
  });
  packer.add(0, 1, every);
  expect(packer.finish().blocks[0]?.length).toBeLessThan(every.length / 8 + 32);
});

test("PostingBlockWriter never divides a group, and closes a block that one fills", () => {
  const units = Uint16Array.from("aaabacbabb", (unit) => unit.charCodeAt(0));
  const packer = new PostingBlockWriter(units, 100, { blockBytes: 10, pageBytes: 5 });
  for (const at of [0, 2, 4]) packer.add(at, 2, Uint32Array.of(at));
  packer.endGroup(0, 1);
  for (const at of [6, 8]) packer.add(at, 2, Uint32Array.of(at));
  packer.endGroup(6, 1);
  const { blocks, keys, lists } = packer.finish();
  expect([blocks.length, keys, lists]).toEqual([2, ["a", "b"], 5]);
});
