/** The first place of a text in a longer one, in linear time. */

/** Units of both, multiplied, that `indexOf` takes a few milliseconds for, whatever they are. */
const quick = 4_000_000;

/** Of each beginning of a needle, the units of the longest shorter beginning that it ends with. */
function bordersOf(needle: string): Uint32Array {
  const borders = new Uint32Array(needle.length);
  for (let i = 1, length = 0; i < needle.length; i++) {
    while (length > 0 && needle[i] !== needle[length]) length = borders[length - 1]!;
    if (needle[i] === needle[length]) length++;
    borders[i] = length;
  }
  return borders;
}

/**
 * As `indexOf` gives it, which compares a needle of repeated characters at every place of a text of the same. By the method
 * of Knuth, Morris and Pratt (Fast Pattern Matching in Strings, 1977).
 *
 * @returns -1 where the needle is not in the text
 */
export function firstPlace(text: string, needle: string): number {
  if (text.length * needle.length <= quick) return text.indexOf(needle);
  const borders = bordersOf(needle);
  for (let i = 0, length = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    while (length > 0 && unit !== needle.charCodeAt(length)) length = borders[length - 1]!;
    if (unit === needle.charCodeAt(length)) length++;
    if (length === needle.length) return i + 1 - length;
  }
  return -1;
}
