/** Opens a finished SQLite database for reading: one unchanging state of it, and nothing left beside the file. */
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdtempSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import Database from "better-sqlite3";
import { fileFingerprint, readRange } from "../lib/fs.ts";
import { ExportError } from "./errors.ts";

// The database header: https://www.sqlite.org/fileformat.html#the_database_header
const magic = "SQLite format 3\0";
const readVersionOffset = 19;
const walVersion = 2;

/** Whether a file begins as a SQLite database does. */
export const isDatabase = (file: string): boolean =>
  readRange(file, 0, magic.length).toString("latin1") === magic;

/** A database that was opened, and how to close it. */
export interface OpenDatabase {
  readonly database: Database.Database;
  /** Whether its programs keep a write-ahead log: a copy of the file alone may lack its newest rows. */
  readonly isWalMode: boolean;
  /**
   * @throws ExportError if the file has changed since it was opened: old and new content may be mixed
   */
  assertUnchanged(): void;
  close(): void;
}

const firstByte = (file: string): number | undefined =>
  existsSync(file) ? readRange(file, 0, 1)[0] : undefined;

/**
 * Refuses a database with a write-ahead log or a rollback journal beside it. SQLite finds them by their names alone
 * and reads a part of the content from them, and no one can tell from the files whether an older database left them.
 *
 * @param path without links: SQLite looks beside the file itself
 */
function assertFinished(path: string): void {
  const name = basename(path);
  // A journal that begins with zero is that of an ended transaction. SQLite does not use it.
  const companion =
    firstByte(`${path}-wal`) !== undefined
      ? `${name}-wal`
      : (firstByte(`${path}-journal`) ?? 0) !== 0
        ? `${name}-journal`
        : undefined;
  if (companion !== undefined)
    throw new ExportError(
      `${companion} is beside ${name}, and SQLite would read it as a part of ${name}. An export is a finished file. ` +
        "If a program uses the database, or ended in the middle of its work, make a finished copy under another name: " +
        `sqlite3 site.sqlite "VACUUM INTO 'data/export.sqlite'". ` +
        `If ${companion} is left from an older database, delete it.`,
    );
}

/**
 * Begins a transaction that lasts until the database is closed: all passes over the rows see the
 * same state, even when another program writes.
 */
function beginReading(database: Database.Database): void {
  try {
    // The schema comes from the export: what it defines may not call functions with side effects.
    database.exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; BEGIN");
    database.prepare("SELECT count(*) FROM main.sqlite_schema").get();
  } catch (cause) {
    database.close();
    throw cause;
  }
}

/**
 * Opens a copy of a database that keeps a log, in a temporary folder.
 *
 * @param copyTo makes the copy
 */
function openCopy(copyTo: (copy: string) => void): OpenDatabase {
  const folder = mkdtempSync(join(tmpdir(), "case-collection-export-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, "export.sqlite");
    copyTo(copy);
    // A copy has the rights of its original, which may be read-only.
    chmodSync(copy, 0o600);
    const database = new Database(copy);
    database.pragma("journal_mode = DELETE");
    beginReading(database);
    // An open file can lose its name, except on Windows. So nothing stays even when the build is killed.
    if (process.platform !== "win32") remove();
    return {
      database,
      isWalMode: true,
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
 * Opens a finished database file read-only, within a read transaction.
 *
 * A database whose programs keep a write-ahead log would get new files beside it, also where it is only read. So it
 * is copied to a temporary folder first. SQLite's `immutable=1` is no way out: better-sqlite3 is built without
 * URI file names.
 *
 * @param copyFile copies one file
 * @throws ExportError when it is not finished, or changes while it is copied; SqliteError when it cannot be read
 */
export function openDatabaseFile(file: string, copyFile = copyFileSync): OpenDatabase {
  const path = realpathSync(file);
  assertFinished(path);
  const before = fileFingerprint(path);
  const assertUnchanged = (): void => {
    if (fileFingerprint(path) !== before)
      throw new ExportError(
        "another program wrote to the file while it was read. Build again when it has finished.",
      );
  };
  if (readRange(path, readVersionOffset, 1)[0] === walVersion)
    return openCopy((copy) => {
      copyFile(path, copy, constants.COPYFILE_FICLONE);
      assertUnchanged();
    });
  const database = new Database(path, { readonly: true, fileMustExist: true });
  beginReading(database);
  return { database, isWalMode: false, assertUnchanged, close: () => void database.close() };
}
