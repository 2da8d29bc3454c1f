/**
 * Terms → the posts in which they adjoin: no false hit, no missed one. By lists alone, except for a long needle that
 * blocks of the text confirm in fewer reads.
 */
import { coverOf, type PlacedGram } from "./grams.ts";
import type { IndexReader, PostNumbers } from "./index-reader.ts";
import {
  beginningsBefore,
  followedBy,
  occurrencesIn,
  postsOf,
  type Occurrences,
} from "./positions.ts";
import { occurrencesInTexts, type PackedGram } from "./repeated-grams.ts";

const none = new Uint32Array(0);

/**
 * Lists that are read in the first round. A needle of 60 units has at most 30; of a longer one, grams
 * that are spread over it show where it may be.
 */
const firstRound = 32;
/** Of this many beginnings or fewer, reading the texts takes fewer requests than the lists of a long needle. */
const fewBeginnings = 16;
/** To look for a beginning in a list takes as long as to look at this many units of text, at most. */
const unitsPerStep = 8;
/** A gram that begins at more than one in this many units is too frequent for its list to be unpacked: at most this many are. */
const denseUnits = 64;

/** A gram of a needle with its positions in the texts, ascending. */
interface ListedGram extends PlacedGram {
  readonly list: Uint32Array;
}

/** Grams with their positions, which are read in one round. */
async function listed(index: IndexReader, grams: readonly PlacedGram[]): Promise<ListedGram[]> {
  const lists = await index.positions(grams.map(({ gram }) => gram));
  return grams.map((gram, i) => ({ ...gram, list: lists[i] ?? none }));
}

/** Grams with their positions as they are stored, which are read in one round. */
async function packed(index: IndexReader, grams: readonly PlacedGram[]): Promise<PackedGram[]> {
  const lists = await index.packedPositions(grams.map(({ gram }) => gram));
  return grams.map(({ gram }, i) => ({ gram, lists: lists[i] ?? [] }));
}

/** How many positions a gram has. */
const lengthOf = ({ lists }: PackedGram): number =>
  lists.reduce((sum, { length }) => sum + length, 0);

/**
 * The beginnings that a needle may have, by some of its grams; rarest first, so that the work shrinks at once.
 *
 * @param known the beginnings that it may have by others; undefined for any
 */
function beginningsOf(grams: readonly ListedGram[], known?: Uint32Array): Uint32Array {
  let beginnings = known;
  for (const { list, at } of grams.toSorted((a, b) => a.list.length - b.list.length)) {
    if (beginnings === undefined) beginnings = beginningsBefore(list, at);
    else beginnings = followedBy(beginnings, list, at);
    if (beginnings.length === 0) break;
  }
  return beginnings ?? none;
}

/** A needle, and what of it is looked up. */
interface Sought {
  readonly needle: string;
  readonly cover: readonly PlacedGram[];
  /** Each gram of the cover at its first place. One that comes again is looked up once. */
  readonly grams: readonly PlacedGram[];
  /** The other places. */
  readonly again: readonly PlacedGram[];
}

/** What is looked up for a needle. @param terms as `termsOf` gives them */
function soughtBy(terms: readonly string[]): Sought {
  const cover = coverOf(terms);
  const firstPlaces = new Map(cover.toReversed().map((one) => [one.gram, one]));
  return {
    // Unit by unit: code points would make fewer terms of a text with emoji.
    needle: terms.map((term) => term.charAt(0)).join(""),
    cover,
    grams: [...firstPlaces.values()],
    again: cover.filter((one) => firstPlaces.get(one.gram) !== one),
  };
}

/** Where a phrase begins, by its posting lists; or that a scan of all texts is cheaper. */
type Candidates =
  | { readonly by: "lists"; readonly positions: Uint32Array }
  | { readonly by: "scan" };

const byLists = (positions: Uint32Array): Candidates => ({ by: "lists", positions });

