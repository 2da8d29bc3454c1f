/** CSV as a source: a post a row, as spreadsheets and databases write it; the header names the columns. */
import { Failure, UsageError } from "../cli/command.ts";
import { collectGarbageInLoop } from "../lib/collect-garbage.ts";
import { pluralize, formatNumber, escapeControlChars } from "../lib/text.ts";
import type { CanonicalFile, Place } from "./canonical-file.ts";
import { readHeader, readRecord, requiredFields, type Header, type Kind } from "./csv-record.ts";
import { readRows } from "./csv-rows.ts";
import { CsvDiagnostics } from "./csv-diagnostics.ts";
import { assertKind, InputReader, type Input } from "./input.ts";
import { bodyText, fieldOf, RecordRows, type Fields } from "./records.ts";
import type { PullTools, Source } from "./source.ts";

/** Files of a pull. */
interface CsvFiles {
  readonly posts: string;
  readonly comments: string | undefined;
  /** The charset of both, by a name of the Encoding Standard. */
  readonly encoding: string;
}

/** What spreadsheets write where a formula fails, in place of a text. */
const failed =
  /^\s*(?:#(?:NAME\?|N\/A|(?:REF|VALUE|DIV\/0|NUM|NULL|SPILL|CALC|FIELD|ERROR)!)|Err:\d{3})\s*$/;

/**
 * Refuses a cell with characters that no text has.
 *
 * @throws Failure
 */
function assertText(cell: string, place: string): void {
  if (cell.includes("\0"))
    throw new Failure(
      `${place}: there is a NUL character, as in a damaged file or one of another charset. Save it as CSV UTF-8 again.`,
    );
  // All of its bytes are ASCII, so the text is UTF-8 by them.
  if (cell.includes("\u001b$") || cell.includes("\u001b("))
    throw new Failure(
      `${place}: there are escape sequences of ISO-2022, such as ISO-2022-JP. Add --encoding iso-2022-jp, or save it as CSV UTF-8.`,
    );
}

/** Whether a spreadsheet wrote an error in place of a text. */
const hasFailed = (cell: string, field: string): boolean =>
  field === "tags" ? cell.split(/[|,]/).some((tag) => failed.test(tag)) : failed.test(cell);

/** Gives the names of columns as a header has them; of a column that is not there, the API's own. */
function nameIn(header: Header, names: readonly string[]): Place["nameOf"] {
  const own = new Map(header.map((field, i) => [field, names[i]?.trim()]));
  return (column) => own.get(fieldOf(column)) ?? fieldOf(column);
}

/**
 * Reads a file.
 *
 * @param add takes each record; gives whether to read on
 */
async function readRecords(
  input: Input,
  kind: Kind,
  { encoding, say }: { readonly encoding: string; readonly say: PullTools["say"] },
  add: (record: Fields, place: Place) => boolean,
): Promise<void> {
  const required = new Set<string | undefined>([...requiredFields(kind), bodyText]);
  let header: Header | undefined;
  let nameOf = fieldOf;
  let count = 0;
  const diagnostics = new CsvDiagnostics();
  const utf16 = { fffe: "utf-16le", feff: "utf-16be" }[input.head.toString("hex", 0, 2)];
  if (utf16 === undefined) assertKind(input, ["CSV"]);
  for await (const { line, cells } of readRows(input, utf16 ?? encoding, diagnostics)) {
    const key = `line ${formatNumber(line)}`;
    for (const cell of cells) assertText(cell, `${input.name} ${key}`);
    if (header === undefined) {
      header = readHeader(cells, kind, input.name, say);
      nameOf = nameIn(header, cells);
      continue;
    }
    const isShort = cells.length < header.length;
    diagnostics.shortRow = isShort ? line : undefined;
    // Spreadsheets leave out empty cells at the end of rows.
    const isCut = header.slice(cells.length).some((field) => required.has(field));
    if (cells.length > header.length || isCut)
      throw new Failure(
        `${input.name} ${key} has ${pluralize(cells.length, "cells")}, and the header has ${header.length}. Is a quote or a separator missing?`,
      );
    const lost = header.find((field, i) => field !== undefined && hasFailed(cells[i] ?? "", field));
    if (lost !== undefined)
      throw new Failure(
        `${input.name} ${key}: ${lost} has what a spreadsheet writes where a formula fails, such as #NAME?. Correct it there; a text that begins with =, +, - or @ needs a ' before it.`,
      );
    for (const [i, cell] of cells.entries())
      if (header[i] !== undefined) diagnostics.noteText(cell, line);
    diagnostics.noteTags(cells[header.indexOf("tags")] ?? "", line);
    const place = { name: input.name, key, nameOf, isDoubtful: isShort };
    if (!add(readRecord(cells, header, kind), place)) return;
    collectGarbageInLoop(++count);
  }
  for (const warning of diagnostics.warnings(input.name)) say(warning);
}

/**
 * The source.
 *
 * @throws UsageError for an encoding that is not known
 */
export function csvSource({ posts, comments, encoding }: CsvFiles, tools: PullTools): Source {
  try {
    new TextDecoder(encoding);
  } catch {
    throw new UsageError(
      `--encoding ${escapeControlChars(encoding)}: no such charset is known. utf-8, shift_jis, euc-jp and windows-1252 are some.`,
    );
  }
  const settings = { encoding, say: tools.say };
  return {
    name: "CSV",
    async collect(file: CanonicalFile) {
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
      const lost = `left out, because the post is missing: ${pluralize(dropped, "comments")}`;
      return [...rows.finish(), ...(dropped === 0 ? [] : [lost]), ...reader.traffic()];
    },
  };
}
