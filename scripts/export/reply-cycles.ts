/** Comments that answer each other in a circle. */

/**
 * One comment of each cycle of replies that some comments lead to, the same in any order of these. Each comment is
 * visited once.
 *
 * @param ids of these comments
 * @param parentOf the comment that one answers; 0 for none
 */
export function* cyclesFrom(
  ids: Iterable<number>,
  parentOf: (id: number) => number,
): Generator<number> {
  const walkOf = new Map<number, number>();
  for (const first of [...ids].sort((a, b) => a - b)) {
    let id = first;
    for (; id !== 0 && !walkOf.has(id); id = parentOf(id)) walkOf.set(id, first);
    // A walk that meets itself has entered a cycle; one that meets another has nothing new.
    if (id !== 0 && walkOf.get(id) === first) yield id;
  }
}
