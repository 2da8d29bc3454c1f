/**
 * Loads a `.sql` dump, as `sqlite3 db .dump` and `wrangler d1 export` write it, into a database.
 *
 * A dump is a program, and it may come from anywhere. So only two kinds of statements are run, only
 * for tables that the build reads, and only with constants: nothing can attach a file or run for ever.
 */
import { closeSync, openSync, readSync } from "node:fs";
import { TextDecoder } from "node:util";
import Database from "better-sqlite3";
import { ExportError } from "./errors.ts";
import { assertOwnDump, assertOwnRows } from "./foreign-dump.ts";
import { atLine, splitStatements, type Statement } from "./sql-statements.ts";

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

  /**
   * Takes a name.
   *
   * @returns it in lower case without quotes
   */
  name(): string {
    return (this.next() ?? "").toLowerCase().replace(/^["'`[]|["'`\]]$/g, "");
  }
}

/** Whether what is created or dropped is left out, whatever its name: the build reads tables. */
const skipsObject = (reader: TokenReader): boolean =>
  ["INDEX", "UNIQUE", "VIEW", "TRIGGER", "VIRTUAL"].some((kind) => reader.takes(kind));

/** Functions that dumps use to write text; none of them has side effects. */
const textFunctions = ["REPLACE", "CHAR", "UNISTR", "CAST"];

/**
 * Counts the rows of an INSERT after its table's name.
 *
 * @returns undefined when it is not VALUES with constants
 */
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

const describeSqliteError = (cause: unknown): string =>
  cause instanceof Database.SqliteError
    ? harmlessMessage.test(cause.message)
      ? cause.message
      : `SQLite cannot run the statement (${cause.code})`
    : "SQLite cannot run the statement";

/** A dump that is being loaded. */
class LoadingDump {
  /** Names of the tables that were left out. */
  readonly ignored: string[] = [];
  readonly #database: Database.Database;
  readonly #needed: ReadonlySet<string>;
  /** Rows that statements give, by table. */
  readonly #rows = new Map<string, number>();
  /** Line of the transaction that has not ended. */
  #openSince: number | undefined;

  constructor(database: Database.Database, needed: ReadonlySet<string>) {
    this.#database = database;
    this.#needed = needed;
  }

  /**
   * Does what a statement asks for, where the build needs it.
   *
   * @returns false for one that is refused
   */
  take(statement: Statement): boolean {
    const reader = new TokenReader(statement.tokens);
    if (reader.takes("PRAGMA") || reader.takes("ANALYZE")) return true;
    if (reader.takes("DELETE", "FROM")) return this.#neededTable(reader) === undefined;
    const begins = reader.takes("BEGIN") || reader.takes("SAVEPOINT");
    if (begins || ["COMMIT", "END", "RELEASE"].some((word) => reader.takes(word))) {
      this.#openSince = begins ? statement.line : undefined;
      return true;
    }
    if (reader.takes("ROLLBACK"))
      throw new ExportError(
        "the dump ends with ROLLBACK, because the program that wrote it met errors. Check the database with PRAGMA integrity_check and write the dump again.",
      );
    if (reader.takes("INSERT")) return this.#insert(reader, statement);
    if (reader.takes("DROP")) return skipsObject(reader) || this.#drop(reader, statement);
    return reader.takes("CREATE") && this.#create(reader, statement);
  }

  /**
   * @throws ExportError where the dump is cut off, or a table has fewer rows than its statements give
   */
  finish(): void {
    if (this.#openSince !== undefined)
      throw new ExportError(
        `line ${this.#openSince}: the transaction that begins here has no COMMIT, so the dump is cut off. Write it again.`,
      );
    for (const [table, given] of this.#rows) {
      const count = this.#database.prepare<[], number>(`SELECT count(*) FROM main.${table}`);
      const stored = count.pluck().get();
      if (stored !== given)
        throw new ExportError(
          `table ${table}: the dump has ${given} rows, but ${stored} remain, because rows with the same key replace or skip each other. Keep one of them.`,
        );
    }
    this.#database.exec("COMMIT");
  }

  #insert(reader: TokenReader, statement: Statement): boolean {
    if (reader.takes("OR")) reader.next();
    if (!reader.takes("INTO")) return false;
    const table = this.#neededTable(reader);
    if (table === undefined) return true;
    assertOwnRows(statement.tokens);
    const count = constantRows(reader);
    return count !== undefined && this.#run(statement, table, count);
  }

  /** Some programs write it before each CREATE, where it has nothing to drop. MySQL's do, too, with its own quotes. */
  #drop(reader: TokenReader, { tokens }: Statement): boolean {
    if (!reader.takes("TABLE", "IF", "EXISTS")) return false;
    const table = this.#neededTable(reader);
    return table === undefined || !(this.#rows.has(table) || tokens.some((one) => one[0] === "`"));
  }

  #create(reader: TokenReader, statement: Statement): boolean {
    if (skipsObject(reader)) return true;
    if (!reader.takes("TABLE")) return false;
    reader.takes("IF", "NOT", "EXISTS");
    const table = this.#neededTable(reader, this.ignored);
    // After "(", SQLite itself allows no query; CREATE TABLE … AS would be one.
    return table === undefined || (reader.takes("(") && this.#run(statement, table, 0));
  }

  /**
   * Takes a table's name.
   *
   * @param others gets the name of a table that is not needed
   * @returns undefined where the table is not needed
   * @throws ExportError for a table of a needed name in another schema: its rows would be missing
   */
  #neededTable(reader: TokenReader, others: string[] = []): string | undefined {
    const first = reader.name();
    const [schema, table] = reader.takes(".") ? [first, reader.name()] : ["main", first];
    if (!this.#needed.has(table)) {
      others.push(table);
      return undefined;
    }
    if (schema !== "main")
      throw new ExportError(
        `table ${table}: only tables of the schema main are read, and this one is of another. Write its name without a schema.`,
      );
    return table;
  }

  /**
   * @param rows how many the statement gives
   */
  #run(statement: Statement, table: string, rows: number): true {
    try {
      // Not `prepare`: what it makes is freed only between events, 2 GB later for 500,000 rows.
      this.#database.exec(statement.sql);
    } catch (cause) {
      throw new ExportError(`table ${table}: ${describeSqliteError(cause)}.`);
    }
    this.#rows.set(table, (this.#rows.get(table) ?? 0) + rows);
    return true;
  }
}

