import fc from "fast-check";
import { expect, test } from "vitest";
import { IntMap } from "./int-map.ts";

const keys = fc.array(
  fc.oneof(
    fc.nat(50),
    fc.nat(0xffff_ffff),
    fc.nat(1000).map((i) => i * 2 ** 20),
  ),
  {
    maxLength: 9000,
    size: "max",
  },
);

test("IntMap numbers keys as a Map would, also after clear", () => {
  const table = new IntMap();
  fc.assert(
    fc.property(keys, (all) => {
      const numbers = new Map<number, number>();
      for (const key of all) if (!numbers.has(key)) numbers.set(key, numbers.size);
      expect(table.get(all[0] ?? 7)).toBe(-1);
      expect(all.map((key) => table.getOrAdd(key))).toEqual(all.map((key) => numbers.get(key)));
      expect(all.map((key) => table.get(key))).toEqual(all.map((key) => numbers.get(key)));
      expect([...table.keys]).toEqual([...numbers.keys()]);
      table.clear();
      expect(table.keys).toEqual(new Uint32Array());
    }),
    { numRuns: 30 },
  );
});
