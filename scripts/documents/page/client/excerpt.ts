/** The part of a text where keywords were found, with marks: by the rule by which the API finds posts. */
import { normalize } from "../../../../functions/engine/normalize.ts";
import { h, type Content } from "./h.ts";

/** Code units that are searched at a time, and altogether. */
const windowLength = 300;
const maxSearchedLength = 1_000_000;
/** Code units of a text in which keywords are marked: a longer title is shown as it is. */
const maxMarkedLength = 10_000;
/** Code units of a word that an excerpt begins with as a whole, or leaves out at its end. */
const maxWordLength = 20;
/** Code units of an excerpt: of scripts with wide characters, and of others. */
const excerptLength = { wide: 80, narrow: 160 };

/** The characters of a text as readers count them: what is normalised together is in one. */
const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** A part of a text, in code units. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** Normalises a text, and tells from which character of it each code unit comes. */
function normaliseWithSources(text: string): { normalised: string; sources: Range[] } {
  const sources: Range[] = [];
  let normalised = "";
  for (const { segment, index } of segmenter.segment(text)) {
    const own = normalize(segment);
    const part = normalised.endsWith(" ") ? own.replace(/^ /, "") : own;
    normalised += part;
    const source = { start: index, end: index + segment.length };
    for (let i = 0; i < part.length; i++) sources.push(source);
  }
  return { normalised, sources };
}

/**
 * Finds keywords in a text.
 *
 * @param keywords normalised, none empty
 * @returns where they are, apart from each other and in order; none where the normalised text cannot be led back
 */
export function findMatches(text: string, keywords: readonly string[]): Range[] {
  if (keywords.length === 0 || text.length > maxMarkedLength) return [];
  const { normalised, sources } = normaliseWithSources(text);
  if (normalised !== normalize(text)) return [];
  const longestFirst = keywords.toSorted((a, b) => b.length - a.length);
  const literals = longestFirst.map((one) => one.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  return Array.from(normalised.matchAll(new RegExp(literals.join("|"), "g")), (match) => ({
    start: sources[match.index]?.start ?? 0,
    end: sources[match.index + match[0].length - 1]?.end ?? 0,
  })).filter(({ start }, i, all) => start >= (all[i - 1]?.end ?? 0));
}

/** Marks keywords in a text. */
export function markMatches(text: string, keywords: readonly string[]): Content[] {
  const matches = findMatches(text, keywords);
  const marked = matches.flatMap(({ start, end }, i) => [
    text.slice(matches[i - 1]?.end, start),
    h("mark", {}, text.slice(start, end)),
  ]);
  return [...marked, text.slice(matches.at(-1)?.end)];
}

/**
 * Where the first window of a line begins that has a keyword; 0 where none has.
 *
 * @param overlap of windows
 */
function findWindow(line: string, keywords: readonly string[], overlap: number): number {
  const end = keywords.length === 0 ? 0 : Math.min(line.length, maxSearchedLength);
  const step = Math.max(windowLength, overlap);
  for (let at = 0; at < end; at += step) {
    const part = normalize(line.slice(at, at + step + overlap));
    if (keywords.some((keyword) => part.includes(keyword))) return at;
  }
  return 0;
}

/** The last place up to another one where a line can be cut: after a near space, else not within a character. */
function cutBefore(line: string, at: number): number {
  if (at <= 0 || at >= line.length) return Math.max(0, Math.min(at, line.length));
  const space = line.lastIndexOf(" ", at) + 1;
  if (at - space < maxWordLength) return space;
  return segmenter.segment(line).containing(at)?.index ?? at;
}

/**
 * Takes the part of a text where the first keyword is, else its beginning.
 *
 * @param keywords normalised, none empty
 */
export function excerpt(text: string, keywords: readonly string[]): Content[] {
  const line = text.replace(/\s+/gu, " ").trim();
  const length = excerptLength[/[\u3040-\u9FFF\uAC00-\uD7A3]/.test(line) ? "wide" : "narrow"];
  const overlap = 2 * Math.max(0, ...keywords.map((keyword) => keyword.length));
  const window = findWindow(line, keywords, overlap);
  const searched = line.slice(window, window + windowLength + 2 * overlap + length);
  const [match = { start: 0, end: 0 }] = findMatches(searched, keywords);
  const wanted = Math.min(window + match.start - length / 4, line.length - length);
  const start = cutBefore(line, wanted);
  const end = Math.max(cutBefore(line, Math.max(0, wanted) + length), window + match.end);
  return [
    start > 0 ? "…" : "",
    markMatches(line.slice(start, end).trimEnd(), keywords),
    end < line.length ? "…" : "",
  ];
}
