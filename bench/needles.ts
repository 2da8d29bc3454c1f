/**
 * Many needles at a time, found by reading all texts: Rabin-Karp, which looks at each text once for all
 * needles of one length (R. Karp and M. Rabin, "Efficient randomized pattern-matching algorithms", 1987).
 * Each match of a hash is compared unit by unit.
 */

const longestNeedle = 60;
const multiplier = 0x0100_0193;
const filterBits = 20;

/** A needle and what was found of it: how many posts, and the sum of their numbers. */
interface Needle {
  readonly text: string;
  posts: number;
  sum: number;
  last: number;
}

/** Pieces of texts of 1 to 60 units; every fourth with one unit changed, so that most of these are nowhere. */
function draw(
  texts: readonly (readonly string[])[],
  count: number,
  random: () => number,
): Map<string, Needle>[] {
  const below = (limit: number): number => Math.floor(random() * limit);
  const byLength = Array.from({ length: longestNeedle + 1 }, () => new Map<string, Needle>());
  for (let i = 0; i < count; i++) {
    const post = texts[below(texts.length)] ?? [];
    const source = post[i % 10 === 0 ? 0 : 1] ?? "";
    const at = below(source.length);
    let text = source.slice(at, at + 1 + (i % longestNeedle));
    if (i % 4 === 0) {
      const changed = below(text.length);
      const other = (texts[below(texts.length)]?.[1] ?? "").slice(below(500)).slice(0, 1);
      text = text.slice(0, changed) + other + text.slice(changed + 1);
    }
    if (text !== "") byLength[text.length]?.set(text, { text, posts: 0, sum: 0, last: -1 });
  }
  return byLength;
}

/** Finds all needles of one length in all texts. */
function findAll(
  texts: readonly (readonly string[])[],
  needles: ReadonlyMap<string, Needle>,
  length: number,
): void {
  const hashOf = (text: string): number => {
    let hash = 0;
    for (let i = 0; i < length; i++) hash = (Math.imul(hash, multiplier) + text.charCodeAt(i)) | 0;
    return hash;
  };
  const filter = new Uint8Array(2 ** filterBits);
  const slot = (hash: number): number => Math.imul(hash, 0x9e37_79b1) >>> (32 - filterBits);
  for (const text of needles.keys()) filter[slot(hashOf(text))] = 1;
  let highest = 1;
  for (let i = 1; i < length; i++) highest = Math.imul(highest, multiplier);

  for (const [number, parts] of texts.entries())
    for (const text of parts) {
      if (text.length < length) continue;
      let hash = hashOf(text);
      for (let at = 0; ; at++) {
        if (filter[slot(hash)] === 1) {
          const needle = needles.get(text.slice(at, at + length));
          if (needle !== undefined && needle.last !== number) {
            needle.last = number;
            needle.posts++;
            needle.sum += number;
          }
        }
        if (at + length >= text.length) break;
        hash = (hash - Math.imul(text.charCodeAt(at), highest)) | 0;
        hash = (Math.imul(hash, multiplier) + text.charCodeAt(at + length)) | 0;
      }
    }
}

/**
 * Asks for many needles, and counts those whose posts differ from the ones that contain them.
 *
 * @param texts title and text of every post, by number
 * @param search gives the numbers of the posts that contain a needle
 */
export async function wrongNeedles(
  texts: readonly (readonly string[])[],
  count: number,
  random: () => number,
  search: (needle: string) => Promise<Uint32Array>,
): Promise<{ readonly asked: number; readonly wrong: number }> {
  let asked = 0;
  let wrong = 0;
  for (const [length, needles] of draw(texts, count, random).entries()) {
    if (needles.size === 0) continue;
    findAll(texts, needles, length);
    for (const { text, posts, sum } of needles.values()) {
      const found = await search(text);
      asked++;
      if (found.length !== posts || found.reduce((total, post) => total + post, 0) !== sum) wrong++;
    }
  }
  return { asked, wrong };
}
