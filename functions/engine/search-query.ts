/** Query string → what to search for. Never fails: whatever cannot be read counts as the default. */
import { searchParameters } from "../contract/parameters.ts";
import type { SortOrder } from "../contract/resources.ts";
import { normalizeTagName } from "./normalize.ts";

/** A search request after defaults, fallbacks and clamping. Equal queries have equal answers. */
export interface SearchQuery {
  /** The keyword exactly as sent, decoded. */
  readonly q: string;
  /** Wanted tag names in comparison form, without repeats, in code unit order. */
  readonly tags: readonly string[];
  readonly orderby: SortOrder;
  /** At least 1. */
  readonly page: number;
  /** From 1 to the contract's maximum. */
  readonly pageSize: number;
}

/**
 * A decimal integer of at least `minimum`, else `fallback`. What is too large for an exact number becomes
 * the largest exact one, 2^53 - 1, so that every client can read it back.
 */
function parseInteger(text: string | null, minimum: number, fallback: number): number {
  if (text === null || !/^[0-9]+$/.test(text)) return fallback;
  const value = Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  return value >= minimum ? value : fallback;
}

/** Names of wanted tags in comparison form, without repeats, in code unit order. Empty names are left out. */
export const normalizeTags = (names: readonly string[]): string[] =>
  [...new Set(names.filter((name) => name !== "").map(normalizeTagName))].sort();

/**
 * Whether every program finds the same parameters in a query string. The CDN makes its cache key of the parameters that it
 * finds. Encoded or repeated names, `;` and broken escapes may be read otherwise there, and the answer to one query would then be
 * given to another.
 *
 * @param search the part of a URL from `?` on; may be empty
 */
export function hasUnambiguousQuery(search: string): boolean {
  const names = search
    .slice(1)
    .split("&")
    .map((pair) => pair.split("=", 1)[0]!);
  const isPlain = names.every((name) => /^[\w.-]*$/.test(name)) && !search.includes(";");
  return isPlain && new Set(names).size === names.length && !/%(?![0-9a-f]{2})/i.test(search);
}

/** Reads a search request from the parameters of its URL. Of a repeated parameter the first counts. */
export function parseSearchQuery(parameters: URLSearchParams): SearchQuery {
  const { q, tags, orderby, page, pageSize } = searchParameters;
  const wanted = parameters.get("orderby");
  return {
    q: parameters.get("q") ?? q.default,
    tags: normalizeTags((parameters.get("tags") ?? tags.default).split(/\s+/u)),
    orderby: orderby.enum.find((order) => order === wanted) ?? orderby.default,
    page: parseInteger(parameters.get("page"), page.minimum, page.default),
    pageSize: Math.min(
      parseInteger(parameters.get("pageSize"), pageSize.minimum, pageSize.default),
      pageSize.maximum,
    ),
  };
}
