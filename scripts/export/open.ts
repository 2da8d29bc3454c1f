/** Opens an export, whatever its shape, and gives its rows in the canonical one. */
import { statSync } from "node:fs";
import Database from "better-sqlite3";
import { canonical } from "./shapes/canonical.ts";
import { d1 } from "./shapes/d1.ts";
import { ExportError } from "./errors.ts";
import { assertOwnBeginning } from "./foreign-dump.ts";
import { readAt } from "../lib/read-at.ts";
import { printable } from "./problems.ts";
import {
  columnsOf,
  tablesRead,
  valuesIfMissing,
  type Adapter,
  type CanonicalTable,
} from "./canonical-schema.ts";
import { loadDump } from "./sql-dump.ts";
import { isDatabase, openDatabaseFile, type OpenDatabase } from "./sqlite-file.ts";

/** The shapes that are recognised, in the order in which they are tried. */
const adapters: readonly Adapter[] = [canonical, d1];

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
  /** The rows of a table, one by one, with all columns or some, sorted by columns or in any order. */
  rows(
    table: CanonicalTable,
    query?: { readonly columns?: readonly string[]; readonly orderBy?: readonly string[] },
  ): Iterable<RawRow>;
  /** How the export stores text: "UTF-8", "UTF-16le" or "UTF-16be". */
  readonly encoding: string;
  /** Rows that this shape counts into others, but that count nowhere: how many, and why. */
  uncounted(): {
    readonly table: string;
    readonly column: string;
    readonly rows: number;
    readonly reason: string;
  }[];
  /** Template of the URLs of posts that the export brings with it: `post_url` in its table export_settings. */
  readonly postUrl: string | undefined;
  /** What a publisher should know before reading on, in sentences: columns that are not there. */
  readonly notices: readonly string[];
  /** The keys of all rows whose text in a column is stored as bytes that are no characters. Reads the table once. */
  malformed(table: CanonicalTable, column: string, keyColumn: string): Set<unknown>;
  /** @throws ExportError where the file was overwritten since it was opened */
  assertUnchanged(): void;
  close(): void;
}

/** A database to read, and the tables of a dump that were not loaded into it. */
interface Source extends OpenDatabase {
  readonly ignored: readonly string[];
}

function openSource(file: string): Source {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isFile() !== true)
    throw new ExportError(
      `${found === undefined ? "there is no such file" : "this is no file"}. Name an export with --export FILE.`,
    );
  if (found.size === 0) throw new ExportError("the file is empty. Export the database again.");
  if (isDatabase(file)) return { ...openDatabaseFile(file), ignored: [] };
  assertOwnBeginning(readAt(file, 0, 200).toString("latin1"));
  if (!file.toLowerCase().endsWith(".sql"))
    throw new ExportError(
      "this is neither a SQLite database nor a .sql dump. Write one with `sqlite3 FILE .dump > export.sql`, or give the database file itself.",
    );
  // The empty name is a database in a temporary file that SQLite removes by itself.
  const database = new Database("");
  try {
    const ignored = loadDump(
      database,
      file,
      new Set([...adapters.flatMap(tablesRead), "export_settings"]),
    );
    return { database, ignored, assertUnchanged() {}, close: () => void database.close() };
  } catch (cause) {
    database.close();
    throw cause;
  }
}

/** Columns by table, in lower case: SQLite's names have no case. */
type PresentTables = ReadonlyMap<string, ReadonlySet<string>>;

/** The ordinary tables. Views and virtual tables are programs, not data, and do not count. */
function tablesOf(database: Database.Database): PresentTables {
  const tables = database
    .prepare<[], { name: string }>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT GLOB 'sqlite_*'",
    )
    .all();
  // Generated columns are programs, too; they are hidden.
  const columns = database.prepare<[string], { name: string }>(
    "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0",
  );
  return new Map(
    tables.map(({ name }) => [
      name.toLowerCase(),
      new Set(columns.all(name).map((column) => column.name.toLowerCase())),
    ]),
  );
}

/** The required tables and columns of a shape that an export lacks. */
const missing = (present: PresentTables, tables: Adapter["requires"]): string[] =>
  Object.entries(tables).flatMap(([table, columns]) => {
    const found = present.get(table);
    return found === undefined
      ? [`table ${table}`]
      : columns
          .filter((column) => !found.has(column) && !valuesIfMissing.has(column))
          .map((column) => `${table}.${column}`);
  });

