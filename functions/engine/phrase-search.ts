/**
 * Exact phrase search over posting lists: no text is read, except for a long keyword that blocks of the text confirm in
 * fewer reads.
 */
import { minimalCover, type GramAt } from "./grams.ts";
import type { DocIds, IndexReader } from "./index-reader.ts";
import { PositionSet } from "./position-set.ts";
import {
  countPerDoc,
  intersectShifted,
  positionsToDocIds,
  shift,
  type TermFrequencies,
} from "./postings.ts";

const noPositions = new Uint32Array(0);

/**
 * Lists that are read in the first round. A keyword of 60 units has at most 30; of a longer one, grams
 * that are spread over it show where it may be.
 */
const firstRound = 32;
/** Of this many candidates or fewer, reading the texts takes fewer requests than the lists of a long keyword. */
const fewCandidates = 16;
/** To look for a candidate in a list takes as long as to intersect this many units as bitmaps, at most. */
const unitsPerStep = 8;

/** A keyword, and the posting lists that it needs. */
interface QueryPlan {
  readonly keyword: string;
  readonly cover: readonly GramAt[];
  /** Each gram of the cover at its first place. One that is repeated is read once. */
  readonly uniqueGrams: readonly GramAt[];
  readonly repeatedGrams: readonly GramAt[];
}

/**
 * Plans a search.
 *
 * @param terms as `tokenizeKeyword` gives them
 */
function planQuery(terms: readonly string[]): QueryPlan {
  const cover = minimalCover(terms);
  const first = new Map(cover.toReversed().map((one) => [one.gram, one]));
  return {
    // Unit by unit: code points would make fewer terms of a text with emoji.
    keyword: terms.map((term) => term.charAt(0)).join(""),
    cover,
    uniqueGrams: [...first.values()],
    repeatedGrams: cover.filter((one) => first.get(one.gram) !== one),
  };
}

/** A gram of a keyword with its posting list. */
interface GramPostings extends GramAt {
  readonly positions: Uint32Array;
}

/** Reads posting lists in one round. */
async function readPostings(index: IndexReader, grams: readonly GramAt[]): Promise<GramPostings[]> {
  const lists = await index.positions(grams.map(({ gram }) => gram));
  return grams.map((gram, i) => ({ ...gram, positions: lists[i] ?? noPositions }));
}

/**
 * Where a keyword may begin, by some of its grams; the rarest first, so that the candidates are few at once.
 *
 * @param known where it may begin by others; undefined for anywhere
 */
function intersectCandidates(grams: readonly GramPostings[], known?: Uint32Array): Uint32Array {
  let candidates = known;
  for (const one of grams.toSorted((a, b) => a.positions.length - b.positions.length)) {
    if (candidates === undefined) candidates = shift(one.positions, one.offset);
    else candidates = intersectShifted(candidates, one.positions, one.offset);
    if (candidates.length === 0) break;
  }
  return candidates ?? noPositions;
}

/** Where a part of a keyword is. */
interface PartMatches {
  /** Parts with one number have the same positions. */
  readonly id: number;
  readonly offset: number;
  readonly positions: PositionSet;
}

/**
 * Where a keyword begins of which grams are repeated, such as `ababab`. Neighbouring parts are intersected in pairs,
 * then these pairs, and so on: positions(ab) = positions(a) ∩ (positions(b) − length of a). The same pair comes up
 * again and again, and is intersected once.
 *
 * @param cover of the whole keyword
 * @param units of all texts
 */
function intersectRepeated(cover: readonly GramPostings[], units: number): Uint32Array {
  const grams = new Map<string, PartMatches>();
  let parts = cover.map(({ gram, offset, positions }) => {
    const { id, positions: set } = grams.get(gram) ?? {
      id: grams.size,
      positions: PositionSet.of(positions, units),
    };
    const part = { id, offset, positions: set };
    grams.set(gram, part);
    return part;
  });
  while (parts.length > 1) {
    const pairs = new Map<string, PartMatches>();
    parts = Array.from({ length: Math.ceil(parts.length / 2) }, (_, i) => {
      const left = parts[2 * i]!;
      const right = parts[2 * i + 1] ?? left;
      const distance = right.offset - left.offset;
      const key = `${left.id} ${right.id} ${distance}`;
      const known = pairs.get(key);
      const positions =
        known?.positions ?? left.positions.intersectShifted(right.positions, distance);
      const part = { id: known?.id ?? pairs.size, offset: left.offset, positions };
      pairs.set(key, part);
      return part;
    });
  }
  return parts[0]?.positions.toList() ?? noPositions;
}

/**
 * Where terms follow each other unit by unit.
 *
 * @param terms of a keyword, as `tokenizeKeyword` gives them; not one that is frequent
 * @returns positions, ascending
 */
async function matchPhrase(index: IndexReader, terms: readonly string[]): Promise<Uint32Array> {
  if (terms.length > index.manifest.longestText) return noPositions;
  const units = index.catalog.textOffsets.at(-1)!;
  const { keyword, cover, uniqueGrams, repeatedGrams } = planQuery(terms);
  const stride = Math.ceil(uniqueGrams.length / firstRound);
  const first = await readPostings(
    index,
    uniqueGrams.filter((_, i) => i % stride === 0),
  );
  const rest = uniqueGrams.filter((_, i) => i % stride !== 0);
  const candidates = intersectCandidates(first);
  if (candidates.length === 0) return noPositions;
  if (index.hasTexts && candidates.length <= fewCandidates && rest.length > firstRound) {
    const texts = await Promise.all(Array.from(candidates, (at) => index.text(at, keyword.length)));
    return candidates.filter((_, i) => texts[i] === keyword);
  }
  const others = await readPostings(index, rest);
  const left = intersectCandidates(others, candidates);
  const lists = new Map([...first, ...others].map(({ gram, positions }) => [gram, positions]));
  const withPositions = (one: GramAt) => ({
    ...one,
    positions: lists.get(one.gram) ?? noPositions,
  });
  return left.length * repeatedGrams.length > units / unitsPerStep
    ? intersectRepeated(cover.map(withPositions), units)
    : intersectCandidates(repeatedGrams.map(withPositions), left);
}

/**
 * Estimated cost of a phrase query, in decoded postings. Reads the lists.
 *
 * @param terms as `searchPhrase` takes them
 */
export async function estimateCost(index: IndexReader, terms: readonly string[]): Promise<number> {
  const { cover, uniqueGrams, repeatedGrams } = planQuery(terms);
  const lengths = await index.listLengths(uniqueGrams.map(({ gram }) => gram));
  const decoded = lengths.reduce((sum, length) => sum + length, 0);
  if (repeatedGrams.length === 0) return decoded;
  const steps = cover.length * Math.min(...lengths);
  return decoded + Math.min(steps, index.catalog.textOffsets.at(-1)! / unitsPerStep);
}

/**
 * The posts in which terms follow each other unit by unit, ascending.
 *
 * @param terms of a keyword, as `tokenizeKeyword` gives them; not one that is frequent
 * @throws IndexUnavailable when a part of the index cannot be read
 */
export const searchPhrase = async (index: IndexReader, terms: readonly string[]): Promise<DocIds> =>
  positionsToDocIds(await matchPhrase(index, terms), index.catalog.textOffsets);

/** The posts of `searchPhrase`, and how often terms follow each other there. */
export const searchPhraseWithFrequencies = async (
  index: IndexReader,
  terms: readonly string[],
): Promise<TermFrequencies> =>
  countPerDoc(await matchPhrase(index, terms), index.catalog.textOffsets);
