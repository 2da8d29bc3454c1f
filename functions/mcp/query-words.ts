/** A query in words → what is looked for. Only the MCP server ranks by words; `/api/search` takes one keyword. */
import { mostQueryWords } from "../contract/tools.ts";
import { needleOf, normalise } from "../search/normalise.ts";
import { isFunctionWord, uncontracted } from "./function-words.ts";

/** UTF-16 units of a query that are looked at: some hundred words of any language. */
const longestQuery = 2000;
/** A query without white space, up to this many units, is taken as one keyword where it occurs as it is. */
const longestKeyword = 60;
/** Terms that are looked for beside the words. */
const mostBeside = 64;

/** What is looked for: needles whose occurrences count together, and their share of the weight. */
export interface Term {
  readonly needles: readonly string[];
  readonly share: number;
}

/** A word of a query. */
export interface QueryWord {
  /** As it was asked for: a needle. */
  readonly word: string;
  /** What counts as this word; the word itself, anywhere in a text and with either apostrophe, comes first. */
  readonly terms: readonly [Term, ...Term[]];
  /** What it, and other words with its stem, begin with; empty where only the word itself counts. */
  readonly beginnings: readonly string[];
  /** What to look for where no post contains it: the words between its signs. */
  readonly instead: readonly string[];
}

/** How a query was read. */
export interface QueryWords {
  /** The whole query as a needle; empty where nothing is left of it. */
  readonly phrase: string;
  /** The phrase as titles may have it: as it was asked for, and without quotation marks around it. */
  readonly titles: readonly string[];
  /** Whether the query may be one keyword, which is looked for as it is: no white space, no quotation, no sign of a list. */
  readonly isOnePiece: boolean;
  /** Distinct words, in the order of the query; those of grammar only where there are no others. */
  readonly words: readonly QueryWord[];
  /**
   * What adds to a score beside the words: pairs of neighbouring characters, which words that are cut in another way
   * still share, and Japanese words of grammar.
   */
  readonly beside: readonly Term[];
  /** Number of words beyond the most that are searched for; at least that, where the query was cut off. */
  readonly ignored: number;
}

/**
 * Shares of a term, chosen with `npm run bench:agents`. A word that is written between spaces counts a little
 * anywhere ("blockchain" for "chain"), and more where it is a word or begins one with the same stem.
 */
const shares = { anywhere: 0.6, asWord: 0.4, pair: 0.5 } as const;

/** Scripts with spaces between words, for character classes. */
const spacedScripts = String.raw`\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}`;
/** A word that is written between spaces. */
const spaced = new RegExp(`^[${spacedScripts}\\p{N}'’]+$`, "u");
/** What may be before such a word, and after it. */
const wordStarts = [" ", "(", '"', "-", "/"];
const wordEnds = [" ", ".", ",", "?", "!", ":", ")"];
/** What is not longer begins too many other words, as "ai" begins "aid": it counts as a whole word alone. */
const longestWhole = 3;

/** The stem of an English word (Porter's). A package has it, which is loaded for the MCP server alone. */
export type Stemmer = (word: string) => string;

/**
 * What an English word and others with its stem begin with: "confus" of "confuse" and "confusing", "study" and "studi" of
 * "study" and "studies", which do not begin "student". A short one begins too much: for "votes", it is "votes", "vote" and "voting".
 */
function beginningsOf(word: string, stemmer: Stemmer): string[] {
  const stem = stemmer(word);
  if (stem.endsWith("i")) return [stem.replace(/i$/, "y"), stem];
  const differs = [...stem].findIndex((letter, i) => letter !== word[i]);
  const shared = (differs < 0 ? stem : stem.slice(0, differs)).replace(/e$/, "");
  if (shared.length > longestWhole && !isFunctionWord(shared)) return [shared];
  // The stem of "used" is "us".
  const forms = [stem, stem.replace(/e$/, "ing"), ...(stem.length === 2 ? [`${stem}e`] : [])];
  return [...new Set([word, ...forms.filter((form) => !isFunctionWord(form))])];
}