/** Finds where a phrase begins by its posting lists, unless a scan is estimated to cost less. */
async function findCandidates(
  index: IndexReader,
  { needle, cover, grams, again }: Sought,
): Promise<Candidates> {
  const units = index.catalog.textOffsets.at(-1)!;
  const isSlow = (beginnings: number): boolean =>
    again.length > 0 && beginnings * cover.length > units / unitsPerStep;
  const stride = Math.ceil(grams.length / firstRound);
  const spread = grams.filter((_, i) => i % stride === 0);
  const rest = grams.filter((_, i) => i % stride !== 0);
  if (again.length > 0) {
    const rarest = Math.min(...(await packed(index, spread)).map(lengthOf));
    if (isSlow(rarest) && rarest > units / denseUnits) return { by: "scan" };
  }
  const first = await listed(index, spread);
  const beginnings = beginningsOf(first);
  if (beginnings.length === 0) return byLists(beginnings);
  if (index.hasTexts && beginnings.length <= fewBeginnings && rest.length > firstRound) {
    const texts = await Promise.all(Array.from(beginnings, (at) => index.text(at, needle.length)));
    return byLists(beginnings.filter((_, i) => texts[i] === needle));
  }
  if (isSlow(beginnings.length)) return { by: "scan" };
  const others = await listed(index, rest);
  const lists = new Map([...first, ...others].map(({ gram, list }) => [gram, list]));
  const places = again.map((one) => ({ ...one, list: lists.get(one.gram)! }));
  return byLists(beginningsOf([...others, ...places], beginnings));
}

/**
 * What it takes to find where terms follow each other: as many numbers are unpacked, or looked at for as long. Reads
 * the lists. @param terms as `occurrencesOfAdjoining` takes them
 */
export async function costOfAdjoining(
  index: IndexReader,
  terms: readonly string[],
): Promise<number> {
  const { cover, grams, again } = soughtBy(terms);
  const lengths = (await packed(index, grams)).map(lengthOf);
  const numbers = lengths.reduce((sum, length) => sum + length, 0);
  const steps = again.length === 0 ? 0 : Math.min(...lengths) * cover.length;
  return numbers + Math.min(steps, index.catalog.textOffsets.at(-1)! / unitsPerStep);
}

/** Where a phrase is: at these positions, ascending; or in these posts, where a scan found them. */
type PhraseMatches =
  | { readonly by: "lists"; readonly positions: Uint32Array }
  | { readonly by: "scan"; readonly occurrences: Occurrences };

/**
 * Matches a phrase.
 *
 * @param terms as `termsOf` gives them
 * @param isOnceEnough stops a scan at the first match in each post, so that counts may be too small
 */
async function matchPhrase(
  index: IndexReader,
  terms: readonly string[],
  isOnceEnough: boolean,
): Promise<PhraseMatches> {
  if (terms.length > index.manifest.longestText) return { by: "lists", positions: none };
  const sought = soughtBy(terms);
  const candidates = await findCandidates(index, sought);
  if (candidates.by === "lists") return candidates;
  const grams = await packed(index, sought.grams);
  const { textOffsets } = index.catalog;
  const occurrences = occurrencesInTexts(sought.needle, grams, textOffsets, isOnceEnough);
  return { by: "scan", occurrences };
}

/**
 * The posts in which terms follow each other unit by unit, ascending.
 *
 * @param terms of a needle, as `termsOf` gives them; not one that is frequent
 * @throws IndexUnavailable when a part of the index cannot be read
 */
export async function postsWithAdjoining(
  index: IndexReader,
  terms: readonly string[],
): Promise<PostNumbers> {
  const matches = await matchPhrase(index, terms, true);
  return matches.by === "lists"
    ? postsOf(matches.positions, index.catalog.textOffsets)
    : matches.occurrences.posts;
}

/** The posts of `postsWithAdjoining`, and how often terms follow each other there. */
export async function occurrencesOfAdjoining(
  index: IndexReader,
  terms: readonly string[],
): Promise<Occurrences> {
  const matches = await matchPhrase(index, terms, false);
  return matches.by === "lists"
    ? occurrencesIn(matches.positions, index.catalog.textOffsets)
    : matches.occurrences;
}

/**
 * The posts whose title begins with terms that follow each other unit by unit, the space before it included; none where
 * that takes too long to find out.
 *
 * @param terms as `postsWithAdjoining` takes them
 * @throws IndexUnavailable when a part of the index cannot be read
 */
export async function postsBeginningWith(
  index: IndexReader,
  terms: readonly string[],
): Promise<PostNumbers> {
  if (terms.length > index.manifest.longestText) return none;
  const { textOffsets } = index.catalog;
  const candidates = await findCandidates(index, soughtBy(terms));
  return candidates.by === "lists"
    ? postsOf(followedBy(textOffsets, candidates.positions, 0), textOffsets)
    : none;
}
