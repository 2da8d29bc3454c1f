/** A lock on a file, for one holder at a time on this machine, containers that share the folder included. */
import Database from "better-sqlite3";

/**
 * SQLite takes the lock in steps. Two processes that begin at the same moment may stop each other half-way;
 * so each tries again for this long, and one of them gets it.
 */
const patienceMilliseconds = 100;

/**
 * Takes a lock. Does not wait for another holder to end.
 *
 * SQLite is the lock's holder: an exclusive transaction on an empty database file. SQLite asks the
 * kernel for a lock on the file itself (fcntl on Linux and macOS, LockFileEx on Windows). So the lock
 * works between containers, where process numbers mean nothing, and the kernel releases it when the
 * process ends, by `kill -9` as well: a lock is never left behind, only its empty file. The file is not
 * removed: another process may have opened it, and would then hold a lock that no third one sees.
 *
 * @param file made if it is not there; its folder must be
 * @returns a function that releases the lock; undefined when another holds it
 * @throws SqliteError when the file cannot be written
 */
export function takeLock(file: string): (() => void) | undefined {
  const database = new Database(file, { timeout: patienceMilliseconds });
  try {
    // The transaction writes nothing; in memory, its journal is no file that a kill leaves behind.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if ((error as { code?: string }).code === "SQLITE_BUSY") return undefined;
    throw error;
  }
  return () => void database.close();
}
