/** Problems in the rows of an export, and how a person reads them. */
import { escapeControlChars } from "../lib/text.ts";

/** A rule that a value breaks: its code, what is wrong, and what to do. */
export interface Violation {
  readonly rule: string;
  readonly message: string;
  readonly hint: string;
}

/** An error would make a wrong or invalid document and stops the build; a row with a warning is published or left out, as the hint says. */
export type Severity = "error" | "warning";

/** A problem in one cell of the export. */
export interface Problem extends Violation {
  /** A canonical table, or one of the export that is counted into such. */
  readonly table: string;
  /** The row's key, for example `812`, or `812/5` for a pair; `345 rows` where it is about many. */
  readonly key: string;
  readonly column: string;
  /** The offending value as JSON, shortened. */
  readonly value: string;
  readonly severity: Severity;
}

const maxValueLength = 80;

/** A value as JSON. Lists in lists may be too deep for the stack: they are not shown. */
function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "…";
  }
}

/** A value of the export as JSON, shortened; a site that is pulled may also lack a field. */
export function preview(value: unknown): string {
  if (value === undefined) return "missing";
  if (typeof value === "bigint" || typeof value === "number") return String(value);
  if (value instanceof Uint8Array) return `BLOB of ${value.length} bytes`;
  // Each character of a text takes at least one character of JSON.
  const text = safeJson(typeof value === "string" ? value.slice(0, maxValueLength) : value);
  const isShort = typeof value !== "string" || value.length <= maxValueLength;
  return isShort && text.length <= maxValueLength ? text : `${text.slice(0, maxValueLength)}…`;
}

/** Problems of one rule and table that a person is shown in full. */
const maxPerRule = 20;

/**
 * One problem as a line.
 *
 * @param isSaid whether a line before it has the text of its rule
 */
function problemLine(problem: Problem, isSaid: boolean): string {
  const { table, key, column, value, message, hint, severity, rule } = problem;
  const text = isSaid ? ` (rule ${rule})` : ` ${message} (rule ${rule}; ${hint})`;
  return escapeControlChars(
    `${severity}: ${table} ${key}: ${column}${value && ` ${value}`}${text}`,
  );
}

/** The problems as lines for a person: at most 20 of each rule, with exact totals. The text of a rule is there once. */
export function problemLines(problems: readonly Problem[]): string[] {
  const groups = Map.groupBy(
    problems,
    ({ severity, table, rule }) => `${severity} ${table} ${rule}`,
  );
  return [...groups.values()].flatMap((group) => {
    const texts = group.map(({ message, hint }) => `${message} ${hint}`);
    const lines = group
      .slice(0, maxPerRule)
      .map((problem, i) => problemLine(problem, texts.indexOf(texts[i]!) < i));
    const [first] = group;
    if (first !== undefined && group.length > maxPerRule)
      lines.push(
        `${first.severity}: ${first.table}: ${group.length - maxPerRule} more of ${first.rule}, ${group.length} in all`,
      );
    return lines;
  });
}
