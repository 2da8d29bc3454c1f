/** The columns of a CSV file, and a row of it by the names of the API. */
import { parse } from "csv-parse/sync";
import { Failure } from "../cli/command.ts";
import { canonicalTables, type ColumnRule } from "../export/canonical-schema.ts";
import { letters } from "../../functions/mcp/suggest-similar.ts";
import { suggestSimilar } from "../lib/text.ts";
import { bodyText, fieldOf, shownNames, type Fields } from "./records.ts";
import type { PullTools } from "./source.ts";

/** What a file has in its rows. */
export type Kind = "posts" | "comments";

const rulesOf = (kind: Kind): [field: string, rule: ColumnRule][] =>
  Object.entries<ColumnRule>(canonicalTables[kind]).map(([column, rule]) => [
    fieldOf(column),
    rule,
  ]);

const fieldsOf = (kind: Kind): string[] => [
  ...rulesOf(kind).map(([field]) => field),
  ...(kind === "posts" ? ["tags", "postUrl", bodyText] : []),
];

const flags: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
]);

/** A whole number, also as programs write one of a column with gaps: 3.0. */
const wholeNumber = /^\s*-?\d+(?:\.0)?\s*$/;

/** A cell as JSON would have it; undefined for an empty one, except where an empty text can be meant. */
function readCell(cell: string, { type, ifMissing }: ColumnRule): unknown {
  if (cell.trim() === "" && (type !== "text" || ifMissing !== undefined)) return undefined;
  if (type === "text" || type === "date" || type === "url") return cell;
  return wholeNumber.test(cell) ? Number(cell) : (flags.get(cell.trim().toLowerCase()) ?? cell);
}

/** What a row cannot go without; text may be there instead of HTML. */
export const requiredFields = (kind: Kind): string[] =>
  rulesOf(kind)
    .filter(([, { ifMissing }]) => ifMissing === undefined)
    .map(([field]) => field);

/** What is in each column of a file; undefined for what is not read. */
export type Header = readonly (string | undefined)[];

/**
 * Reads a header.
 *
 * @throws Failure where a column is missing, or there twice
 */
export function readHeader(
  names: readonly string[],
  kind: Kind,
  name: string,
  say: PullTools["say"],
) {
  const byLetters = new Map(fieldsOf(kind).map((field) => [letters(field), field]));
  const header: Header = names.map((one) => byLetters.get(letters(one)));
  // Without a header, they would be values.
  const found = header.some((field) => field !== undefined)
    ? `The header found: ${shownNames(names)}.`
    : "No name in its first row is known. Is the header missing?";
  const twice = header.find((field, i) => field !== undefined && header.indexOf(field) !== i);
  if (twice !== undefined) throw new Failure(`${name} has two columns for ${twice}. ${found}`);
  const lacking = requiredFields(kind)
    .filter((field) => !header.includes(field))
    .filter((field) => field !== "postContentHtml" || !header.includes(bodyText));
  if (lacking.length > 0)
    throw new Failure(
      `${name} has no column ${lacking.join(", ")}. ${kind === "posts" ? "A post needs an id, a title, a body (post_content_html or post_content_text) and a date." : "A comment needs an id, the id of its post, a date, an author and a content."} ${found}`,
    );
  const unread = names.filter((one, i) => header[i] === undefined && one.trim() !== "");
  const others = unread.filter((one) => {
    const meant = suggestSimilar(one, fieldsOf(kind));
    if (meant === undefined || header.includes(meant)) return true;
    say(`${name}: ${shownNames([one])} is not read. Is ${meant} meant?`);
    return false;
  });
  if (others.length > 0) say(`${name}: not read: ${shownNames(others)}`);
  return header;
}

/** A row by the names of the API. */
export function readRecord(cells: readonly string[], header: Header, kind: Kind): Fields {
  const cellOf = new Map(header.map((field, i) => [field, cells[i] ?? ""]));
  const record: Record<string, unknown> = {};
  for (const [field, rule] of rulesOf(kind)) {
    const cell = cellOf.get(field);
    if (cell !== undefined) record[field] = readCell(cell, rule);
  }
  if (kind === "comments") return record;
  record[bodyText] = cellOf.get(bodyText);
  record["postUrl"] = cellOf.get("postUrl");
  record["tags"] = parseTags(cellOf.get("tags")?.trim() ?? "");
  return record;
}

/** Lists in another form than JSON, as databases and programs print them: {a,b}, ['a', 'b'], [a, b]; [a] and [a],[b] are names. */
const isOtherList = (cell: string): boolean =>
  /^(?:\{.*\}|\[\s*['"].*\])$/s.test(cell) || (/^\[[^[\]]*\]$/.test(cell) && cell.includes(","));

/**
 * The list in a cell, where it is one: the items of a JSON array, without the null of a join that found none; the cell
 * itself, which is refused, where it has another form.
 */
export function parseList(cell: string): unknown {
  if (!/^[[{]/.test(cell)) return undefined;
  try {
    const value: unknown = JSON.parse(cell);
    if (Array.isArray(value)) return value.filter((one) => one !== null);
  } catch {
    // A name in brackets, or a list in another form.
  }
  return isOtherList(cell) ? cell : undefined;
}

/** Names with commas between. One with a comma in it may be in quotation marks, as Airtable writes it. */
function splitNames(cell: string): string[] {
  if (/(?:^|,)\s*"(?:[^",]|"")+,/.test(cell))
    try {
      const [names = [], ...others] = parse(cell, { trim: true, relax_quotes: true });
      if (others.length === 0) return names;
    } catch {
      // The marks are those of a name.
    }
  return cell.split(",");
}

/** The tags in a cell: names, or a list. */
function parseTags(cell: string): unknown {
  const list = parseList(cell);
  if (list !== undefined) return list;
  const names = cell.includes("|") ? cell.split("|") : splitNames(cell);
  return names.map((tag) => tag.trim()).filter((tag) => tag !== "");
}
