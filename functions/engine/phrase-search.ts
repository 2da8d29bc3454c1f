/**
 * Exact phrase search over the posting lists of a segment: no text is read, except for a long keyword that blocks of the
 * text confirm in fewer reads. Posts have their numbers within the segment here.
 */
import { BitSet } from "./bit-set.ts";
import { minimalCover, type GramAt } from "./grams.ts";
import {
  countPerDoc,
  intersectShifted,
  positionsToDocIds,
  shift,
  type TermFrequencies,
} from "./postings.ts";
import type { DocIds, SegmentReader } from "./segment-reader.ts";
import { tokenizeKeyword } from "./tokenizer.ts";

const noPositions = new Uint32Array(0);

/**
 * Lists that are read in the first round. A keyword of 60 units has at most 30; of a longer one, grams
 * that are spread over it show where it may be.
 */
const maxFirstRoundLists = 32;
/** Of this many candidates or fewer, reading the texts takes fewer requests than the lists of a long keyword. */
const fewCandidates = 16;
/** Cost of looking for one candidate in a list, in units whose bitmaps are intersected in the same time. */
const bitmapUnitsPerProbe = 8;

/** The posting lists that a keyword needs. */
interface QueryPlan {
  readonly cover: readonly GramAt[];
  /** Each gram of the cover at its first place. One that is repeated is read once. */
  readonly uniqueGrams: readonly GramAt[];
  readonly repeatedGrams: readonly GramAt[];
}

/**
 * Plans a search.
 *
 * @param keyword not one that is frequent
 */
function planQuery({ isFrequent }: SegmentReader, keyword: string): QueryPlan {
  const cover = minimalCover(tokenizeKeyword(keyword, isFrequent));
  const first = new Map(cover.toReversed().map((one) => [one.gram, one]));
  return {
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
async function readPostings(
  segment: SegmentReader,
  grams: readonly GramAt[],
): Promise<GramPostings[]> {
  const lists = await segment.positions(grams.map(({ gram }) => gram));
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
  readonly positions: BitSet;
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
      positions: BitSet.empty(units).addAll(positions),
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
 * Where a keyword begins.
 *
 * @param keyword not one that is frequent
 * @returns positions, ascending
 */
async function matchPhrase(segment: SegmentReader, keyword: string): Promise<Uint32Array> {
  if (keyword.length > segment.longestText) return noPositions;
  const { units } = segment;
  const { cover, uniqueGrams, repeatedGrams } = planQuery(segment, keyword);
  const stride = Math.ceil(uniqueGrams.length / maxFirstRoundLists);
  const first = await readPostings(
    segment,
    uniqueGrams.filter((_, i) => i % stride === 0),
  );
  const rest = uniqueGrams.filter((_, i) => i % stride !== 0);
  // A keyword that would reach beyond the texts is not there, and no block of texts is either.
  const candidates = intersectCandidates(first).filter((at) => at + keyword.length <= units);
  if (candidates.length === 0) return noPositions;
  if (segment.hasTexts && candidates.length <= fewCandidates && rest.length > maxFirstRoundLists) {
    const texts = await Promise.all(
      Array.from(candidates, (at) => segment.text(at, keyword.length)),
    );
    return candidates.filter((_, i) => texts[i] === keyword);
  }
  if (rest.length === 0 && repeatedGrams.length === 0) return candidates;
  const others = await readPostings(segment, rest);
  const remaining = intersectCandidates(others, candidates);
  const lists = new Map([...first, ...others].map(({ gram, positions }) => [gram, positions]));
  const withPositions = (one: GramAt) => ({
    ...one,
    positions: lists.get(one.gram) ?? noPositions,
  });
  return remaining.length * repeatedGrams.length > units / bitmapUnitsPerProbe
    ? intersectRepeated(cover.map(withPositions), units)
    : intersectCandidates(repeatedGrams.map(withPositions), remaining);
}

/** Estimated cost of a keyword, in decoded postings. Reads its lists. */
export async function estimateCost(segment: SegmentReader, keyword: string): Promise<number> {
  if (segment.isFrequent(keyword) || keyword.length > segment.longestText) return 0;
  const { cover, uniqueGrams, repeatedGrams } = planQuery(segment, keyword);
  const lengths = await segment.listLengths(uniqueGrams.map(({ gram }) => gram));
  const decoded = lengths.reduce((sum, length) => sum + length, 0);
  if (repeatedGrams.length === 0) return decoded;
  const steps = cover.length * Math.min(...lengths);
  return decoded + Math.min(steps, segment.units / bitmapUnitsPerProbe);
}

/**
 * The posts that contain a keyword, ascending.
 *
 * @param keyword not empty
 * @throws IndexUnavailable when a part of the index cannot be read
 */
export async function searchPhrase(segment: SegmentReader, keyword: string): Promise<DocIds> {
  if (segment.isFrequent(keyword)) return segment.docsWith(keyword);
  return positionsToDocIds(await matchPhrase(segment, keyword), segment.postStarts);
}

/**
 * The posts of `searchPhrase`, and how often each contains the keyword.
 *
 * @param keyword not one that is frequent: no positions of it are stored
 */
export const searchPhraseWithFrequencies = async (
  segment: SegmentReader,
  keyword: string,
): Promise<TermFrequencies> => countPerDoc(await matchPhrase(segment, keyword), segment.postStarts);
