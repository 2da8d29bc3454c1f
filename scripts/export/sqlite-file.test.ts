/** A finished database is read in one state, whatever other programs do, and nothing is left beside it. */
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { contentOf } from "../../tests/support/exports.ts";
import { exportWith, sample, temporaryFolder } from "../../tests/support/support.ts";
import { openExport } from "./open.ts";
import { isDatabase, openDatabaseFile } from "./sqlite-file.ts";

const complete = contentOf(sample);

/** Opens a database for writing, until the test ends. */
function writer(file: string): Database.Database {
  const database = new Database(file, { timeout: 0 });
  onTestFinished(() => void database.close());
  return database;
}

/** A database in the middle of a transaction, of which it has changed pages already. */
function halfWritten(): string {
  const database = writer(exportWith(""));
  // With so small a cache, changed pages are written before the transaction ends.
  database.exec("PRAGMA cache_size = 1; BEGIN; UPDATE posts SET post_title = 'half done'");
  database.exec("UPDATE comments SET comment_author = 'half done'");
  return database.name;
}

/** A database with changes in its log. */
function withLog(): string {
  const database = writer(exportWith("PRAGMA journal_mode = WAL"));
  database.exec("DELETE FROM comments");
  return database.name;
}

/** A folder for temporary files of its own. */
function ownTemporaryFolder(): string {
  const folder = join(temporaryFolder(), "tmp");
  mkdirSync(folder);
  vi.stubEnv("TMPDIR", folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  return folder;
}

describe("openExport of a database with an unused write-ahead log", () => {
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

  test("reads it as an ordinary user when it is read-only", () => {
    const file = exportWith("PRAGMA journal_mode = WAL");
    chmodSync(file, 0o444);
    // Root may write to any file.
    if (process.getuid?.() === 0) {
      for (const folder of [dirname(file), dirname(dirname(file))]) chmodSync(folder, 0o755);
      process.seteuid?.(65_534);
      onTestFinished(() => process.seteuid?.(0));
    }
    expect(contentOf(file)).toEqual(complete);
    expect(readdirSync(dirname(file))).toEqual(["export.sqlite"]);
  });
});

test("openExport keeps other programs from writing until it is closed", () => {
  const database = writer(exportWith(""));
  const source = openExport(database.name);
  expect(() => database.exec("DELETE FROM comments")).toThrow(/locked/);
  expect(source.count("comments")).toBe(20);
  source.close();
  database.exec("DELETE FROM comments");
  expect(contentOf(database.name).comments).toEqual([]);
});

describe("openExport refuses, with what to do, a database", () => {
  const refusal = (suffix: string): RegExp =>
    new RegExp(
      `: export\\.sqlite${suffix} is beside export\\.sqlite.* "VACUUM INTO 'data/export\\.sqlite'".* delete it\\.$`,
    );
  const refused = (file: string, suffix: string): void => {
    const files = readdirSync(dirname(file));
    expect(() => openExport(file)).toThrow(refusal(suffix));
    expect(readdirSync(dirname(file))).toEqual(files);
  };

  test("with changes in its log, in use or copied with it", () => {
    const file = withLog();
    refused(file, "-wal");
    const copy = join(temporaryFolder(), "export.sqlite");
    for (const suffix of ["", "-wal"]) copyFileSync(file + suffix, copy + suffix);
    refused(copy, "-wal");
  });

  test.each(["DELETE", "WAL"])("in mode %s that was moved beside another one's log", (mode) => {
    const file = withLog();
    const old = join(temporaryFolder(), "export.sqlite");
    for (const suffix of ["", "-wal"]) copyFileSync(file + suffix, old + suffix);
    renameSync(exportWith(`PRAGMA journal_mode = ${mode}; DELETE FROM tags`), old);
    refused(old, "-wal");
    rmSync(`${old}-wal`);
    expect(contentOf(old)).toEqual({ ...complete, tags: [] });
  });

  test("in the middle of a transaction, in use or after a crash", () => {
    const file = halfWritten();
    refused(file, "-journal");
    const copy = join(temporaryFolder(), "export.sqlite");
    for (const suffix of ["", "-journal"]) copyFileSync(file + suffix, copy + suffix);
    refused(copy, "-journal");
  });

  test("behind a link", () => {
    const link = join(temporaryFolder(), "link.sqlite");
    symlinkSync(withLog(), link);
    expect(() => openExport(link)).toThrow(refusal("-wal"));
  });
});

test("openExport ignores an empty log, an ended journal, and files beside a link", () => {
  const file = exportWith("");
  writeFileSync(`${file}-wal`, "");
  writeFileSync(`${file}-journal`, Buffer.alloc(512));
  const link = join(temporaryFolder(), "link.sqlite");
  symlinkSync(file, link);
  writeFileSync(`${link}-wal`, "of no database");
  expect(contentOf(link)).toEqual(complete);
});

test("openExport reads the copy that its message names", () => {
  const file = withLog();
  const copy = join(temporaryFolder(), "export.sqlite");
  new Database(file).exec(`VACUUM INTO '${copy}'`).close();
  expect(contentOf(copy)).toEqual({ ...complete, comments: [] });
});

test("isDatabase recognises a database by its first bytes", () => {
  expect([exportWith(""), sample].map(isDatabase)).toEqual([true, false]);
});

test("openDatabaseFile refuses a database that changes while it is copied", () => {
  const file = exportWith("PRAGMA journal_mode = WAL");
  const temporary = ownTemporaryFolder();
  expect(() =>
    openDatabaseFile(file, (from, to) => {
      copyFileSync(from, to);
      appendFileSync(file, "x");
    }),
  ).toThrow("another program wrote to the file while it was read");
  expect(readdirSync(temporary)).toEqual([]);
});
