/**
 * Loads a `.sql` dump, as `sqlite3 db .dump` and `wrangler d1 export` write it, into a database.
 *
 * A dump is a program, and it may come from anywhere. So only two kinds of statements are run, only
 * for tables that the build reads, and only with constants: nothing can attach a file or run for ever.
 */
import { closeSync, openSync, readSync } from "node:fs";
import Database from "better-sqlite3";
import { ExportError } from "./errors.ts";
import { statementsOf, type Statement } from "./sql-statements.ts";

/** Reads a statement from its front, so that a word counts only where the grammar has its place. */
class TokenReader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  next(): string | undefined {
    return this.#tokens[this.#at++];
  }

  /** Takes the next tokens when they are these keywords or characters. */
  takes(...expected: readonly string[]): boolean {
    const matches = expected.every((word, i) => this.#tokens[this.#at + i]?.toUpperCase() === word);
    if (matches) this.#at += expected.length;
    return matches;
  }

  /** Takes a table's name. @returns it in lower case without quotes, with its schema unless that is `main` */
  tableName(): string {
    const name = (): string => (this.next() ?? "").toLowerCase().replace(/^["'`[]|["'`\]]$/g, "");
    const first = name();
    if (!this.takes(".")) return first;
    return first === "main" ? name() : `${first}.${name()}`;
  }
}

/** Functions that dumps use to write text; none of them has side effects. */
const textFunctions = ["REPLACE", "CHAR", "UNISTR", "CAST"];

/** Counts the rows of an INSERT after its table's name. @returns undefined when it is not VALUES with constants */
function constantRows(reader: TokenReader): number | undefined {
  if (reader.takes("(")) while (![")", undefined].includes(reader.next()));
  if (!reader.takes("VALUES")) return undefined;
  let rows = 0;
  let depth = 0;
  let before = "";
  for (let token = reader.next(); token !== undefined; token = reader.next()) {
    if (depth === 0 && !["(", ",", ";"].includes(token)) return undefined;
    const isCall = token === "(" && /^["`[\w$\x80-\uffff]/.test(before);
    if (
      token.toUpperCase() === "SELECT" ||
      (isCall && !textFunctions.includes(before.toUpperCase()))
    )
      return undefined;
    if (token === "(" && depth++ === 0) rows++;
    if (token === ")") depth--;
    before = token;
  }
  return rows;
}

/** SQLite's messages that show names and numbers only. All others may quote values of the dump. */
const harmlessMessage =
  /^(?:(?:UNIQUE|NOT NULL) constraint failed: [\w., ]+|table \w+ has \d+ columns but \d+ values were supplied|no such table: \w+|table \w+ already exists)$/;

const reasonOf = (cause: unknown): string =>
  cause instanceof Database.SqliteError
    ? harmlessMessage.test(cause.message)
      ? cause.message
      : `SQLite cannot run the statement (${cause.code})`
    : "SQLite cannot run the statement";

function run(database: Database.Database, { sql, line }: Statement, table: string): void {
  try {
    // Not `prepare`: what it makes is freed only between events, 2 GB later for 500,000 rows.
    database.exec(sql);
  } catch (cause) {
    throw new ExportError(`line ${line}: table ${table}: ${reasonOf(cause)}.`);
  }
}

/** Refuses a table with fewer rows than its statements give. */
function assertRows(database: Database.Database, table: string, given: number): void {
  const stored = database.prepare<[], number>(`SELECT count(*) FROM main.${table}`).pluck().get();
  if (stored !== given)
    throw new ExportError(
      `table ${table}: the dump has ${given} rows, but ${stored} remain, because rows with the same key replace or skip each other. Keep one of them.`,
    );
}

/**
 * Runs what the build needs of a dump in an empty database: the tables and their rows. Views,
 * triggers, indexes, virtual tables and all other tables are left out.
 *
 * @param file the dump, UTF-8, of any length
 * @param needed names of the tables that the build reads, in lower case
 * @returns names of the tables that were left out
 * @throws ExportError naming line and reason when a statement is refused or fails, the dump is cut
 *   off, or rows are lost. It shows no SQL and no value: a dump holds more than what is published.
 */
export function loadDump(
  database: Database.Database,
  file: string,
  needed: ReadonlySet<string>,
): string[] {
  // Rows come before the tables that they refer to; the check of the rows reports what dangles.
  database.exec("PRAGMA foreign_keys = OFF; PRAGMA trusted_schema = OFF; BEGIN");
  /** Rows that statements give, by table. */
  const rows = new Map<string, number>();
  const ignored: string[] = [];
  let openSince: number | undefined;

  /** Does what a statement asks for, where the build needs it. @returns false for one that is refused */
  function take(statement: Statement): boolean {
    const reader = new TokenReader(statement.tokens);
    const runFor = (table: string, count: number): true => {
      run(database, statement, table);
      rows.set(table, (rows.get(table) ?? 0) + count);
      return true;
    };
    if (reader.takes("PRAGMA") || reader.takes("ANALYZE")) return true;
    if (reader.takes("DELETE", "FROM")) return !needed.has(reader.tableName());
    if (reader.takes("BEGIN")) {
      openSince = statement.line;
      return true;
    }
    if (reader.takes("COMMIT") || reader.takes("END")) {
      openSince = undefined;
      return true;
    }
    if (reader.takes("ROLLBACK"))
      throw new ExportError(
        `line ${statement.line}: the dump ends with ROLLBACK, because the program that wrote it met errors. Check the database with PRAGMA integrity_check and write the dump again.`,
      );
    if (reader.takes("INSERT")) {
      if (reader.takes("OR")) reader.next();
      if (!reader.takes("INTO")) return false;
      const table = reader.tableName();
      if (!needed.has(table)) return true;
      const count = constantRows(reader);
      return count !== undefined && runFor(table, count);
    }
    if (!reader.takes("CREATE")) return false;
    if (["INDEX", "UNIQUE", "VIEW", "TRIGGER", "VIRTUAL"].some((kind) => reader.takes(kind)))
      return true;
    if (!reader.takes("TABLE")) return false;
    reader.takes("IF", "NOT", "EXISTS");
    const table = reader.tableName();
    // After "(", SQLite itself allows no query; CREATE TABLE … AS would be one.
    if (needed.has(table)) return reader.takes("(") && runFor(table, 0);
    ignored.push(table);
    return true;
  }

  const text = openText(file);
  try {
    for (const statement of statementsOf(text.read))
      if (!take(statement))
        throw new ExportError(
          `line ${statement.line}: this is not a statement of a plain dump. ` +
            "Only CREATE TABLE (…) and INSERT … VALUES with constants are run, and no functions but replace, char, unistr and CAST. " +
            "Write the dump with `sqlite3 FILE .dump`.",
        );
  } finally {
    text.close();
  }
  if (openSince !== undefined)
    throw new ExportError(
      `line ${openSince}: the transaction that begins here has no COMMIT, so the dump is cut off. Write it again.`,
    );
  for (const [table, given] of rows) assertRows(database, table, given);
  database.exec("COMMIT");
  return ignored;
}

/** Opens a UTF-8 file for reading piece by piece. */
function openText(file: string): { read: (length: number) => string; close: () => void } {
  const descriptor = openSync(file, "r");
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decoded = (length: number): { size: number; text: string } => {
    const bytes = Buffer.allocUnsafe(length);
    const size = readSync(descriptor, bytes, 0, length, null);
    try {
      return { size, text: decoder.decode(bytes.subarray(0, size), { stream: size > 0 }) };
    } catch {
      throw new ExportError(
        "the dump is not valid UTF-8. Write it again, or give the database file itself.",
      );
    }
  };
  const read = (length: number): string => {
    let { size, text } = decoded(length);
    // A read may end within a character; only the end of the file gives no bytes.
    while (size > 0 && text === "") ({ size, text } = decoded(length));
    // SQLite would stop reading a statement here without a word.
    if (text.includes("\0"))
      throw new ExportError("the dump contains a NUL character. Give the database file itself.");
    return text;
  };
  return { read, close: () => closeSync(descriptor) };
}
