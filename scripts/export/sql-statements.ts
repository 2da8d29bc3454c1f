/** SQL text → statements with their tokens, split where SQLite's shell splits them. Runs nothing. */
import { ExportError } from "./errors.ts";
import { assertOwnDump } from "./foreign-dump.ts";

/** A statement, from its first token to its semicolon. */
export interface Statement {
  readonly sql: string;
  /** Line of its first token, from 1. */
  readonly line: number;
  /** Words, numbers, literals and quoted names with their quotes, and single characters; no white space, no comments. */
  readonly tokens: readonly string[];
}

const closingQuotes: Readonly<Record<string, string>> = { "'": "'", '"': '"', "`": "`", "[": "]" };

// SQLite's white space, and identifier characters; any other character is a token of its own. A byte order
// mark counts as white space where a token begins.
const simpleToken = /[ \t\n\r\f\ufeff]+|[\w$\x80-\uffff]+|[^]/y;

/** Where the token at an offset ends, or undefined where the text ends within it. */
function tokenEnd(text: string, at: number): number | undefined {
  if (text.startsWith("--", at)) {
    const newline = text.indexOf("\n", at);
    return newline === -1 ? text.length : newline;
  }
  if (text.startsWith("/*", at)) {
    const closing = text.indexOf("*/", at + 2);
    return closing === -1 ? undefined : closing + 2;
  }
  const quote = closingQuotes[text.charAt(at)];
  if (quote === undefined) {
    simpleToken.lastIndex = at;
    return simpleToken.test(text) ? simpleToken.lastIndex : text.length;
  }
  for (let end = at + 1; ; end += 2) {
    end = text.indexOf(quote, end);
    if (end === -1) return undefined;
    // A doubled quote stands for itself; "]" cannot be doubled.
    if (quote === "]" || text[end + 1] !== quote) return end + 1;
  }
}

const isBlank = (token: string): boolean => /^(?:[ \t\n\r\f\ufeff]|--|\/\*)/.test(token);

/**
 * Whether a semicolon ends a statement. Only a trigger has semicolons within: it ends with a
 * semicolon, END and a semicolon. The rule is that of sqlite3_complete (SQLite, src/complete.c).
 */
function isComplete(tokens: readonly string[]): boolean {
  let kind = 1;
  while (/^temp(?:orary)?$/i.test(tokens[kind] ?? "")) kind++;
  if (!/^create$/i.test(tokens[0] ?? "") || !/^trigger$/i.test(tokens[kind] ?? "")) return true;
  return /^end$/i.test(tokens.at(-2) ?? "") && tokens.at(-3) === ";";
}

const minRead = 1 << 20;
const maxRead = 1 << 26;

/**
 * Splits SQL text of any length; only one statement at a time must fit into memory.
 *
 * @param read gives the next characters, about as many as asked for, and "" at the end
 * @throws ExportError when the text ends within a statement, a statement is too long for a string, or a comment
 *   before one shows that another database wrote the text
 */
export function* splitStatements(read: (length: number) => string): Generator<Statement> {
  let text = "";
  let start = 0; // of the statement, or of the blanks before it
  let at = 0;
  let line = 1;
  let tokens: string[] = [];
  let atEnd = false;
  for (;;) {
    const end = tokenEnd(text, at);
    if (!atEnd && (end === undefined || end === text.length)) {
      // The token may go on. Long steps keep the repeated search for its end short.
      const more = read(Math.min(Math.max(minRead, text.length - start), maxRead));
      atEnd = more === "";
      text = appendText(text.slice(start), more, line);
      at -= start;
      start = 0;
      continue;
    }
    if (end === undefined || (at === text.length && tokens.length > 0))
      throw new ExportError(
        `line ${line}: the dump is cut off within the statement that begins here. Write it again.`,
      );
    if (at === text.length) return;
    const token = text.slice(at, end);
    at = end;
    if (!isBlank(token)) tokens.push(token);
    else if (tokens.length === 0) atLine(line, () => assertOwnDump(token));
    const complete = token === ";" && isComplete(tokens);
    if (complete && tokens.length > 1) yield { sql: text.slice(start, at), line, tokens };
    if (complete || tokens.length === 0) {
      line += text.slice(start, at).split("\n").length - 1;
      start = at;
      tokens = [];
    }
  }
}

/** Runs a step; an error of the export gets the line. */
export function atLine(line: number, step: () => void): void {
  try {
    step();
  } catch (cause) {
    throw cause instanceof ExportError ? new ExportError(`line ${line}: ${cause.message}`) : cause;
  }
}

function appendText(text: string, more: string, line: number): string {
  try {
    return text + more;
  } catch {
    throw new ExportError(
      `line ${line}: the statement that begins here is longer than 512 Mi characters. Give the database file itself.`,
    );
  }
}
