/** The bytes of a CSV file → its rows. */
import { isAscii } from "node:buffer";
import { TextDecoder } from "node:util";
import { CsvError, parse, type Options } from "csv-parse";
import { Failure } from "../cli/command.ts";
import { formatNumber } from "../lib/text.ts";
import type { CsvDiagnostics } from "./csv-diagnostics.ts";
import { through, type Input } from "./input.ts";

/** Characters of a row at most. */
const maxRowCharacters = 64_000_000;
/** What databases write, without quotes, where there is no value. */
const nullCells = new Set(["NULL", String.raw`\N`]);

/**
 * Whether bytes that follow others are UTF-8.
 *
 * @param chunk undefined at the end
 */
function isUtf8Next(decoder: TextDecoder, chunk?: Uint8Array): boolean {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined });
    return true;
  } catch {
    return false;
  }
}

/**
 * Decodes the text of a file.
 *
 * @throws Failure where it is not of the encoding
 */
async function* decodeText(
  { name, bytes }: Input,
  encoding: string,
  diagnostics: CsvDiagnostics,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  // A charset of one byte a letter takes any bytes; with letters beyond ASCII, such a text is never UTF-8.
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  let isOther = decoder.encoding === "utf-8";
  let hasLetters = false;
  let lines = 1;
  let last: Uint8Array = new Uint8Array();
  try {
    for await (const chunk of bytes) {
      last = chunk;
      isOther ||= !isUtf8Next(utf8, chunk);
      hasLetters ||= !isAscii(chunk);
      const text = decoder.decode(chunk, { stream: true });
      if (text !== "") diagnostics.endsWithLineBreak = /[\r\n]$/.test(text);
      yield text;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++;
    }
    yield decoder.decode();
    if (!isOther && isUtf8Next(utf8) && hasLetters)
      throw new Failure(`${name} is UTF-8, not ${encoding}: pull it without --encoding.`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_ENCODING_INVALID_ENCODED_DATA") throw error;
    const guess = guessCharset(last);
    throw new Failure(
      `${name} is not ${encoding} (at line ${formatNumber(lines)} or after it). ${guess === undefined ? "Save it as CSV UTF-8, or name its charset with --encoding." : `It seems to be ${guess}: add --encoding ${guess}.`}`,
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
const guessDelimiter = (line: string): string =>
  [",", ";", "\t"].reduce((best, one) =>
    line.split(one).length > line.split(best).length ? one : best,
  );

/** A row with its place. */
interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Reads the rows of a file that are not blank, the header first.
 *
 * @throws Failure, without anything of a row
 */
export async function* readRows(
  input: Input,
  encoding: string,
  diagnostics: CsvDiagnostics,
): AsyncGenerator<Row> {
  const [first = ""] = new TextDecoder(encoding).decode(input.head).split(/\r?\n|\r/);
  /** Of the next row. */
  let line = 1;
  // The parser counts a line break of two characters twice where it is within quotes.
  let countedTwice = 0;
  const [, separator] = separatorLine.exec(first.replace(/^\uFEFF/, "")) ?? [];
  const delimiter = separator ?? guessDelimiter(first.replace(/"[^"]*"/g, ""));
  const options: Options<Row, string[]> = {
    delimiter,
    bom: true,
    relax_column_count: true,
    // Without this, the first line break is taken for all, and of others a part goes into the last cell.
    record_delimiter: ["\r\n", "\n", "\r"],
    max_record_size: maxRowCharacters,
    cast(cell, { quoting }) {
      if (!quoting && nullCells.has(cell)) return "";
      if (!quoting) diagnostics.noteUnquoted(cell, delimiter);
      // Some databases have \v within a text.
      return cell.replaceAll("\v", "\n");
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
    const parser = parse(options as unknown as Options);
    yield* through<Row>(decodeText(input, encoding, diagnostics), parser);
  } catch (error) {
    // Separators do not count as characters: a row of millions of them makes too long a list.
    const isTooLong =
      error instanceof RangeError ||
      (error instanceof CsvError && error.code === "CSV_MAX_RECORD_SIZE");
    if (!isTooLong && !(error instanceof CsvError)) throw error;
    throw new Failure(
      `${input.name} line ${formatNumber(line)}: ${
        isTooLong
          ? `the row is longer than ${formatNumber(maxRowCharacters)} characters. Is a quote missing?`
          : 'a quote is not closed, or is in the middle of a cell. Write a cell with quotes in it as "…", each of them twice.'
      }`,
    );
  }
}
