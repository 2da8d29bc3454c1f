/** A list of posts and what narrows it: the build writes the newest posts, the browser what a search found. */
import type {
  SearchHit,
  SearchMetadata,
  SearchResult,
  TagCount,
} from "../../../../functions/contract/resources.ts";
import { normalizeTagName } from "../../../../functions/engine/normalize.ts";
import { formatNumber, h, type Content, type I18n, type VirtualElement } from "./h.ts";
import { addTag, defaultQuery, isSearch, toQueryString, type Query } from "./query.ts";
import { shorten } from "./slow-text.ts";

/** A post to list; facts that are not known yet are left out. */
export type ListedPost = Pick<SearchHit, "postId" | "postTitle"> & Partial<SearchHit>;

/** Tags that are offered for narrowing a list. */
const maxTags = 12;

/**
 * A tag, as a link to the posts that carry it.
 *
 * @param query to narrow
 */
function renderTag(
  tagName: string,
  { userText }: I18n,
  query: Query = defaultQuery,
): VirtualElement {
  const narrowed = addTag(query, tagName);
  const name = shorten(tagName);
  if (narrowed === undefined) return h("span", { class: "tag", ...userText }, name);
  return h("a", { class: "tag", href: toQueryString(narrowed), ...userText }, name);
}

/** Tags with spaces between. */
export const renderTags = (names: readonly string[], i18n: I18n, query?: Query): Content[] =>
  names.flatMap((name) => [renderTag(name, i18n, query), " "]);

/** How many comments there are, in words. */
export function formatComments(count: number, { t }: I18n): string {
  const words = [t("no comments"), t("1 comment")][count] ?? t("{n} comments");
  return words.replace("{n}", formatNumber(count));
}

/** Date, likes and number of comments. */
export const renderFacts = (
  post: Pick<SearchHit, "postDateGmt" | "countLikes" | "countComments">,
  i18n: I18n,
): Content[] => [
  h("time", { datetime: post.postDateGmt }, post.postDateGmt.slice(0, 10)),
  ` · ♥ ${formatNumber(post.countLikes)} · ${formatComments(post.countComments, i18n)} `,
];

/** A title, or what stands for one that nobody sees. */
export const visibleTitle = (title: string, { t }: I18n): string =>
  /[^\s\p{Default_Ignorable_Code_Point}]/u.test(title) ? shorten(title) : t("(untitled)");

/**
 * A link to a post.
 *
 * @param title with marks
 */
export const renderPostLink = (
  { postId, postTitle }: Pick<ListedPost, "postId" | "postTitle">,
  i18n: I18n,
  title?: Content,
): VirtualElement =>
  h("a", { href: `?post=${postId}`, ...i18n.userText }, title ?? visibleTitle(postTitle, i18n));

/**
 * A post in a list.
 *
 * @param shown the title with marks, a part of the text
 */
export const renderHit = (
  hit: ListedPost,
  i18n: I18n,
  { title, snippet }: { readonly title?: Content; readonly snippet?: Content } = {},
): VirtualElement =>
  h(
    "li",
    { class: "hit", "data-post": String(hit.postId) },
    h("h3", { dir: "auto" }, renderPostLink(hit, i18n, title)),
    h(
      "p",
      { class: "facts-line" },
      hit.postDateGmt !== undefined && renderFacts(hit as SearchHit, i18n),
      renderTags(hit.tagNames ?? [], i18n),
    ),
    h("p", { class: "snippet", ...i18n.userText }, snippet),
  );

/** Names with bars and numbers below each other. */
export function renderBars(
  title: string,
  bars: readonly (readonly [name: Content, count: number])[],
): VirtualElement {
  const max = Math.max(1, ...bars.map(([, count]) => count));
  const items = bars.map(([name, count]) => {
    const width = `${Math.ceil((count / max) * 100)}%`;
    const bar = h("svg", { "aria-hidden": "true" }, h("rect", { width, height: "100%" }));
    return h("li", {}, name, bar, h("span", { class: "count" }, formatNumber(count)));
  });
  return h("figure", { class: "chart" }, h("figcaption", {}, title), h("ul", {}, items));
}

