/**
 * Files of SQLite beside a database: its write-ahead log and its rollback journal. SQLite finds them by their
 * names alone, and reads a part of the content from them. So a file that is left from an older database of the
 * same name changes what is read. The sizes of the database that both files give show whether they fit.
 */
import { statSync } from "node:fs";
import { basename } from "node:path";
import { readAt } from "../lib/read-at.ts";
import { ExportError } from "./errors.ts";

/** The first bytes of a file, and its length; undefined where it is not there or empty. */
function begin(file: string): { readonly head: Buffer; readonly bytes: number } | undefined {
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes === 0) return undefined;
  const head = Buffer.alloc(100);
  readAt(file, 0, head.length).copy(head);
  return { head, bytes };
}

/**
 * The last commit of a log: pages of the database after it, and the last page that it wrote; undefined where
 * the log has none. https://www.sqlite.org/fileformat.html#the_write_ahead_log
 */
function lastCommit(log: string, { head, bytes }: { head: Buffer; bytes: number }) {
  const frameBytes = head.readUInt32BE(8) + 24;
  let last: { readonly pages: number; readonly page: number; readonly content: Buffer } | undefined;
  for (let at = 32; at + frameBytes <= bytes; at += frameBytes) {
    const frame = readAt(log, at, frameBytes);
    // Frames of another salt are left from before the log began again.
    if (frame.compare(head, 16, 24, 8, 16) !== 0) break;
    const pages = frame.readUInt32BE(4);
    if (pages > 0) last = { pages, page: frame.readUInt32BE(0), content: frame.subarray(24) };
  }
  return last;
}

const keepsNoLog = "the database keeps no write-ahead log";

/** Why a log cannot be that of a database, if so. */
function misfitOfLog(file: string, database: Buffer, pageBytes: number): string | undefined {
  const log = begin(`${file}-wal`);
  if (log === undefined) return undefined;
  if (database[19] !== 2) return keepsNoLog;
  if (log.head.readUInt32BE(8) !== pageBytes) return "its pages have another size";
  const last = lastCommit(`${file}-wal`, log);
  if (last === undefined) return undefined;
  const inFile = database.readUInt32BE(28);
  if (last.pages < inFile)
    return `it ends with ${last.pages} pages, and the database has ${inFile}`;
  // If the database was written after its log, a checkpoint has copied the pages of this log into it.
  const isOlder = statSync(`${file}-wal`).mtimeMs < statSync(file).mtimeMs;
  const page = readAt(file, (last.page - 1) * pageBytes, pageBytes);
  return isOlder && !page.equals(last.content)
    ? "it is older than the database, and holds other pages"
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

/**
 * Looks for files beside a database that belong to another one.
 *
 * @returns sentences about those that seem to
 * @throws ExportError for a log beside a database that keeps none
 */
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
  if (misfits["-wal"] === keepsNoLog)
    throw new ExportError(
      `${basename(file)}-wal belongs to another database (${keepsNoLog}), but SQLite would read it as a part of this one. Delete ${basename(file)}-wal and build again.`,
    );
  return Object.entries(misfits).flatMap(([suffix, reason]) =>
    reason === undefined
      ? []
      : [
          `${basename(file)}${suffix} seems to belong to another database (${reason}), but SQLite reads it as a part of this one. ` +
            `If ${basename(file)} was copied there, delete ${basename(file)}${suffix} and build again.`,
        ],
  );
}
