/** The order of texts by code points, as opposed to JavaScript's order by UTF-16 units. */

/** Compares two texts by code points: UTF-8 bytes sort the same way. For `Array.sort`. */
export const compareCodePoints = (a: string, b: string): number =>
  a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
