/** Exact search in all posts: segments are asked at the same time, and their answers become one list. */
import { BitSet } from "./bit-set.ts";
import type { IndexReader } from "./index-reader.ts";
import { searchPhrase, searchPhraseWithFrequencies } from "./phrase-search.ts";
import type { TermFrequencies } from "./postings.ts";
import type { DocIds } from "./segment-reader.ts";

/**
 * Posts of segments, by their numbers among all posts.
 *
 * @param found by segment: numbers within it, ascending
 */
function joinSegments({ segments, manifest }: IndexReader, found: readonly DocIds[]): DocIds {
  if (found.length === 1) return found[0]!;
  const all = BitSet.empty(manifest.posts);
  for (const [i, own] of found.entries()) {
    const { docIds } = segments[i]!;
    for (let at = 0; at < own.length; at++) all.add(docIds[own[at]!]!);
  }
  return all.toList();
}

/**
 * The posts that contain a keyword, ascending.
 *
 * @param keyword as `normalizeKeyword` gives it; every post contains the empty one
 * @throws IndexUnavailable when a part of the index cannot be read
 */
export async function searchKeyword(reader: IndexReader, keyword: string): Promise<DocIds> {
  if (keyword === "") return reader.allDocs;
  const found = await Promise.all(reader.segments.map((segment) => searchPhrase(segment, keyword)));
  return joinSegments(reader, found);
}

/**
 * The posts of `searchKeyword`, and how often each contains the keyword.
 *
 * @param scratch a place for each post, which is overwritten
 */
export async function searchKeywordWithFrequencies(
  reader: IndexReader,
  keyword: string,
  scratch: Uint32Array,
): Promise<TermFrequencies> {
  const found = await Promise.all(
    reader.segments.map((segment) => searchPhraseWithFrequencies(segment, keyword)),
  );
  if (found.length === 1) return found[0]!;
  for (const [i, { docIds: own, freqs }] of found.entries()) {
    const { docIds } = reader.segments[i]!;
    for (let at = 0; at < own.length; at++) scratch[docIds[own[at]!]!] = freqs[at]!;
  }
  const docIds = joinSegments(
    reader,
    found.map((one) => one.docIds),
  );
  const freqs = new Uint32Array(docIds.length);
  for (let at = 0; at < docIds.length; at++) freqs[at] = scratch[docIds[at]!]!;
  return { docIds, freqs };
}
