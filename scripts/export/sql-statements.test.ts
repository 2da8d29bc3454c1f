/** Statements end where SQLite ends them, however the text arrives and whatever it contains. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyText } from "../../tests/support/exports.ts";
import { splitStatements } from "./sql-statements.ts";

/** Gives a text in pieces of a length, in characters. */
function inPieces(text: string, length = text.length): () => string {
  let at = 0;
  return () => text.slice(at, (at += length));
}

const split = (text: string, length?: number): string[] =>
  [...splitStatements(inPieces(text, length))].map(({ sql }) => sql);

const statements: readonly string[] = [
  "SELECT 1;",
  "INSERT INTO t VALUES('it''s; fine', ';');",
  'CREATE TABLE "a;""b" ([c;d], `e;``f`);',
  "SELECT 1 -- a comment; with a semicolon\n + 2;",
  "SELECT /* ; ' */ 1;",
  "CREATE TRIGGER t AFTER INSERT ON x BEGIN SELECT 1; SELECT 2; END;",
  "create temp trigger t after insert on x begin select 1; /* last */ end -- here\n ;",
  "CREATE TEMPORARY TRIGGER t BEFORE INSERT ON x BEGIN UPDATE x SET a = CASE WHEN 1 THEN 2 END; END;",
  "CREATE TABLE t (trigger, view, end);",
  "COMMIT;",
  "SELECT x'ab', 1.5e3, \u3042, $a;",
];

test.each([1, 2, 3, 7, 1000])(
  "splitStatements gives the same statements when it reads pieces of %d",
  (length) => {
    expect(split(statements.join("\n"), length)).toEqual(statements);
  },
);

test("splitStatements leaves out blanks, comments and empty statements between statements", () => {
  expect(split("\uFEFF-- first\n;; /* ; */\nSELECT 1;\n-- last")).toEqual(["SELECT 1;"]);
});

test("splitStatements gives the line of a statement's first token", () => {
  const text = "-- a\n\nSELECT\n1;/* b\n */ SELECT 2;\n\nSELECT '\n\n'; SELECT 3;";
  expect([...splitStatements(inPieces(text))].map(({ line }) => line)).toEqual([3, 5, 7, 9]);
});

test("splitStatements keeps the quotes of tokens, so that quoted names are no keywords", () => {
  const [statement] = splitStatements(inPieces(`a "SELECT" 'it''s' [b c] --x\n 1.5 \uFEFFd;`));
  expect(statement?.tokens).toEqual(["a", '"SELECT"', "'it''s'", "[b c]", "1", ".", "5", "d", ";"]);
});

describe("splitStatements", () => {
  test.each([
    ["within a string", "SELECT 1;\nSELECT 'a;"],
    ["within a doubled quote", "SELECT 1;\nSELECT 'a''"],
    ["within a name", 'SELECT 1;\nSELECT "a;'],
    ["within a comment", "SELECT 1;\n/* a;"],
    ["before the semicolon", "SELECT 1;\nSELECT 2"],
    ["within a trigger", "SELECT 1;\nCREATE TRIGGER t AFTER INSERT ON x BEGIN SELECT 1;"],
  ])("reports a text that is cut off %s with its line", (_, text) => {
    expect(() => split(text)).toThrow(/^line 2: the dump is cut off/);
  });
});

test("splitStatements reads a literal of a million quotes as one token", () => {
  const literal = `'${"''".repeat(1_000_000)}'`;
  const [statement] = splitStatements(inPieces(`SELECT ${literal};`, 1 << 20));
  expect(statement?.tokens[1]?.length).toBe(literal.length);
});

test("splitStatements splits a hundred thousand statements on one line", () => {
  expect(split("SELECT 'abcdefghij';".repeat(100_000))).toHaveLength(100_000);
});

test("splitStatements keeps any strings within their literals", () => {
  fc.assert(
    fc.property(
      fc.array(anyText, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 9 }),
      (strings, length) => {
        const sql = strings.map((text) => `SELECT '${text.replaceAll("'", "''")}';`);
        expect(split(sql.join(""), length)).toEqual(sql);
      },
    ),
  );
});
