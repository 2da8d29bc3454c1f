/** What a list of posts shows, as the URL of the page says it: the parameters are those of the API. */
import { normalizeTagName } from "../../../../functions/engine/normalize.ts";

/** A search, an order and a page of its hits. */
export interface Query {
  readonly q: string;
  /** Names of tags, as the parameter `tags` gives them. */
  readonly tags: readonly string[];
  readonly orderby: string;
  readonly page: number;
}

/** All posts, newest first: the list that the build writes. */
export const defaultQuery: Query = { q: "", tags: [], orderby: "timeDesc", page: 1 };

/** Reads a page number as the API does: anything else is the first page. */
const parsePage = (text: string): number =>
  /^[0-9]+$/.test(text) ? Math.max(1, Math.min(Number(text), Number.MAX_SAFE_INTEGER)) : 1;

/** Reads a query from the parameters of a URL. */
export const parseQuery = (parameters: URLSearchParams): Query => ({
  q: parameters.get("q") ?? "",
  tags: (parameters.get("tags") ?? "").split(/\s+/u).filter(Boolean),
  orderby: parameters.get("orderby") ?? defaultQuery.orderby,
  page: parsePage(parameters.get("page") ?? ""),
});

/** Writes a query as the parameters of a URL, without defaults. */
export const toQueryString = ({ q, tags, orderby, page }: Query): string =>
  `?${new URLSearchParams({
    ...(q === "" ? {} : { q }),
    ...(tags.length === 0 ? {} : { tags: tags.join(" ") }),
    ...(orderby === defaultQuery.orderby ? {} : { orderby }),
    ...(page === 1 ? {} : { page: String(page) }),
  })}`;

/** Whether a query looks for something, rather than lists all posts. */
export const isSearch = ({ q, tags }: Query): boolean => q !== "" || tags.length > 0;

/**
 * The same query with one more tag, from its first page.
 *
 * @returns undefined where that narrows nothing
 */
export function addTag(query: Query, tagName: string): Query | undefined {
  const tag = normalizeTagName(tagName);
  if (tag === "" || query.tags.includes(tag)) return undefined;
  return { ...query, tags: [...query.tags, tag], page: 1 };
}
