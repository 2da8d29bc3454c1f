/** The id of a post in a path, or where an agent gives one. */

/**
 * The id of a post: ASCII digits, not all zero.
 *
 * @returns undefined where it is not valid; NaN where it is, but no post can have it
 */
export function postIdOf(text: string): number | undefined {
  if (!/^0*[1-9][0-9]*$/.test(text)) return undefined;
  return text.startsWith("0") || !Number.isSafeInteger(Number(text)) ? Number.NaN : Number(text);
}

/** The same, from its percent-encoded form in a URL. */
export function postIdFrom(encoded: string): number | undefined {
  try {
    return postIdOf(decodeURIComponent(encoded));
  } catch {
    return undefined;
  }
}
