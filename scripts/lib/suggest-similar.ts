/** A name that is not known → the known one that it is almost. */
import { distance } from "fastest-levenshtein";

/** Characters of a name that are compared: a longer one takes long, and is near to nothing. */
const maxLength = 100;

/** A name as it is compared: without case, spaces and marks between words. */
export const letters = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, "");

/**
 * Suggests a known name: one that differs in two letters at most, and in one where it is short.
 *
 * @returns undefined where none is as near
 */
export function suggestSimilar(name: string, known: Iterable<string>): string | undefined {
  const short = letters(name.slice(0, maxLength));
  return [...known].find((one) => distance(letters(one), short) <= (one.length < 6 ? 1 : 2));
}
