/** A post to read: its text in a frame without scripts, tags, comments, similar posts, and the posts around it. */
import { callTree, frame, isSecondOnLink, nodesOf } from "./dom.js";
import { factsOf, hitTree, isSeen, postLink, tagTree } from "./list.js";
import { fillInTime } from "./fill-in-time.js";
import { bodyOf } from "./post-body.js";
import { directionOf, tree } from "./tree.js";

/** @typedef {import("../../../../functions/contract/resources.ts").Post} Post */
/** @typedef {import("../tree.ts").Tree} Tree */

const { t, lang } = frame;

/**
 * Levels of comments below each other. Deeper ones follow each other on the last level: it stays readable on a narrow
 * screen, and a thousand levels of lists would end the tab.
 */
const deepest = 6;

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
  return [
    tree("p", { class: "facts-line" }, author, " · ", date, ` · ♥ ${likesCount}`),
    tree("p", { class: "written", ...lang }, commentContent),
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

/** The part of a post that a link within it names, such as a footnote. @param {Document} post @param {string} name */
function partOf(post, name) {
  let decoded = name;
  try {
    decoded = decodeURIComponent(name);
  } catch {
    // The escapes are malformed.
  }
  return [...new Set([name, decoded])]
    .flatMap((one) => [post.getElementById(one), ...post.getElementsByName(one)])
    .find((one) => one !== null);
}

/** Lets links to parts of a post lead there by themselves. Each is a step in the history then. @param {HTMLElement} text */
function leadWithin(text) {
  for (const link of text.querySelectorAll("a[href^='#']")) {
    link.setAttribute("href", `about:srcdoc${link.getAttribute("href")}`);
    link.setAttribute("target", "_self");
  }
}

/** Makes a frame as high as its text. A hidden one keeps its height: Back leads to a place in it. @param {HTMLIFrameElement} made */
function fit(made) {
  const text = made.contentDocument?.body;
  if (!text || text.clientWidth === 0) return;
  // A table that is wider has a scroll bar below it.
  const more = text.scrollWidth > text.clientWidth ? 20 : 2;
  made.height = String(text.scrollHeight + more);
}

/**
 * A stranger's HTML in a frame of its own: no script runs in it, no form is sent, and the page's policies hold
 * there, too, so that nothing is loaded from elsewhere. Links open in a new tab.
 *
 * @param {Post} post
 * @param {string} title
 */
function frameOf({ postContentHtml, postUrl }, title) {
  const made = document.createElement("iframe");
  made.title = title;
  made.setAttribute(
    "sandbox",
    "allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-downloads",
  );
  made.referrerPolicy = "no-referrer";
  // For a copy that a reader saves: Firefox names the file with the text here.
  made.src = "about:srcdoc";
  made.srcdoc = `<!doctype html><html lang="${lang["lang"] ?? ""}"><meta name="color-scheme" content="light dark"><base target="_blank"><link rel="stylesheet" href="/site/style.css"><body>`;
  const whole = bodyOf(postContentHtml, postUrl);
  const text = /** @type {HTMLElement} */ (whole.cloneNode(false));
  let isHeard = false;
  // Followed as a link, a part of the same post would lead to the page around the frame.
  text.addEventListener("click", (event) => {
    isHeard = true;
    if (isSecondOnLink(event)) return event.preventDefault();
    const link = /** @type {Element} */ (event.target).closest("a[href^='#']");
    if (link === null || made.contentDocument === null) return;
    event.preventDefault();
    const name = link.getAttribute("href")?.slice(1) ?? "";
    const target = partOf(made.contentDocument, name) ?? (/^(?:top)?$/i.test(name) ? text : null);
    if (target === null) return;
    for (const folded of text.querySelectorAll("details"))
      if (folded.contains(target)) folded.open = true;
    fit(made);
    // Set, it lets the part have the focus, which is what it says of any other.
    if (target.tabIndex < 0) target.tabIndex = -1;
    target.focus({ preventScroll: true });
    target.scrollIntoView();
  });
  made.addEventListener("load", () => {
    // As elements, not as text: what was removed cannot come back by being read in another way.
    made.contentDocument?.body.replaceWith(text);
    fillInTime(text, whole);
    text.dispatchEvent(new Event("click"));
    // In Safari, no listener runs in a frame that may run no script (WebKit's bug 218086).
    if (!isHeard) leadWithin(text);
    made.dataset["isLoaded"] = "";
    fit(made);
    new ResizeObserver(() => fit(made)).observe(text);
  });
  return made;
}

/**
 * Characters of a post whose tables become as narrow as paper. Browsers take quadratic time to divide columns of broken
 * words into pages.
 */
const mostNarrowed = 20_000;

/** A post's text without its frame, which a browser would not divide into pages. @param {HTMLElement} text */
function onPaper(text) {
  const made = document.createElement("div");
  made.className = `${text.className} on-paper`;
  made.classList.toggle("narrowed", (text.textContent ?? "").length <= mostNarrowed);
  made.dir = text.dir;
  made.lang = lang["lang"] ?? "";
  const content = text.ownerDocument.createRange();
  content.selectNodeContents(text);
  made.append(content.cloneContents());
  // Names are for links, and the page has its own.
  for (const one of made.querySelectorAll("[id], [name]"))
    for (const key of ["id", "name"]) one.removeAttribute(key);
  return made;
}

addEventListener("beforeprint", () => {
  for (const made of document.querySelectorAll("iframe"))
    if (made.contentDocument?.body.className) made.before(onPaper(made.contentDocument.body));
});
addEventListener("afterprint", () => {
  for (const made of document.querySelectorAll(".on-paper")) made.remove();
});

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

/** A post to read. @param {Post} post */
export function viewOfPost(post) {
  const title = isSeen(post.postTitle) ? post.postTitle : t("(untitled)");
  const facts = [factsOf(post, frame), originLink(post)];
  const tags = post.tags.flatMap(({ tagName }) => [tagTree(tagName, frame), " "]);
  const comments = `${t("Comments")} ${post.comments.length}`;
  return [
    ...nodesOf(
      tree("h2", { class: "post-title", tabindex: "-1", ...lang }, title),
      tree("p", { class: "facts-line" }, facts),
    ),
    frameOf(post, title),
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
