/** The best few of many. */

/**
 * The items with the greatest scores, the greatest first; of equal scores, those that come first. Most items are
 * only compared with the least score that counts.
 *
 * @param scores by item
 * @param most how many are wanted
 */
export function topK(items: ArrayLike<number>, scores: ArrayLike<number>, most: number): number[] {
  const best: { readonly item: number; readonly score: number }[] = [];
  /** Leaves the best, in their order. Sorting is stable, so of equal ones the first come first. */
  const cut = (): void => void best.sort((a, b) => b.score - a.score).splice(most);
  let least = -Infinity;
  // By index: over a list of 100,000 posts, an iterator takes several times as long.
  for (let i = 0; i < items.length; i++) {
    const item = items[i]!;
    const score = scores[item]!;
    if (score <= least) continue;
    best.push({ item, score });
    // Twice as many as wanted, so that sorting is seldom.
    if (best.length < 2 * most) continue;
    cut();
    least = best.at(-1)?.score ?? Infinity;
  }
  cut();
  return best.map(({ item }) => item);
}