/** A needle with either apostrophe: programs for writing replace the one of the keyboard. */
export const withEitherApostrophe = (needle: string): string[] => [
  ...new Set([needle, needle.replaceAll("’", "'"), needle.replaceAll("'", "’")]),
];

/**
 * A word, by how it was written.
 *
 * @param stemmer undefined where no spaces are around a word, and its endings do not change
 */
export function queryWord(
  word: string,
  stemmer: Stemmer | undefined,
  instead: readonly string[] = [],
): QueryWord {
  const asWritten = withEitherApostrophe(word);
  if (stemmer === undefined || !spaced.test(word))
    return { word, terms: [{ needles: asWritten, share: 1 }], beginnings: [], instead };
  const isEnglish = /^[a-z]+$/.test(word) && word.length > longestWhole;
  const beginnings = isEnglish ? beginningsOf(word, stemmer) : [word];
  const needles = beginnings.flatMap((one) =>
    one.length > longestWhole
      ? wordStarts.flatMap((start) => withEitherApostrophe(start + one))
      : wordEnds.map((end) => ` ${one}${end}`),
  );
  const anywhere = { needles: asWritten, share: shares.anywhere };
  return { word, terms: [anywhere, { needles, share: shares.asWord }], beginnings, instead };
}

const segmenter = new Intl.Segmenter("ja", { granularity: "word" });
/** Single hiragana: particles, which say nothing of what is looked for. Longer ones weigh little where they are common. */
const isKana = (word: string): boolean => /^[\p{Script=Hiragana}ー]$/u.test(word);
/** Single letters and digits are in nearly every text; single kanji and kana words mean something. */
const isLetter = (word: string): boolean => /^[\p{Script=Latin}\p{N}]$/u.test(word);
const isMeaningful = (word: string): boolean => !isKana(word) && !isLetter(word);

