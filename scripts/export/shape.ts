/** Detects the shape of an export by its tables, and gives columns that it may lack their values. */
import type Database from "better-sqlite3";
import {
  columnNames,
  tablesRead,
  valuesIfMissing,
  type Adapter,
  type CanonicalTable,
} from "./canonical-schema.ts";
import { truncateList, escapeControlChars } from "../lib/text.ts";
import { ExportError } from "./errors.ts";
import { canonical } from "./shapes/canonical.ts";
import { d1 } from "./shapes/d1.ts";

/** The shapes that are recognised, in the order in which they are tried. */
export const adapters: readonly Adapter[] = [canonical, d1];

/** Columns by table, in lower case: SQLite's names have no case. */
export type PresentTables = ReadonlyMap<string, ReadonlySet<string>>;

/** How to read an export whose shape was recognised. */
export interface DetectedSchema {
  /** A SELECT for each canonical table that the export gives. */
  readonly selects: ReadonlyMap<CanonicalTable, string>;
  /** The tables that they read. */
  readonly reads: readonly string[];
  /** Tables that only have the name of one of the shape. They are not read. */
  readonly others: readonly string[];
  /** What a publisher should know, in sentences: tables and columns that are not there, or not read. */
  readonly notices: readonly string[];
  readonly adapter: Adapter;
}

/** Tables and views whose columns are looked at. A view that nobody reads may name a table that is gone. */
const readByAny = new Set([...adapters.flatMap(tablesRead), "export_settings"]);

/** Of pragma_table_xinfo: an ordinary column, and generated ones, which may be computed from others of their row. */
const readableColumns = "hidden IN (0, 2, 3)";

/** The tables and views of a database. Virtual tables are programs, not data: none of their columns counts. */
export function listTables(database: Database.Database): PresentTables {
  const tables = database
    .prepare<[], { readonly name: string; readonly type: string }>(
      "SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow' AND name NOT GLOB 'sqlite_*'",
    )
    .all();
  const columns = database
    .prepare<[string], string>(
      `SELECT lower(name) FROM pragma_table_xinfo(?) WHERE ${readableColumns}`,
    )
    .pluck();
  return new Map(
    tables.map(({ name, type }) => {
      const isRead = type !== "virtual" && readByAny.has(name.toLowerCase());
      return [name.toLowerCase(), new Set(isRead ? columns.all(name) : [])];
    }),
  );
}

/**
 * Whether a database lacks a table, though another may have its name: a site's own `tags` may be beside a view `posts`.
 * The columns of a virtual table are not known.
 */
function isLacking(present: PresentTables, table: string, columns: readonly string[]): boolean {
  const found = present.get(table);
  return found === undefined || (found.size > 0 && !columns.some((column) => found.has(column)));
}

/** The tables that an export lacks and can be without. A dump may be cut off, so it lacks similar posts alone. */
const lackingTables = (
  present: PresentTables,
  { mayLack = [], requires }: Adapter,
  isDump: boolean,
): readonly CanonicalTable[] =>
  mayLack.filter(
    (table) =>
      (!isDump || table === "similar_posts") && isLacking(present, table, requires[table] ?? []),
  );

/** The tables and columns that an export needs for a shape, and lacks. */
function missingRequired(present: PresentTables, adapter: Adapter, isDump: boolean): string[] {
  const lacking: readonly string[] = lackingTables(present, adapter, isDump);
  return Object.entries(adapter.requires)
    .filter(([table]) => !lacking.includes(table))
    .flatMap(([table, columns]) => {
      const found = present.get(table);
      return found === undefined
        ? [`table ${table}`]
        : columns
            .filter((column) => !found.has(column) && !valuesIfMissing.has(column))
            .map((column) => `${table}.${column}`);
    });
}

/**
 * Detects the shape of an export.
 *
 * @param ignored names of more tables, for the message
 * @param isDump whether the tables come from a dump, which may be cut off
 * @throws ExportError where the tables have no known shape
 */
