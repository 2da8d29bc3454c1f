/** Opens a SQLite database for reading: one unchanging state of it, and nothing left beside the file. */
import { constants, copyFileSync, existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { stateOf } from "../lib/paths.ts";
import { readAt } from "../lib/read-at.ts";
import { ExportError } from "./errors.ts";

// The database header: https://www.sqlite.org/fileformat.html#the_database_header
const magic = "SQLite format 3\0";
const readVersionOffset = 19;
const walVersion = 2;

/** Whether a file begins as a SQLite database does. */
export const isDatabase = (file: string): boolean =>
  readAt(file, 0, magic.length).toString("latin1") === magic;

/** A database that was opened, and how to close it. */
interface OpenFile {
  readonly database: Database.Database;
  /** @throws ExportError if a program wrote to the file without SQLite meanwhile: old and new content may be mixed */
  assertUnchanged(): void;
  close(): void;
}

/**
 * Begins a transaction that lasts until the database is closed: all passes over the rows see the
 * same state, even when another program writes.
 */
function beginReading(database: Database.Database): void {
  // The schema comes from the export: what it defines may not call functions with side effects.
  database.exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; BEGIN");
  database.prepare("SELECT count(*) FROM main.sqlite_schema").get();
}

function openInPlace(file: string, assertUnchanged: () => void): OpenFile {
  const database = new Database(file, { readonly: true, fileMustExist: true });
  try {
    beginReading(database);
  } catch (cause) {
    database.close();
    throw cause;
  }
  return { database, assertUnchanged, close: () => void database.close() };
}

/** Files of SQLite that hold a part of a database's content. */
const companions = ["", "-wal", "-journal"] as const;

/**
 * Copies a database with the files beside it.
 *
 * @param copyFile copies one file
 * @throws ExportError where they change meanwhile
 */
export function copyDatabase(file: string, copy: string, copyFile = copyFileSync): void {
  const state = (): string => [...companions, "-shm"].map((one) => stateOf(file + one)).join("|");
  const before = state();
  for (const suffix of companions)
    if (existsSync(file + suffix))
      copyFile(file + suffix, copy + suffix, constants.COPYFILE_FICLONE);
  if (state() !== before)
    throw new ExportError("another program is writing to it. Build again when it has finished.");
}

function openCopy(file: string): OpenFile {
  const folder = mkdtempSync(join(tmpdir(), "case-collection-export-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, "export.sqlite");
    copyDatabase(file, copy);
    const database = new Database(copy);
    // Takes the write-ahead log into the file, or rolls a broken transaction back.
    database.exec("PRAGMA journal_mode = DELETE");
    beginReading(database);
    // An open file can lose its name, except on Windows. So nothing stays even when the build is killed.
    if (process.platform !== "win32") remove();
    return {
      database,
      assertUnchanged() {},
      close: () => {
        database.close();
        remove();
      },
    };
  } catch (cause) {
    remove();
    throw cause;
  }
}

/**
 * Opens a database file read-only, within a read transaction.
 *
 * A plain file is read in place. A database with a write-ahead log that no program has open would get
 * new files beside it, and one that a crash left in the middle of a transaction needs repair. Both are
 * copied to a temporary folder first. SQLite's `immutable=1` is no way out: it ignores the log, and
 * better-sqlite3 is built without URI file names.
 *
 * @throws ExportError when the file changes while it is copied; SqliteError when it cannot be read
 */
export function openDatabaseFile(file: string): OpenFile {
  // SQLite looks for the log beside the file itself, not beside a link to it.
  const path = realpathSync(file);
  const hasLog = readAt(path, readVersionOffset, 1)[0] === walVersion || existsSync(`${path}-wal`);
  // A program that has the log open keeps its index in -shm. Then SQLite coordinates the two.
  if (hasLog && !existsSync(`${path}-shm`)) return openCopy(path);
  const before = stateOf(path);
  try {
    return openInPlace(path, () => {
      // A program that has a log open writes it into the file as SQLite allows.
      if (!hasLog && stateOf(path) !== before)
        throw new ExportError("the file was replaced while it was read. Build again.");
    });
  } catch (cause) {
    if (cause instanceof Database.SqliteError && cause.code === "SQLITE_READONLY_ROLLBACK")
      return openCopy(path);
    throw cause;
  }
}
