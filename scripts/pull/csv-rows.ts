/** The bytes of a CSV file → its rows. */
import { CsvError, parse, type Options } from "csv-parse";
import { Failure } from "../cli/command.ts";
import { formatted } from "../lib/format-number.ts";
import type { Signs } from "./csv-signs.ts";
import { through, type Input } from "./input.ts";

/** Characters of a row at most. */
const mostCharacters = 64_000_000;
/** What databases write, without quotes, where there is no value. */
const nullCells = new Set(["NULL", String.raw`\N`]);

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
async function* textOf(
  { name, bytes }: Input,
  encoding: string,
  signs: Signs,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  // A charset of one byte a letter takes any bytes.
  const utf8 = decoder.encoding === "utf-8" ? undefined : new Utf8Check();
  let lines = 1;
  let last: Uint8Array = new Uint8Array();
  try {
    for await (const chunk of bytes) {
      last = chunk;
      utf8?.add(chunk);
      const text = decoder.decode(chunk, { stream: true });
      if (text !== "") signs.endsWithLineBreak = /[\r\n]$/.test(text);
      yield text;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++;
    }
    yield decoder.decode();
    utf8?.add();
    if (utf8?.isCertain)
      throw new Failure(`${name} is UTF-8, not ${encoding}: pull it without --encoding.`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_ENCODING_INVALID_ENCODED_DATA") throw error;
    const guess = guessCharset(last);
    throw new Failure(
      `${name} is not ${encoding} (at line ${formatted(lines)} or after it). ${guess === undefined ? "Save it as CSV UTF-8, or name its charset with --encoding." : `It seems to be ${guess}: add --encoding ${guess}.`}`,
    );
  }
}

/** Charsets of Japanese that are looked for, by names of the Encoding Standard. */
const japaneseCharsets = ["shift_jis", "euc-jp"];

/**
 * Guesses the charset of bytes that are no UTF-8. Nearly any bytes are a text in some charset, so a guess is only made
 * where the text has kana, and none of the half-width kana that the bytes of other charsets look like.
 *
 * @returns undefined where no guess is plausible
 */
const guessCharset = (bytes: Uint8Array): string | undefined =>
  japaneseCharsets.find((charset) => {
    try {
      const text = new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: true });
      return /[\u3041-\u30FA]/.test(text) && !/[\uFF61-\uFF9F]/.test(text);
    } catch {
      return false;
    }
  });

/** The line in which Excel names the separator: sep=; */
const separatorLine = /^"?sep=([,;\t|])"?$/i;

/** What separates cells: what is most often in the first line. */
const delimiterOf = (line: string): string =>
  [",", ";", "\t"].reduce((best, one) =>
    line.split(one).length > line.split(best).length ? one : best,
  );

/** A row with its place. */
interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Reads the rows of a file that are not blank, the header first. @throws Failure, without anything of a row */
export async function* rowsOf(input: Input, encoding: string, signs: Signs): AsyncGenerator<Row> {
  const [first = ""] = new TextDecoder(encoding).decode(input.head).split(/\r?\n|\r/);
  /** Of the next row. */
  let line = 1;
  // The parser counts a line break of two characters twice where it is within quotes.
  let countedTwice = 0;
  const [, separator] = separatorLine.exec(first.replace(/^\uFEFF/, "")) ?? [];
  const delimiter = separator ?? delimiterOf(first.replace(/"[^"]*"/g, ""));
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
      // FileMaker writes \v for a line break, and between the values of a field.
      return isNull ? "" : cell.replaceAll("\v", "\n");
    },
    // Called as each row is read, so that an error knows its row; rows that are right may still wait then.
    on_record(cells: string[], { lines }): Row | null {
      const isSeparator = separator !== undefined && line === 1;
      const row = { line, cells };
      for (const cell of cells) countedTwice += cell.split("\r\n").length - 1;
      line = lines + 1 - countedTwice;
      // Spreadsheets write separators for rows that were used once. The parser could skip them, but not count their lines.
      return cells.some((cell) => cell.trim() !== "") && !isSeparator ? row : null;
    },
  };
  try {
    // Its types know such records only of named columns.
    yield* through<Row>(textOf(input, encoding, signs), parse(options as unknown as Options));
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
