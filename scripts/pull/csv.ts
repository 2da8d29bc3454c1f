/** CSV as a source: a post a row, as spreadsheets and databases write it; the header names the columns. */
import { CsvError, parse, type Options } from "csv-parse";
import { Failure, UsageError } from "../cli/command.ts";
import { canonicalTables, type ColumnRule } from "../export/canonical-schema.ts";
import { printable } from "../export/problems.ts";
import { collectInLoop } from "../lib/collect-garbage.ts";
import { counted, formatted } from "../lib/format-number.ts";
import type { CanonicalFile, Place } from "./canonical-file.ts";
import { assertKind, InputReader, through, type Input } from "./input.ts";
import { LineBreaks } from "./line-breaks.ts";
import { fieldOf, letters, nearest, RecordRows, shownNames, type Fields } from "./records.ts";
import type { PullTools, Source } from "./source.ts";

/** Characters of a row at most. */
const mostCharacters = 64_000_000;
/** What databases write, without quotes, where there is no value. */
const nullCells = new Set(["NULL", String.raw`\N`]);

/** What spreadsheets write where a formula fails, in place of a text. */
const failed =
  /^\s*(?:#(?:NAME\?|N\/A|(?:REF|VALUE|DIV\/0|NUM|NULL|SPILL|CALC|FIELD|ERROR)!)|Err:\d{3})\s*$/;

/** Files of a pull. */
interface CsvFiles {
  readonly posts: string;
  readonly comments: string | undefined;
  /** The charset of both, by a name of the Encoding Standard. */
  readonly encoding: string;
}

type Kind = "posts" | "comments";

/** Text instead of HTML. */
const bodyText = "postContentText";

const rulesOf = (kind: Kind): [field: string, rule: ColumnRule][] =>
  Object.entries<ColumnRule>(canonicalTables[kind]).map(([column, rule]) => [
    fieldOf(column),
    rule,
  ]);

const fieldsOf = (kind: Kind): string[] => [
  ...rulesOf(kind).map(([field]) => field),
  ...(kind === "posts" ? ["tags", "postUrl", bodyText] : []),
];

/** Text as HTML: a paragraph for what blank lines separate. */
const paragraphs = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    // Spaces before a first line break are left to trim: to look for them here takes quadratic time.
    .split(/\n(?:[^\S\n]*\n)+/)
    .filter((part) => part.trim() !== "")
    .map((part) => `<p>${part.trim().replace(/\r?\n/g, "<br>")}</p>`)
    .join("");

const flags: Readonly<Record<string, boolean>> = { true: true, false: false };

/** A cell as JSON would have it; undefined for an empty one, except where an empty text can be meant. */
function valueOf(cell: string, { type, ifMissing }: ColumnRule): unknown {
  if (cell.trim() === "" && (type !== "text" || ifMissing !== undefined)) return undefined;
  if (type === "text" || type === "date" || type === "url") return cell;
  return /^\s*-?\d+\s*$/.test(cell) ? Number(cell) : (flags[cell.trim().toLowerCase()] ?? cell);
}

/** What a row cannot go without; text may be there instead of HTML. */
const requiredOf = (kind: Kind): string[] =>
  rulesOf(kind)
    .filter(([, { ifMissing }]) => ifMissing === undefined)
    .map(([field]) => field);

/** What is in each column of a file; undefined for what is not read. */
type Header = readonly (string | undefined)[];

/** Reads a header. @throws Failure where a column is missing, or there twice */
function headerFrom(names: readonly string[], kind: Kind, name: string, say: PullTools["say"]) {
  const byLetters = new Map(fieldsOf(kind).map((field) => [letters(field), field]));
  const header: Header = names.map((one) => byLetters.get(letters(one)));
  // Without a header, they would be values.
  const found = header.some((field) => field !== undefined)
    ? `The header found: ${shownNames(names)}.`
    : "No name in its first row is known. Is the header missing?";
  const twice = header.find((field, i) => field !== undefined && header.indexOf(field) !== i);
  if (twice !== undefined) throw new Failure(`${name} has two columns for ${twice}. ${found}`);
  const lacking = requiredOf(kind)
    .filter((field) => !header.includes(field))
    .filter((field) => field !== "postContentHtml" || !header.includes(bodyText));
  if (lacking.length > 0)
    throw new Failure(
      `${name} has no column ${lacking.join(", ")}. ${kind === "posts" ? "A post needs an id, a title, a body (post_content_html or post_content_text) and a date." : "A comment needs an id, the id of its post, a date, an author and a content."} ${found}`,
    );
  const unread = names.filter((one, i) => header[i] === undefined && one.trim() !== "");
  const others = unread.filter((one) => {
    const meant = nearest(one, fieldsOf(kind));
    if (meant === undefined || header.includes(meant)) return true;
    say(`${name}: ${shownNames([one])} is not read. Is ${meant} meant?`);
    return false;
  });
  if (others.length > 0) say(`${name}: not read: ${shownNames(others)}`);
  return header;
}

/** A row by the names of the API. */
function recordFrom(cells: readonly string[], header: Header, kind: Kind): Fields {
  const cellOf = new Map(header.map((field, i) => [field, cells[i] ?? ""]));
  const record: Record<string, unknown> = {};
  for (const [field, rule] of rulesOf(kind)) {
    const cell = cellOf.get(field);
    if (cell !== undefined) record[field] = valueOf(cell, rule);
  }
  const text = cellOf.get(bodyText);
  if (text !== undefined && !cellOf.get("postContentHtml")?.trim())
    record["postContentHtml"] = paragraphs(text);
  if (kind === "comments") return record;
  record["postUrl"] = cellOf.get("postUrl");
  record["tags"] = tagsFrom(cellOf.get("tags")?.trim() ?? "");
  return record;
}

/** Whether a spreadsheet wrote an error in place of a text. */
const hasFailed = (cell: string, field: string): boolean =>
  field === "tags" ? cell.split(/[|,]/).some((tag) => failed.test(tag)) : failed.test(cell);

/** Notes what separates the tags of a cell. */
function noteSeparator(tags: string, line: number, signs: Signs): void {
  if (listIn(tags.trim()) !== undefined) return;
  // No name ends with it, or has a line break.
  if (/;$|\n/.test(tags.trim()) && !tags.includes("|")) signs.surely ??= line;
  if (tags.includes("|")) signs.bars ??= line;
  else if (tags.includes(",")) signs.commas ??= line;
  else if (/[;；、，\n]/.test(tags)) signs.others ??= line;
}

/** Lists in another form than JSON, as databases and programs print them: {a,b}, ['a', 'b'], [a, b]; [a] and [a],[b] are names. */
const isOtherList = (cell: string): boolean =>
  /^(?:\{.*\}|\[\s*['"].*\])$/s.test(cell) || (/^\[[^[\]]*\]$/.test(cell) && cell.includes(","));

/**
 * The list in a cell, where it is one: the items of a JSON array, without the null of a join that found none; the cell
 * itself, which is refused, where it has another form.
 */
function listIn(cell: string): unknown {
  if (!/^[[{]/.test(cell)) return undefined;
  try {
    const value: unknown = JSON.parse(cell);
    if (Array.isArray(value)) return value.filter((one) => one !== null);
  } catch {
    // A name in brackets, or a list in another form.
  }
  return isOtherList(cell) ? cell : undefined;
}

/** The tags in a cell: names, or a list. */
function tagsFrom(cell: string): unknown {
  const list = listIn(cell);
  if (list !== undefined) return list;
  const names = cell.split(cell.includes("|") ? "|" : ",").map((tag) => tag.trim());
  return names.filter((tag) => tag !== "");
}

/** Looks whether a file is text in UTF-8. With other letters than those of ASCII, text of another charset never is. */
class Utf8Check {
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  #isValid = true;
  #hasOthers = false;

  /** @param chunk that follows; undefined at the end */
  add(chunk?: Uint8Array): void {
    if (!this.#isValid) return;
    try {
      const { length } = this.#decoder.decode(chunk, { stream: chunk !== undefined });
      if (chunk !== undefined && length < chunk.length) this.#hasOthers = true;
    } catch {
      this.#isValid = false;
    }
  }

  /** Whether it is, with such letters. */
  get isCertain(): boolean {
    return this.#isValid && this.#hasOthers;
  }
}

/** The text of a file. @throws Failure where it is not of the encoding */
async function* textOf({ name, bytes }: Input, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  // A charset of one byte a letter takes any bytes.
  const utf8 = decoder.encoding === "utf-8" ? undefined : new Utf8Check();
  let lines = 1;
  let last: Uint8Array = new Uint8Array();
  try {
    for await (const chunk of bytes) {
      last = chunk;
      utf8?.add(chunk);
      yield decoder.decode(chunk, { stream: true });
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++;
    }
    yield decoder.decode();
    utf8?.add();
    if (utf8?.isCertain)
      throw new Failure(`${name} is UTF-8, not ${encoding}: pull it without --encoding.`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_ENCODING_INVALID_ENCODED_DATA") throw error;
    throw new Failure(
      `${name} is not ${encoding} (at line ${formatted(lines)} or after it). ${isShiftJis(last) ? "It seems to be Shift_JIS: add --encoding shift_jis." : "Save it as CSV UTF-8, or name its charset with --encoding."}`,
    );
  }
}

function isShiftJis(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("shift_jis", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** What separates cells: what is most often in the first line. */
const delimiterOf = (line: string): string =>
  [",", ";", "\t"].reduce((best, one) =>
    line.split(one).length > line.split(best).length ? one : best,
  );

/** What a file shows of the program that wrote it. */
class Signs {
  /** Whether a cell is in quotes. */
  isQuoted = false;
  /** Whether a cell without quotes says that there is no value. */
  hasNulls = false;
  /** Cells without quotes, between tabs, with what `mysql --batch` and PostgreSQL's text format write for a line break, a tab, a backslash. */
  escaped = 0;
  readonly lineBreaks = new LineBreaks();
  /** Line breaks within quotes. */
  breaks = 0;
  /** Those that follow a backslash, as MySQL's INTO OUTFILE writes each of them. */
  escapedBreaks = 0;
  /** The line of the first cell of tags that bars separate. */
  bars: number | undefined;
  /** The line of the first one that commas do. */
  commas: number | undefined;
  /** The line of the first one with what may be meant to, but belongs to a name. */
  others: number | undefined;
  /** The line of the first one with what is meant to. */
  surely: number | undefined;
}

/** For who has a database's own format. */
const remedy =
  "Print JSON Lines, with a recipe of docs/your-data.md, or CSV with quotes, each of them twice within a cell.";

/** Says what may be meant in another way than it was read. @throws Failure where a database's own format was read */
function sayOf(signs: Signs, name: string, say: PullTools["say"]): void {
  const { isQuoted, hasNulls, escaped, breaks, escapedBreaks, bars, commas } = signs;
  if (escapedBreaks > 0 && escapedBreaks === breaks)
    throw new Failure(
      `${name}: each line break in a cell follows a backslash, as MySQL's INTO OUTFILE writes them. ${remedy}`,
    );
  if (bars !== undefined && commas !== undefined)
    say(
      `warning: ${name}: tags are separated by | in line ${formatted(bars)}, and by commas in line ${formatted(commas)}. Where commas belong to names, write | after each name, or a JSON array.`,
    );
  const isDivided = bars !== undefined || commas !== undefined;
  const others = signs.surely ?? (isDivided ? undefined : signs.others);
  if (others !== undefined)
    say(
      `warning: ${name}: a tag has ;, 、 or a line break in its name (line ${formatted(others)}). Where they are several tags, write | between them.`,
    );
  const warning = signs.lineBreaks.warning(name);
  if (escaped === 0 && warning !== undefined) say(warning);
  if (escaped === 0) return;
  const found = `${name}: ${counted(escaped, "cells")} with \\n, \\t or \\\\, as mysql --batch and PostgreSQL's text format write line breaks, tabs and backslashes.`;
  if (hasNulls && !isQuoted) throw new Failure(`${found} ${remedy}`);
  say(`warning: ${found} They are taken as they stand.`);
}

/** A row with its place. */
interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Reads the rows of a file that are not blank, the header first. @throws Failure, without anything of a row */
async function* rowsOf(input: Input, encoding: string, signs: Signs): AsyncGenerator<Row> {
  const [first = ""] = new TextDecoder(encoding).decode(input.head).split(/\r?\n|\r/);
  /** Of the next row. */
  let line = 1;
  // The parser counts a line break of two characters twice where it is within quotes.
  let countedTwice = 0;
  const delimiter = delimiterOf(first.replace(/"[^"]*"/g, ""));
  const options: Options<Row, string[]> = {
    delimiter,
    bom: true,
    relax_column_count: true,
    // Without this, the first line break is taken for all, and of others a part goes into the last cell.
    record_delimiter: ["\r\n", "\n", "\r"],
    max_record_size: mostCharacters,
    cast(cell, { quoting }) {
      const isNull = !quoting && nullCells.has(cell);
      signs.isQuoted ||= quoting;
      signs.hasNulls ||= isNull;
      if (quoting && cell.includes("\n")) {
        signs.breaks += cell.split("\n").length - 1;
        signs.escapedBreaks += cell.match(/(?<=(?<!\\)(?:\\\\)*\\\r?)\n/g)?.length ?? 0;
      }
      if (!quoting && !isNull && delimiter === "\t" && /\\[ntr\\]/.test(cell)) signs.escaped++;
      return isNull ? "" : cell;
    },
    // Called as each row is read, so that an error knows its row; rows that are right may still wait then.
    on_record(cells: string[], { lines }): Row | null {
      const row = { line, cells };
      for (const cell of cells) countedTwice += cell.split("\r\n").length - 1;
      line = lines + 1 - countedTwice;
      // Spreadsheets write separators for rows that were used once. The parser could skip them, but not count their lines.
      return cells.some((cell) => cell.trim() !== "") ? row : null;
    },
  };
  try {
    // Its types know such records only of named columns.
    yield* through<Row>(textOf(input, encoding), parse(options as unknown as Options));
  } catch (error) {
    // Separators do not count as characters: a row of millions of them makes too long a list.
    const tooLong = "CSV_MAX_RECORD_SIZE";
    const isList = error instanceof RangeError;
    const code = isList ? tooLong : error instanceof CsvError ? error.code : undefined;
    if (code === undefined) throw error;
    throw new Failure(
      code === tooLong
        ? `${input.name} line ${formatted(line)}: the row is longer than ${formatted(mostCharacters)} characters. Is a quote missing?`
        : `${input.name} line ${formatted(line)}: a quote is not closed, or is in the middle of a cell. Write a cell with quotes in it as "…", each of them twice (MySQL's INTO OUTFILE writes \\" instead).`,
    );
  }
}

/** Reads a file. @param add takes each record; gives whether to read on */
async function readRecords(
  input: Input,
  kind: Kind,
  { encoding, say }: { readonly encoding: string; readonly say: PullTools["say"] },
  add: (record: Fields, place: Place) => boolean,
): Promise<void> {
  const required = new Set<string | undefined>([...requiredOf(kind), bodyText]);
  let header: Header | undefined;
  let count = 0;
  const signs = new Signs();
  const utf16 = { fffe: "utf-16le", feff: "utf-16be" }[input.head.toString("hex", 0, 2)];
  if (utf16 === undefined) assertKind(input, ["CSV"]);
  for await (const { line, cells } of rowsOf(input, utf16 ?? encoding, signs)) {
    const key = `line ${formatted(line)}`;
    if (cells.some((cell) => cell.includes("\0")))
      throw new Failure(
        `${input.name} ${key}: there is a NUL character, as in a damaged file or one of another charset. Save it as CSV UTF-8 again.`,
      );
    if (header === undefined) {
      header = headerFrom(cells, kind, input.name, say);
      continue;
    }
    // Spreadsheets leave out empty cells at the end of rows.
    const isCut = header.slice(cells.length).some((field) => required.has(field));
    if (cells.length > header.length || isCut)
      throw new Failure(
        `${input.name} ${key} has ${counted(cells.length, "cells")}, and the header has ${header.length}. Is a quote or a separator missing?`,
      );
    const lost = header.find((field, i) => field !== undefined && hasFailed(cells[i] ?? "", field));
    if (lost !== undefined)
      throw new Failure(
        `${input.name} ${key}: ${lost} has what a spreadsheet writes where a formula fails, such as #NAME?. Correct it there; a text that begins with =, +, - or @ needs a ' before it.`,
      );
    for (const [i, cell] of cells.entries())
      if (header[i] !== undefined) signs.lineBreaks.add(cell);
    noteSeparator(cells[header.indexOf("tags")] ?? "", line, signs);
    const place = { name: input.name, key, nameOf: fieldOf };
    if (!add(recordFrom(cells, header, kind), place)) return;
    collectInLoop(++count);
  }
  sayOf(signs, input.name, say);
}

/** The source. @throws UsageError for an encoding that is not known */
export function csvSource({ posts, comments, encoding }: CsvFiles, tools: PullTools): Source {
  try {
    new TextDecoder(encoding);
  } catch {
    throw new UsageError(
      `--encoding ${printable(encoding)}: no such charset is known. utf-8, shift_jis, euc-jp and windows-1252 are some.`,
    );
  }
  const settings = { encoding, say: tools.say };
  return {
    name: "CSV",
    async gather(file: CanonicalFile) {
      const reader = new InputReader(tools, encoding);
      const rows = new RecordRows(file, tools.say);
      const step = tools.progress.step("rows", "rows", undefined);
      let count = 0;
      let dropped = 0;
      const read = (kind: Kind, from: string, add: (record: Fields, place: Place) => void) =>
        reader.read(from, (input) =>
          readRecords(input, kind, settings, (record, place) => {
            add(record, place);
            step.update(++count);
            return !rows.isHopeless;
          }),
        );
      await read("posts", posts, (record, place) => rows.addPost(record, place));
      if (comments !== undefined)
        await read("comments", comments, (record, place) => {
          const { postId } = record;
          const isLost = typeof postId === "number" && !file.has("posts", postId);
          if (isLost) dropped++;
          else rows.addComment(record, place);
        });
      step.done();
      const lost = `left out, because the post is missing: ${counted(dropped, "comments")}`;
      return [...rows.finish(), ...(dropped === 0 ? [] : [lost]), ...reader.traffic()];
    },
  };
}
