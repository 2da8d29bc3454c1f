/** A name that is not known → the known ones that it is almost. */

/** Characters of a name that are compared: a longer one takes long, and is near to nothing. */
const maxLength = 100;

/** How many letters two texts differ in (Levenshtein). A package has it, which the function loads only where it needs it. */
export type Distance = (one: string, other: string) => number;

/** A name as it is compared: without case, spaces and marks between words. */
export const letters = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, "");

/** Suggests known names: those that differ in two letters at most, and in one where they are short; the nearest first. */
export function suggestSimilar(
  name: string,
  known: Iterable<string>,
  distance: Distance,
): string[] {
  if (name.length > maxLength) return [];
  const wanted = letters(name);
  return [...known]
    .map((one) => ({ one, far: distance(letters(one), wanted) }))
    .filter(({ one, far }) => far <= (one.length < 5 ? 1 : 2))
    .sort((a, b) => a.far - b.far)
    .map(({ one }) => one);
}