/** Signs around a word that do not belong to it. Those of `C#`, `C++`, `.NET` and `100%` do; a sign between two words belongs to none. */
const around =
  /^(?:(?![#$@_]|\.[\p{L}\p{N}])[^\p{L}\p{N}])+|(?<!(?![#+*%_$])[^\p{L}\p{N}\p{M}])(?:(?![#+*%_$])[^\p{L}\p{N}\p{M}])+$/gu;
/** Signs that keep what is around them together, as in `a*b` and `snake_case`. */
const joining = /[#+*$%&=@~^|<>\\_]/;

/** Signs within what the dictionary takes for one word: `node.js`. */
const midWord = /[.:_]/;

const katakana = /^[\p{Script=Katakana}ー]+$/u;

/** What ICU's dictionary takes for words; but katakana without a gap, which it cuts into parts, is one word. */
function dictionaryWords(text: string): string[] {
  const words: string[] = [];
  let katakanaEnd = -1;
  for (const { segment, index, isWordLike } of segmenter.segment(text)) {
    if (isWordLike !== true) continue;
    words.push(index === katakanaEnd && katakana.test(segment) ? words.pop() + segment : segment);
    katakanaEnd = katakana.test(segment) ? index + segment.length : -1;
  }
  return words;
}

/** A word as it was written, and the words between its signs. */
interface Segment {
  readonly text: string;
  readonly instead: readonly string[];
}

/** A character of these scripts, or a sign of ASCII. */
const spacedCharacter = `[!-~’${spacedScripts}]`;
const beginsSpaced = new RegExp(`^${spacedCharacter}`, "u");
/** A run of such characters, or of all others. */
const runs = new RegExp(`(?:${spacedCharacter}\\p{M}*)+|[^!-~’${spacedScripts}]+`, "gu");

/** What says of which, in English: "Grover's" is "Grover". Shorter names are in too many other words. */
const possessive = /(?<=.{4})['’]s$/u;

/** The words of such a run. Signs alone are none. */
function segmentsOf(run: string): Segment[] {
  const text = run.replace(around, "").replace(possessive, "");
  const words = dictionaryWords(text);
  const mayBeOne = beginsSpaced.test(text) && words.length > 0;
  if (!mayBeOne || (words.length > 1 && !joining.test(text)))
    return words.map((word) => ({ text: word, instead: [] }));
  // Of one word, its parts if each has a letter: 2.5 is one number.
  const ofOne = text.split(midWord).filter(Boolean);
  const areParts = words[0] === text && ofOne.every((part) => /\p{L}/u.test(part));
  const parts = areParts ? ofOne : words;
  return [
    { text, instead: parts.filter((word) => word !== "" && word !== text && isMeaningful(word)) },
  ];
}

/** Characters of scripts in which words are written without spaces between them, or with particles at their ends. */
const unspacedLetter = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]`;
const unspaced = new RegExp(unspacedLetter, "u");
/** Any sign but hyphens, which keep together what is around them: `e-ラーニング`. */
const unlessHyphen = String.raw`[[\p{P}\p{S}]--[\-‐]]`;
/**
 * Signs between the items of a list, or around a word: those beside Japanese, as in `医療・福祉`; commas, and what ends
 * a sentence; punctuation beyond ASCII; apostrophes, which are found in either form. Others belong to a word of other scripts: `on-topic`, `I/O`, `f(x)`.
 */
const separating = new RegExp(
  String.raw`${unspacedLetter}${unlessHyphen}|${unlessHyphen}${unspacedLetter}|[,;'’]|[.!?:]$|[\p{P}--[!-~‐–]]`,
  "v",
);
const hiragana = /^[\p{Script=Hiragana}ー]+$/u;

/** Every pair of neighbouring characters of such scripts, but those of hiragana alone: these are grammar. */
function pairsOf(text: string): Term[] {
  const characters = Array.from(text);
  const pairs = characters.slice(1).flatMap((second, i) => {
    const first = characters[i]!;
    const pair = first + second;
    return unspaced.test(first) && unspaced.test(second) && !hiragana.test(pair) ? [pair] : [];
  });
  return [...new Set(pairs)].map((pair) => ({ needles: [pair], share: shares.pair }));
}

const marks = '"“”„«»';
const quotationMark = new RegExp(`[${marks}]`, "g");
/** How search engines join words: between spaces, no word of a query in any language. */
const operators: ReadonlySet<string> = new Set(["and", "or"]);
/** A phrase in quotation marks. */
const quotation = new RegExp(`[${marks}]([^${marks}]+)[${marks}]`, "g");
/** A phrase in those of Japanese. */
const bracketed = /「([^「」]+)」|『([^『』]+)』/g;
const allBracketed = new RegExp(`^(?:${bracketed.source})$`);

/** Words without repetitions, in their order. */
function distinct(segments: readonly Segment[], stemmer: Stemmer | undefined): QueryWord[] {
  const all = new Map<string, readonly string[]>();
  for (const { text, instead } of segments) all.set(needleOf(text), instead);
  all.delete("");
  return [...all].map(([word, instead]) => queryWord(word, stemmer, instead));
}

/** An English word between spaces, in small letters but for the first. */
const englishWord = /(?<=^|[\s("“„«])[A-Za-z][a-z'’]*(?=[\s.,?!:;)"”“»]|$)/gm;

/**
 * Which words of a query are grammar. In English, none that is in capitals among small letters ("IT jobs"); beside Japanese,
 * only those that are written as English words ("who is 安野"), not "ITツール" or "IT 支援", and never "it".
 */
function grammarIn(text: string, isJapanese: boolean): (word: string) => boolean {
  const unified = text.normalize("NFKC");
  if (isJapanese) {
    const english = new Set(unified.match(englishWord)?.map((one) => uncontracted(normalise(one))));
    english.delete("it");
    return (word) =>
      isFunctionWord(word) && (unspaced.test(word) || english.has(uncontracted(word)));
  }
  const capitals = /\p{Ll}/u.test(text) ? (unified.match(/\b[A-Z]{2,}\b/g) ?? []) : [];
  const names = new Set(capitals.map(normalise));
  return (word) => isFunctionWord(word) && !names.has(uncontracted(word));
}

/** A whole query, or a title that is compared with one, without quotation marks. @param text normalised */
export const phraseOf = (text: string): string =>
  text.replace(quotationMark, "").trim().replace(allBracketed, "$1$2").trim();

/** The words and signs of a text without quotation marks. @param text normalised */
const segmentsIn = (text: string): Segment[] =>
  text
    .split(" ")
    .filter((piece) => !operators.has(piece))
    .flatMap((piece) => (piece.match(runs) ?? []).flatMap(segmentsOf));

/**
 * Reads a query. White space separates words; ICU's dictionary separates those in a run of Japanese. Words of
 * grammar are left out. Quotation marks keep a phrase together.
 */
export function wordsOf(query: string, stemmer: Stemmer): QueryWords {
  const whole = query.toWellFormed().trim();
  const isCut = whole.length > longestQuery;
  // Not in the middle of a word, if there is an end of one. A sentence of Japanese has none.
  const text = isCut ? whole.slice(0, longestQuery).replace(/(?<=\s)\S{1,60}$/u, "") : whole;
  const quoted: Segment[] = [];
  const folded = normalise(text);
  const isJapanese = unspaced.test(folded);
  // Who asks for a phrase alone means it as it is. Beside other words, its own count as well: they outweigh it otherwise.
  const isQuotation = folded.trim().replace(quotation, "") === "";
  const rest = folded.replace(quotation, (_, phrase: string) => {
    quoted.push({ text: phrase, instead: [] });
    return isQuotation ? " " : ` ${phrase} `;
  });
  const phrase = phraseOf(folded);
  const isGrammar = grammarIn(text, isJapanese);
  for (const [, single, double] of rest.matchAll(bracketed)) {
    const inner = (single ?? double)!;
    const words = segmentsIn(inner).map((one) => one.text);
    const instead = words.filter(
      (word) => word !== inner && isMeaningful(word) && !isGrammar(word),
    );
    quoted.push({ text: inner, instead });
  }
  const segments = [...quoted, ...segmentsIn(rest)];
  // Beside Japanese, a word of Latin letters has no spaces around it in the texts either.
  const ownStemmer = isJapanese ? undefined : stemmer;
  const distinctWords = distinct(segments, ownStemmer);
  // Signs without words are looked for as they are.
  const all =
    distinctWords.length === 0 && phrase !== "" ? [queryWord(phrase, ownStemmer)] : distinctWords;
  // Who quotes a word means it, whatever it is.
  const meant = new Set(quoted.map((one) => needleOf(one.text)));
  const telling = all.filter(
    ({ word }) => meant.has(word) || (isMeaningful(word) && !isGrammar(word)),
  );
  const words = telling.length > 0 ? telling : all;
  // Measured with `npm run bench:agents -- --questions`: without those of English results are better, without those
  // of Japanese worse.
  const grammar = all.filter(
    ({ word }) => words === telling && !meant.has(word) && isGrammar(word) && unspaced.test(word),
  );
  return {
    phrase,
    titles: [...new Set([phrase, folded.trim()])],
    isOnePiece:
      text.length <= longestKeyword &&
      quoted.length === 0 &&
      !folded.includes(" ") &&
      !separating.test(folded),
    words: words.slice(0, mostQueryWords),
    beside: [...grammar.flatMap(({ terms }) => terms), ...pairsOf(rest)].slice(0, mostBeside),
    ignored: Math.max(0, words.length - mostQueryWords) + (isCut ? 1 : 0),
  };
}
