/** A database is read in one state, whatever other programs do, and nothing is left beside it. */
import { appendFileSync, copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { contentOf } from "../../tests/support/exports.ts";
import { exportWith, sample, temporaryFolder } from "../../tests/support/support.ts";
import { openExport } from "./open.ts";
import { copyDatabase, isDatabase } from "./sqlite-file.ts";

const complete = contentOf(sample);

/** Copies a database as it is in the middle of another program's work, as after a crash. */
function crashedCopy(database: Database.Database): string {
  const folder = temporaryFolder();
  for (const suffix of ["", "-wal", "-journal"])
    try {
      copyFileSync(database.name + suffix, join(folder, `export.sqlite${suffix}`));
    } catch {
      // Each journal mode has one of the two.
    }
  return join(folder, "export.sqlite");
}

/** Opens a database for writing, until the test ends. */
function writer(file: string): Database.Database {
  const database = new Database(file, { timeout: 0 });
  onTestFinished(() => void database.close());
  return database;
}

/** A folder for temporary files of its own. */
function ownTemporaryFolder(): string {
  const folder = join(temporaryFolder(), "tmp");
  mkdirSync(folder);
  vi.stubEnv("TMPDIR", folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  return folder;
}

describe("a database with a write-ahead log that nobody has open", () => {
  test("leaves no file beside it, nor in the temporary folder", () => {
    const file = exportWith("PRAGMA journal_mode = WAL");
    expect(readdirSync(dirname(file))).toEqual(["export.sqlite"]);
    const temporary = ownTemporaryFolder();
    const source = openExport(file);
    expect(readdirSync(dirname(file))).toEqual(["export.sqlite"]);
    if (process.platform !== "win32") expect(readdirSync(temporary)).toEqual([]);
    expect(source.count("posts")).toBe(40);
    source.close();
    expect(readdirSync(temporary)).toEqual([]);
  });

  test("is read with the transactions in its log", () => {
    const database = writer(exportWith("PRAGMA journal_mode = WAL"));
    database.exec("UPDATE posts SET post_title = 'from the log' WHERE post_id = 1");
    const file = crashedCopy(database);
    expect(contentOf(file).posts?.[0]).toHaveProperty("post_title", "from the log");
    expect(readdirSync(dirname(file))).toEqual(["export.sqlite", "export.sqlite-wal"]);
  });
});

describe("a database that another program writes to", () => {
  test("with a log: the export keeps the rows of its opening", () => {
    const database = writer(exportWith("PRAGMA journal_mode = WAL"));
    database.exec("UPDATE tags SET tag_name = tag_name");
    const files = readdirSync(dirname(database.name));
    const source = openExport(database.name);
    database.exec("DELETE FROM comments");
    expect(source.count("comments")).toBe(20);
    source.close();
    expect(readdirSync(dirname(database.name))).toEqual(files);
    expect(contentOf(database.name).comments).toEqual([]);
  });

  test("without: the other program waits until the export is closed", () => {
    const database = writer(exportWith(""));
    const source = openExport(database.name);
    expect(() => database.exec("DELETE FROM comments")).toThrow(/locked/);
    expect(source.count("comments")).toBe(20);
    source.close();
    database.exec("DELETE FROM comments");
    expect(contentOf(database.name).comments).toEqual([]);
  });
});

test("a transaction that a crash left half done is rolled back, in a copy", () => {
  const database = writer(exportWith(""));
  // With so small a cache, changed pages are written before the transaction ends.
  database.exec("PRAGMA cache_size = 1; BEGIN; UPDATE posts SET post_title = 'half done'");
  database.exec("UPDATE comments SET comment_author = 'half done'");
  const file = crashedCopy(database);
  database.exec("ROLLBACK");
  const files = readdirSync(dirname(file));
  expect(files).toEqual(["export.sqlite", "export.sqlite-journal"]);
  expect(contentOf(file)).toEqual(complete);
  expect(readdirSync(dirname(file))).toEqual(files);
});

test("a database is recognised by its first bytes", () => {
  expect([exportWith(""), sample].map(isDatabase)).toEqual([true, false]);
});

test("a database that changes while it is copied is refused", () => {
  const file = exportWith("");
  const copy = join(temporaryFolder(), "copy.sqlite");
  copyDatabase(file, copy);
  expect(readFileSync(copy).equals(readFileSync(file))).toBe(true);
  expect(() =>
    copyDatabase(file, copy, (from, to) => {
      copyFileSync(from, to);
      appendFileSync(file, "x");
    }),
  ).toThrow("another program is writing to it");
});
