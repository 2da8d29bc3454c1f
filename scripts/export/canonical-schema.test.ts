/** Adapters say which tables they read, and read no others. */
import { expect, test } from "vitest";
import { canonical } from "./shapes/canonical.ts";
import { d1 } from "./shapes/d1.ts";
import { canonicalTables, tablesRead } from "./canonical-schema.ts";

test.each([canonical, d1])("the SELECTs of $name read the tables that it names", (adapter) => {
  const named = Object.values(adapter.select).flatMap((sql) =>
    [...sql.matchAll(/\bmain\.(\w+)/g)].map(([, table]) => table),
  );
  expect(new Set(named)).toEqual(new Set(tablesRead(adapter)));
});

test("the canonical shape reads every canonical table", () => {
  expect(tablesRead(canonical)).toEqual(Object.keys(canonicalTables));
});
