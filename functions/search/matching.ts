/** Needle → the posts that contain it, from lists alone: no false hit, no missed one. */
import { coverOf, type PlacedGram } from "./grams.ts";
import type { IndexFiles, PostNumbers } from "./index-files.ts";
import { beginningsBefore, followedBy, postsOf } from "./positions.ts";

const none: PostNumbers = new Uint32Array(0);

/**
 * Lists that are read in the first round. A needle of 60 units needs 31 at most; a longer one is seldom
 * asked for, and seldom in a post: grams that are spread over it show that.
 */
const firstRound = 32;

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
  let beginnings: Uint32Array | undefined;
  for (const wave of [
    cover.filter((_, i) => i % stride === 0),
    cover.filter((_, i) => i % stride !== 0),
  ]) {
    if (wave.length === 0) continue;
    beginnings = beginningsOf(wave, await listsOf(index, wave), beginnings);
    if (beginnings.length === 0) return none;
  }
  return postsOf(beginnings ?? none, index.catalog.textOffsets);
}
