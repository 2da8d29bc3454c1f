/**
 * Loads a `.sql` dump, as `sqlite3 db .dump` and `wrangler d1 export` write it, into a database.
 *
 * A dump is a program, and it may come from anywhere. So each statement must be of a kind that a dump
 * needs, and contain no query: nothing can attach a file, load an extension or run for ever.
 */
import type Database from "better-sqlite3";
import { ExportError } from "./errors.ts";

/** A statement of a dump, and where it begins. */
interface Statement {
  readonly sql: string;
  readonly line: number;
  /** The statement's words outside strings, quoted names and comments, upper case. */
  readonly words: readonly string[];
}

// One token of SQL: a comment, a string or quoted name, a word, or any other character.
const token =
  /--[^\n]*|\/\*[^]*?(?:\*\/|$)|'[^']*(?:''[^']*)*'|"[^"]*(?:""[^"]*)*"|`[^`]*(?:``[^`]*)*`|\[[^\]]*\]|[\p{L}_][\p{L}\p{N}_$]*|\s+|[^]/gu;

/**
 * Splits a dump into statements. A semicolon ends a statement, except within a trigger, which ends
 * with a semicolon, END and another semicolon (as in SQLite's own sqlite3_complete).
 */
function* statementsOf(dump: string): Generator<Statement> {
  let sql = "";
  let words: string[] = [];
  let line = 1;
  let startLine = 1;
  for (const [text] of dump.matchAll(token)) {
    const blank = /^(?:\s|--|\/\*)/.test(text);
    if (sql === "" && blank) {
      line += text.split("\n").length - 1;
      continue;
    }
    if (sql === "") startLine = line;
    line += text.split("\n").length - 1;
    if (text === ";") {
      const isTrigger = words[0] === "CREATE" && words.slice(1, 4).includes("TRIGGER");
      if (!isTrigger || /;\s*END\s*$/i.test(sql)) {
        if (sql !== "") yield { sql, line: startLine, words };
        sql = "";
        words = [];
        continue;
      }
    }
    sql += text;
    if (/^[\p{L}_]/u.test(text)) words.push(text.toUpperCase());
  }
  if (sql.trim() !== "") yield { sql, line: startLine, words };
}

/** The table that a CREATE or INSERT statement names. */
const tableName =
  /^(?:INSERT\s+(?:OR\s+\w+\s+)?INTO|CREATE\s+(?:VIRTUAL\s+)?TABLE(?:\s+IF\s+NOT\s+EXISTS)?)\s+["'`[]?([\p{L}_][\p{L}\p{N}_$]*)/iu;

const harmlessPragmas = ["FOREIGN_KEYS", "DEFER_FOREIGN_KEYS"];

/** What to do with a statement: `run` it, `skip` it because the build does not need it, or `refuse` it. */
function verdictOn({ words }: Statement): "run" | "skip" | "refuse" {
  const [first, second = "", third = ""] = words;
  const hasQuery = words.includes("SELECT") || words.includes("WITH");
  switch (first) {
    case "BEGIN":
    case "COMMIT":
    case "END":
    case "ANALYZE":
      return "skip";
    case "PRAGMA":
      return harmlessPragmas.includes(second) ? "skip" : "refuse";
    case "DELETE": // .dump clears sqlite_sequence before filling it
      return words.includes("SQLITE_SEQUENCE") ? "skip" : "refuse";
    case "INSERT":
      return hasQuery ? "refuse" : "run";
    case "CREATE":
      if ([second, third].includes("VIRTUAL")) return "skip";
      if (["INDEX", "VIEW", "TRIGGER"].some((kind) => words.slice(1, 4).includes(kind)))
        return "skip";
      return second === "TABLE" && !hasQuery ? "run" : "refuse";
    default:
      return "refuse";
  }
}

/**
 * Runs a dump in an empty database. Views, triggers, indexes and virtual tables are left out: the
 * build reads tables alone.
 *
 * @throws ExportError naming the line of the first statement that is refused or fails
 */
export function loadDump(database: Database.Database, dump: string): void {
  // Rows come before the tables that they refer to; what dangles is told by the check of the rows.
  database.exec("PRAGMA foreign_keys = OFF; BEGIN");
  // Virtual tables are left out with their rows, as are rows of SQLite's own tables.
  const virtual = new Set<string>();
  for (const statement of statementsOf(dump)) {
    const verdict = verdictOn(statement);
    const start = statement.sql.slice(0, 60).replace(/\s+/g, " ");
    if (verdict === "refuse")
      throw new ExportError(
        `line ${statement.line}: "${start}" is not a statement of a plain dump. ` +
          "Only CREATE TABLE and INSERT … VALUES are run; write the dump anew with `sqlite3 FILE .dump`.",
      );
    const [, table = ""] = tableName.exec(statement.sql) ?? [];
    if (statement.words[1] === "VIRTUAL") virtual.add(table.toLowerCase());
    if (verdict === "skip") continue;
    if (
      statement.words[0] === "INSERT" &&
      (/^sqlite_/i.test(table) || virtual.has(table.toLowerCase()))
    )
      continue;
    try {
      database.exec(statement.sql);
    } catch (cause) {
      throw new ExportError(`line ${statement.line}: "${start}": ${(cause as Error).message}`);
    }
  }
  database.exec("COMMIT");
}
