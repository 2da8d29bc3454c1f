/** How large the function's answers can get: a page with the longest hits. */
import { searchParameters } from "../../functions/contract/parameters.ts";
import type { SearchHit } from "../../functions/contract/resources.ts";
import { briefResult, resultOf } from "../../functions/mcp/tool-results.ts";
import { topK } from "../../functions/engine/top-k.ts";

/** Bytes of the largest pages. */
export interface AnswerSizes {
  /** Of `/api/search`, with the counts of all tags. */
  readonly search: number;
  /** Of the search for agents. */
  readonly mcp: number;
  /** Ids of the posts on them that take most. */
  readonly postIds: readonly number[];
}

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** An agent gets each hit as data and, in short, as JSON in a text. Snippets are left out: they are bounded. */
function bytesForAgents(hit: SearchHit): number {
  const result = resultOf(hit, [], "");
  return jsonBytes(result) + jsonBytes(JSON.stringify(briefResult(result)));
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
  const page = topK([...hits.keys()], hits.map(jsonBytes), most).map((i) => hits[i]!);
  const sum = (sizeOf: (hit: SearchHit) => number): number =>
    page.reduce((total, hit) => total + sizeOf(hit), 0);
  const tags = Array.from(tagCounts, ([tagName, count]) => ({ tagName, count }));
  return {
    search: sum(jsonBytes) + jsonBytes(tags),
    mcp: sum(bytesForAgents),
    postIds: page.slice(0, 3).map(({ postId }) => postId),
  };
}
