/** A query in words → the words that are searched for. Only the MCP server ranks by words; `/api/search` takes one keyword. */
import { mostQueryWords } from "../contract/tools.ts";
import { needleOf } from "../search/normalise.ts";

/** UTF-16 units of a query that are looked at: some hundred words of any language. */
const longestQuery = 2000;
/** A query without white space, up to this many units, is taken as one keyword where it occurs as it is. */
const longestKeyword = 60;

const marks = '"“”＂';
const quotationMark = new RegExp(`[${marks}]`, "g");
/** A phrase in quotation marks. */
const quotation = new RegExp(`[${marks}]([^${marks}]+)[${marks}]`, "g");

/** How a query was read. */
export interface QueryWords {
  /** The whole query as a needle; empty where nothing is left of it. */
  readonly phrase: string;
  /** Whether the query may be one keyword: it holds no white space and no quotation. */
  readonly isOnePiece: boolean;
  /** Distinct needles, in the order of the query. */
  readonly words: readonly string[];
  /** Number of words beyond the most that are searched for; at least that, where the query was cut off. */
  readonly ignored: number;
}

const segmenter = new Intl.Segmenter("ja", { granularity: "word" });
/** Single hiragana: particles, which say nothing of what is looked for. Longer ones weigh little where they are common. */
const isKana = (word: string): boolean => /^[\p{Script=Hiragana}ー]$/u.test(word);
/** Single letters and digits are in nearly every text; single kanji and kana words mean something. */
const isLetter = (word: string): boolean => /^[\p{Script=Latin}\p{N}]$/u.test(word);

/** The words of a piece without white space. */
function segmentsOf(piece: string): string[] {
  const words = [...segmenter.segment(piece)]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment);
  // A term such as C++ or v1.2 is one word with its signs.
  return words.length === 1 ? [piece.replace(/^[\p{P}]+|[\p{Po}\p{Pe}\p{Pf}]+$/gu, "")] : words;
}

/**
 * Reads a query. White space separates words; ICU's dictionary separates those in a run of Japanese. Particles
 * of one kana are left out. Quotation marks keep a phrase together.
 */
export function wordsOf(query: string): QueryWords {
  const whole = query.toWellFormed().trim();
  const isCut = whole.length > longestQuery;
  // Not in the middle of a word, if there is an end of one.
  const text = isCut ? whole.slice(0, longestQuery).replace(/(?<=\s)\S+$/u, "") : whole;
  const quoted: string[] = [];
  const rest = text.replace(quotation, (_, phrase: string) => {
    quoted.push(phrase);
    return " ";
  });
  const all = [
    ...new Set([...quoted, ...rest.split(/\s+/u).flatMap(segmentsOf)].map(needleOf)),
  ].filter((word) => word !== "");
  const meaningful = all.filter((word) => !isKana(word) && !isLetter(word));
  const phrase = needleOf(text.replace(quotationMark, ""));
  // Signs without words are looked for as they are.
  const words =
    [meaningful, all, phrase === "" ? [] : [phrase]].find(({ length }) => length > 0) ?? [];
  return {
    phrase,
    isOnePiece: quoted.length === 0 && !/\s/u.test(text) && text.length <= longestKeyword,
    words: words.slice(0, mostQueryWords),
    ignored: Math.max(0, words.length - mostQueryWords) + (isCut ? 1 : 0),
  };
}
