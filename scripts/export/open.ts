/** Opens an export, whatever its shape, and gives its rows in the canonical one. */
import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import Database from "better-sqlite3";
import { canonical } from "./canonical.ts";
import { d1 } from "./d1.ts";
import { loadDump } from "./sql-dump.ts";
import { ExportError } from "./errors.ts";
import { canonicalTableNames, type Adapter, type CanonicalTable } from "./schema.ts";

/** The shapes that are recognised, in the order in which they are tried. */
const adapters: readonly Adapter[] = [canonical, d1];

/**
 * Every statement and iterator of this process. Compiled against the headers of Node 24.19 or newer,
 * better-sqlite3 12 aborts when one of them is garbage-collected (nodejs/node#65446), so none is.
 */
const kept: unknown[] = [];
function keep<T>(handle: T): T {
  kept.push(handle);
  return handle;
}

/** A row as it is in the export, before its columns were checked. */
export type RawRow = Readonly<Record<string, unknown>>;

/** An export that was opened. */
export interface Export {
  /** Name of its shape. */
  readonly shape: string;
  /** Whether the export gives a table. */
  has(table: CanonicalTable): boolean;
  /** Number of rows of a table. */
  count(table: CanonicalTable): number;
  /** The rows of a table, one by one, sorted by columns. */
  rows(table: CanonicalTable, ...orderBy: readonly string[]): Iterable<RawRow>;
  /** Whether the text of one cell is stored as it should be: not where bytes stand that are no characters. */
  isWellFormed(table: CanonicalTable, column: string, keyColumn: string, key: unknown): boolean;
  close(): void;
}

const magic = "SQLite format 3\0";

function startsLikeDatabase(file: string): boolean {
  const descriptor = openSync(file, "r");
  try {
    const start = Buffer.alloc(magic.length);
    readSync(descriptor, start, 0, start.length, 0);
    return start.toString("latin1") === magic;
  } finally {
    closeSync(descriptor);
  }
}

/** The text of a dump. A byte that is not UTF-8 would be published as something else. */
function textOf(file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
  } catch {
    throw new ExportError(
      "the dump is not valid UTF-8. Write it anew, or give the database file itself.",
    );
  }
}

function openDatabase(file: string): Database.Database {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    throw new ExportError("there is no such file. Name an export with --export FILE.");
  if (startsLikeDatabase(file)) {
    const database = keep(new Database(file, { readonly: true, fileMustExist: true }));
    // The schema comes from the export: what it defines may not call functions with side effects.
    database.exec("PRAGMA trusted_schema = OFF");
    database.exec("PRAGMA cell_size_check = ON");
    return database;
  }
  if (!file.toLowerCase().endsWith(".sql"))
    throw new ExportError(
      "this is neither a SQLite database nor a .sql dump. Write one with `sqlite3 FILE .dump > export.sql`, or give the database file itself.",
    );
  // The empty name is a database in a temporary file that SQLite removes by itself.
  const database = keep(new Database(""));
  try {
    loadDump(database, textOf(file));
  } catch (cause) {
    database.close();
    throw cause;
  }
  return database;
}

/** Columns of every ordinary table. Views and virtual tables are programs, not data, and do not count. */
function tablesOf(database: Database.Database): Map<string, Set<string>> {
  const tables = keep(
    database.prepare<[], { name: string }>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'",
    ),
  ).all();
  const columns = keep(
    database.prepare<[string], { name: string }>(
      "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0",
    ),
  );
  return new Map(
    tables.map(({ name }) => [name, new Set(columns.all(name).map((column) => column.name))]),
  );
}

const missing = (tables: Map<string, Set<string>>, { requires }: Adapter): string[] =>
  Object.entries(requires).flatMap(([table, columns]) => {
    const present = tables.get(table);
    return present === undefined
      ? [`table ${table}`]
      : columns.filter((column) => !present.has(column)).map((column) => `${table}.${column}`);
  });

function recognise(tables: Map<string, Set<string>>): Adapter {
  const adapter = adapters.find((one) => missing(tables, one).length === 0);
  if (adapter !== undefined) return adapter;
  const expected = adapters
    .map((one) => {
      const shape = Object.entries(one.requires)
        .map(([table, columns]) => `${table} (${columns.join(", ")})`)
        .join("\n    ");
      return `  ${one.name} shape, here without ${missing(tables, one).join(", ")}:\n    ${shape}`;
    })
    .join("\n");
  throw new ExportError(
    `the tables are of no shape that is known. Expected are the tables (and columns)\n${expected}\n` +
      `but the tables here are: ${[...tables.keys()].join(", ") || "none"}. ` +
      "Another shape needs an adapter beside scripts/export/d1.ts.",
  );
}

/**
 * Opens an export read-only and recognises its shape.
 *
 * @param file a SQLite database, or a `.sql` dump of one
 * @throws ExportError when there is no such file, it is no database, or its shape is not known
 */
export function openExport(file: string): Export {
  let database: Database.Database;
  let adapter: Adapter;
  let tables: Map<string, Set<string>>;
  try {
    database = openDatabase(file);
    tables = tablesOf(database);
    adapter = recognise(tables);
  } catch (cause) {
    if (cause instanceof ExportError) throw new ExportError(`${file}: ${cause.message}`);
    throw new ExportError(
      `${file}: the database cannot be read (${(cause as Error).message}). Export it anew.`,
    );
  }

  const present = new Set(
    canonicalTableNames.filter((table) => {
      const needs = adapter.optional?.[table];
      return adapter.select[table] !== undefined && (needs === undefined || tables.has(needs));
    }),
  );
  for (const table of present)
    database.exec(`CREATE TEMP VIEW canonical_${table} AS ${adapter.select[table]}`);

  // "UTF-8", "UTF-16le" or "UTF-16be": names that TextDecoder knows too.
  const encoding =
    keep(database.prepare<[], string>("SELECT encoding FROM pragma_encoding")).pluck().get() ??
    "UTF-8";

  return {
    shape: adapter.name,
    has: (table) => present.has(table),
    count: (table) =>
      keep(database.prepare<[], number>(`SELECT count(*) FROM temp.canonical_${table}`))
        .pluck()
        .get() ?? 0,
    *rows(table, ...orderBy) {
      const order = orderBy.length === 0 ? "" : ` ORDER BY ${orderBy.join(", ")}`;
      const statement = keep(
        database.prepare<[], RawRow>(`SELECT * FROM temp.canonical_${table}${order}`),
      );
      yield* keep(statement.iterate());
    },
    isWellFormed(table, column, keyColumn, key) {
      const bytes = keep(
        database.prepare<[unknown], Uint8Array>(
          `SELECT CAST(${column} AS BLOB) FROM temp.canonical_${table} WHERE ${keyColumn} = ?`,
        ),
      )
        .pluck()
        .get(key);
      try {
        new TextDecoder(encoding, { fatal: true }).decode(bytes);
        return true;
      } catch {
        return false;
      }
    },
    close: () => database.close(),
  };
}
