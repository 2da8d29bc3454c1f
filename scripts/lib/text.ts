/** Texts for people: order, numbers, lists, names, and what strangers wrote. */
import { distance } from "fastest-levenshtein";
import { suggestSimilar as suggestAllSimilar } from "../../functions/mcp/suggest-similar.ts";

/** Compares two texts by code points: UTF-8 bytes sort the same way. For `Array.sort`. */
export const compareCodePoints = (a: string, b: string): number =>
  a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Numbers as messages show them: 12,345. */
export const formatNumber = (value: number): string => value.toLocaleString("en-US");

/**
 * A number and what it counts: 1 post, 12,345 posts.
 *
 * @param things begins with a plural, formed with "s"
 */
export const pluralize = (value: number, things: string): string =>
  `${formatNumber(value)} ${value === 1 ? things.replace(/s\b/, "") : things}`;

/** Items of a list that messages name one by one. */
export const listedAtMost = 20;

/**
 * The first items of a list as lines, and how many more there are.
 *
 * @param mark what each line begins with
 * @param total items of the whole list, where `items` is a part of it
 */
export const truncateList = (
  items: readonly string[],
  mark: string,
  total = items.length,
): string[] => [
  ...items.slice(0, listedAtMost).map((item) => mark + item),
  ...(total > listedAtMost ? [`${mark}and ${formatNumber(total - listedAtMost)} more`] : []),
];

/** The known name that is most similar to another; undefined where none is. */
export const suggestSimilar = (name: string, known: Iterable<string>): string | undefined =>
  suggestAllSimilar(name, known, distance)[0];

/**
 * Text of strangers, for terminals and logs: control characters, and characters that change the direction of text, are
 * written as \u{…}, and so is the first sign of what GitHub reads as a command in a log: `::` at the beginning of a
 * line, `##[` anywhere.
 */
export const escapeControlChars = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Bidi_Control}\u2028\u2029]|(?<=^\s*):(?=:)|#(?=#\[)/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
