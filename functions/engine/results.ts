/** Hits → one page of a SearchResult: facets, tag filter and paging, on typed arrays. */
import type { SearchMetadata } from "../contract/resources.ts";
import type { IndexReader } from "./index-reader.ts";
import type { DocIds } from "./segment-reader.ts";
import type { SearchQuery } from "./search-query.ts";
import { paginate } from "./sort-orders.ts";

/** How many of some posts carry a tag. */
interface Facet {
  /** The tag's number in the index. */
  readonly tag: number;
  readonly count: number;
}

/**
 * Counts the tags that some posts carry.
 *
 * @param max how many are wanted
 * @returns the most frequent first, then by name in code point order; without tags that none of the posts carries
 */
export function countFacets(index: IndexReader, posts: DocIds, max = Infinity): Facet[] {
  const { tagOffsets, tagIds } = index.catalog;
  const counts = new Uint32Array(index.tags.length);
  for (let i = 0; i < posts.length; i++) {
    const post = posts[i]!;
    for (let at = tagOffsets[post]!; at < tagOffsets[post + 1]!; at++) counts[tagIds[at]!]!++;
  }
  // Count and tag in one number, so that sorting needs no comparator: twice as fast, 0.5 ms on 8,081 tags.
  // Tags are numbered in code point order, and a smaller number must come first.
  const tagCount = index.tags.length;
  const keys = new Float64Array(tagCount);
  let used = 0;
  for (let tag = 0; tag < tagCount; tag++)
    if (counts[tag] !== 0) keys[used++] = counts[tag]! * tagCount + (tagCount - 1 - tag);
  const sorted = keys.subarray(0, used).sort();
  const facets: Facet[] = [];
  for (let i = used - 1; i >= Math.max(0, used - max); i--) {
    const tag = tagCount - 1 - (sorted[i]! % tagCount);
    facets.push({ tag, count: counts[tag]! });
  }
  return facets;
}

/** The posts that carry every wanted tag. Names are given in the form that `normalizeTagName` gives. */
export function filterByTags(index: IndexReader, posts: DocIds, wanted: readonly string[]): DocIds {
  const { tagOffsets, tagIds } = index.catalog;
  let remaining = posts;
  for (const key of wanted) {
    // A request may name any number of tags that no post has.
    if (remaining.length === 0) break;
    const isWanted = new Uint8Array(index.tags.length);
    for (const tag of index.tagsWithKey(key)) isWanted[tag] = 1;
    remaining = remaining.filter((post) => {
      for (let at = tagOffsets[post]!; at < tagOffsets[post + 1]!; at++)
        if (isWanted[tagIds[at]!] === 1) return true;
      return false;
    });
  }
  return remaining;
}

/**
 * The JSON of a SearchResult.
 *
 * @param matching all posts that match the keyword, before the tag filter
 */
export async function renderSearchResult(
  reader: IndexReader,
  query: SearchQuery,
  matching: DocIds,
): Promise<string> {
  const posts = filterByTags(reader, matching, query.tags);
  const totalPages = Math.ceil(posts.length / query.pageSize);
  const metadata: SearchMetadata = {
    query: query.q,
    count: posts.length,
    page: query.page,
    totalPages,
    orderby: query.orderby,
    hasMore: query.page < totalPages,
  };
  const results = await reader.hits(paginate(posts, query, reader.catalog.likeOrder));
  const tagCounts = countFacets(reader, matching).map(
    ({ tag, count }) => `{"tagName":${reader.tagNameJson(tag)},"count":${count}}`,
  );
  return `{"metadata":${JSON.stringify(metadata)},"tagCounts":[${tagCounts.join(",")}],"results":[${results.join(",")}]}`;
}
