/** The tokenizer of a segment: a keyword → its terms, one for each of its UTF-16 units. */

/**
 * The terms of a keyword: at each of its units, the longest indexed gram that begins there (`grams.ts`).
 * A term's place in the list is its place in the keyword, as in an n-gram phrase query. A keyword that is
 * one indexed gram is its own only term; an empty one has none.
 *
 * Where 朝の and 電車 are frequent, 朝の電車 has the terms 朝の電, の電車, 電車 and 車. `docs/search-index.md` follows it
 * to its post.
 *
 * @param isFrequent whether a gram is frequent; true for every gram of one unit
 */
export function tokenizeKeyword(keyword: string, isFrequent: (gram: string) => boolean): string[] {
  const length = keyword.length;
  if (length === 0) return [];
  /** Width of the longest frequent gram at each unit, within the keyword. */
  const widths = Uint8Array.from({ length: length + 1 }, (_, at) => {
    let width = Math.min(1, length - at);
    while (at + width < length && isFrequent(keyword.slice(at, at + width + 1))) width++;
    return width;
  });
  const endOf = (at: number): number =>
    Math.min(length, at + Math.max(widths[at]!, widths[at + 1]!) + 1);
  if (endOf(0) === length) return [keyword];
  return Array.from({ length }, (_, at) => keyword.slice(at, endOf(at)));
}
