/** The best few of many. */

/**
 * The items with the greatest scores, the greatest first; of equal scores, those that come first. Made for few
 * of many: most items are only compared with the least that is kept.
 *
 * @param most how many are wanted
 */
export function topOf(
  items: Iterable<number>,
  scoreOf: (item: number) => number,
  most: number,
): number[] {
  const best: number[] = [];
  const scores: number[] = [];
  for (const item of items) {
    const score = scoreOf(item);
    if (best.length === most && score <= scores[most - 1]!) continue;
    let at = best.length;
    while (at > 0 && scores[at - 1]! < score) at--;
    best.splice(at, 0, item);
    scores.splice(at, 0, score);
    if (best.length <= most) continue;
    best.pop();
    scores.pop();
  }
  return best;
}
