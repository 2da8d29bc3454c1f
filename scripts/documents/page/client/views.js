/** A page of hits, and a post, as a person reads them: elements made from an answer of the API, text as text. */

import { tagParameter } from "./tag-parameter.js";

/** @typedef {import("../../../../functions/contract/resources.ts").Post} Post */
/** @typedef {import("../../../../functions/contract/resources.ts").SearchHit} SearchHit */
/** @typedef {import("../../../../functions/contract/resources.ts").SearchMetadata} SearchMetadata */
/** @typedef {import("../../../../functions/contract/resources.ts").TagCount} TagCount */
/** @typedef {{ metadata: SearchMetadata, tagCounts: TagCount[], results: SearchHit[] }} SearchResult */
/** @typedef {{ readPost: (postId: number) => void, ask: (values: Record<string, string>) => void }} Actions */

/** Tags that are offered for narrowing a search. */
const tagsShown = 20;

/** @type {Readonly<Record<string, string>>} Words in the page's language. */
export const words = JSON.parse(document.body.dataset["words"] ?? "{}");

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {...(Node | string)} content
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(name, ...content) {
  const made = document.createElement(name);
  made.append(...content);
  return made;
}

/** Language of what users wrote; empty where nobody knows it. */
const postsLanguage = document.body.dataset["postsLanguage"] ?? "";

/** What users wrote, in its language. @template {HTMLElement} E @param {E} made @returns {E} */
function ofUsers(made) {
  if (postsLanguage !== "") made.lang = postsLanguage;
  return made;
}

/** @template {HTMLElement} E @param {E} made @param {string} className @returns {E} */
function classed(made, className) {
  made.className = className;
  return made;
}

