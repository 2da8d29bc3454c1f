/** Where a CSV file may mean something other than what is read: collected row by row, reported at its end. */
import { pluralize, formatNumber } from "../lib/text.ts";
import { parseList } from "./csv-record.ts";
import { LineBreaks } from "./line-breaks.ts";

/** Characters that a cell of Excel has at most (support.microsoft.com, "Excel specifications and limits"). */
const maxExcelCharacters = 32_767;

/** What a file shows of the program that wrote it. */
export class CsvDiagnostics {
  /** Whether the file ends with a line break. */
  endsWithLineBreak = true;
  /** The line of the last row, where it has fewer cells than the header. */
  shortRow: number | undefined;
  readonly #lineBreaks = new LineBreaks();
  /** Cells between tabs, without quotes, with escapes. */
  #escaped = 0;
  /** The line of the first cell that is as long as Excel has them at most: it keeps no more of a longer one. */
  #full: number | undefined;
  /** The line of the first cell of tags that bars separate. */
  #bars: number | undefined;
  /** The line of the first one that commas do. */
  #commas: number | undefined;

  /**
   * Notes a cell without quotes.
   *
   * @param delimiter before and after it
   */
  noteUnquoted(cell: string, delimiter: string): void {
    if (delimiter === "\t" && /\\[ntr\\]/.test(cell)) this.#escaped++;
  }

  /**
   * Notes a text that is read.
   *
   * @param line of its row
   */
  noteText(text: string, line: number): void {
    this.#lineBreaks.add(text);
    if (text.length === maxExcelCharacters) this.#full ??= line;
  }

  /** Notes what separates the tags of a cell. */
  noteTags(tags: string, line: number): void {
    if (parseList(tags.trim()) !== undefined) return;
    if (tags.includes("|")) this.#bars ??= line;
    else if (tags.includes(",")) this.#commas ??= line;
  }

  /**
   * What may be meant in another way than it was read, in sentences.
   *
   * @param name of the file
   */
  warnings(name: string): string[] {
    const found: string[] = [];
    if (this.#bars !== undefined && this.#commas !== undefined)
      found.push(
        `${name}: tags are separated by | in line ${formatNumber(this.#bars)}, and by commas in line ${formatNumber(this.#commas)}. Where commas belong to names, write | after each name, or a JSON array.`,
      );
    if (this.#full !== undefined)
      found.push(
        `${name} line ${formatNumber(this.#full)}: a cell has ${formatNumber(maxExcelCharacters)} characters, as many as Excel keeps of a longer text. Is its end missing? Then write the CSV without Excel.`,
      );
    if (this.shortRow !== undefined && !this.endsWithLineBreak)
      found.push(
        `${name} line ${formatNumber(this.shortRow)}: the last row is shorter than the header, and has no line end. Is the file cut off? Then write it again.`,
      );
    if (this.#escaped > 0)
      found.push(
        `${name}: ${pluralize(this.#escaped, "cells")} with \\n, \\t or \\\\, as mysql --batch and PostgreSQL's text format write line breaks, tabs and backslashes. They are taken as they stand; docs/your-data.md has recipes.`,
      );
    const breaks = this.#escaped > 0 ? undefined : this.#lineBreaks.warning(name);
    return [...found.map((one) => `warning: ${one}`), ...(breaks === undefined ? [] : [breaks])];
  }
}
