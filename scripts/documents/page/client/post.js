/** A post to read: its text in a frame without scripts, tags, comments, similar posts, and the posts around it. */
import { callTree, frame, nodesOf } from "./dom.js";
import { factsOf, hitTree, postLink, tagTree } from "./list.js";
import { tree } from "./tree.js";

/** @typedef {import("../../../../functions/contract/resources.ts").Post} Post */
/** @typedef {import("../tree.ts").Tree} Tree */

const { t, lang } = frame;

/**
 * Levels of comments below each other. Deeper ones follow each other on the last level: it stays readable on a narrow
 * screen, and a thousand levels of lists would end the tab.
 */
const deepest = 6;

/** @param {Post["comments"][number]} comment @param {string} answered whom it answers, where its place does not show it */
function commentTrees({ commentAuthor, commentDateGmt, likesCount, commentContent }, answered) {
  const author = answered === "" ? commentAuthor : `${commentAuthor} ↳ ${answered}`;
  const date = tree("time", { datetime: commentDateGmt }, commentDateGmt.slice(0, 10));
  return [
    tree("p", { class: "facts-line" }, `${author} · `, date, ` · ♥ ${likesCount}`),
    tree("p", { class: "written", ...lang }, commentContent),
  ];
}

/** Comments below those that they answer. @param {Post["comments"]} comments newest first */
function threadsOf(comments) {
  const answers = Map.groupBy(comments.toReversed(), ({ commentParent }) => commentParent);
  /** @type {Tree[]} */
  const threads = [];
  /** Comments to show, the next one last. */
  const waiting = (answers.get(0) ?? []).map((one) => ({ one, list: threads, level: 1, to: "" }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { one, list, level, to } = next;
    const replies = answers.get(one.commentId) ?? [];
    const isFlat = level === deepest;
    /** @type {Tree[]} */
    const below = isFlat ? list : [];
    const thread = isFlat || replies.length === 0 ? undefined : tree("ol", {}, below);
    list.push(tree("li", {}, commentTrees(one, to), thread));
    const place = isFlat ? { level, to: one.commentAuthor } : { level: level + 1, to: "" };
    for (const reply of replies) waiting.push({ one: reply, list: below, ...place });
  }
  return tree("ol", {}, threads);
}

/**
 * The elements of a post that are kept, those of text. Others could set rules of their own, ask servers, or keep the
 * browser at work until the page stops: pictures made of copies of copies, moving text, controls in thousands.
 */
const kept = new Set(
  (
    "a abbr address article aside b big blockquote br caption center cite code col colgroup dd del details dfn " +
    "dir div dl dt em fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 header hgroup hr i ins kbd legend " +
    "li main mark menu nav ol p pre q rp rt ruby s samp search section small span strike strong sub summary sup table " +
    "tbody td tfoot th thead time tr tt u ul var wbr"
  ).split(" "),
);
/** Elements that go with all that is in them. Of any other, what is in it stays. */
const dropped = new Set(
  (
    "script style template svg audio video iframe frameset noscript select textarea title " +
    "annotation annotation-xml"
  ).split(" "),
);
/** The attributes that are kept: where a link leads, and how text and tables are read. */
const keptAttributes =
  "href title lang hidden colspan rowspan start reversed type open datetime id".split(" ");
/**
 * Elements that are kept in others, and in all: browsers take quadratic time for some that are deep, or many. Of
 * further ones the text stays. The real posts that were looked at have up to 2,121 in all.
 */
const [mostAround, mostElements] = [60, 20_000];
/** More marks on a character than any language has: browsers take long to lay them out. */
const furtherMarks = /(?<=\p{M}{30})\p{M}+/gu;

/** The name of a node, in lower case. A form gives the fields in it by their names, whatever is asked for. @param {Node} node */
const nameOf = (node) => (node instanceof HTMLFormElement ? "form" : node.nodeName.toLowerCase());

/** Elements of which only that they are blocks is kept: browsers take long for thousands of them. */
const plainBlocks = new Set(["form", "fieldset"]);

/** A copy of an element without its content. @param {Element} element @param {string} name */
function copyOf(element, name) {
  if (plainBlocks.has(name)) return document.createElement("div");
  const copy = document.createElement(name);
  for (const attribute of name === "a" ? [...keptAttributes, "name"] : keptAttributes)
    if (element.hasAttribute(attribute))
      copy.setAttribute(attribute, element.getAttribute(attribute) ?? "");
  return copy;
}

/** A stranger's HTML as a body of text: of each other element, what is in it. @param {string} html */
function bodyOf(html) {
  // In a document of its own, nothing is loaded. In a <div>, no name of the stranger's becomes one of the document's.
  const made = document.implementation.createHTMLDocument("").createElement("div");
  made.innerHTML = html;
  const body = document.createElement("body");
  body.className = "framed";
  /** Where the content of each element goes, and how deep that is. @type {Map<Node | null, { place: Element, depth: number }>} */
  const places = new Map([[made, { place: body, depth: 0 }]]);
  // Copied in one pass: to move what is in unknown elements takes quadratic time where they are in each other.
  const nodes = document.createTreeWalker(
    made,
    NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT,
    (node) => (dropped.has(nameOf(node)) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT),
  );
  let left = mostElements;
  for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
    const { place, depth } = places.get(node.parentNode) ?? { place: body, depth: 0 };
    const name = nameOf(node);
    if (node instanceof HTMLImageElement)
      // The page's policies load none. A link without a word could not be seen.
      place.append(node.alt || (node.closest("a") ? "🖼" : ""));
    else if (!(node instanceof Element))
      place.append(node.nodeValue?.replace(furtherMarks, "") ?? "");
    else if (kept.has(name) && depth < mostAround && left-- > 0) {
      const copy = copyOf(node, name);
      place.append(copy);
      places.set(node, { place: copy, depth: depth + 1 });
    } else places.set(node, { place, depth });
  }
  // For the whole post, by its first letter: browsers take long where each of many elements says its own.
  body.dir = "auto";
  return body;
}

