/**
 * Files of SQLite beside a database: its write-ahead log and its rollback journal. SQLite takes a part of
 * the content from them by their names alone, so one that an older file of the same name has left changes
 * what is read. Whether one fits can be seen from what both say of the database's size.
 */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { basename } from "node:path";

/** The first bytes of a file, and its length; undefined where it is not there or empty. */
function begin(file: string): { readonly head: Buffer; readonly bytes: number } | undefined {
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes === 0) return undefined;
  const head = Buffer.alloc(100);
  const descriptor = openSync(file, "r");
  try {
    readSync(descriptor, head, 0, head.length, 0);
    return { head, bytes };
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Pages of the database after the last commit of a log; undefined where it has none.
 * https://www.sqlite.org/fileformat.html#the_write_ahead_log
 */
function pagesAfter(log: string, { head, bytes }: { head: Buffer; bytes: number }) {
  const frameBytes = head.readUInt32BE(8) + 24;
  const frame = Buffer.alloc(24);
  const descriptor = openSync(log, "r");
  let pages: number | undefined;
  try {
    for (let at = 32; at + frameBytes <= bytes; at += frameBytes) {
      readSync(descriptor, frame, 0, frame.length, at);
      // Frames of another salt are left from before the log began again.
      if (frame.compare(head, 16, 24, 8, 16) !== 0) break;
      pages = frame.readUInt32BE(4) || pages;
    }
  } finally {
    closeSync(descriptor);
  }
  return pages;
}

/** Why a log cannot be that of a database, if so. */
function misfitOfLog(file: string, database: Buffer, pageBytes: number): string | undefined {
  const log = begin(`${file}-wal`);
  if (log === undefined) return undefined;
  if (database[19] !== 2) return "the database keeps no write-ahead log";
  if (log.head.readUInt32BE(8) !== pageBytes) return "its pages have another size";
  const [pages, inFile] = [pagesAfter(`${file}-wal`, log), database.readUInt32BE(28)];
  return pages !== undefined && pages < inFile
    ? `it ends with ${pages} pages, and the database has ${inFile}`
    : undefined;
}

/** Why a journal cannot be that of a database, if so. https://www.sqlite.org/fileformat.html#the_rollback_journal */
function misfitOfJournal(file: string, database: Buffer, pageBytes: number): string | undefined {
  const journal = begin(`${file}-journal`);
  // A journal of an ended transaction begins with zeros, and is not used.
  if (journal === undefined || journal.head.readUInt32BE(0) !== 0xd9d505f9) return undefined;
  if (journal.head.readUInt32BE(24) !== pageBytes) return "its pages have another size";
  const [before, inFile] = [journal.head.readUInt32BE(16), database.readUInt32BE(28)];
  return before > inFile
    ? `it begins with ${before} pages, and the database has ${inFile}`
    : undefined;
}

/** Sentences about files beside a database that seem to belong to another one. */
export function foreignCompanions(file: string): string[] {
  const database = begin(file)?.head;
  if (database === undefined) return [];
  // 1 stands for 65,536.
  const size = database.readUInt16BE(16);
  const pageBytes = size === 1 ? 65_536 : size;
  const misfits = {
    "-wal": misfitOfLog(file, database, pageBytes),
    "-journal": misfitOfJournal(file, database, pageBytes),
  };
  return Object.entries(misfits).flatMap(([suffix, reason]) =>
    reason === undefined
      ? []
      : [
          `${basename(file)}${suffix} seems to belong to another database (${reason}), but SQLite reads it as a part of this one. ` +
            `If ${basename(file)} was copied there, delete ${basename(file)}${suffix} and build again.`,
        ],
  );
}