export function detectSchema(
  present: PresentTables,
  ignored: readonly string[],
  isDump: boolean,
): DetectedSchema {
  const adapter = adapters.find((one) => missingRequired(present, one, isDump).length === 0);
  if (adapter === undefined) throw unknownShape(present, ignored, isDump);
  const empty = lackingTables(present, adapter, isDump);
  const others = empty.filter((table) => present.has(table));
  const read = tablesRead(adapter).filter(
    (table) => present.has(table) && !others.some((one) => one === table),
  );
  const lacking = lackingColumns(present, adapter).filter(([table]) => read.includes(table));
  const selects = new Map(
    (Object.entries(adapter.select) as [CanonicalTable, string][]).map(([table, select]) => [
      table,
      empty.includes(table) ? emptySelect(table) : withDefaultColumns(select, lacking, adapter),
    ]),
  );
  // Without them, similar posts are computed.
  if (empty.includes("similar_posts")) selects.delete("similar_posts");
  const absent = empty.filter((table) => table !== "similar_posts");
  return {
    selects,
    reads: read,
    others,
    notices: [
      ...(absent.length > 0 ? [`not there, so the API has none: ${absent.join(", ")}`] : []),
      ...others.map((table) => `${table} is a table of other columns, and is not read`),
      ...lacking.map(([table, columns]) => {
        const values = columns.map((column) => `${column} (${valuesIfMissing.get(column)})`);
        return `${table} lacks columns that may be missing, and is published with the values in brackets: ${values.join(", ")}`;
      }),
      ...(adapter === canonical ? read.flatMap((table) => unreadColumns(present, table)) : []),
    ],
    adapter,
  };
}

const emptySelect = (table: CanonicalTable): string =>
  `SELECT ${columnNames(table)
    .map((column) => `NULL AS ${column}`)
    .join(", ")} WHERE FALSE`;

/** Columns of a canonical table that are not read, in a sentence: one of the publisher's own may say which rows are drafts. */
function unreadColumns(present: PresentTables, table: string): string[] {
  const known = canonical.requires[table] ?? [];
  const unread = [...(present.get(table) ?? [])].filter((column) => !known.includes(column));
  return unread.length === 0
    ? []
    : [
        `columns of ${table} that are not read, and hide no row: ${truncateList(unread, "").join(", ")}`,
      ];
}

/** A table, and columns that it lacks and can be without. */
type LackingTable = readonly [table: string, columns: readonly string[]];

const lackingColumns = (present: PresentTables, { requires }: Adapter): LackingTable[] =>
  Object.entries(requires)
    .map(([table, columns]): LackingTable => [
      table,
      columns.filter((column) => present.get(table)?.has(column) === false),
    ])
    .filter(([, columns]) => columns.length > 0);

/**
 * A SELECT of an adapter, with a value for each column that the export lacks. The others are named: `*` would
 * give columns that are computed from private ones, too.
 */
const withDefaultColumns = (
  select: string,
  lacking: readonly LackingTable[],
  { requires }: Adapter,
): string =>
  lacking.reduce((sql, [table, gone]) => {
    const columns = requires[table]?.map((column) =>
      gone.includes(column) ? `${valuesIfMissing.get(column)} AS ${column}` : column,
    );
    return sql.replace(
      new RegExp(`\\bmain\\.${table}\\b`, "g"),
      `(SELECT ${columns?.join(", ")} FROM main.${table}) AS ${table}`,
    );
  }, select);

function unknownShape(
  present: PresentTables,
  ignored: readonly string[],
  isDump: boolean,
): ExportError {
  const here =
    escapeControlChars([...present.keys(), ...ignored].join(", ")) || "none that is read";
  const [closest] = adapters
    .map((adapter) => ({
      name: adapter.name,
      lacks: missingRequired(present, adapter, isDump),
      has: Object.keys(adapter.requires).filter((table) => present.has(table)).length,
    }))
    // Tables that are there say more than columns that are not.
    .sort((a, b) => b.has - a.has || a.lacks.length - b.lacks.length);
  const views = isDump
    ? " Views of a dump are not read: sqlite3 loaded.sqlite < FILE makes a database of it, whose views are."
    : "";
  return new ExportError(
    `the tables have no known shape. The closest is the ${closest?.name} shape, without ${closest?.lacks.join(", ")}. ` +
      `The tables here are: ${here}. data/schema.sql shows the canonical shape, docs/your-data.md names the other, and says what to do with tables of your own.${views}`,
  );
}
