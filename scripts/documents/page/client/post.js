/** A post to read: its text, tags, comments, similar posts, and the posts around it. */
import { callTree, frame, isSecondOnLink, nodesOf } from "./dom.js";
import { factsOf, hitTree, isSeen, postLink, tagTree } from "./list.js";
import { fillInTime } from "./fill-in-time.js";
import { bodyOf, nameInPost } from "./post-body.js";
import { directionOf, tree } from "./tree.js";

/** @typedef {import("../../../../functions/contract/resources.ts").Post} Post */
/** @typedef {import("../tree.ts").Tree} Tree */

const { t, lang } = frame;

/**
 * Levels of comments below each other. Deeper ones follow each other on the last level: it stays readable on a narrow
 * screen, and a thousand levels of lists would end the tab.
 */
const deepest = 6;

/** Characters of a comment up to which its spaces are kept. Chromium takes quadratic time for many of them in one text. */
const longestIndented = 10_000;

/** A name as each answer to it repeats it. @param {string} name */
const shortened = (name) => {
  const characters = Array.from(name.slice(0, 200));
  return characters.length > 60 ? `${characters.slice(0, 60).join("")}…` : name;
};

/** @param {Post["comments"][number]} comment @param {string} answered whom it answers, where its place does not show it */
function commentTrees({ commentAuthor, commentDateGmt, likesCount, commentContent }, answered) {
  const name = answered === "" ? commentAuthor : `${commentAuthor} ↳ ${shortened(answered)}`;
  // Its letters may run from right to left; the date beside it does not.
  const author = tree("bdi", { dir: directionOf(name) }, name);
  const date = tree("time", { datetime: commentDateGmt }, commentDateGmt.slice(0, 10));
  const isIndented = commentContent.length <= longestIndented;
  return [
    tree("p", { class: "facts-line" }, author, " · ", date, ` · ♥ ${likesCount}`),
    tree("p", { class: isIndented ? "written indented" : "written", ...lang }, commentContent),
  ];
}

/** Comments by the one that they answer, the oldest first. @param {Post["comments"]} comments newest first */
function answersOf(comments) {
  /** @type {Map<number, Post["comments"][number][]>} */
  const answers = new Map();
  for (const comment of comments.toReversed()) {
    const others = answers.get(comment.commentParent);
    if (others === undefined) answers.set(comment.commentParent, [comment]);
    else others.push(comment);
  }
  return answers;
}

/** Comments below those that they answer. @param {Post["comments"]} comments newest first */
function threadsOf(comments) {
  const answers = answersOf(comments);
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

/** The part of a post that a link within it names, such as a footnote. @param {Element} text @param {string} name */
function partOf(text, name) {
  let decoded = name;
  try {
    decoded = decodeURIComponent(name);
  } catch {
    // The escapes are malformed.
  }
  return ["id", "name"]
    .flatMap((key) => [name, decoded].map((one) => `[${key}="${CSS.escape(nameInPost(one))}"]`))
    .map((selector) => text.querySelector(selector))
    .find((one) => one !== null);
}

/** Follows a link from one part of a post to another. @param {MouseEvent} event on the post's text */
function leadWithin(event) {
  if (isSecondOnLink(event)) return event.preventDefault();
  const link = /** @type {Element} */ (event.target).closest("a[href^='#']");
  if (link === null) return;
  // Of the page, it would name another part.
  event.preventDefault();
  const text = /** @type {HTMLElement} */ (event.currentTarget);
  const name = link.getAttribute("href")?.slice(1) ?? "";
  const target = partOf(text, name) ?? (/^(?:top)?$/i.test(name) ? text : null);
  if (!(target instanceof HTMLElement)) return;
  for (const folded of text.querySelectorAll("details"))
    if (folded.contains(target)) folded.open = true;
  // Set, it lets the part have the focus. What has it without says 0, and so does a link that leads nowhere.
  if (target.tabIndex < 0 || target.matches("a:not([href])")) target.tabIndex = -1;
  target.focus({ preventScroll: true });
  target.scrollIntoView();
}

/**
 * Characters of a post whose tables become as narrow as paper. Browsers take quadratic time to divide columns of broken
 * words into pages.
 */
const mostNarrowed = 20_000;
/** Pixels that a line has on paper at least, A4 or Letter. */
const paperWidth = 640;

/** Marks the tables that are wider than paper where only spaces break lines; one that is folded may be. @param {HTMLElement} text in the document */
function markWideTables(text) {
  const tables = [...text.querySelectorAll("table")];
  text.classList.add("squeezed");
  const { left, right } = text.getBoundingClientRect();
  const wide = tables.filter((table) => {
    const box = table.getBoundingClientRect();
    const indent = text.dir === "rtl" ? right - box.right : box.left - left;
    return box.width === 0 || indent + box.width > paperWidth;
  });
  text.classList.remove("squeezed");
  for (const table of wide) table.classList.add("wide");
}

/** Lets the keyboard scroll a text that is wider than its place; browsers before 2025 do not do so themselves. @param {HTMLElement} text @param {string} title */
function letKeysScroll(text, title) {
  text.setAttribute("role", "group");
  text.setAttribute("aria-label", title);
  new ResizeObserver(() => {
    if (text.scrollWidth > text.clientWidth) text.tabIndex = 0;
    else if (text.tabIndex === 0) text.removeAttribute("tabindex");
  }).observe(text);
}

/** A link to where the post comes from, where that is another page than this one. @param {Post} post */
function originLink({ postId, postUrl }) {
  const reader = document.querySelector("#reader");
  const isOwn = postUrl === `${reader?.getAttribute("data-site-url")}/?post=${postId}`;
  const attributes = { href: postUrl, target: "_blank", rel: "noreferrer" };
  return isOwn ? undefined : [" · ", tree("a", attributes, t("On the site"))];
}

/** A list under a heading; nothing where it is empty. @param {string} title @param {string} className @param {readonly Tree[]} items */
const section = (title, className, items) =>
  items.length === 0 ? [] : [tree("h3", {}, title), tree("ol", { class: className }, items)];

/** The post before or after, as a link. @param {Post["nextPost"]} post @param {string} title */
const neighbour = (post, title) =>
  post === null ? undefined : tree("p", {}, tree("span", {}, title), postLink(post, frame));

/** What is shown of a post besides its text. @param {Post} post @param {string} title @param {HTMLElement} text */
function partsOfPost(post, title, text) {
  const facts = [factsOf(post, frame), originLink(post)];
  const tags = post.tags.flatMap(({ tagName }) => [tagTree(tagName, frame), " "]);
  const comments = `${t("Comments")} ${post.comments.length}`;
  return [
    ...nodesOf(
      tree("h2", { class: "post-title", tabindex: "-1", ...lang }, title),
      tree("p", { class: "facts-line" }, facts),
    ),
    text,
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

/** Shows a post to read. @param {Element} place that is seen: what takes too long to lay out becomes text @param {Post} post */
export function showPostIn(place, post) {
  const whole = bodyOf(post.postContentHtml, post.postUrl);
  whole.lang = lang["lang"] ?? "";
  const isNarrowed = (whole.textContent ?? "").length <= mostNarrowed;
  whole.classList.toggle("narrowed", isNarrowed);
  const text = /** @type {HTMLElement} */ (whole.cloneNode(false));
  text.addEventListener("click", leadWithin);
  const title = isSeen(post.postTitle) ? post.postTitle : t("(untitled)");
  place.replaceChildren(...partsOfPost(post, title, text));
  fillInTime(text, whole);
  if (isNarrowed) markWideTables(text);
  letKeysScroll(text, title);
}
