/** The id of a post in a path. */

/**
 * The id of a post: ASCII digits, not all zero.
 *
 * @param encoded the id as in the URL, percent-encoded
 * @returns undefined where it is not valid; NaN where it is, but no post can have it
 */
export function postIdFrom(encoded: string): number | undefined {
  let id: string;
  try {
    id = decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
  if (!/^0*[1-9][0-9]*$/.test(id)) return undefined;
  return id.startsWith("0") || !Number.isSafeInteger(Number(id)) ? Number.NaN : Number(id);
}
