/** Needle → the posts that contain it, from lists alone: no false hit, no missed one. */
import { coverOf, type PlacedGram } from "./grams.ts";
import type { IndexFiles, PostNumbers } from "./index-files.ts";
import { beginningsBefore, followedBy, postsOf } from "./positions.ts";

const none: PostNumbers = new Uint32Array(0);

/**
 * Lists that are read in the first round. A needle of 60 units has at most 30; of a longer one, grams
 * that are spread over it show where it may be.
 */
const firstRound = 32;
/** Of so few places, reading the texts takes fewer requests than the lists of a long needle. */
const fewPlaces = 16;

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

/**
 * All posts whose normalised title or text contains a needle.
 *
 * @param needle as `needleOf` gives it; empty for every post
 * @returns post numbers, ascending (newest first); read-only
 * @throws IndexUnavailable when a part of the index cannot be read
 */
export async function postsContaining(index: IndexFiles, needle: string): Promise<PostNumbers> {
  if (needle === "") return index.everyPost;
  if (needle.length > index.manifest.longestText) return none;
  if (index.isFrequent(needle)) return index.posts(needle);

  const cover = coverOf(needle, index.isFrequent);
  const stride = Math.ceil(cover.length / firstRound);
  const spread = cover.filter((_, i) => i % stride === 0);
  const rest = cover.filter((_, i) => i % stride !== 0);
  let beginnings = beginningsOf(spread, await listsOf(index, spread), undefined);
  if (index.hasTexts && beginnings.length <= fewPlaces && rest.length > firstRound)
    beginnings = await confirmed(index, beginnings, needle);
  else if (beginnings.length > 0 && rest.length > 0)
    beginnings = beginningsOf(rest, await listsOf(index, rest), beginnings);
  return postsOf(beginnings, index.catalog.textOffsets);
}
