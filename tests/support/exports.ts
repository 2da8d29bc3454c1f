/** Dumps for tests, and what the build reads of an export. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { checkExport, type CheckResult } from "../../scripts/export/check.ts";
import { openExport, type RawRow } from "../../scripts/export/open.ts";
import { canonicalTables, type CanonicalTable } from "../../scripts/export/canonical-schema.ts";
import { sample, temporaryFolder } from "./support.ts";

export const sampleText = readFileSync(sample, "utf8");

/** Any text without NUL. fast-check's own "binary" strings take a second to prepare. */
export const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(0x22, 0x27, 0x2d, 0x3b),
      fc.integer({ min: 1, max: 0xd7ff }),
      fc.integer({ min: 0xe000, max: 0x10_ffff }),
    ),
  )
  .map((codePoints) => String.fromCodePoint(...codePoints));

/**
 * Writes a dump.
 *
 * @returns its file
 */
export function dumpFile(text: string | Uint8Array): string {
  const file = join(temporaryFolder(), "dump.sql");
  writeFileSync(file, text);
  return file;
}

/**
 * The sample's dump with statements before its COMMIT.
 *
 * @returns its file
 */
export const sampleDump = (sql: string): string =>
  dumpFile(sampleText.replace("COMMIT;", () => `${sql}\nCOMMIT;`));

/** The text dump of a database by the sqlite3 tool, or undefined where it is not installed. */
export function dumpBySqlite3(file: string): string | undefined {
  const { status, stdout } = spawnSync("sqlite3", [file, ".dump"], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  return status === 0 ? stdout : undefined;
}

/** The text dump of a database's tables, with values as SQLite's function `quote` writes them. */
export function dumpByQuote(file: string): string {
  const database = new Database(file, { readonly: true });
  const tables = database
    .prepare<[], { name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'table'",
    )
    .all();
  const lines = tables.flatMap(({ name, sql }) => {
    const columns = database.prepare(`SELECT * FROM ${name}`).columns();
    const values = columns.map((column) => `quote(${column.name})`).join(" || ',' || ");
    const rows = database.prepare<[], string>(`SELECT ${values} FROM ${name}`).pluck().all();
    return [`${sql};`, ...rows.map((row) => `INSERT INTO ${name} VALUES(${row});`)];
  });
  database.close();
  return ["BEGIN TRANSACTION;", ...lines, "COMMIT;", ""].join("\n");
}

/** All rows that the build would read of an export, by table. */
export function contentOf(file: string): Partial<Record<CanonicalTable, RawRow[]>> {
  const source = openExport(file);
  try {
    const tables = (Object.keys(canonicalTables) as CanonicalTable[]).filter((table) =>
      source.has(table),
    );
    return Object.fromEntries(
      tables.map((table) => [table, [...source.rows(table, { orderBy: ["1", "2"] })]]),
    );
  } finally {
    source.close();
  }
}

/** What the check finds in an export. */
export async function checked(file: string): Promise<CheckResult> {
  const source = openExport(file);
  try {
    return await checkExport(source, () => {});
  } finally {
    source.close();
  }
}
