/** A name that is not known → the known ones that it may be meant for. */

/** Letters that two names may differ in and still count as near. */
const nearestDistance = 3;

/** How many letters two texts differ in (Levenshtein). A package has it, which the function loads only where it needs it. */
export type Distance = (one: string, other: string) => number;

/** Whether one of two texts is a part of the other. Single characters are parts of too many. */
const hasOther = (one: string, other: string): boolean =>
  Math.min(one.length, other.length) > 1 && (one.includes(other) || other.includes(one));

/** The known names that are near to another or a part of it, or have it as a part, whatever their case; the nearest first. */
export const nearestNames = (
  name: string,
  known: readonly string[],
  distance: Distance,
): string[] =>
  known
    .map((one) => ({ one, far: distance(one.toLowerCase(), name.toLowerCase()) }))
    .filter(
      ({ one, far }) =>
        far <= Math.min(nearestDistance, one.length / 2) ||
        hasOther(one.toLowerCase(), name.toLowerCase()),
    )
    .sort((a, b) => a.far - b.far)
    .map(({ one }) => one);
