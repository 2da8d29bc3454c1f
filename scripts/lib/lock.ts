/** A lock on a file, for one holder at a time on this machine, containers that share the folder included. */
import { closeSync, fstatSync, openSync, rmSync, statSync } from "node:fs";
import { resolve } from "node:path";
import Database from "better-sqlite3";

/**
 * SQLite takes the lock in steps. Two processes that begin at the same moment may stop each other half-way;
 * so each tries again for this long, and one of them gets it.
 */
const patienceMilliseconds = 100;

/**
 * Files that this process holds. It must not open one of them again: the kernel releases the locks of a
 * process on a file when the process closes that file, whichever descriptor it closes (POSIX, fcntl).
 */
const held = new Set<string>();

/**
 * Takes a lock. Does not wait for another holder to end.
 *
 * SQLite is the lock's holder: an exclusive transaction on an empty database file. SQLite asks the
 * kernel for a lock on the file itself (fcntl on Linux and macOS, LockFileEx on Windows). So the lock
 * works between containers, where process numbers mean nothing, and the kernel releases it when the
 * process ends, by `kill -9` as well.
 *
 * The holder removes the file before it releases the lock. A process that has opened the file before that
 * would lock a file that no other process finds. So after taking a lock, a process checks that its file is
 * still at the path.
 *
 * @param file made if it is not there; its folder must be
 * @returns a function that releases the lock, and may be called again; undefined when another holds it
 * @throws SqliteError, or an error of the file system, when the file cannot be written
 */
export function takeLock(file: string): (() => void) | undefined {
  const path = resolve(file);
  if (held.has(path)) return undefined;
  for (;;) {
    // Kept open while the lock is held, so that no other file gets its number.
    const descriptor = openSync(path, "a");
    const database = new Database(path, { timeout: patienceMilliseconds });
    const close = (): void => {
      database.close();
      closeSync(descriptor);
    };
    try {
      // The transaction writes nothing. Its journal is in memory, so that a killed process leaves no file.
      database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    } catch (error) {
      close();
      if ((error as { code?: string }).code === "SQLITE_BUSY") return undefined;
      throw error;
    }
    const found = statSync(path, { throwIfNoEntry: false });
    const { dev, ino } = fstatSync(descriptor);
    if (found?.dev !== dev || found.ino !== ino) {
      close();
      continue;
    }
    held.add(path);
    return () => {
      if (!held.delete(path)) return;
      try {
        rmSync(path, { force: true });
      } catch {
        // Windows removes no open file: there it stays, empty.
      }
      close();
    };
  }
}
