/** Where a CSV file may mean something other than what is read: collected row by row, reported at its end. */
import { Failure } from "../cli/command.ts";
import { counted, formatted } from "../lib/format-number.ts";
import { listIn } from "./csv-record.ts";
import { LineBreaks } from "./line-breaks.ts";
import type { PullTools } from "./source.ts";

/** Characters that a cell of Excel has at most (support.microsoft.com, "Excel specifications and limits"). */
const longestInExcel = 32_767;

/** What a file shows of the program that wrote it. */
export class Signs {
  /** Whether a cell is in quotes. */
  isQuoted = false;
  /** Whether a cell without quotes says that there is no value. */
  hasNulls = false;
  /** Cells without quotes, between tabs, with what `mysql --batch` and PostgreSQL's text format write for a line break, a tab, a backslash. */
  escaped = 0;
  readonly lineBreaks = new LineBreaks();
  /** The line of the first cell that is as long as Excel has them at most: it keeps no more of a longer one. */
  full: number | undefined;
  /** Line breaks within quotes. */
  breaks = 0;
  /** Those that follow a backslash, as MySQL's INTO OUTFILE writes each of them. */
  escapedBreaks = 0;
  /** Whether the file ends with a line break. */
  endsWithLineBreak = true;
  /** The line of the last row, where it has fewer cells than the header. */
  shortRow: number | undefined;
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
export function sayOf(signs: Signs, name: string, say: PullTools["say"]): void {
  const { isQuoted, hasNulls, escaped, breaks, escapedBreaks, bars, commas, full } = signs;
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
      `warning: ${name}: a tag has ;, 、, #, a wide space or a line break in its name (line ${formatted(others)}). Where they are several tags, write | between them.`,
    );
  if (full !== undefined)
    say(
      `warning: ${name} line ${formatted(full)}: a cell has ${formatted(longestInExcel)} characters, as many as Excel keeps of a longer text. Is its end missing? Then write the CSV without Excel.`,
    );
  if (signs.shortRow !== undefined && !signs.endsWithLineBreak)
    say(
      `warning: ${name} line ${formatted(signs.shortRow)}: the last row is shorter than the header, and has no line end. Is the file cut off? Then write it again.`,
    );
  const warning = signs.lineBreaks.warning(name);
  if (escaped === 0 && warning !== undefined) say(warning);
  if (escaped === 0) return;
  const found = `${name}: ${counted(escaped, "cells")} with \\n, \\t or \\\\, as mysql --batch and PostgreSQL's text format write line breaks, tabs and backslashes.`;
  if (hasNulls && !isQuoted) throw new Failure(`${found} ${remedy}`);
  say(`warning: ${found} They are taken as they stand.`);
}

/** Notes what a text shows. @param line of its row */
export function noteText(text: string, line: number, signs: Signs): void {
  signs.lineBreaks.add(text);
  if (text.length === longestInExcel) signs.full ??= line;
}

/** Notes what separates the tags of a cell. */
export function noteSeparator(tags: string, line: number, signs: Signs): void {
  if (listIn(tags.trim()) !== undefined) return;
  // No name ends with it, or has a line break.
  if (/;$|\n/.test(tags.trim()) && !tags.includes("|")) signs.surely ??= line;
  if (tags.includes("|")) signs.bars ??= line;
  else if (tags.includes(",")) signs.commas ??= line;
  else if (/[;；、，\u3000\n]|#[^\s#]+\s*#/.test(tags)) signs.others ??= line;
}
