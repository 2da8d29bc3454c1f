/** Opens an export, whatever its shape, and gives its rows in the canonical one. */
import { statSync } from "node:fs";
import Database from "better-sqlite3";
import { pluralize, formatNumber, escapeControlChars } from "../lib/text.ts";
import { readRange } from "../lib/fs.ts";
import {
  canonicalTables,
  columnNames,
  tablesRead,
  type CanonicalTable,
  type ColumnRule,
} from "./canonical-schema.ts";
import { ExportError } from "./errors.ts";
import { assertOwnKind } from "./foreign-dump.ts";
import type { Problem } from "./problems.ts";
import { adapters, detectSchema, listTables, type DetectedSchema } from "./shape.ts";
import { loadDump } from "./sql-dump.ts";
import { isDatabase, openDatabaseFile, type OpenDatabase } from "./sqlite-file.ts";

/** A row as it is in the export, before its columns were checked. */
export type RawRow = Readonly<Record<string, unknown>>;

/** Which columns to read, all by default, and by which to sort. */
interface RowQuery {
  readonly columns?: readonly string[];
  readonly orderBy?: readonly string[];
}

/** A database to read, and the tables of a dump that were not loaded into it. */
interface Source extends OpenDatabase {
  readonly ignored: readonly string[];
  readonly isDump: boolean;
}

/** Bytes at the beginning of a file that show what it is. */
const headLength = 4096;

function openSource(file: string): Source {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isFile() !== true)
    throw new ExportError(
      `${found === undefined ? "there is no such file" : "this is no file"}. Name an export with --export FILE.`,
    );
  if (found.size === 0) throw new ExportError("the file is empty. Export the database again.");
  if (isDatabase(file)) return { ...openDatabaseFile(file), ignored: [], isDump: false };
  assertOwnKind(readRange(file, 0, headLength));
  if (!file.toLowerCase().endsWith(".sql"))
    throw new ExportError(
      "this is neither a SQLite database nor a .sql dump (the name of a dump ends in .sql). docs/your-data.md says how posts of other kinds become an export.",
    );
  return openDump(file);
}

function openDump(file: string): Source {
  // The empty name is a database in a temporary file that SQLite removes by itself.
  const database = new Database("");
  try {
    const needed = new Set([...adapters.flatMap(tablesRead), "export_settings"]);
    const ignored = loadDump(database, file, needed);
    return {
      database,
      ignored,
      isDump: true,
      isWalMode: false,
      assertUnchanged() {},
      close: () => void database.close(),
    };
  } catch (cause) {
    database.close();
    throw cause;
  }
}

/** A row whose whole numbers are numbers, but for those that a number cannot hold: they stay as they are. */
function withNumbers(row: Record<string, unknown>): RawRow {
  for (const column in row) {
    const value = row[column];
    if (typeof value === "bigint" && Number.isSafeInteger(Number(value)))
      row[column] = Number(value);
  }
  return row;
}

/** The first value that a query gives. */
const queryValue = <T>(database: Database.Database, sql: string): T | undefined =>
  database.prepare<[], T>(sql).pluck().get();

/** Rows of a view at most: one that never ends would fill the disk, and no signal would be answered. */
const defaultMaxViewRows = 5_000_000;

/** What `PRAGMA quick_check` finds of rows that break the rules of their table: it says nothing of the file. */
const ruleOfTable = / value in |^CHECK constraint/;

/**
 * What SQLite finds wrong with the pages and records of a file; undefined for nothing.
 *
 * @param check a pragma
 */
function findDamage(database: Database.Database, check: string): string | undefined {
  for (const found of database.prepare<[], string>(`PRAGMA ${check}`).pluck().iterate())
    if (found !== "ok" && !ruleOfTable.test(found)) return found;
  return undefined;
}

/**
 * Refuses a damaged database: SQLite would give some of its rows, or some twice, without an error.
 *
 * @param tables those that are read, which are checked alone where another one needs a collation, tokenizer or function that
 *   only the site's program has
 * @throws ExportError
 */
function assertIntact(database: Database.Database, tables: readonly string[]): void {
  const check = (name: string): string | undefined => {
    try {
      return findDamage(database, name);
    } catch (error) {
      if (!(error instanceof Database.SqliteError && error.code.startsWith("SQLITE_ERROR")))
        throw error;
      if (name === "quick_check")
        return tables.map((table) => check(`quick_check("${table}")`)).find((one) => one);
      throw new ExportError(
        `the database cannot be checked (${escapeControlChars(error.message)}): an index or a column of a table that is read needs what only the site's program has. Remove it in a copy of the database, as by \`sqlite3 COPY "DROP INDEX …"\`.`,
      );
    }
  };
  const found = check("quick_check");
  if (found !== undefined)
    throw new ExportError(
      `the database is damaged (PRAGMA quick_check: ${escapeControlChars(found)}). Export it again, or see what can be saved, where your sqlite3 has .recover: \`sqlite3 FILE .recover | sqlite3 data/recovered.sqlite\`, then --export data/recovered.sqlite.`,
    );
}

