/** A list of posts, and what narrows it: the build writes the newest posts, the page's script what a search found. */
import { tagParameter } from "./tag-parameter.js";
import { formatted, tree } from "./tree.js";

/** @typedef {import("../tree.ts").Tree} Tree */
/** @typedef {import("../tree.ts").Content} Content */
/** @typedef {import("../tree.ts").Words} Words */
/** @typedef {import("../../../../functions/contract/resources.ts").SearchHit} SearchHit */
/** @typedef {import("../../../../functions/contract/resources.ts").SearchMetadata} SearchMetadata */
/** @typedef {import("../../../../functions/contract/resources.ts").TagCount} TagCount */
/** @typedef {{ metadata: SearchMetadata, tagCounts: TagCount[], results: SearchHit[] }} SearchResult */

/** What a list shows, as its URL says. @typedef {{ q: string, tags: readonly string[], orderby: string, page: number }} Query */

/** Tags that are offered for narrowing a list. */
const tagsShown = 12;

/** The list that the page begins with. @type {Query} */
export const everything = { q: "", tags: [], orderby: "timeDesc", page: 1 };

/** A page's number, as the API reads it: another text is the first page. @param {string} text */
const pageFrom = (text) =>
  /^[0-9]+$/.test(text) ? Math.max(1, Math.min(Number(text), Number.MAX_SAFE_INTEGER)) : 1;

/** What a URL asks for. @param {URLSearchParams} parameters @returns {Query} */
export const queryFrom = (parameters) => ({
  q: parameters.get("q") ?? "",
  tags: (parameters.get("tags") ?? "").split(/\s+/u).filter(Boolean),
  orderby: parameters.get("orderby") ?? everything.orderby,
  page: pageFrom(parameters.get("page") ?? ""),
});

/** A query as the parameters of the page, which are those of the API: values other than the default. @param {Query} query */
export const searchOf = ({ q, tags, orderby, page }) =>
  `?${new URLSearchParams({
    ...(q === "" ? {} : { q }),
    ...(tags.length === 0 ? {} : { tags: tags.join(" ") }),
    ...(orderby === everything.orderby ? {} : { orderby }),
    ...(page === 1 ? {} : { page: String(page) }),
  })}`;

/** A tag, as a link to the posts that carry it; only the empty name cannot be searched for. @param {string} tagName @param {Words} words @param {Query} [query] to narrow */
export function tagTree(tagName, { lang }, query = everything) {
  const tag = tagParameter(tagName);
  if (tag === "" || query.tags.includes(tag))
    return tree("span", { class: "tag", ...lang }, tagName);
  const href = searchOf({ ...query, tags: [...query.tags, tag], page: 1 });
  return tree("a", { class: "tag", href, ...lang }, tagName);
}

/** Date, likes and number of comments. @param {{ postDateGmt: string, countLikes: number, countComments: number }} post @param {Words} frame @returns {readonly Content[]} */
export const factsOf = ({ postDateGmt, countLikes, countComments }, { t }) => [
  tree("time", { datetime: postDateGmt }, postDateGmt.slice(0, 10)),
  ` · ♥ ${formatted(countLikes)} · ${t("Comments")} ${formatted(countComments)} `,
];

/** Whether a title has a character that a reader sees. @param {string} title */
export const isSeen = (title) => /[^\s\p{Default_Ignorable_Code_Point}]/u.test(title);

/** A link to a post. @param {{ postId: number, postTitle: string }} post @param {Words} frame @param {Content} title */
export const postLink = ({ postId, postTitle }, { t, lang }, title = postTitle) =>
  tree("a", { href: `?post=${postId}`, ...lang }, isSeen(postTitle) ? title : t("(untitled)"));

/**
 * A post in a list.
 *
 * @param {Pick<SearchHit, "postId" | "postTitle"> & Partial<SearchHit>} hit facts that are not known yet are left out
 * @param {Words} frame
 * @param {{ title?: Content, snippet?: Content }} [shown] the title with marks, a part of the text
 */
export const hitTree = (hit, frame, { title, snippet } = {}) =>
  tree(
    "li",
    { class: "hit", "data-post": String(hit.postId) },
    tree("h3", {}, postLink(hit, frame, title)),
    tree(
      "p",
      { class: "facts-line" },
      hit.postDateGmt === undefined ? undefined : factsOf(/** @type {SearchHit} */ (hit), frame),
      (hit.tagNames ?? []).flatMap((name) => [tagTree(name, frame), " "]),
    ),
    tree("p", { class: "snippet", ...frame.lang }, snippet),
  );

