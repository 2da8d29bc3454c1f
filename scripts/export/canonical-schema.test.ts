/** Adapters say which tables they read, and read no others. */
import { expect, test } from "vitest";
import { canonical } from "./shapes/canonical.ts";
import { d1 } from "./shapes/d1.ts";
import { canonicalTables, tablesRead } from "./canonical-schema.ts";

test.each([canonical, d1])(
  "tablesRead gives the tables that the SELECTs of $name read",
  (adapter) => {
    const named = Object.values(adapter.select).flatMap((sql) =>
      [...sql.matchAll(/\bmain\.(\w+)/g)].map(([, table]) => table),
    );
    expect(new Set(named)).toEqual(new Set(tablesRead(adapter)));
  },
);

test("tablesRead gives every canonical table for the canonical shape", () => {
  expect(tablesRead(canonical)).toEqual(Object.keys(canonicalTables));
});
