/** What helps where a search finds nothing: tags with similar names, and what the ranked search of /mcp finds. */
import { distance } from "fastest-levenshtein";
import { suggestSimilar } from "../../../../functions/mcp/suggest-similar.ts";
import { normalize, normalizeTagName } from "../../../../functions/engine/normalize.ts";
import type { SearchHit, SearchResult } from "../../../../functions/contract/resources.ts";
import { i18n } from "./dom.ts";
import { fetchJson } from "./fetch-json.ts";
import { h, type Content } from "./h.ts";
import { renderTags, type ListedPost } from "./hits.ts";
import type { Query } from "./query.ts";

/** What is shown instead of hits. */
export interface EmptyState {
  readonly note: Content;
  readonly hits: readonly ListedPost[];
  /** Words to mark in these. */
  readonly keywords: readonly string[];
}

/** Tags that are offered for one that does not exist. */
const maxNearTags = 5;
/** Unknown tags that something is said of: a link may name thousands, and each is compared with every tag. */
const maxUnknownTags = 3;
const none: Omit<EmptyState, "note"> = { hits: [], keywords: [] };
const { t } = i18n;

/**
 * Says which tags of a search do not exist, and which have similar names.
 *
 * @param names of all tags
 */
function renderUnknownTags(query: Query, names: readonly string[]): Content[] {
  const known = new Set(names.map(normalizeTagName));
  const tags = query.tags.filter((key) => known.has(key));
  const unknown = query.tags.filter((key) => !known.has(key)).slice(0, maxUnknownTags);
  return unknown.map((key) => {
    const near = suggestSimilar(key, names, distance).slice(0, maxNearTags);
    const links = [`${t("Tags with similar names:")} `, renderTags(near, i18n, { ...query, tags })];
    return h("p", {}, `${t("No post has this tag:")} ${key}. `, near.length > 0 && links);
  });
}

/** What the ranked search of /mcp answers. */
interface RankedAnswer {
  readonly result: { readonly structuredContent: { readonly results: readonly RankedHit[] } };
}
type RankedHit = Omit<SearchHit, "postId" | "postTitle"> &
  Readonly<Record<"id" | "title", string>> & { readonly matchedWords: readonly string[] };

/** Finds the posts that fit the words best, and these words. */
async function searchRanked({ q, tags }: Query, signal: AbortSignal): Promise<typeof none> {
  const params = { name: "search", arguments: { query: q, tags: tags.join(" ") } };
  const { result } = await fetchJson<RankedAnswer>("/mcp", {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    signal,
  });
  const { results } = result.structuredContent;
  const words = results.flatMap(({ matchedWords }) => matchedWords.map(normalize));
  return {
    hits: results.map((hit) => ({ ...hit, postId: Number(hit.id), postTitle: hit.title })),
    keywords: [...new Set(words)].filter((word) => word !== ""),
  };
}

/** Looks for what helps where a search finds nothing. */
export async function emptyState(query: Query, signal: AbortSignal): Promise<EmptyState> {
  if (query.tags.length > 0) {
    const { tagCounts } = await fetchJson<SearchResult>("/api/search?pageSize=1", { signal });
    const names = tagCounts.map(({ tagName }) => tagName);
    const note = renderUnknownTags(query, names);
    if (note.length > 0) return { note, ...none };
  }
  const best = query.q.trim() === "" ? none : await searchRanked(query, signal).catch(() => none);
  const text =
    best.hits.length > 0
      ? t("No post contains exactly this. These fit the words best:")
      : t("Nothing was found. Try fewer or other letters, or leave out a tag.");
  return { ...best, note: h("p", {}, text) };
}
