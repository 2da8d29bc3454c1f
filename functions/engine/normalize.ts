/** The one form in which titles, texts and keywords are compared. */

/** Characters that nobody sees: NUL, soft hyphens, zero-width and bidi characters, variation selectors. */
const ignorable = /[\0\p{Default_Ignorable_Code_Point}]+/gu;

/**
 * More than 30 combining marks in a row, which no language has (Unicode's Stream-Safe Text Format,
 * UAX #15, 13). The half-width ﾞ and ﾟ become marks. The lookahead only saves time: it rules out
 * Latin letters, kana and kanji at once.
 */
const longRunOfMarks = /(?=[^\0-\u02FF\u3040-\u3098\u309B-\uA66E])[\p{M}\uFF9E\uFF9F]{31}/gu;
/** A unit that may be of such a run. */
const unitOfMark = /[\p{M}\uFF9E\uFF9F\uD800-\uDFFF]/u;

/** Whether a text may have a long run of marks: each has a unit at every 31st place. Saves a third of the time. */
function mayHaveLongRun(text: string): boolean {
  for (let at = 30; at < text.length; at += 31) if (unitOfMark.test(text[at]!)) return true;
  return false;
}

/** Where a run goes on. In steps: the engine's stack grows with a repetition, and a text may hold millions. */
const furtherMarks = /[\p{M}\uFF9E\uFF9F]{1,1000}/uy;

/**
 * Unicode NFKC, in linear time. Marks that follow each other are sorted, and that takes quadratic
 * time. So a long run of marks keeps its order and is not combined with what is before it: each of
 * its marks is normalised for itself.
 */
function toNfkc(text: string): string {
  if (!mayHaveLongRun(text)) return text.normalize("NFKC");
  let result = "";
  let end = 0;
  for (const { 0: marks, index } of text.matchAll(longRunOfMarks)) {
    // A part of the run that was taken already.
    if (index < end) continue;
    result += text.slice(end, index).normalize("NFKC");
    end = index + marks.length;
    for (furtherMarks.lastIndex = end; furtherMarks.test(text);) end = furtherMarks.lastIndex;
    result += Array.from(text.slice(index, end), (mark) => mark.normalize("NFKC")).join("");
  }
  return result + text.slice(end).normalize("NFKC");
}

/**
 * A text without unseen characters, in Unicode NFKC (full-width and half-width forms unified), every run of white
 * space one space: as `normalize` makes it, but for upper and lower case.
 */
export const foldCompatibility = (text: string): string =>
  toNfkc(text.replace(ignorable, "")).replace(/\s+/gu, " ");

/** A text in lower case, a final sigma as any sigma. It may be longer: İ has two units then. */
export const foldCase = (text: string): string => text.toLowerCase().replaceAll("ς", "σ");

/**
 * Folds a text so that forms that read alike compare alike: unseen characters removed, Unicode NFKC
 * (full-width and half-width forms unified), lower case, final sigma as any sigma, every run of white
 * space one space.
 *
 * Both sides of a comparison must go through here: the build normalises posts, the function keywords.
 * NFKC makes no unseen character, so that they need removing only once.
 */
export const normalize = (text: string): string => foldCase(foldCompatibility(text));

/** A keyword as texts are searched for it: normalised, without white space around it. Empty matches every post. */
export const normalizeKeyword = (keyword: string): string => normalize(keyword).trim();

/**
 * The form in which tag names are compared: Unicode NFC, and each run of white space as `_`, since white space
 * separates the names in the parameter `tags`. So it is also how `tags` gives a name. A name with a long run of marks
 * is not normalised, because sorting them takes quadratic time.
 */
export const normalizeTagName = (tagName: string): string =>
  (tagName.search(longRunOfMarks) !== -1 ? tagName : tagName.normalize("NFC")).replace(
    /\s+/gu,
    "_",
  );