/**
 * Makes the rows of a canonical table readable as `temp.canonical_` and its name. Those of a view are copied: one that
 * asks the clock, as for what is published by now, gives other rows each time.
 *
 * @throws ExportError where a view gives too many rows
 */
function makeReadable(
  database: Database.Database,
  [table, select]: readonly [CanonicalTable, string],
  views: readonly string[],
  maxRows: number,
): void {
  const name = `temp.canonical_${table}`;
  if (!views.some((view) => new RegExp(`\\bmain\\.${view}\\b`, "i").test(select)))
    return void database.exec(`CREATE VIEW ${name} AS ${select}`);
  database.exec(`CREATE TABLE ${name} AS SELECT * FROM (${select}) LIMIT ${maxRows + 1}`);
  if ((queryValue<number>(database, `SELECT count(*) FROM ${name}`) ?? 0) > maxRows)
    throw new ExportError(
      `the view ${table} gives more than ${formatNumber(maxRows)} rows. Does it end?`,
    );
}

/** The SQL of a column's value. */
function valueSql(table: CanonicalTable, column: string): string {
  const rules: Readonly<Record<string, ColumnRule>> = canonicalTables[table];
  const { nullIsMissing, ifMissing } = rules[column] ?? {};
  return nullIsMissing ? `coalesce(${column}, ${ifMissing})` : column;
}

/** Runs a step of reading; what SQLite reports becomes an error of the export. */
function withReadErrors<T>(what: string, step: () => T): T {
  try {
    return step();
  } catch (cause) {
    throw readError(what, cause);
  }
}

/**
 * @returns the error of the system as it is: its own words say which file or folder cannot be used
 */
function readError(what: string, cause: unknown): unknown {
  if (cause instanceof Error && "syscall" in cause) return cause;
  if (cause instanceof ExportError) return new ExportError(`${what}: ${cause.message}`);
  if (cause instanceof Database.SqliteError && cause.code.startsWith("SQLITE_BUSY"))
    return new ExportError(
      `${what}: another program is writing to the database. Build again when it has finished.`,
    );
  // As of a function that only other programs have, or of a column that is not there.
  const isOfView = cause instanceof Database.SqliteError && cause.code === "SQLITE_ERROR";
  const remedy = isOfView
    ? "If a view needs that, change it, or print its rows as CSV: docs/your-data.md."
    : "Export it again.";
  return new ExportError(
    `${what}: the database cannot be read (${escapeControlChars((cause as Error).message)}). ${remedy}`,
  );
}

/**
 * Opens an export read-only, recognises its shape and checks that the database is intact.
 *
 * @param file a SQLite database, or a `.sql` dump of one
 * @param maxViewRows rows of a view at most
 * @throws ExportError when there is no such file, it is no database, it is damaged, or its shape is
 *   not known; later, when a row cannot be read
 */
export function openExport(file: string, maxViewRows = defaultMaxViewRows): Export {
  const source = withReadErrors(file, () => openSource(file));
  try {
    return withReadErrors(file, () => new Export(file, source, maxViewRows));
  } catch (cause) {
    source.close();
    throw cause;
  }
}

/** For a database that is alone, though its programs keep a log. */
const mayLackRows = `the database keeps a write-ahead log: if its file was copied from a database in use by other means than SQLite's, the newest rows are missing. This makes a whole copy: sqlite3 site.sqlite "VACUUM INTO 'data/export.sqlite'"`;

/** An export that was opened: its rows, by views of the canonical tables. `openExport` makes it. */
export class Export {
  /** How the export stores text: "UTF-8", "UTF-16le" or "UTF-16be", names that TextDecoder knows too. */
  readonly encoding: string;
  /** Template of the URLs of posts that the export brings with it: `post_url` in its table export_settings. */
  readonly postUrl: string | undefined;
  /** What the export says of its collection: `collection` in that table, as JSON. */
  readonly collection: string | undefined;
  /** What a publisher should know before reading on, in sentences: what is not there, and what is not read. */
  readonly notices: readonly string[];
  readonly #file: string;
  readonly #source: Source;
  readonly #shape: DetectedSchema;
  readonly #unfinished = new Set<Iterator<RawRow>>();

