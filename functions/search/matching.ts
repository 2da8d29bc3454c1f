/** Terms → the posts in which they adjoin, from lists alone: no false hit, no missed one. */
import { coverOf, type PlacedGram } from "./grams.ts";
import type { IndexFiles, PostNumbers } from "./index-files.ts";
import { beginningsBefore, followedBy, postsOf } from "./positions.ts";

const none: PostNumbers = new Uint32Array(0);

/**
 * Lists that are read in the first round. A needle of 60 units has at most 30; of a longer one, grams
 * that are spread over it show where it may be.
 */
const firstRound = 32;
/** Of as few beginnings, reading the texts takes fewer requests than the lists of a long needle. */
const fewBeginnings = 16;

/** The beginnings that a needle may have, by some of its grams; rarest first, so that the work shrinks at once. */
function beginningsOf(
  grams: readonly PlacedGram[],
  lists: readonly Uint32Array[],
  known: Uint32Array | undefined,
): Uint32Array {
  const byLength = [...grams.keys()].sort((a, b) => lists[a]!.length - lists[b]!.length);
  let beginnings = known;
  for (const i of byLength) {
    const { at } = grams[i]!;
    beginnings =
      beginnings === undefined
        ? beginningsBefore(lists[i]!, at)
        : followedBy(beginnings, lists[i]!, at);
    if (beginnings.length === 0) return none;
  }
  return beginnings ?? none;
}

/** The list of each gram; a gram that comes again is looked up once. */
async function listsOf(index: IndexFiles, grams: readonly PlacedGram[]): Promise<Uint32Array[]> {
  const distinct = [...new Set(grams.map(({ gram }) => gram))];
  const lists = await index.positions(distinct);
  const byGram = new Map(distinct.map((gram, i) => [gram, lists[i] ?? none]));
  return grams.map(({ gram }) => byGram.get(gram) ?? none);
}

/** The beginnings where the needle is, by the text itself. */
async function confirmed(
  index: IndexFiles,
  beginnings: Uint32Array,
  needle: string,
): Promise<Uint32Array> {
  const texts = await Promise.all(
    Array.from(beginnings, (position) => index.text(position, needle.length)),
  );
  return beginnings.filter((_, i) => texts[i] === needle);
}

/** The posts of `positionsOfAdjoining`, ascending (newest first). */
export const postsWithAdjoining = async (
  index: IndexFiles,
  terms: readonly string[],
): Promise<PostNumbers> =>
  postsOf(await positionsOfAdjoining(index, terms), index.catalog.textOffsets);

/**
 * All positions, in the numbering of the units of all texts, where terms follow each other unit by unit.
 *
 * @param terms of a needle, as `termsOf` gives them; at least two
 * @returns ascending
 * @throws IndexUnavailable when a part of the index cannot be read
 */
export async function positionsOfAdjoining(
  index: IndexFiles,
  terms: readonly string[],
): Promise<Uint32Array> {
  if (terms.length > index.manifest.longestText) return none;
  const cover = coverOf(terms);
  const stride = Math.ceil(cover.length / firstRound);
  const spread = cover.filter((_, i) => i % stride === 0);
  const rest = cover.filter((_, i) => i % stride !== 0);
  let beginnings = beginningsOf(spread, await listsOf(index, spread), undefined);
  if (index.hasTexts && beginnings.length <= fewBeginnings && rest.length > firstRound)
    // Unit by unit: code points would make fewer terms of a text with emoji.
    beginnings = await confirmed(index, beginnings, terms.map((term) => term.charAt(0)).join(""));
  else if (beginnings.length > 0 && rest.length > 0)
    beginnings = beginningsOf(rest, await listsOf(index, rest), beginnings);
  return beginnings;
}