/** Names with bars and numbers below each other. @param {string} title @param {readonly (readonly [name: Content, count: number])[]} bars */
export function barsTree(title, bars) {
  const greatest = Math.max(1, ...bars.map(([, count]) => count));
  const items = bars.map(([name, count]) => {
    const width = `${Math.ceil((count / greatest) * 100)}%`;
    const bar = tree("svg", { "aria-hidden": "true" }, tree("rect", { width, height: "100%" }));
    return tree("li", {}, name, bar, tree("span", { class: "count" }, formatted(count)));
  });
  return tree("figure", { class: "chart" }, tree("figcaption", {}, title), tree("ul", {}, items));
}

/** How many posts there are, and which page of them this is. @param {SearchMetadata} metadata @param {Query} query @param {Words} frame */
function foundText({ count, totalPages }, { q, tags, page }, { t }) {
  const isSearch = q !== "" || tags.length > 0;
  const things = count === 1 ? t("hit") : isSearch ? t("hits") : t("posts");
  const words = `${formatted(count)} ${things}`;
  return page === 1
    ? words
    : `${words} · ${t("Page")} ${formatted(page)} / ${formatted(totalPages)}`;
}

/** Links to the pages before and after those that are shown. @param {Query} query @param {SearchMetadata} metadata of the last page that is shown @param {Words} frame */
export function pagesOf(query, { page, totalPages, hasMore }, { t }) {
  // An old link may lead beyond the last page.
  const before = searchOf({ ...query, page: Math.max(1, Math.min(query.page - 1, totalPages)) });
  const after = searchOf({ ...query, page: page + 1 });
  return [
    query.page > 1 ? [tree("a", { href: before }, t("Previous page")), " "] : undefined,
    hasMore ? tree("a", { href: after, "data-more": "" }, t("More posts")) : undefined,
  ];
}

/** How many posts of a list have each tag, the most frequent first. @param {readonly SearchHit[]} hits @returns {TagCount[]} */
function tagCountsOf(hits) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { tagNames } of hits)
    for (const name of tagNames) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .map(([tagName, count]) => ({ tagName, count }))
    .sort((x, y) => y.count - x.count);
}

/**
 * The parts of a list besides its hits.
 *
 * @param {Query} query
 * @param {SearchResult} result
 * @param {Words} frame
 * @returns {Readonly<Record<"found" | "chosen" | "orders" | "pages" | "tags", readonly Content[]>>}
 */
export function partsOfList(query, { metadata, tagCounts, results }, frame) {
  const { t, lang } = frame;
  const orders = { timeDesc: t("Newest"), like: t("Most liked"), timeAsc: t("Oldest") };
  const chosen = query.tags.map((name) => {
    const tags = query.tags.filter((one) => one !== name);
    const label = `${t("Without the tag")} ${name}`;
    const href = searchOf({ ...query, tags, page: 1 });
    const attributes = { class: "tag", href, "aria-label": label, "data-tag": name, ...lang };
    return tree("a", attributes, `✕ ${name}`);
  });
  // The API counts the tags before it looks at those that are chosen: many of them no hit has.
  const isNarrowed = query.tags.length > 0;
  const bars = (isNarrowed ? tagCountsOf(results) : tagCounts)
    .filter(({ tagName }) => !query.tags.includes(tagParameter(tagName)))
    .slice(0, tagsShown)
    .map(({ tagName, count }) => /** @type {const} */ ([tagTree(tagName, frame, query), count]));
  return {
    found: [foundText(metadata, query, frame)],
    chosen: chosen.flatMap((link) => [link, " "]),
    orders: Object.entries(orders).flatMap(([orderby, name]) => {
      const current = orderby === metadata.orderby ? { "aria-current": "true" } : {};
      const href = searchOf({ ...query, orderby, page: 1 });
      return [tree("a", { href, ...current }, name), " "];
    }),
    pages: pagesOf(query, metadata, frame),
    tags:
      bars.length === 0
        ? []
        : [barsTree(isNarrowed ? t("Tags of these posts") : t("Narrow by tag"), bars)],
  };
}
