/** A name that is not known → the known ones that it may be meant for. */

/** Letters that two names may differ in and still count as near. */
const nearestDistance = 3;

/** How many letters two texts differ in (Levenshtein). A package has it, which the function loads only where it needs it. */
export type Distance = (one: string, other: string) => number;

/** Whether one of two texts is a part of the other. Single characters are parts of too many. */
const hasOther = (one: string, other: string): boolean =>
  Math.min(one.length, other.length) > 1 && (one.includes(other) || other.includes(one));

/** Characters of a name for which near ones are looked for. To compare a longer one with thousands takes seconds. */
const longestName = 200;

/** The known names that are near to another or a part of it, or have it as a part, whatever their case; the nearest first. */
export function nearestNames(name: string, known: readonly string[], distance: Distance): string[] {
  if (name.length > longestName) return [];
  const wanted = name.toLowerCase();
  const near: { one: string; far: number }[] = [];
  for (const one of known) {
    const other = one.toLowerCase();
    // Two names differ in at least that many letters, and in no more where one is a part of the other.
    const difference = Math.abs(other.length - wanted.length);
    if (hasOther(other, wanted)) near.push({ one, far: difference });
    else if (difference <= nearestDistance) {
      const far = distance(other, wanted);
      if (far <= Math.min(nearestDistance, one.length / 2)) near.push({ one, far });
    }
  }
  return near.sort((a, b) => a.far - b.far).map(({ one }) => one);
}
