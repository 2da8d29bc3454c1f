/** Problems as a person reads them. */
import { expect, test } from "vitest";
import { problemLines, preview, type Problem } from "./problems.ts";

const problem = (changes: Partial<Problem>): Problem => ({
  table: "tags",
  key: "1",
  column: "tag_name",
  value: '"a"',
  severity: "warning",
  rule: "r",
  message: "is bad",
  hint: "rename it",
  ...changes,
});

test("problemLines names severity, table, key, column, value, fault, rule and hint", () => {
  expect(problemLines([problem({})])).toEqual([
    'warning: tags 1: tag_name "a" is bad (rule r; rename it)',
  ]);
});

test("problemLines gives at most 20 lines of a rule, with the exact total", () => {
  const many = Array.from({ length: 25 }, (_, i) => problem({ key: String(i) }));
  const lines = problemLines([...many, problem({ severity: "error" })]);
  expect(lines).toHaveLength(22);
  expect(lines[20]).toBe("warning: tags: 5 more of r, 25 in all");
});

test("preview keeps control and bidirectional characters out of a problem's line", () => {
  const hostile = "\u0007\u001b[2J\u009b31m\u202e\u2066\u200f\u2028\n\u007f";
  const [line = ""] = problemLines([problem({ value: preview(hostile), key: preview(hostile) })]);
  expect(line).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028]/u);
  expect(line).toContain("\\u001b[2J\\u{9b}31m\\u{202e}");
});

test("preview shows values as JSON, shortened", () => {
  expect(preview('a"b')).toBe('"a\\"b"');
  expect(preview(null)).toBe("null");
  // Node 26 writes it; before, the stack overflows.
  expect(preview(JSON.parse("[".repeat(20_000) + "]".repeat(20_000)))).toMatch(/^\[*…$/);
  expect(preview(Buffer.alloc(3))).toBe("BLOB of 3 bytes");
  expect(preview("x".repeat(78))).toBe(`"${"x".repeat(78)}"`);
  expect(preview("x".repeat(79))).toBe(`"${"x".repeat(79)}…`);
  expect(preview("x".repeat(1e6))).toBe(`"${"x".repeat(79)}…`);
});