/**
 * Runs what the build needs of a dump in an empty database: the tables and their rows. Views,
 * triggers, indexes, virtual tables and all other tables are left out.
 *
 * @param file the dump, UTF-8, of any length
 * @param needed names of the tables that the build reads, in lower case
 * @returns names of the tables that were left out
 * @throws ExportError naming line and reason when a statement is refused or fails, the dump is cut
 *   off or another database's, or rows are lost. It shows no SQL and no value: a dump holds more than what is published.
 */
export function loadDump(
  database: Database.Database,
  file: string,
  needed: ReadonlySet<string>,
): readonly string[] {
  // Rows come before the tables that they refer to; the check of the rows reports what dangles.
  database.exec("PRAGMA foreign_keys = OFF; PRAGMA trusted_schema = OFF; BEGIN");
  const dump = new LoadingDump(database, needed);
  const descriptor = openSync(file, "r");
  try {
    for (const statement of splitStatements(createTextReader(descriptor)))
      atLine(statement.line, () => {
        assertOwnDump(statement.sql);
        if (!dump.take(statement))
          throw new ExportError(
            "this is not a statement of a plain dump. " +
              "Only CREATE TABLE (…) and INSERT … VALUES with constants are run, and no functions but replace, char, unistr and CAST. " +
              "Write the dump with `sqlite3 FILE .dump`.",
          );
      });
  } finally {
    closeSync(descriptor);
  }
  dump.finish();
  return dump.ignored;
}

/**
 * Reads a UTF-8 file piece by piece.
 *
 * @returns what gives the next characters, about as many as asked for, and "" at the end
 */
function createTextReader(descriptor: number): (length: number) => string {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  return (length) => {
    const bytes = Buffer.allocUnsafe(length);
    let size: number;
    let text: string;
    // A read may end within a character; only the end of the file gives no bytes.
    do {
      size = readSync(descriptor, bytes, 0, length, null);
      text = decoded(decoder, bytes.subarray(0, size));
    } while (size > 0 && text === "");
    // SQLite would stop reading a statement here without a word.
    if (text.includes("\0"))
      throw new ExportError("the dump contains a NUL character. Give the database file itself.");
    return text;
  };
}

function decoded(decoder: TextDecoder, bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes, { stream: bytes.length > 0 });
  } catch {
    throw new ExportError(
      "the dump is not valid UTF-8. Write it again, or give the database file itself.",
    );
  }
}
