/** The work of the MCP server's tools: arguments in, a result by the published schema out. */
import { setTimeout } from "node:timers/promises";
import type { Parser as HtmlParser } from "htmlparser2";
import { errors, paths, type ErrorKind } from "../contract/http.ts";
import { searchParameters } from "../contract/parameters.ts";
import { sortOrders, type Post } from "../contract/resources.ts";
import { mostSnippets } from "../contract/tools.ts";
import { snippetText } from "../html/visible-text.ts";
import type { MountedIndex } from "../engine/flexsearch-index.ts";
import { parsePostId } from "../engine/post-id.ts";
import { parseSearchQuery, normalizeTags } from "../engine/search-query.ts";
import { rankedSearch, type RankedPage } from "./ranked-search.ts";
import { makeSnippet } from "./snippet.ts";
import { fetchOutput, searchOutput, type FetchOutput, type SearchOutput } from "./tool-results.ts";

/** What the tools work on. */
export interface McpDependencies {
  /**
   * Runs work on the search index.
   *
   * @returns undefined where the index cannot be read at the moment
   */
  readonly withIndex: <T>(work: (index: MountedIndex) => Promise<T>) => Promise<T | undefined>;
  /** Reads a path of this deploy over HTTP. */
  readonly readFile: (url: URL) => Promise<Response>;
}

/** A deploy, and what belongs to one request. */
export interface McpContext extends McpDependencies {
  /** The URL that was asked: files are read from its origin. */
  readonly url: URL;
  /** What reads HTML. */
  readonly Parser: typeof HtmlParser;
}

/** A tool call's arguments: whatever the client sent. */
export type Arguments = Readonly<Record<string, unknown>>;

/** What a tool says when it cannot answer. The message is for the agent. */
export class ToolError extends Error {}

/** Time to read the posts of a page, which are read at once, and then to take snippets from them, in milliseconds each. */
const snippetMilliseconds = 1000;
/** Characters of a body that a snippet is taken from. */
const maxSnippetHtml = 500_000;

/** An error in the words of the HTTP API. */
const apiError = (kind: ErrorKind): ToolError => new ToolError(`${errors[kind].message}.`);

/** A value as a text: a whole number in digits, also where String writes 1e+21. */
const toQueryValue = (value: unknown): string =>
  String(Number.isInteger(value) ? BigInt(value as number) : value);

/** A text or a number that a client sent, as a text; empty for anything else. */
const single = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? toQueryValue(value) : "";

/**
 * Arguments as the query string of the HTTP API: its defaults, fallbacks and bounds hold here, too. Only known
 * names are read: a request may have 100,000 others. A list of tags is read by `search` itself.
 *
 * @throws ToolError for any other list or an object: to ignore a filter would mislead
 */
function searchParametersFrom(given: Arguments): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const parameter of Object.keys(searchParameters)) {
    const name = parameter === "q" && (given["query"] ?? "") !== "" ? "query" : parameter;
    const value = given[name] ?? null;
    if (name === "tags" && Array.isArray(value)) continue;
    if (typeof value === "object" && value !== null)
      throw new ToolError(`${name} must be a single value, such as a text.`);
    if (value !== null) parameters.set(parameter, toQueryValue(value));
  }
  return parameters;
}

/**
 * Reads a post over HTTP from this deploy: its file, or, of a post in a pack, this function's own answer.
 *
 * @throws ToolError where there is none, or it cannot be read
 */
async function readPost({ readFile, url: asked }: McpContext, postId: number): Promise<Post> {
  const url = new URL(`${paths.posts}${postId}.json`, asked);
  try {
    const response = await readFile(url);
    if (response.ok) return (await response.json()) as Post;
    if (response.status === errors.postNotFound.status) throw apiError("postNotFound");
    throw new Error(`${url.href} answers ${response.status}`);
  } catch (cause) {
    if (cause instanceof ToolError) throw cause;
    throw new ToolError(
      `Post ${postId} cannot be read at the moment: ${url.pathname} is not available from this deploy. Try again later, or request ${paths.posts}${postId} over HTTP.`,
      { cause },
    );
  }
}

/** The snippets of the first results; empty where a post is not read in time, or other snippets have used the time. */
async function snippetsOf(site: McpContext, { hits }: RankedPage): Promise<string[]> {
  const shown = hits.slice(0, mostSnippets);
  const late = setTimeout(snippetMilliseconds, undefined, { ref: false });
  const texts = await Promise.all(
    shown.map(({ hit }) =>
      Promise.race([readPost(site, hit.postId).catch(() => undefined), late]).then(
        (post) => post?.postContentHtml ?? "",
      ),
    ),
  );
  const snippets = shown.map(() => "");
  // Short ones first: one long text may use the time of all, and no timer interrupts the reading of it.
  const shortestFirst = [...texts.keys()].sort((a, b) => texts[a]!.length - texts[b]!.length);
  const end = performance.now() + snippetMilliseconds;
  for (const i of shortestFirst)
    if (performance.now() < end) {
      const text = snippetText(texts[i]!.slice(0, maxSnippetHtml), site.Parser);
      snippets[i] = makeSnippet(text, shown[i]!.keywords);
    }
  return snippets;
}

/** The work of each tool, by its name. */
export const toolHandlers = {
  /**
   * @throws ToolError where an argument has another type, or the index cannot be read
   */
  async search(site: McpContext, given: Arguments): Promise<SearchOutput> {
    const parameters = searchParametersFrom(given);
    // Undefined, the best first, for "relevance" and all that is no order: here the API's default is not meant.
    const orderby = sortOrders.find((order) => order === parameters.get("orderby"));
    const { tags } = given;
    if (Array.isArray(tags) && !tags.every((name) => typeof name === "string"))
      throw new ToolError("tags must be a text or a list of texts.");
    // Names as they are.
    const listed = Array.isArray(tags) && { tags: normalizeTags(tags) };
    const query = { ...parseSearchQuery(parameters), ...listed, orderby };
    const found = await site.withIndex((index) => rankedSearch(index, query));
    if (found === undefined)
      throw new ToolError(`${errors.indexUnavailable.message}. Try again in a moment.`);
    return searchOutput(query, found, await snippetsOf(site, found));
  },

  /**
   * @throws ToolError where there is no such post, or it cannot be read
   */
  async fetch(site: McpContext, { id, offset }: Arguments): Promise<FetchOutput> {
    const parsed = parsePostId(single(id));
    if (!parsed.ok)
      throw parsed.error === "invalidPostId"
        ? new ToolError("id must be a positive integer, as search gives it: not a URL or a title.")
        : apiError(parsed.error);
    const from = /^[0-9]+$/.test(single(offset)) ? Number(offset) : 0;
    return fetchOutput(await readPost(site, parsed.postId), site.Parser, from);
  },
};