/** Columns of a shape that an export lacks, and can be without. */
const absent = (present: PresentTables, { requires }: Adapter) =>
  Object.entries(requires).map(([table, columns]) => ({
    table,
    columns: columns.filter((column) => present.get(table)?.has(column) === false),
  }));

/**
 * A SELECT of an adapter, with a value for each column that the export lacks. The others are named: `*` would
 * give columns that are computed from private ones, too.
 */
const completed = (
  select: string,
  lacking: ReturnType<typeof absent>,
  { requires }: Adapter,
): string =>
  lacking
    .filter(({ columns }) => columns.length > 0)
    .reduce((sql, { table, columns }) => {
      const values = columns.map((column) => `${valuesIfMissing.get(column)} AS ${column}`);
      return sql.replace(
        new RegExp(`\\bmain\\.${table}\\b`, "g"),
        `(SELECT ${[...requires[table]!.filter((one) => !columns.includes(one)), ...values].join(", ")} FROM main.${table}) AS ${table}`,
      );
    }, select);

function recognise(present: PresentTables, ignored: readonly string[]): Adapter {
  const adapter = adapters.find(({ requires }) => missing(present, requires).length === 0);
  if (adapter !== undefined) return adapter;
  const here = printable([...present.keys(), ...ignored].join(", ")) || "none";
  const closest = adapters
    .map(({ name, requires }) => ({
      name,
      lacks: missing(present, requires),
      has: Object.keys(requires).filter((table) => present.has(table)).length,
    }))
    .reduce((best, one) =>
      // Tables that are there say more than columns that are not.
      one.has > best.has || (one.has === best.has && one.lacks.length < best.lacks.length)
        ? one
        : best,
    );
  throw new ExportError(
    `the tables have no known shape. The closest is the ${closest.name} shape, without ${closest.lacks.join(", ")}. ` +
      `The tables here are: ${here}. data/schema.sql shows the canonical shape; README.md names the other.`,
  );
}

/** Whether an export has the optional tables of its shape. */
function hasOptional(present: PresentTables, { optional = {} }: Adapter): boolean {
  const tables = Object.keys(optional);
  if (!tables.some((table) => present.has(table))) return false;
  const lacks = missing(present, optional);
  if (lacks.length > 0)
    throw new ExportError(
      `${lacks.join(", ")} is missing. Add it, or leave out ${tables.join(", ")}; then similar posts are computed.`,
    );
  return true;
}

/** A row whose whole numbers are numbers, but for those that a number cannot hold: they stay as they are. */
function withNumbers(row: RawRow): RawRow {
  const numbers = row as Record<string, unknown>;
  for (const column in numbers) {
    const value = numbers[column];
    if (
      typeof value === "bigint" &&
      BigInt(Number(value)) === value &&
      Number.isSafeInteger(Number(value))
    )
      numbers[column] = Number(value);
  }
  return numbers;
}

/** Refuses a damaged database: SQLite would give some of its rows, or some twice, without an error. */
function assertIntact(database: Database.Database, tables: readonly string[]): void {
  for (const table of tables) {
    const found = database.prepare<[], string>(`PRAGMA integrity_check("${table}")`).pluck().get();
    if (found !== "ok")
      throw new ExportError(
        `table ${table}: the database is damaged (PRAGMA integrity_check: ${printable(found ?? "")}). Export it again, or repair it with \`sqlite3 FILE .recover\`.`,
      );
  }
}

/** Runs a step of reading; what SQLite reports becomes an error of the export. */
function reading<T>(what: string, step: () => T): T {
  try {
    return step();
  } catch (cause) {
    throw readError(what, cause);
  }
}

/** @returns the error of the system as it is: its own words say which file or folder cannot be used */
function readError(what: string, cause: unknown): unknown {
  if (cause instanceof Error && "syscall" in cause) return cause;
  if (cause instanceof ExportError) return new ExportError(`${what}: ${cause.message}`);
  if (cause instanceof Database.SqliteError && cause.code.startsWith("SQLITE_BUSY"))
    return new ExportError(
      `${what}: another program is writing to the database. Build again when it has finished.`,
    );
  return new ExportError(
    `${what}: the database cannot be read (${printable((cause as Error).message)}). Export it again.`,
  );
}

