/** The canonical shape itself: every table as it is. */
import {
  canonicalTables,
  columnNames,
  keyColumns,
  type Adapter,
  type CanonicalTable,
  type SourceTable,
} from "../canonical-schema.ts";

const tables = Object.keys(canonicalTables) as CanonicalTable[];

const ofEach = <T>(make: (table: CanonicalTable) => T): Record<CanonicalTable, T> =>
  Object.fromEntries(tables.map((table) => [table, make(table)])) as Record<CanonicalTable, T>;

/** The tables, as they are read row by row. */
export const canonicalSources = ofEach((table): SourceTable => ({
  table,
  key: keyColumns[table],
  columns: columnNames(table),
}));

export const canonical: Adapter = {
  name: "canonical",
  requires: ofEach(columnNames),
  mayLack: ["tags", "post_tags", "comments", "similar_posts"],
  select: ofEach((table) => `SELECT ${columnNames(table).join(", ")} FROM main.${table}`),
};
