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
function joinSegments(
  { segments, newestFirst, manifest }: IndexReader,
  found: readonly DocIds[],
): DocIds {
  if (found.length === 1) return found[0]!;
  if (newestFirst === undefined) {
    const all = BitSet.empty(manifest.posts);
    for (const [i, own] of found.entries()) {
      const { docIds } = segments[i]!;
      for (let at = 0; at < own.length; at++) all.add(docIds[own[at]!]!);
    }
    return all.toList();
  }
  const all = new Uint32Array(found.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const i of newestFirst) {
    const own = found[i]!;
    const first = segments[i]!.docIds[0]!;
    for (let at = 0; at < own.length; at++) all[end++] = own[at]! + first;
  }
  return all;
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
 * The posts of `searchKeyword`, and how often each contains the keyword: once, where that is frequent in any segment. Of a
 * frequent gram, no positions are stored, and posts of one segment must not weigh more than those of another.
 *
 * @param scorer memory with a place for each post: `ones` is read, `scratch` is overwritten
 */
export async function searchKeywordWithFrequencies(
  reader: IndexReader,
  keyword: string,
  { ones, scratch }: { readonly ones: Uint32Array; readonly scratch: Uint32Array },
): Promise<TermFrequencies> {
  const { segments } = reader;
  if (segments.some(({ isFrequent }) => isFrequent(keyword))) {
    const docIds = await searchKeyword(reader, keyword);
    return { docIds, freqs: ones.subarray(0, docIds.length) };
  }
  const found = await Promise.all(
    segments.map((segment) => searchPhraseWithFrequencies(segment, keyword)),
  );
  if (found.length === 1) return found[0]!;
  for (const [i, { docIds: own, freqs }] of found.entries()) {
    const { docIds } = segments[i]!;
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
