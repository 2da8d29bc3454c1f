/** How large the function's answers can get: a page with the longest hits. */
import { searchParameters } from "../../functions/contract/parameters.ts";
import type { SearchHit } from "../../functions/contract/resources.ts";
import { briefResult, resultOf } from "../../functions/mcp/tool-results.ts";
import { topOf } from "../../functions/search/top-k.ts";

/** Bytes of the largest pages. */
export interface AnswerSizes {
  /** Of `/api/search`, with the counts of all tags. */
  readonly search: number;
  /** Of the search for agents. */
  readonly mcp: number;
  /** Ids of the posts on them that take most. */
  readonly postIds: readonly number[];
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** An agent gets each hit as data and, in short, as JSON in a text. Snippets are left out: they are bounded. */
function bytesForAgents(hit: SearchHit): number {
  const result = resultOf(hit, [], "");
  return bytesOf(result) + bytesOf(JSON.stringify(briefResult(result)));
}

/**
 * The sizes of the largest answers.
 *
 * @param hits every post
 * @param tagCounts number of posts by tag name
 */
export function largestAnswers(
  hits: readonly SearchHit[],
  tagCounts: ReadonlyMap<string, number>,
): AnswerSizes {
  const most = searchParameters.pageSize.maximum;
  const page = topOf([...hits.keys()], hits.map(bytesOf), most).map((i) => hits[i]!);
  const sum = (sizeOf: (hit: SearchHit) => number): number =>
    page.reduce((total, hit) => total + sizeOf(hit), 0);
  const tags = Array.from(tagCounts, ([tagName, count]) => ({ tagName, count }));
  return {
    search: sum(bytesOf) + bytesOf(tags),
    mcp: sum(bytesForAgents),
    postIds: page.slice(0, 3).map(({ postId }) => postId),
  };
}