/**
 * Opens an export read-only, recognises its shape and checks that the database is intact.
 *
 * @param file a SQLite database, or a `.sql` dump of one
 * @throws ExportError when there is no such file, it is no database, it is damaged, or its shape is
 *   not known; later, when a row cannot be read
 */
export function openExport(file: string): Export {
  const source = reading(file, () => openSource(file));
  try {
    return reading(file, () => canonicalView(file, source));
  } catch (cause) {
    source.close();
    throw cause;
  }
}

function canonicalView(
  file: string,
  { database, ignored, assertUnchanged, close }: Source,
): Export {
  const tables = tablesOf(database);
  const adapter = recognise(tables, ignored);
  const { similar_posts: similarPosts, ...required } = adapter.select;
  const views = new Map(Object.entries(required));
  if (similarPosts !== undefined && hasOptional(tables, adapter))
    views.set("similar_posts", similarPosts);
  assertIntact(
    database,
    tablesRead(adapter).filter((table) => tables.has(table)),
  );
  const lacking = absent(tables, adapter);
  for (const [table, select] of views)
    database.exec(`CREATE TEMP VIEW canonical_${table} AS ${completed(select, lacking, adapter)}`);

  // "UTF-8", "UTF-16le" or "UTF-16be": names that TextDecoder knows too.
  const encoding =
    database.prepare<[], string>("SELECT encoding FROM pragma_encoding").pluck().get() ?? "UTF-8";

  const unfinished = new Set<Iterator<RawRow>>();
  return {
    shape: adapter.name,
    assertUnchanged: () => reading(file, assertUnchanged),
    has: (table) => views.has(table),
    count: (table) =>
      reading(
        file,
        () =>
          database
            .prepare<[], number>(`SELECT count(*) FROM temp.canonical_${table}`)
            .pluck()
            .get() ?? 0,
      ),
    *rows(table, { columns = columnsOf(table), orderBy = [] } = {}) {
      // AS gives the names as they are asked for, where the export writes them in another case.
      const names = columns.map((column) => `${column} AS ${column}`).join(", ");
      const order = orderBy.length === 0 ? "" : ` ORDER BY ${orderBy.join(", ")}`;
      const sql = `SELECT ${names} FROM temp.canonical_${table}${order}`;
      let rows: IterableIterator<RawRow> | undefined;
      try {
        rows = database.prepare<[], RawRow>(sql).safeIntegers().iterate();
        unfinished.add(rows);
        for (const row of rows) yield withNumbers(row);
      } catch (cause) {
        throw readError(`${file}: table ${table}`, cause);
      } finally {
        if (rows !== undefined) unfinished.delete(rows);
      }
    },
    encoding,
    uncounted: () =>
      (adapter.uncounted ?? []).flatMap(({ table, column, reason, where }) => {
        const count = database.prepare<[], number>(
          `SELECT count(*) FROM main.${table} WHERE ${where}`,
        );
        const rows = count.pluck().get() ?? 0;
        return rows === 0 ? [] : [{ table, column, rows, reason }];
      }),
    postUrl: ["name", "value"].every((column) => tables.get("export_settings")?.has(column))
      ? database
          .prepare<[], string>(
            "SELECT value FROM main.export_settings WHERE name = 'post_url' AND typeof(value) = 'text'",
          )
          .pluck()
          .get()
      : undefined,
    notices: lacking
      .filter(({ columns }) => columns.length > 0)
      .map(({ table, columns }) => {
        const values = columns.map((column) => `${column} (${valuesIfMissing.get(column)})`);
        return `${table} lacks columns that may be missing, and is published with the values in brackets: ${values.join(", ")}`;
      }),
    malformed(table, column, keyColumn) {
      const cells = database.prepare<[], { key: unknown; bytes: Uint8Array | null }>(
        `SELECT ${keyColumn} AS key, CAST(${column} AS BLOB) AS bytes FROM temp.canonical_${table}`,
      );
      const decoder = new TextDecoder(encoding, { fatal: true });
      const keys = new Set<unknown>();
      for (const { key, bytes } of cells.iterate())
        try {
          decoder.decode(bytes ?? undefined);
        } catch {
          keys.add(key);
        }
      return keys;
    },
    close() {
      // Rows that nobody reads to their end keep the database busy, and it would refuse to close.
      for (const rows of unfinished) rows.return?.();
      close();
    },
  };
}
