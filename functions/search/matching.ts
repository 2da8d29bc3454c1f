/** Terms → the posts in which they adjoin, from lists alone: no false hit, no missed one. */
import { coverOf, type PlacedGram } from "./grams.ts";
import type { IndexFiles, PostNumbers } from "./index-files.ts";
import { beginningsBefore, followedBy, postsOf } from "./positions.ts";
import { confirmedByLists, type ListedGram } from "./repeated-grams.ts";

const none: PostNumbers = new Uint32Array(0);

/**
 * Lists that are read in the first round. A needle of 60 units has at most 30; of a longer one, grams
 * that are spread over it show where it may be.
 */
const firstRound = 32;
/** Of as few beginnings, reading the texts takes fewer requests than the lists of a long needle. */
const fewBeginnings = 16;
/** Of more beginnings times lists, to intersect further lists may take longer than to look at all of them at once. */
const manySteps = 2 ** 20;

/** Grams with their positions, which are read in one round. */
async function listed(index: IndexFiles, grams: readonly PlacedGram[]): Promise<ListedGram[]> {
  const lists = await index.positions(grams.map(({ gram }) => gram));
  return grams.map((gram, i) => ({ ...gram, list: lists[i] ?? none }));
}

/** Beginnings that are looked at to see how many of all a list rules out. */
const sampleLength = 4096;

/** Whether a list rules out less than half of some beginnings, as far as a sample of them tells. */
function rulesOutLittle(beginnings: Uint32Array, { at, list }: ListedGram): boolean {
  const length = Math.min(beginnings.length, sampleLength);
  const step = beginnings.length / length;
  const sample = Uint32Array.from({ length }, (_, i) => beginnings[Math.floor(i * step)]!);
  return followedBy(sample, list, at).length > sample.length / 2;
}

/**
 * The beginnings that a needle may have, by some of its grams; rarest first, so that the work shrinks at once.
 *
 * @param known the beginnings that it may have by others; undefined for any
 * @param stopsEarly whether they are looked at again: of many, a list that rules out less than half is left out,
 *   and all after it
 */
function beginningsOf(
  grams: readonly ListedGram[],
  known: Uint32Array | undefined,
  stopsEarly: boolean,
): Uint32Array {
  const many = stopsEarly ? manySteps / grams.length : Infinity;
  let beginnings = known;
  for (const gram of grams.toSorted((a, b) => a.list.length - b.list.length)) {
    if (beginnings === undefined) beginnings = beginningsBefore(gram.list, gram.at);
    else if (beginnings.length > many && rulesOutLittle(beginnings, gram)) break;
    else beginnings = followedBy(beginnings, gram.list, gram.at);
    if (beginnings.length === 0) break;
  }
  return beginnings ?? none;
}

/** The beginnings where the needle is, by the text itself. */
async function confirmedByTexts(
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
export async function postsWithAdjoining(
  index: IndexFiles,
  terms: readonly string[],
): Promise<PostNumbers> {
  const { textOffsets } = index.catalog;
  return postsOf(await positionsOfAdjoining(index, terms, textOffsets), textOffsets);
}

/**
 * All positions, in the numbering of the units of all texts, where terms follow each other unit by unit.
 *
 * @param terms of a needle, as `termsOf` gives them; at least two
 * @param posts where each post begins, and the last ends, for one who needs no more than a place in each post:
 *   of a needle that repeats, further ones may be left out
 * @returns ascending
 * @throws IndexUnavailable when a part of the index cannot be read
 */
export async function positionsOfAdjoining(
  index: IndexFiles,
  terms: readonly string[],
  posts?: Uint32Array,
): Promise<Uint32Array> {
  if (terms.length > index.manifest.longestText) return none;
  const cover = coverOf(terms);
  // A gram that comes again is looked up once, at its first place.
  const grams = [...new Map(cover.toReversed().map((one) => [one.gram, one])).values()];
  const isRepeating = grams.length < cover.length;
  const stride = Math.ceil(grams.length / firstRound);
  const spread = grams.filter((_, i) => i % stride === 0);
  const rest = grams.filter((_, i) => i % stride !== 0);
  const first = await listed(index, spread);
  let beginnings = beginningsOf(first, undefined, isRepeating);
  if (beginnings.length === 0) return none;
  // Unit by unit: code points would make fewer terms of a text with emoji.
  const needle = terms.map((term) => term.charAt(0)).join("");
  if (index.hasTexts && beginnings.length <= fewBeginnings && rest.length > firstRound)
    return confirmedByTexts(index, beginnings, needle);
  const others = await listed(index, rest);
  beginnings = beginningsOf(others, beginnings, isRepeating);
  return isRepeating
    ? confirmedByLists(needle, [...first, ...others], beginnings, posts)
    : beginnings;
}
