/** A query in words → what is looked for. Only the MCP server ranks by words; `/api/search` takes one keyword. */
import { mostQueryWords } from "../contract/tools.ts";
import { normalizeKeyword, normalize } from "../engine/normalize.ts";
import { isStopword } from "./stopwords.ts";

/** UTF-16 units of a query that are looked at: some hundred words of any language. */
const maxQueryLength = 2000;
/** A query without white space, up to this many units, is taken as one keyword where it occurs as it is. */
const maxKeywordLength = 60;
/** Terms that are looked for beside the words. */
const maxBoostTerms = 64;

/** What is looked for: keywords whose occurrences count together, and their weight. */
export interface QueryTerm {
  readonly variants: readonly string[];
  readonly weight: number;
}

/** A word of a query. */
export interface QueryWord {
  /** As it was asked for, normalised. */
  readonly word: string;
  /** What counts as this word; the word itself, anywhere in a text, comes first. */
  readonly terms: readonly [QueryTerm, ...QueryTerm[]];
  /** What other words with its stem begin with; empty where only the word itself counts. */
  readonly stemPrefixes: readonly string[];
}

/** How a query was read. */
export interface ParsedQuery {
  /** The whole query as a keyword, without quotation marks; empty where nothing is left of it. */
  readonly phrase: string;
  /** Whether the query may be one keyword, which is looked for as it is: no white space, no quotation, no sign of a list. */
  readonly isOnePiece: boolean;
  /** Distinct words, in the order of the query; stop words only where there are no others. */
  readonly words: readonly QueryWord[];
  /**
   * What adds to a score beside the words: pairs of neighbouring characters, which words that are cut in another way
   * still share, and Japanese stop words.
   */
  readonly boostTerms: readonly QueryTerm[];
  /** Number of words beyond the most that are searched for; at least that, where the query was cut off. */
  readonly ignored: number;
}

/**
 * Weights of a term, chosen with `npm run bench:agents`. A word that is written between spaces counts a little
 * anywhere ("blockchain" for "chain"), and more where it begins a word, itself or another one with the same stem.
 */
const weights = { anywhere: 0.6, wordStart: 0.4, pair: 0.5 } as const;

/** Scripts with spaces between words, for character classes. */
const spacedScripts = String.raw`\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}`;
/** A word that is written between spaces. */
const spaced = new RegExp(`^[${spacedScripts}\\p{N}'’]+$`, "u");
/** What may be before such a word. */
const wordStarts = [" ", "(", '"', "-", "/"];
/** A stem of fewer letters begins too many other words. */
const minStemLength = 4;

/** The stem of an English word (Porter's). A package has it, which is loaded for the MCP server alone. */
export type Stemmer = (word: string) => string;

/** What an English word and others with its stem begin with: "confus" of "confuse" and "confusing". */
function stemPrefix(word: string, stemmer: Stemmer): string {
  const stem = stemmer(word);
  const differs = [...stem].findIndex((letter, i) => letter !== word[i]);
  const shared = (differs < 0 ? stem : stem.slice(0, differs)).replace(/e$/, "");
  const prefixes = [shared, stem].filter((one) => one.length >= minStemLength && !isStopword(one));
  return prefixes.find((one) => word.startsWith(one)) ?? word;
}

/**
 * A word, and what counts as it.
 *
 * @param stemmer undefined where no spaces are around a word, and its endings do not change
 */
function toQueryWord(word: string, stemmer: Stemmer | undefined): QueryWord {
  if (stemmer === undefined || !spaced.test(word))
    return { word, terms: [{ variants: [word], weight: 1 }], stemPrefixes: [] };
  const prefix = /^[a-z]+$/.test(word) ? stemPrefix(word, stemmer) : word;
  const anywhere = { variants: [word], weight: weights.anywhere };
  const variants = wordStarts.map((start) => start + prefix);
  return {
    word,
    terms: [anywhere, { variants, weight: weights.wordStart }],
    stemPrefixes: [prefix],
  };
}

const segmenter = new Intl.Segmenter("ja", { granularity: "word" });
/** Single hiragana, letters and digits say nothing of what is looked for; single kanji and katakana do. */
const isMeaningful = (word: string): boolean =>
  !/^[\p{Script=Hiragana}ー\p{Script=Latin}\p{N}]$/u.test(word);

