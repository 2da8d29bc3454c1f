/** Recognises files that are no export of SQLite, by how they begin, and dumps that another database wrote. */
import { ExportError } from "./errors.ts";

/** How the dump of another program begins, or a comment or a statement in it. In MySQL, a comment with an exclamation mark is run. */
const signs: readonly (readonly [RegExp, string])[] = [
  [/^(?:\/\*M!|-- MariaDB dump|-- MySQL dump.*MariaDB)/, "MariaDB"],
  [/^-- (?:MySQL dump|phpMyAdmin SQL Dump|Adminer \S+ MySQL)/, "MySQL"],
  [
    /^(?:\/\*!|SET (?:@|(?:NAMES|SQL_MODE|FOREIGN_KEY_CHECKS|TIME_ZONE|AUTOCOMMIT)\b))/i,
    "MySQL or MariaDB",
  ],
  [/^(?:(?:UN)?LOCK TABLES\b|INSERT IGNORE\b|USE [`\w]+;)/i, "MySQL or MariaDB"],
  [/^CREATE TABLE\b[^]*\)\s*ENGINE\s*=/i, "MySQL or MariaDB"],
  [/^(?:PGDMP|-- PostgreSQL database|\\\w|COPY \S+ .*FROM stdin|SET \w+ (?:=|TO) )/i, "PostgreSQL"],
  [
    /^(?:SELECT pg_catalog\b|(?:CREATE TABLE|INSERT INTO|ALTER TABLE ONLY) public\s*\.)/i,
    "PostgreSQL",
  ],
];

const findWriter = (text: string): string | undefined =>
  signs.find(([sign]) => sign.test(text))?.[1];

/**
 * @throws ExportError where a comment or a statement begins as in the dump of another database
 */
export function assertOwnDump(text: string): void {
  const writer = findWriter(text);
  if (writer !== undefined) throw foreign(writer);
}

/**
 * @throws ExportError where an INSERT has texts as only MySQL writes them: SQLite reads its \n as two characters
 */
export function assertOwnRows(tokens: readonly string[]): void {
  const isMySql =
    tokens[2]?.startsWith("`") && tokens.some((token) => /^'[^]*\\[0nrZ"'\\]/.test(token));
  if (isMySql) throw foreign("MySQL or MariaDB");
}

/** A kind of file that is no export, and what to do with it. */
export interface FileKind {
  /** Completes "this seems to be …". */
  readonly kind: string;
  readonly remedy: string;
}

const withRecipe = (writer: string): string =>
  `Only dumps of SQLite are read: others write texts in another way. docs/your-data.md has a recipe for ${writer}: a few lines print the posts as JSON Lines, and npm run pull -- --jsonl FILE reads them.`;
const unpackFirst = "Unpack it, and give what is in it.";

/** Kinds of files by their first bytes, read as Latin-1. */
const kinds: readonly (readonly [sign: string | RegExp, kind: string, remedy: string])[] = [
  ["SQLite format 3\0", "a SQLite database", "Build from it: npm run build -- --export FILE."],
  [
    "\x1f\x8b",
    "a file that is compressed by gzip",
    "Unpack a dump with gunzip. JSON Lines and CSV are read as they are, by npm run pull -- --jsonl FILE or --csv FILE.",
  ],
  [
    /^PK[^]*(?:\[Content_Types\]|xl\/|docProps|opendocument\.spreadsheet|Index\/Document\.iwa)/,
    "a spreadsheet",
    "Save it as CSV UTF-8, and read that: npm run pull -- --csv FILE.",
  ],
  ["PK\x03\x04", "a zip archive", `${unpackFirst} Save a spreadsheet (.xlsx) as CSV UTF-8.`],
  [/^(?:BZh|\xfd7zXZ|\x28\xb5\x2f\xfd|7z\xbc\xaf)/, "a compressed file", unpackFirst],
  [/^(?:\xff\xfe|\xfe\xff)/, "text in UTF-16", "Write it as UTF-8."],
  [
    /^\s*\[/,
    "a JSON array",
    "Write a post a line: jq -c '.[]' FILE > posts.jsonl, or the recipe of docs/your-data.md; then npm run pull -- --jsonl posts.jsonl.",
  ],
  [
    /^\s*\{[^\S\n]*(?:"[^"\n]*"\s*:\s*[[{]?[^\S\n]*)?\n/,
    "a JSON document of several lines",
    "Write a post a line, as the recipe of docs/your-data.md does; then npm run pull -- --jsonl posts.jsonl.",
  ],
  [/^\s*\{/, "JSON Lines", "Read it: npm run pull -- --jsonl FILE. Then build."],
  [
    /^\s*<\?xml[^]*(?:WordPress eXtended RSS|xmlns:wp=)/,
    "WordPress' own export",
    "Read the site itself: npm run pull -- --wordpress URL. The file has texts as they are stored, also what guests are not shown.",
  ],
  [/^\s*</, "a page of HTML or XML", "Was it downloaded from the right address?"],
];

const sqlBeginning =
  /^\s*(?:--|\/\*|(?:create|insert|pragma|begin|savepoint|drop|alter|set|use|copy|select|analyze|update|delete|with)\b)/i;
/** A header of a table: two or more names, with nothing else in the line. */
const csvBeginning = /^\s*"?[\w \x80-\xff-]+"?(?:[,;\t]"?[\w \x80-\xff-]*"?)+\s*?(?:\r?\n|\r|$)/;

/**
 * What a file seems to be; undefined for what may be a dump of SQLite, and for what is not known.
 *
 * @param head its beginning
 */
export function fileKind(head: Uint8Array): FileKind | undefined {
  const text = Buffer.from(head)
    .toString("latin1")
    .replace(/^\xef\xbb\xbf/, "");
  const found = kinds.find(([sign]) =>
    typeof sign === "string" ? text.startsWith(sign) : sign.test(text),
  );
  if (found !== undefined) return { kind: found[1], remedy: found[2] };
  const writer = findWriter(text.replace(/^(?:\s|--\s*\n)+/, ""));
  if (writer !== undefined) return { kind: `a dump of ${writer}`, remedy: withRecipe(writer) };
  return !sqlBeginning.test(text) && csvBeginning.test(text)
    ? { kind: "CSV", remedy: "Read it: npm run pull -- --csv FILE. Then build." }
    : undefined;
}

/**
 * @throws ExportError where a file is of another kind
 */
export function assertOwnKind(head: Uint8Array): void {
  const found = fileKind(head);
  if (found !== undefined) throw new ExportError(`this seems to be ${found.kind}. ${found.remedy}`);
}

const foreign = (writer: string): ExportError =>
  new ExportError(`this seems to be a dump of ${writer}. ${withRecipe(writer)}`);
