/** Hits → one page of a SearchResult: facets, tag filter and paging, on typed arrays. */
import type { SearchMetadata } from "../contract/resources.ts";
import type { IndexFiles, PostNumbers } from "./index-files.ts";
import { tagKey } from "./normalise.ts";
import type { SearchQuery } from "./parameters.ts";
import { pageOf } from "./sort-orders.ts";

/** The tags that some posts carry, as JSON of TagCount objects: most frequent first, then by name. */
export function tagCountsOf(index: IndexFiles, posts: PostNumbers): string {
  const { tagStart, tagIds } = index.catalog;
  const counts = new Uint32Array(index.tags.length);
  for (let i = 0; i < posts.length; i++) {
    const post = posts[i] as number;
    for (let at = tagStart[post] as number; at < (tagStart[post + 1] as number); at++)
      (counts[tagIds[at] as number] as number)++;
  }
  // Count and tag in one number, so that sorting needs no comparator: twice as fast, 0.5 ms on 8,081 tags.
  // Tags are numbered in code point order, and a smaller number must come first.
  const width = index.tags.length;
  const keys = new Float64Array(width);
  let used = 0;
  for (let tag = 0; tag < width; tag++)
    if (counts[tag] !== 0) keys[used++] = (counts[tag] as number) * width + (width - 1 - tag);
  const sorted = keys.subarray(0, used).sort();
  let json = "";
  for (let i = used - 1; i >= 0; i--) {
    const tag = width - 1 - ((sorted[i] as number) % width);
    json += `${json && ","}{"tagName":${index.tagJson(tag)},"count":${counts[tag]}}`;
  }
  return json;
}

/** The posts that carry every wanted tag. Names are compared in the form that `tagKey` gives. */
export function postsTagged(
  index: IndexFiles,
  posts: PostNumbers,
  wanted: readonly string[],
): PostNumbers {
  if (wanted.length === 0) return posts;
  // Distinct names may have one comparison form: each wanted name stands for a set of tags.
  const choices = wanted.map(() => new Set<number>());
  const position = new Map(wanted.map((name, i) => [name, i]));
  for (const [tag, name] of index.tags.entries()) {
    const i = position.get(tagKey(name));
    if (i !== undefined) choices[i]?.add(tag);
  }
  if (choices.some((tags) => tags.size === 0)) return posts.subarray(0, 0);
  const { tagStart, tagIds } = index.catalog;
  return posts.filter((post) => {
    const tags = tagIds.subarray(tagStart[post], tagStart[post + 1]);
    return choices.every((choice) => tags.some((tag) => choice.has(tag)));
  });
}

/**
 * The JSON of a SearchResult.
 *
 * @param hits all posts that match the keyword, before the tag filter
 */
export async function searchResultJson(
  index: IndexFiles,
  query: SearchQuery,
  hits: PostNumbers,
): Promise<string> {
  const posts = postsTagged(index, hits, query.tags);
  const totalPages = Math.ceil(posts.length / query.pageSize);
  const metadata: SearchMetadata = {
    query: query.q,
    count: posts.length,
    page: query.page,
    totalPages,
    orderby: query.orderby,
    hasMore: query.page < totalPages,
  };
  const results = await index.hits(pageOf(posts, query, index.catalog.likeOrder));
  return `{"metadata":${JSON.stringify(metadata)},"tagCounts":[${tagCountsOf(index, hits)}],"results":[${results.join(",")}]}`;
}