/** Signs around a word that do not belong to it. Those of `C#`, `C++`, `.NET` and `100%` do. */
const around =
  /^(?:(?!\.[\p{L}\p{N}])[^\p{L}\p{N}])+|(?<!(?![#+*%_$])[^\p{L}\p{N}\p{M}])(?:(?![#+*%_$])[^\p{L}\p{N}\p{M}])+$/gu;
/** Signs that keep what is around them together, as in `a*b` and `snake_case`. */
const joining = /[#+*$%&=@~^|<>\\_]/;

/** A character of the spaced scripts, or a sign of ASCII. */
const beginsSpaced = new RegExp(`^[!-~’${spacedScripts}]`, "u");
/** A run of such characters, or of all others. */
const runs = new RegExp(`(?:[!-~’${spacedScripts}]\\p{M}*)+|[^!-~’${spacedScripts}]+`, "gu");

/** The words of such a run: ICU's dictionary separates those of Japanese. Signs alone are none. */
function segmentRun(run: string): string[] {
  const text = run.replace(around, "");
  const words = [...segmenter.segment(text)]
    .filter(({ isWordLike }) => isWordLike === true)
    .map(({ segment }) => segment);
  const mayBeOne = beginsSpaced.test(text) && words.length > 0;
  return mayBeOne && (words.length === 1 || joining.test(text)) ? [text] : words;
}

/**
 * The words of a text without quotation marks.
 *
 * @param text normalised
 */
const segmentText = (text: string): string[] =>
  text.split(" ").flatMap((piece) => (piece.match(runs) ?? []).flatMap(segmentRun));

/** Characters of scripts in which words are written without spaces between them, or with particles at their ends. */
const unspacedLetter = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]`;
const unspaced = new RegExp(unspacedLetter, "u");
/** Any sign but hyphens, which keep together what is around them: `e-ラーニング`. */
const unlessHyphen = String.raw`[[\p{P}\p{S}]--[\-‐]]`;
/**
 * Signs between the items of a list, or around a word: those beside Japanese, as in `医療・福祉`; commas, and what ends
 * a sentence; punctuation beyond ASCII. Others belong to a word of other scripts: `on-topic`, `I/O`, `f(x)`.
 */
const separating = new RegExp(
  String.raw`${unspacedLetter}${unlessHyphen}|${unlessHyphen}${unspacedLetter}|[,;]|[.!?:]$|[\p{P}--[!-~‐–]]`,
  "v",
);
const hiragana = /^[\p{Script=Hiragana}ー]+$/u;

/** Every pair of neighbouring characters of such scripts, but those of hiragana alone: these are grammar. */
function pairTerms(text: string): QueryTerm[] {
  const characters = Array.from(text);
  const pairs = characters.slice(1).flatMap((second, i) => {
    const first = characters[i]!;
    const pair = first + second;
    return unspaced.test(first) && unspaced.test(second) && !hiragana.test(pair) ? [pair] : [];
  });
  return [...new Set(pairs)].map((pair) => ({ variants: [pair], weight: weights.pair }));
}

const marks = '"“”„«»「」『』';
const quotationMark = new RegExp(`[${marks}]`, "g");
/** A phrase in quotation marks. */
const quotation = new RegExp(`[${marks}]([^${marks}]+)[${marks}]`, "g");

/** The part of a query that is looked at. Not cut within a word, if there is an end of one: a sentence of Japanese has none. */
const cutQuery = (query: string): string =>
  query.length > maxQueryLength
    ? query.slice(0, maxQueryLength).replace(/(?<=\s)\S{1,60}$/u, "")
    : query;

/**
 * Parses a query. White space separates words; ICU's dictionary separates those in a run of Japanese. Stop
 * words are left out. Quotation marks keep a phrase together.
 */
export function parseQuery(query: string, stemmer: Stemmer): ParsedQuery {
  const whole = query.toWellFormed().trim();
  const text = cutQuery(whole);
  const folded = normalize(text);
  const quoted = [...folded.matchAll(quotation)].map(([, inner]) => normalizeKeyword(inner ?? ""));
  // Who asks for a phrase alone means it as it is. Beside other words, its own count as well: they outweigh it otherwise.
  const isQuotation = folded.trim().replace(quotation, "") === "";
  const rest = isQuotation ? "" : folded.replace(quotation, " $1 ");
  const phrase = folded.replace(quotationMark, "").trim();
  // Beside Japanese, a word of Latin letters has no spaces around it in the texts either.
  const ownStemmer = unspaced.test(folded) ? undefined : stemmer;
  const distinct = new Set([...quoted, ...segmentText(rest).map(normalizeKeyword)]);
  distinct.delete("");
  // Signs without words are looked for as they are.
  if (distinct.size === 0 && phrase !== "") distinct.add(phrase);
  const all = [...distinct];
  // Who quotes a word means it, whatever it is.
  const informative = all.filter(
    (word) => quoted.includes(word) || (isMeaningful(word) && !isStopword(word)),
  );
  const words = informative.length > 0 ? informative : all;
  // Measured with `npm run bench:agents -- --questions`: without those of English results are better, without those
  // of Japanese worse.
  const stopwords = all.filter(
    (word) => !words.includes(word) && isStopword(word) && unspaced.test(word),
  );
  const stopwordTerms = stopwords.map((word) => ({ variants: [word], weight: 1 }));
  return {
    phrase,
    isOnePiece:
      text.length <= maxKeywordLength &&
      quoted.length === 0 &&
      !folded.includes(" ") &&
      !separating.test(folded),
    words: words.slice(0, mostQueryWords).map((word) => toQueryWord(word, ownStemmer)),
    boostTerms: [...stopwordTerms, ...pairTerms(rest)].slice(0, maxBoostTerms),
    ignored: Math.max(0, words.length - mostQueryWords) + (text.length < whole.length ? 1 : 0),
  };
}
