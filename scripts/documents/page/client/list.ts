/** The list of posts in the browser: shows what a query finds, and fills in what the API's lists do not have. */
import type { SearchResult } from "../../../../functions/contract/resources.ts";
import { normalize } from "../../../../functions/engine/normalize.ts";
import { fill, i18n, part, showCall } from "./dom.ts";
import { emptyState } from "./empty-state.ts";
import { excerpt, markMatches } from "./excerpt.ts";
import { fetchJson, fetchPost } from "./fetch-json.ts";
import type { Content } from "./h.ts";
import { renderFacts, renderHit, renderListParts, type ListedPost } from "./hits.ts";
import { defaultQuery, toQueryString, type Query } from "./query.ts";
import { shorten } from "./slow-text.ts";

/** The list element. */
export const hits = part("#hits");

/** The query string of the list that is in the document; undefined after a failure. The build wrote the first one. */
let shown: string | undefined = toQueryString(defaultQuery);

/** Where a link to the list leads. */
export const shownList = (): string => shown ?? "?";

/** Replaces parts of the list besides its hits. */
function fillParts(parts: Readonly<Record<string, Content>>): void {
  for (const [name, content] of Object.entries(parts)) fill(part(`[data-part="${name}"]`), content);
}

/** Fills in a snippet with marks, and missing facts, once an item comes into view. */
export function fillWhenVisible(items: Iterable<Element>, keywords: readonly string[] = []): void {
  const observer = new IntersectionObserver((entries) => {
    for (const { target } of entries.filter(({ isIntersecting }) => isIntersecting)) {
      observer.unobserve(target);
      // Where the post cannot be read at the moment, its title is there.
      fillHit(target, keywords).catch(() => {});
    }
  });
  for (const item of items) observer.observe(item);
}

async function fillHit(item: Element, keywords: readonly string[]): Promise<void> {
  const { toSnippetText } = await import("./html-text.ts");
  const post = await fetchPost(item.getAttribute("data-post") ?? "");
  // Each in a task of its own, so that keys come between; not for a list that is gone.
  await new Promise((resolve) => setTimeout(resolve));
  const snippet = item.querySelector(".snippet");
  if (!item.isConnected || snippet === null) return;
  fill(snippet, excerpt(toSnippetText(post.postContentHtml), keywords));
  const facts = item.querySelector(".facts-line");
  if (facts?.querySelector("time") === null) fill(facts, renderFacts(post, i18n));
}

/** A title with marks; undefined without any. */
const markTitle = ({ postTitle }: ListedPost, keywords: readonly string[]): Content =>
  keywords.length === 0 ? undefined : markMatches(shorten(postTitle), keywords);

/** Shows the call of the API that gives a list. */
const showListCall = (queryString: string): void =>
  showCall(part('[data-part="call"]'), `/api/search${queryString === "?" ? "" : queryString}`);

/** Prepares the list that the build wrote. */
export const startList = (): void => showListCall(shownList());

/**
 * Shows what a query finds, unless it is there.
 *
 * @throws RequestError where it cannot be read
 */
export async function showList(query: Query, signal: AbortSignal): Promise<void> {
  const queryString = toQueryString(query);
  hits.ariaBusy = String(queryString !== shown);
  if (queryString === shown) return;
  try {
    const result = await fetchJson<SearchResult>(`/api/search${queryString}`, { signal });
    const empty = result.metadata.count === 0 ? await emptyState(query, signal) : undefined;
    signal.throwIfAborted();
    fillParts({ ...renderListParts(query, result, i18n), note: empty?.note });
    showListCall(queryString);
    const keywords = empty?.keywords ?? [normalize(query.q).trim()].filter(Boolean);
    const found: readonly ListedPost[] = empty?.hits ?? result.results;
    fill(
      hits,
      found.map((hit) => renderHit(hit, i18n, { title: markTitle(hit, keywords) })),
    );
    fillWhenVisible(hits.children, keywords);
    shown = queryString;
  } catch (error) {
    signal.throwIfAborted();
    shown = undefined;
    fillParts({ found: i18n.t("The request failed"), pages: undefined });
    fill(hits, undefined);
    throw error;
  } finally {
    if (!signal.aborted) hits.ariaBusy = "false";
  }
}
