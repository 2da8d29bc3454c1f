/**
 * Recognises dumps that another database wrote, by what is in them. Some are valid SQL for SQLite, too, but mean
 * something else: MySQL writes a line break in a text as \n, which SQLite reads as two characters.
 */
import { ExportError } from "./errors.ts";

/** How dumps, and the comments in them, begin. In MySQL, a comment with an exclamation mark is run. */
const beginnings: readonly (readonly [RegExp, string])[] = [
  [/^(?:\/\*M!|-- MariaDB dump|-- MySQL dump.*MariaDB)/, "MariaDB"],
  [/^(?:-- MySQL dump|-- phpMyAdmin SQL Dump|-- Adminer \S+ MySQL)/, "MySQL"],
  [/^\/\*!/, "MySQL or MariaDB"],
  [/^(?:PGDMP|-- PostgreSQL database)/, "PostgreSQL"],
];

/** How statements begin, as upper-case tokens with a space between. */
const statements: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:SET @|(?:(?:UN)?LOCK TABLES|USE|INSERT IGNORE|SET (?:NAMES|SQL_MODE|FOREIGN_KEY_CHECKS|TIME_ZONE|AUTOCOMMIT))\b)/,
    "MySQL or MariaDB",
  ],
  [
    /^(?:\\|(?:COPY|GRANT|COMMENT ON|SELECT PG_CATALOG|ALTER TABLE ONLY|(?:CREATE TABLE|INSERT INTO) PUBLIC(?= \.)|CREATE (?:SEQUENCE|SCHEMA|EXTENSION|TYPE|FUNCTION)|SET (?:\w+_TIMEOUT|CLIENT_ENCODING|STANDARD_CONFORMING_STRINGS|SEARCH_PATH))\b)/,
    "PostgreSQL",
  ],
];

const writerIn = (signs: typeof statements, text: string): string | undefined =>
  signs.find(([sign]) => sign.test(text))?.[1];

/** @throws ExportError where a file, or a comment in it, begins as in the dump of another database */
export function assertOwnBeginning(text: string): void {
  const writer = writerIn(beginnings, text.replace(/^(?:\s|--\s*\n)+/, ""));
  if (writer !== undefined) throw foreign(writer);
}

/** Whether a statement creates a table as only MySQL does: a column may have the name of an option. */
function createsAsMySql(tokens: readonly string[]): boolean {
  const options = tokens.slice(tokens.lastIndexOf(")") + 1).join(" ");
  const isNumbering = (token: string, i: number): boolean =>
    /^AUTO_INCREMENT$/i.test(token) && /^[\w)]+$/.test(tokens[i - 1] ?? "");
  return (
    /^CREATE TABLE$/i.test(tokens.slice(0, 2).join(" ")) &&
    (/\bENGINE =/i.test(options) || tokens.some(isNumbering))
  );
}

/** @throws ExportError where only another database writes such a statement */
export function assertOwnStatement(tokens: readonly string[]): void {
  const writer = writerIn(statements, tokens.slice(0, 4).join(" ").toUpperCase());
  if (writer !== undefined) throw foreign(writer);
  if (createsAsMySql(tokens)) throw foreign("MySQL or MariaDB");
}

/** @throws ExportError where an INSERT has texts as only MySQL writes them */
export function assertOwnRows(tokens: readonly string[]): void {
  const isMySql =
    tokens[2]?.startsWith("`") && tokens.some((token) => /^'[^]*\\[0nrZ"'\\]/.test(token));
  if (isMySql) throw foreign("MySQL or MariaDB");
}

const foreign = (writer: string): ExportError =>
  new ExportError(
    `this seems to be a dump of ${writer}. Only dumps of SQLite are read: others write texts in another way. ` +
      "Write the rows to a SQLite database with the tables of data/schema.sql, and give that.",
  );
