/** Binary search by a condition, for sorted things of any kind. */

/**
 * How many items, from the first on, fulfil a condition that none after them fulfils.
 *
 * @param length number of items
 * @param holds whether the item at an index fulfils it
 */
export function partitionPoint(length: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
