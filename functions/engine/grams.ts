/**
 * Which grams (runs of UTF-16 units) the index holds, and which of them answer a keyword.
 *
 * A gram is *frequent* when at least `frequentFrom` posts contain it (`scripts/search-index/write-segments.ts`). Every single unit counts as frequent;
 * a gram longer than `longestFrequent` never does. A part of a frequent gram is frequent.
 * - A frequent gram has the list of the posts that contain it.
 * - Every other gram has *positions*: where it begins, in one numbering of the units of all texts. A
 *   position is listed at most once, under one gram that begins there. Of the frequent grams that begin
 *   at this unit or at the next, take the longest: this gram has one unit more. Where that would reach beyond the end of
 *   the text, the position is in no list: what is left there is a frequent gram. A shorter gram that is not
 *   frequent has the positions of all listed grams that begin with it.
 *
 * An example without the spaces around texts, where a gram is frequent that two posts contain (with the position of
 * each post's first unit):
 *
 *     0 朝の電車   5 電車の中   10 朝の会議
 *
 *     frequent     朝の (posts 0 and 2), 電車 (posts 0 and 1), and every single unit
 *     positions    朝の電 0   の電車 1   電車の 5   車の 6   の中 7   朝の会 10   の会 11   会議 12
 *
 * The longest indexed grams at the units of `朝の電車` are 朝の電, の電車, 電車 and 車. The last two lie within
 * の電車. So 朝の電 and の電車 cover the keyword: it is where の電車 begins one unit after 朝の電, at 0.
 *
 * So a keyword is frequent itself, or grams with positions cover it. Proof: take the longest indexed gram
 * at each unit of the keyword, and drop those that lie within another one. Assume that a remaining gram is
 * frequent. Then it ends where the keyword ends; otherwise, the gram at its unit would be one unit longer.
 * If the keyword has a unit before it, the gram that begins there reaches the end, too, and contains it.
 * So it was dropped. If there is no unit before it, the keyword is this frequent gram.
 * Positions prove that two grams adjoin: no text needs to be read, and all lists are known before the first is read.
 */

/** Follows each title and each text. Normalisation removes it from input, so nothing matches across it. */
export const separator = "\0";

/** The longest gram that can be frequent, in units. */
export const longestFrequent = 12;

/** A gram of a keyword, and where it begins there. */
export interface GramAt {
  readonly gram: string;
  readonly offset: number;
}

/**
 * Terms of a keyword that cover it without a gap, ascending, none of them frequent. They have as few different grams
 * as reach from its beginning to its end: a gram that is used already goes before another one that reaches further.
 * For example, of 朝の電, の電車, 電車 and 車, the first two; of a keyword that repeats up to twelve units, one and its end.
 *
 * @param terms as `tokenizeKeyword` gives them; not one that is frequent
 */
export function minimalCover(terms: readonly string[]): GramAt[] {
  const endOf = (at: number): number => at + terms[at]!.length;
  const used = new Set<string>();
  const cover: GramAt[] = [];
  for (let next = 0, covered = 0; covered < terms.length;) {
    // The gram that reaches furthest; of two that reach the end, the first contains the other.
    let best = next;
    let bestUsed = -1;
    for (let at = next; at <= covered && at < terms.length; at++) {
      if (endOf(at) > endOf(best)) best = at;
      if (used.has(terms[at]!) && endOf(at) > (bestUsed < 0 ? covered : endOf(bestUsed)))
        bestUsed = at;
    }
    const at = bestUsed < 0 ? best : bestUsed;
    const gram = terms[at]!;
    cover.push({ gram, offset: at });
    used.add(gram);
    covered = endOf(at);
    next = at + 1;
  }
  return cover;
}
