/**
 * Which grams (runs of UTF-16 units) the index holds, and which of them answer a needle.
 *
 * A gram is *frequent* when at least `frequent` posts contain it; every single unit counts as frequent,
 * no gram longer than `longestFrequent` does. A part of a frequent gram is frequent.
 * - A frequent gram has the list of the posts that contain it.
 * - Every other gram has *positions*: where it begins, in one numbering of the units of all texts. A
 *   position is listed once, under the longest gram worth having there: one unit longer than the
 *   longest frequent gram that begins at this unit or at the next. A shorter gram that is not frequent
 *   has the positions of all listed grams that begin with it.
 *
 * So a needle is covered by grams with positions, or is frequent itself. Take the longest indexed gram
 * at each unit of the needle, and drop those that lie within another one. If one that is left were
 * frequent, it would end with the needle (else it would be one unit longer than a frequent gram). But
 * then the gram that begins one unit earlier would reach the end too, and contain it; unless there is no
 * unit before, and the needle is this frequent gram. Positions prove that two grams adjoin: no text is
 * read, and all lists are known before the first is read.
 */

/** Follows each title and each text. Normalisation removes it from input, so nothing matches across it. */
export const separator = "\0";

/** The longest gram that can be frequent, in units. */
export const longestFrequent = 12;

/** A gram of a needle, and where it begins there. */
export interface PlacedGram {
  readonly gram: string;
  readonly at: number;
}

/**
 * The grams with positions that cover a needle: as few as possible, ascending, without a gap.
 *
 * @param needle not empty, and not frequent itself
 * @param isFrequent whether a gram is frequent; true for every gram of one unit
 */
export function coverOf(needle: string, isFrequent: (gram: string) => boolean): PlacedGram[] {
  const length = needle.length;
  /** Width of the longest frequent gram at each unit, within the needle. */
  const widths = Uint8Array.from({ length: length + 1 }, (_, at) => {
    let width = Math.min(1, length - at);
    while (at + width < length && isFrequent(needle.slice(at, at + width + 1))) width++;
    return width;
  });
  /** End of the longest gram that is indexed at a unit. */
  const endOf = (at: number): number =>
    Math.min(length, at + Math.max(widths[at]!, widths[at + 1]!) + 1);

  const cover: PlacedGram[] = [];
  for (let at = 0, covered = 0; covered < length;) {
    // The gram that reaches furthest; of two that reach the end, the first contains the other.
    let best = at;
    for (; at <= covered && at < length; at++) if (endOf(at) > endOf(best)) best = at;
    covered = endOf(best);
    cover.push({ gram: needle.slice(best, covered), at: best });
    at = best + 1;
  }
  return cover;
}