/** The part of a post that a link within it names, such as a footnote. @param {Document} post @param {string} name */
function partOf(post, name) {
  let decoded = name;
  try {
    decoded = decodeURIComponent(name);
  } catch {
    // The escapes are malformed.
  }
  return [name, decoded]
    .flatMap((one) => [post.getElementById(one), ...post.getElementsByName(one)])
    .find((one) => one !== null);
}

/**
 * A stranger's HTML in a frame of its own: no script runs in it, no form is sent, and the page's policies hold
 * there, too, so that nothing is loaded from elsewhere. Links open in a new tab.
 *
 * @param {string} html
 * @param {string} title
 */
function frameOf(html, title) {
  const made = document.createElement("iframe");
  made.title = title;
  made.setAttribute("sandbox", "allow-same-origin allow-popups allow-popups-to-escape-sandbox");
  made.referrerPolicy = "no-referrer";
  made.srcdoc = `<!doctype html><html lang="${lang["lang"] ?? ""}"><meta name="color-scheme" content="light dark"><base target="_blank"><link rel="stylesheet" href="/site/style.css"><body>`;
  const text = bodyOf(html);
  const fit = () => {
    made.height = String(Math.min(20_000, text.scrollHeight + 2));
  };
  // Followed as a link, a part of the same post would lead to the page around the frame.
  text.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest("a[href^='#']");
    const name = link?.getAttribute("href")?.slice(1);
    const target = name && made.contentDocument ? partOf(made.contentDocument, name) : undefined;
    if (target === undefined) return;
    event.preventDefault();
    if (target.tabIndex < 0) target.tabIndex = -1;
    target.focus({ preventScroll: true });
    target.scrollIntoView();
  });
  made.addEventListener("load", () => {
    // As elements, not as text: what was removed cannot come back by being read in another way.
    made.contentDocument?.body.replaceWith(text);
    fit();
    new ResizeObserver(fit).observe(text);
  });
  return made;
}

// Paper has another width, and nothing scrolls on it.
for (const [event, width] of /** @type {const} */ ([
  ["beforeprint", "42rem"],
  ["afterprint", ""],
]))
  addEventListener(event, () => {
    for (const made of document.querySelectorAll("iframe")) {
      made.style.width = width;
      made.height = String(made.contentDocument?.body.scrollHeight);
    }
  });

/** A link to where the post comes from, where that is another page than this one. @param {Post} post */
function originLink({ postId, postUrl }) {
  const own = document.querySelector('meta[property="og:url"]')?.getAttribute("content");
  const isOwn = own && postUrl === new URL(`/?post=${postId}`, own).href;
  const attributes = { href: postUrl, target: "_blank", rel: "noreferrer" };
  return isOwn ? undefined : [" · ", tree("a", attributes, t("On the site"))];
}

/** A list under a heading; nothing where it is empty. @param {string} title @param {string} className @param {readonly Tree[]} items */
const section = (title, className, items) =>
  items.length === 0 ? [] : [tree("h3", {}, title), tree("ol", { class: className }, items)];

/** The post before or after, as a link. @param {Post["nextPost"]} post @param {string} title */
const neighbour = (post, title) =>
  post === null ? undefined : tree("p", {}, tree("span", {}, title), postLink(post, frame));

/** A post to read. @param {Post} post */
export function viewOfPost(post) {
  const title = post.postTitle || t("(untitled)");
  const facts = [factsOf(post, frame), originLink(post)];
  const tags = post.tags.flatMap(({ tagName }) => [tagTree(tagName, frame), " "]);
  const comments = `${t("Comments")} ${post.comments.length}`;
  return [
    ...nodesOf(
      tree("h2", { class: "post-title", tabindex: "-1", ...lang }, title),
      tree("p", { class: "facts-line" }, facts),
    ),
    frameOf(post.postContentHtml, title),
    ...nodesOf(
      tags.length === 0 ? undefined : tree("p", { class: "tags" }, tags),
      post.comments.length === 0
        ? undefined
        : [tree("h3", {}, comments), tree("div", { class: "comments" }, threadsOf(post.comments))],
      section(
        t("Similar posts"),
        "posts similar",
        post.similarPosts.map((one) => hitTree(one, frame)),
      ),
      tree(
        "nav",
        { class: "neighbours", "aria-label": t("Neighbours") },
        neighbour(post.previousPost, t("Older")),
        neighbour(post.nextPost, t("Newer")),
      ),
      callTree(`/api/posts/${post.postId}`),
    ),
  ];
}