/** @param {string} text @param {() => void | Promise<void>} act */
export function button(text, act) {
  const made = element("button", text);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

/** @param {string} date */
const dateOf = (date) => {
  const made = element("time", date.slice(0, 10));
  made.dateTime = date;
  return made;
};

/** A list under a heading; nothing where it is empty. @param {string | undefined} title @param {readonly Node[]} entries @param {string} kind */
function list(title, entries, kind) {
  const items = entries.map((entry) => element("li", entry));
  return items.length === 0
    ? []
    : [element("h4", title ?? ""), classed(element("ul", ...items), kind)];
}

/** @param {{ postId: number, postTitle: string }} post @param {Actions} actions */
const postButton = ({ postId, postTitle }, { readPost }) =>
  postTitle === ""
    ? button(words["untitled"] ?? "", () => readPost(postId))
    : ofUsers(button(postTitle, () => readPost(postId)));

/** What a search found: hits, pages, tags. @param {SearchResult} result @param {readonly string[]} named tags of the search @param {Actions} actions */
export function viewOfSearch({ metadata, tagCounts, results }, named, actions) {
  const { count, page, totalPages, hasMore } = metadata;
  const heading = classed(
    element("p", `${count.toLocaleString("en-US")} ${words[count === 1 ? "hit" : "hits"]}`),
    "found",
  );
  if (count === 0) return [heading, element("p", words["nothing"] ?? "")];
  const hits = results.map((hit) => {
    const facts = [
      dateOf(hit.postDateGmt),
      `· ♥ ${hit.countLikes} · ${words["comments"]} ${hit.countComments}`,
      ...hit.tagNames.map((name) => classed(element("span", name), "tag")),
    ];
    return element(
      "article",
      postButton(hit, actions),
      classed(element("p", ...facts.flatMap((fact) => [fact, " "])), "facts-line"),
    );
  });
  const most = Math.max(...tagCounts.map((tag) => tag.count));
  const tags = tagCounts.slice(0, tagsShown).map(({ tagName, count: posts }) => {
    const tag = tagParameter(tagName);
    const made = button(tagName, () => actions.ask({ tags: [...named, tag].join(" "), page: "" }));
    const bar = element("meter", String(posts));
    Object.assign(bar, { max: most, value: posts });
    bar.setAttribute("aria-hidden", "true");
    made.append(" ", element("span", String(posts)), bar);
    made.disabled = tag === "" || named.includes(tag.normalize("NFC"));
    return made;
  });
  const others = named.map((name) =>
    button(`✕ ${name}`, () =>
      actions.ask({ tags: named.filter((one) => one !== name).join(" "), page: "" }),
    ),
  );
  /** @param {string} word @param {number} number */
  const pageButton = (word, number) =>
    button(words[word] ?? "", () => actions.ask({ page: String(number) }));
  const pages = [
    ...(page > 1 ? [pageButton("previous", page - 1)] : []),
    ...(hasMore ? [pageButton("next", page + 1)] : []),
  ];
  const posts = classed(element("ol", ...hits.map((hit) => element("li", hit))), "posts");
  return [
    heading,
    posts,
    ...list(`${words["pages"]} ${page} / ${totalPages}`, pages, "pages"),
    ...list(words["without"], others, "pages"),
    ...list(words["tags"], tags, "tags"),
  ];
}

/**
 * Levels of comments below each other. Deeper ones follow each other on the last level: it stays readable on a narrow
 * screen, and a thousand levels of lists would end the tab.
 */
const deepest = 6;

/** @param {Post["comments"][number]} comment @param {string} answered whom it answers, where its place does not show it */
function commentItem({ commentAuthor, commentDateGmt, likesCount, commentContent }, answered) {
  const author = answered === "" ? commentAuthor : `${commentAuthor} ↳ ${answered}`;
  const head = element("p", `${author} · `, dateOf(commentDateGmt), ` · ♥ ${likesCount}`);
  const text = classed(element("p", commentContent), "written");
  return element("li", classed(head, "facts-line"), text);
}

/** Comments below those that they answer. @param {Post["comments"]} comments newest first */
function threadsOf(comments) {
  /** @type {Map<number, Post["comments"][number][]>} */
  const answers = new Map();
  for (const one of [...comments].reverse()) {
    const siblings = answers.get(one.commentParent);
    if (siblings === undefined) answers.set(one.commentParent, [one]);
    else siblings.push(one);
  }
  const threads = element("ol");
  /** Comments to show, the next one last. */
  const waiting = (answers.get(0) ?? []).map((one) => ({
    one,
    list: threads,
    level: 1,
    answered: "",
  }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { one, list, level, answered } = next;
    const item = commentItem(one, answered);
    list.append(item);
    const replies = answers.get(one.commentId) ?? [];
    const isFlat = level === deepest;
    const below = isFlat || replies.length === 0 ? list : element("ol");
    if (below !== list) item.append(below);
    for (const reply of replies)
      waiting.push({
        one: reply,
        list: below,
        level: isFlat ? level : level + 1,
        answered: isFlat ? one.commentAuthor : "",
      });
  }
  return threads;
}

/** What would set other rules than the page's: a policy, a base, a connection, another document. */
const rulesOfDocuments = "meta, base, link, iframe, frame, object, embed";
/** Attributes of links and pictures that do so: what a click tells other sites. */
const rulesOfElements = ["referrerpolicy", "ping"];

/** A stranger's HTML as a document without rules of its own. @param {string} html */
function documentOf(html) {
  const made = new DOMParser().parseFromString(`<body>${html}`, "text/html");
  for (const one of made.querySelectorAll(rulesOfDocuments)) one.remove();
  for (const name of rulesOfElements)
    for (const one of made.querySelectorAll(`[${name}]`)) one.removeAttribute(name);
  return made;
}

/**
 * A stranger's HTML in a frame of its own: no script runs in it, no form is sent, and the page's policies hold
 * there, too, so that nothing is loaded from elsewhere. Links open in a new tab.
 *
 * @param {string} html
 * @param {string} title
 */
function frameOf(html, title) {
  const frame = element("iframe");
  frame.title = title;
  frame.setAttribute("sandbox", "allow-same-origin allow-popups allow-popups-to-escape-sandbox");
  frame.referrerPolicy = "no-referrer";
  frame.srcdoc = `<!doctype html><html lang="${postsLanguage}"><meta name="color-scheme" content="light dark"><base target="_blank"><link rel="stylesheet" href="/site/style.css"><body>`;
  const { body: text } = documentOf(html);
  text.className = "framed";
  const fit = () => {
    frame.height = String(Math.min(20_000, text.scrollHeight + 8));
  };
  frame.addEventListener("load", () => {
    // As elements, not as text: what was removed cannot come back by being read in another way.
    frame.contentDocument?.body.replaceWith(text);
    fit();
    new ResizeObserver(fit).observe(text);
  });
  return frame;
}

/** A post to read. @param {Post} post @param {Actions} actions */
export function viewOfPost(post, actions) {
  const title = ofUsers(element("h4", post.postTitle || words["untitled"] || ""));
  const link = element("a", words["onSite"] ?? "");
  link.href = post.postUrl;
  link.target = "_blank";
  link.rel = "noreferrer";
  const tags = post.tags.map(({ tagName }) => {
    const tag = tagParameter(tagName);
    const made = button(tagName, () => actions.ask({ q: "", tags: tag, page: "" }));
    made.disabled = tag === "";
    return made;
  });
  const neighbours = [post.previousPost, post.nextPost].flatMap((one) =>
    one === null ? [] : [postButton(one, actions)],
  );
  return [
    classed(title, "post-title"),
    classed(
      element("p", dateOf(post.postDateGmt), ` · ♥ ${post.countLikes} · `, link),
      "facts-line",
    ),
    frameOf(post.postContentHtml, post.postTitle || words["untitled"] || ""),
    ...list(words["postTags"], tags, "tags"),
    ...(post.comments.length === 0
      ? []
      : [
          element("h4", `${words["comments"]} ${post.comments.length}`),
          classed(threadsOf(post.comments), "comments"),
        ]),
    ...list(
      words["similar"],
      post.similarPosts.map((one) => postButton(one, actions)),
      "posts",
    ),
    ...list(words["neighbours"], neighbours, "posts"),
  ];
}