/** How many posts there are, and which page of them this is. */
function formatFound({ count, totalPages }: SearchMetadata, query: Query, { t }: I18n): string {
  const things = count === 1 ? t("hit") : isSearch(query) ? t("hits") : t("posts");
  const found = `${formatNumber(count)} ${things}`;
  if (query.page === 1) return found;
  return `${found} · ${t("Page")} ${formatNumber(query.page)} / ${formatNumber(totalPages)}`;
}

/** Links to the pages before and after. An old link may lead beyond the last page. */
function renderPages(query: Query, metadata: SearchMetadata, { t }: I18n): Content[] {
  const before = Math.max(1, Math.min(query.page - 1, metadata.totalPages));
  const link = (page: number, text: string): VirtualElement =>
    h("a", { href: toQueryString({ ...query, page }) }, text);
  return [
    query.page > 1 && [link(before, t("Previous page")), " "],
    metadata.hasMore && link(query.page + 1, t("Next page")),
  ];
}

/** Counts the tags of some posts, the most frequent first. */
function countTags(hits: readonly SearchHit[]): TagCount[] {
  const counts = new Map<string, number>();
  for (const tagName of hits.flatMap(({ tagNames }) => tagNames))
    counts.set(tagName, (counts.get(tagName) ?? 0) + 1);
  return [...counts]
    .map(([tagName, count]) => ({ tagName, count }))
    .sort((a, b) => b.count - a.count);
}

/**
 * Links that take a chosen tag away.
 *
 * @param names by the tags' keys
 */
const renderChosen = (query: Query, names: ReadonlyMap<string, string>, i18n: I18n): Content[] =>
  query.tags.flatMap((key) => {
    const name = shorten(names.get(key) ?? key);
    const tags = query.tags.filter((other) => other !== key);
    const href = toQueryString({ ...query, tags, page: 1 });
    const label = { "aria-label": `${i18n.t("Without the tag")} ${name}` };
    return [h("a", { class: "tag", href, ...label, ...i18n.userText }, `✕ ${name}`), " "];
  });

/** The order of a list, as links. */
function renderOrders(query: Query, applied: string, { t }: I18n): Content[] {
  const orders = { timeDesc: t("Newest"), like: t("Most liked"), timeAsc: t("Oldest") };
  return Object.entries(orders).flatMap(([orderby, name]) => {
    const current = orderby === applied ? { "aria-current": "true" } : {};
    return [h("a", { href: toQueryString({ ...query, orderby, page: 1 }), ...current }, name), " "];
  });
}

/** The parts of a list besides its hits. */
export type ListPart = "found" | "chosen" | "orders" | "pages" | "tags";

/** Renders what stands around the hits of a list. */
export function renderListParts(
  query: Query,
  { metadata, tagCounts, results }: SearchResult,
  i18n: I18n,
): Readonly<Record<ListPart, Content>> {
  // The API counts tags before it looks at those that are chosen: of a narrowed list, its own are counted.
  const isNarrowed = query.tags.length > 0;
  const names = new Map(tagCounts.map(({ tagName }) => [normalizeTagName(tagName), tagName]));
  const bars = (isNarrowed ? countTags(results) : tagCounts)
    .filter(({ tagName }) => !query.tags.includes(normalizeTagName(tagName)))
    .slice(0, maxTags)
    .map(({ tagName, count }) => [renderTag(tagName, i18n, query), count] as const);
  const title = isNarrowed ? i18n.t("Tags of these posts") : i18n.t("Narrow by tag");
  return {
    found: formatFound(metadata, query, i18n),
    chosen: renderChosen(query, names, i18n),
    orders: renderOrders(query, metadata.orderby, i18n),
    pages: renderPages(query, metadata, i18n),
    tags: bars.length > 0 && renderBars(title, bars),
  };
}