  constructor(file: string, source: Source, maxViewRows: number) {
    const { database, ignored, isDump, isWalMode } = source;
    const tables = listTables(database);
    const shape = detectSchema(tables, ignored, isDump);
    const views = database
      .prepare<[], string>("SELECT lower(name) FROM main.sqlite_schema WHERE type = 'view'")
      .pluck()
      .all()
      .filter((view) => shape.reads.includes(view));
    assertIntact(
      database,
      shape.reads.filter((table) => !views.includes(table)),
    );
    for (const select of shape.selects) makeReadable(database, select, views, maxViewRows);
    const settings = tables.get("export_settings");
    if (settings?.has("name") && settings.has("value")) {
      const setting = (name: string): string | undefined =>
        queryValue(
          database,
          `SELECT value FROM main.export_settings WHERE name = '${name}' AND typeof(value) = 'text'`,
        );
      this.postUrl = setting("post_url");
      this.collection = setting("collection");
    }
    this.encoding = queryValue(database, "SELECT encoding FROM pragma_encoding") ?? "UTF-8";
    this.notices = [...shape.notices, ...(isWalMode ? [mayLackRows] : [])];
    this.#file = file;
    this.#source = source;
    this.#shape = shape;
  }

  /** Whether the export gives a table. */
  has(table: CanonicalTable): boolean {
    return this.#shape.selects.has(table);
  }

  /** Number of rows of a table. */
  count(table: CanonicalTable): number {
    const sql = `SELECT count(*) FROM temp.canonical_${table}`;
    return withReadErrors(this.#file, () => queryValue<number>(this.#source.database, sql) ?? 0);
  }

  /** The rows of a table, one by one, with all columns or some, sorted by columns or in any order. */
  *rows(
    table: CanonicalTable,
    { columns = columnNames(table), orderBy = [] }: RowQuery = {},
  ): Generator<RawRow> {
    // AS gives the names as they are asked for, where the export writes them in another case.
    const names = columns.map((column) => `${valueSql(table, column)} AS ${column}`).join(", ");
    const order = orderBy.length === 0 ? "" : ` ORDER BY ${orderBy.join(", ")}`;
    const sql = `SELECT ${names} FROM temp.canonical_${table}${order}`;
    let rows: IterableIterator<Record<string, unknown>> | undefined;
    try {
      rows = this.#source.database
        .prepare<[], Record<string, unknown>>(sql)
        .safeIntegers()
        .iterate();
      this.#unfinished.add(rows);
      for (const row of rows) yield withNumbers(row);
    } catch (cause) {
      throw readError(`${this.#file}: table ${table}`, cause);
    } finally {
      if (rows !== undefined) this.#unfinished.delete(rows);
    }
  }

  /** Warnings of votes and bookmarks whose post does not exist: a post's counts are made of them, so these count nowhere. */
  orphanRowWarnings(): Problem[] {
    const hint = "nothing needed: they are not counted";
    return (this.#shape.adapter.uncounted ?? []).flatMap(
      ({ table, column, where, reason: message }) => {
        const sql = `SELECT count(*) FROM main.${table} WHERE ${where}`;
        const rows = queryValue<number>(this.#source.database, sql) ?? 0;
        const cell = { table, key: pluralize(rows, "rows"), column, value: "" };
        return rows === 0
          ? []
          : [{ ...cell, severity: "warning", rule: "uncounted", message, hint }];
      },
    );
  }

  /** The keys of all rows whose text in a column is stored as bytes that are no characters. Reads the table once. */
  malformed(table: CanonicalTable, column: string, keyColumn: string): Set<unknown> {
    const cells = this.#source.database.prepare<[], { key: unknown; bytes: Uint8Array | null }>(
      `SELECT ${keyColumn} AS key, CAST(${column} AS BLOB) AS bytes FROM temp.canonical_${table}`,
    );
    const decoder = new TextDecoder(this.encoding, { fatal: true });
    const keys = new Set<unknown>();
    for (const { key, bytes } of cells.iterate())
      try {
        decoder.decode(bytes ?? undefined);
      } catch {
        keys.add(key);
      }
    return keys;
  }

  /**
   * @throws ExportError where the file was overwritten since it was opened
   */
  assertUnchanged(): void {
    withReadErrors(this.#file, () => this.#source.assertUnchanged());
  }

  close(): void {
    // Rows that nobody reads to their end keep the database busy, and it would refuse to close.
    for (const rows of this.#unfinished) rows.return?.();
    this.#source.close();
  }
}
