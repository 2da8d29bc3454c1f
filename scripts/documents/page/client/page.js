/**
 * The page in use. Its URL says what it shows: a list of posts, or one post; the documentation follows the list. Every
 * entry of the history keeps how far it was scrolled, and how many pages of a list are wanted.
 */
import {
  AnswerError,
  answerAt,
  button,
  callTree,
  frame,
  isSecondOnLink,
  nodesOf,
  part,
  postOf,
  showLocalDate,
  soon,
} from "./dom.js";
import { addCopyButtons, keepLanguageLinks } from "./docs.js";
import { everything, factsOf, hitTree, pagesOf, partsOfList, queryFrom, searchOf } from "./list.js";
import { helpFor } from "./no-hits.js";
import { markedTitle, normalise, snippetOf, snippetText } from "./snippets.js";

/** @typedef {import("./list.js").Query} Query */
/** @typedef {import("./list.js").SearchHit} SearchHit */
/** @typedef {import("./list.js").SearchResult} SearchResult */
/** @typedef {{ href: string, position: number }} Followed A link of what was shown, among those that lead to the same. */
/** @typedef {{ y: number, pages: number, followed?: Followed }} Place Where a reader is: pixels scrolled, pages of the list that are wanted, the link that led away. */

/**
 * Milliseconds without a key before what was typed is asked for; without scrolling, before the place is kept; without an
 * answer, before Enter asks once more.
 */
const [typingPause, scrollingPause, answerPause] = [300, 100, 5000];

const { t } = frame;
const root = document.documentElement;
root.dataset["runs"] = "";
const field = /** @type {HTMLInputElement} */ (part("#q"));
const [hits, article] = [part("#hits"), part("#reader")];
const back = /** @type {HTMLAnchorElement} */ (part("#back"));
const siteTitle = document.title;
/** What a post replaces. */
const besidesPost = /** @type {NodeListOf<HTMLElement>} */ (
  document.querySelectorAll(".columns, .layout")
);

/** The list that is in the document, its number of pages, and what was found for it; the build wrote the first one. @type {{ search: string | undefined, pages: number, found: readonly SearchHit[] }} */
let list = { search: searchOf(everything), pages: 1, found: [] };
/** Gives up what was asked for the view before. */
let asked = new AbortController();
/** When it was asked for, as `performance.now` has it. */
let askedAt = 0;

/** Changes what the page shows. What is hidden says so itself: reading modes do not look at styles. @param {"start" | "search" | "post"} view */
function setView(view) {
  root.dataset["view"] = view;
  for (const one of besidesPost) one.hidden = view === "post";
  article.hidden = view !== "post";
}

/** Fills in what the API's lists do not have, as it comes into view: a part of the text, with marks, and missing facts. @param {Iterable<Element>} items @param {readonly string[]} needles */
function fillWhenSeen(items, needles) {
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries)
      if (isIntersecting) {
        observer.unobserve(target);
        void fill(/** @type {HTMLElement} */ (target), needles);
      }
  });
  for (const item of items) observer.observe(item);
}

/** @param {HTMLElement} item @param {readonly string[]} needles */
async function fill(item, needles) {
  try {
    const post = await postOf(item.dataset["post"] ?? "");
    // Each in a task of its own, so that keys come between; not for a list that is gone.
    await new Promise((resolve) => setTimeout(resolve));
    if (!item.isConnected) return;
    const snippet = snippetOf(snippetText(post.postContentHtml), needles);
    item.querySelector(".snippet")?.replaceChildren(...nodesOf(snippet));
    if (item.querySelector("time") === null)
      item.querySelector(".facts-line")?.replaceChildren(...nodesOf(factsOf(post, frame)));
  } catch {
    // The post cannot be read at the moment: its title is there.
  }
}

/** Adds posts to the list. @param {readonly (Pick<SearchHit, "postId" | "postTitle"> & Partial<SearchHit>)[]} found @param {readonly string[]} needles */
function addHits(found, needles) {
  const trees = found.map((hit) =>
    hitTree(hit, frame, { title: markedTitle(hit.postTitle, needles) }),
  );
  const items = /** @type {Element[]} */ (nodesOf(...trees));
  hits.append(...items);
  fillWhenSeen(items, needles);
  return items;
}

/** What the search looks for, in its form. @param {Query} query */
const needlesOf = ({ q }) => [normalise(q).trim()].filter(Boolean);

/** Leads the keyboard to an element, unless it is in the field, where a reader may type by now. @param {Element | null | undefined} element */
function focusOn(element) {
  const isFocusable = element instanceof HTMLElement || element instanceof SVGElement;
  if (isFocusable && document.activeElement !== field) element.focus({ preventScroll: true });
}

/** The link of a hit. @param {string | null | undefined} postId */
const linkTo = (postId) => hits.querySelector(`.hit[data-post="${CSS.escape(postId ?? "")}"] h3 a`);

/** As it is written. @param {HTMLAnchorElement} link */
const hrefOf = (link) => link.getAttribute("href") ?? "";

/** The links of a list, or of a post, that lead to the same. @param {string} href */
function linksTo(href) {
  const isPost = root.dataset["view"] === "post";
  const shown = isPost ? [part("#reader-content")] : [...besidesPost];
  const links = shown.flatMap((one) => [...one.querySelectorAll("a")]);
  // It may lead to another list by then: as the last one, it takes no place of another link.
  if (isPost) links.push(back);
  return links.filter((link) => hrefOf(link) === href);
}

/** Whether some of an element is between the top and the bottom of the view. @param {Element} element */
function isInSight(element) {
  const { top, bottom } = element.getBoundingClientRect();
  // What the browser has not laid out yet has no height.
  if (top === bottom && element.parentElement !== null) return isInSight(element.parentElement);
  return bottom > 0 && top < innerHeight;
}

/** @param {string} name @param {readonly import("../tree.ts").Content[]} content */
const setPart = (name, content) =>
  part(`[data-part="${name}"]`).replaceChildren(...nodesOf(...content));

/** Says why something is not shown, with a way to try again where that may help. @param {Element} place @param {unknown} error @param {() => unknown} again */
function showFailure(place, error, again) {
  const isKnown = error instanceof AnswerError;
  const message = isKnown ? error.message : `${t("The request failed")}: ${error}`;
  const text = document.createElement("p");
  text.className = "failure";
  text.setAttribute("role", "alert");
  text.textContent = message;
  let tries = 0;
  const tryAgain = async () => {
    tries++;
    text.textContent = t("Waiting for the response …");
    await again();
    // It is still there where another view was asked for meanwhile.
    if (--tries === 0) text.textContent = message;
  };
  place.replaceChildren(
    text,
    ...(isKnown && error.isFinal ? [] : [button(t("Try again"), tryAgain)]),
  );
}

/** Shows how a program asks for the list. @param {Query} query */
function showCall(query) {
  const search = searchOf(query);
  setPart("call", [callTree(`/api/search${search === "?" ? "" : search}`)]);
  addCopyButtons(part('[data-part="call"]'));
}

/** @param {Query} query @param {AbortSignal} signal @returns {Promise<SearchResult>} */
const resultOf = (query, signal) => answerAt(`/api/search${searchOf(query)}`, { signal });

/** Shows a list, and of it only what is not there. @param {Query} query @param {number} pages how many of them @param {AbortSignal} signal @param {() => unknown} again */
async function showList(query, pages, signal, again) {
  const search = searchOf(query);
  const known = list.search === search ? list.pages : 0;
  if (known >= pages) {
    // The way back leads to all of them.
    history.replaceState({ y: scrollY, ...history.state, pages: known }, "");
    // Another list may have been asked for and given up.
    hits.ariaBusy = "false";
    return;
  }
  const numbers = Array.from({ length: pages - known }, (_, i) => query.page + known + i);
  hits.ariaBusy = "true";
  try {
    const results = await Promise.all(numbers.map((page) => resultOf({ ...query, page }, signal)));
    const added = results.flatMap((result) => result.results);
    const last = /** @type {SearchResult} */ (results.at(-1));
    const isEmpty = last.metadata.count === 0;
    const help = isEmpty ? await helpFor(query, signal) : undefined;
    signal.throwIfAborted();
    const found = known === 0 ? added : [...list.found, ...added];
    const metadata = { ...last.metadata, page: query.page };
    const parts = partsOfList(query, { ...last, metadata, results: found }, frame);
    for (const [name, content] of Object.entries(known === 0 ? parts : { tags: parts.tags }))
      setPart(name, content);
    // The keyboard may be at a hit of the list before.
    const isAtHit = hits.contains(document.activeElement);
    if (known === 0) {
      showCall(query);
      hits.replaceChildren();
    }
    setPart("note", help === undefined ? [] : [help.note]);
    setPart("pages", pagesOf(query, last.metadata, frame));
    const [first] = addHits(help?.hits ?? added, help?.needles ?? needlesOf(query));
    if (known > 0 || isAtHit) focusOn(first?.querySelector("a"));
    list = { search, pages, found };
  } catch (error) {
    if (signal.aborted) return;
    if (known === 0) {
      setPart("found", [t("The request failed")]);
      setPart("note", []);
      hits.replaceChildren();
    }
    list = { ...list, search: known === 0 ? undefined : search, pages: known };
    showFailure(part('[data-part="pages"]'), error, () => {
      // A link within the page may have led to an entry of the history that wants fewer.
      history.replaceState({ ...placeOf(history.state), pages }, "");
      return again();
    });
  }
  hits.ariaBusy = "false";
}

/** Shows a post, unless it is there. @param {string} postId @param {AbortSignal} signal @param {() => unknown} again */
async function showPost(postId, signal, again) {
  if (article.dataset["post"] === postId) return;
  delete article.dataset["post"];
  const place = part("#reader-content");
  place.replaceChildren(t("Waiting for the response …"));
  try {
    // Who only looks at the list does not wait for what shows a post.
    const program = soon(import("./post.js"));
    const [{ showPostIn }, post] = await Promise.all([program, postOf(postId)]);
    if (signal.aborted) return;
    setView("post");
    showPostIn(place, post);
    addCopyButtons(place);
    fillWhenSeen(place.querySelectorAll(".hit"), []);
    article.dataset["post"] = postId;
  } catch (error) {
    if (signal.aborted) return;
    // A program that did not come, or that fits another release: some browsers do not ask for it again.
    const isOfProgram = !(error instanceof AnswerError);
    // Without a network, the browser's own page would take the place of this one.
    const reloads = () => isOfProgram && navigator.onLine;
    showFailure(place, error, () => (reloads() ? location.reload() : again()));
    if (error instanceof AnswerError && error.isFinal)
      place.prepend(...nodesOf(t("No post has this id.")));
  }
}

/** Shows what the page's URL says. @param {() => unknown} [again] what "Try again" does @returns {Promise<boolean>} whether it is shown; not where another view was asked for meanwhile */
async function show(again = showAgain) {
  asked.abort();
  asked = new AbortController();
  askedAt = performance.now();
  const { signal } = asked;
  const parameters = new URLSearchParams(location.search);
  const postId = parameters.get("post");
  const query = queryFrom(parameters);
  const isSearch = query.q !== "" || query.tags.length > 0;
  const view = postId !== null ? "post" : isSearch ? "search" : "start";
  // While the first list loads, the newest posts stay hidden.
  if (root.dataset["view"] !== "loading") setView(view);
  keepLanguageLinks();
  // Out of a post, the documentation is another view.
  part("a.api").setAttribute("href", `${postId === null ? "" : location.pathname}#api`);
  if (postId === null) await showList(query, placeOf(history.state).pages, signal, again);
  else await showPost(postId, signal, again);
  if (signal.aborted) return false;
  setView(view);
  const title = postId === null ? query.q : article.querySelector("h2")?.textContent;
  document.title = [title, siteTitle].filter(Boolean).join(" – ");
  // Reading modes take the title of what they show from here.
  const shown = (postId !== null && title) || siteTitle;
  part('meta[property="og:title"]').setAttribute("content", shown);
  back.setAttribute("href", list.search ?? "?");
  return true;
}

/** What names the view, for the keyboard. */
const headOfView = () =>
  root.dataset["view"] === "post" ? article.querySelector("h2") : part("#found");

/** Leads the keyboard to what is shown, where the button that asked for it is gone. */
function focusOnView() {
  const head = headOfView();
  if (document.activeElement === document.body && head !== null && isInSight(head)) focusOn(head);
}

/** Shows what failed. */
async function showAgain() {
  if (await show()) focusOnView();
}

/** @param {unknown} state of the history @returns {Place} */
const placeOf = (state) => ({ y: 0, pages: 1, .../** @type {object | null} */ (state) });

/** Keeps in the history how far the reader scrolled. The pages that are wanted stay, also where they cannot be read. @param {Followed} [followed] */
function keepPlace(followed) {
  const place = { ...placeOf(history.state), y: scrollY, ...(followed && { followed }) };
  history.replaceState(place, "");
}

/** Where the list was left for a post. */
let listPlace = placeOf(null);

/** Whether a link in a post leads back to the list. @param {string} search that it leads to */
const leadsBack = (search) => root.dataset["view"] === "post" && search === list.search;

/** Goes to another view of the page. @param {string} search @param {"pushState" | "replaceState"} how @param {boolean} [isBack] whether to where the list was left @returns whether it is shown */
async function go(search, how, isBack = false) {
  clearTimeout(typing);
  const isFromPost = root.dataset["view"] === "post";
  if (!isFromPost) listPlace = placeOf(history.state);
  // Another list, which has not been left yet.
  if (isFromPost && !isBack && !search.startsWith("?post=")) listPlace = placeOf(null);
  history[how](isBack ? listPlace : null, "", location.pathname + (search === "?" ? "" : search));
  const isShown = await show();
  if (isShown && how === "pushState") scrollTo(0, isBack ? listPlace.y : 0);
  return isShown;
}

/** The links that narrow the list or sort it, and keep what it looks for. */
const refining = '[data-part="chosen"], [data-part="orders"], [data-part="tags"]';

/** Where a link within the page leads. One that narrows or sorts changes what is asked for, which may be newer than the link. @param {HTMLAnchorElement} link */
function targetOf(link) {
  const href = hrefOf(link);
  const part = link.closest(refining)?.getAttribute("data-part");
  if (part === undefined) return href;
  const asked = queryFrom(new URLSearchParams(location.search));
  const { tags, orderby } = queryFrom(new URLSearchParams(href));
  const dropped = link.dataset["tag"];
  const changed = {
    chosen: { tags: asked.tags.filter((tag) => tag !== dropped) },
    orders: { orderby },
    tags: { tags: [...new Set([...asked.tags, ...tags.slice(-1)])] },
  }[/** @type {"chosen" | "orders" | "tags"} */ (part)];
  return searchOf({ ...asked, ...changed, q: field.value, page: 1 });
}

/** What a URL of the page shows, in one spelling. @param {string} search */
function viewOf(search) {
  const parameters = new URLSearchParams(search);
  const postId = parameters.get("post");
  return postId === null ? searchOf(queryFrom(parameters)) : `?post=${postId}`;
}

/** Goes to where a link within the page leads, with the keyboard: the link itself may be gone. @param {HTMLAnchorElement} link */
async function follow(link) {
  const position = linksTo(hrefOf(link)).indexOf(link);
  keepPlace(position < 0 ? undefined : { href: hrefOf(link), position });
  const href = targetOf(link);
  const isBack = leadsBack(href);
  const postId = new URLSearchParams(location.search).get("post");
  if (!href.startsWith("?post=")) field.value = queryFrom(new URLSearchParams(href)).q;
  // As browsers do, where a link leads to the page itself.
  const isSame = viewOf(href) === viewOf(location.search);
  if (!(await go(href, isSame ? "replaceState" : "pushState", isBack))) return;
  if (isSame) scrollTo(0, 0);
  const opened = isBack ? linkTo(postId) : null;
  focusOn(opened !== null && isInSight(opened) ? opened : headOfView());
}

/** Adds the next page to the list. */
function more() {
  // What was typed just before is asked for instead.
  if (search()) return;
  history.replaceState({ y: scrollY, pages: list.pages + 1 }, "");
  void show();
}

/** Asks for what is in the field; keeps tags and order of the list. @returns whether that is another search */
function search() {
  clearTimeout(typing);
  const parameters = new URLSearchParams(root.dataset["view"] === "post" ? "" : location.search);
  const before = queryFrom(parameters);
  if (before.q === field.value) return false;
  const wanted = searchOf({ ...before, q: field.value, page: 1 });
  // The first word of a search is a step in the history; further typing is none.
  const isFirst = before.q === "";
  if (isFirst) keepPlace();
  void go(wanted, isFirst ? "pushState" : "replaceState");
  return true;
}

/** Asks for what is in the field, or once more for what failed, or is late. */
function submit() {
  if (search()) return;
  const isUnderWay = hits.ariaBusy === "true";
  const isLate = performance.now() - askedAt > answerPause;
  if (isUnderWay ? isLate : list.search === undefined) void showAgain();
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let typing;
function searchSoon() {
  clearTimeout(typing);
  typing = setTimeout(search, typingPause);
}

/** Leads from the field to the hits, and from one post of a list to the next. @param {1 | -1} step @returns whether there is a way */
function step(step) {
  const active = document.activeElement;
  const around = active === field ? hits : active?.closest("ol.posts");
  const links = [...(around?.querySelectorAll(".hit h3 a") ?? [])];
  const place = active === null ? -1 : links.indexOf(active);
  const isAboveHits = around === hits && place + step < 0 && active !== field;
  const next = isAboveHits ? field : links[place + step];
  if (!(next instanceof HTMLElement) || (active !== field && place < 0)) return false;
  next.focus();
  return true;
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  const { key, keyCode, target, isComposing, altKey, ctrlKey, metaKey } = event;
  // 229: in Safari, the key that ends or cancels a conversion comes after it.
  if (isComposing || keyCode === 229 || altKey || ctrlKey || metaKey) return;
  const isTyping = target instanceof Element && target.matches("input, textarea, select");
  if (key === "/" && !isTyping) {
    field.focus();
    field.select();
  } else if (key === "Escape" && target === field) {
    field.value = "";
    search();
  } else if (!(key === "ArrowDown" && step(1)) && !(key === "ArrowUp" && step(-1))) return;
  event.preventDefault();
}

/** Whether the last click but those that followed at its place was on a link within the page. */
let hasFollowed = false;

/** Follows links within the page. @param {MouseEvent} event */
function onClick(event) {
  const { target, button, metaKey, ctrlKey, shiftKey, altKey, defaultPrevented } = event;
  if (hasFollowed && isSecondOnLink(event)) return event.preventDefault();
  hasFollowed = false;
  /** @type {HTMLAnchorElement | null} */
  const link = target instanceof Element ? target.closest("a[href^='?']") : null;
  const isModified = metaKey || ctrlKey || shiftKey || altKey;
  if (link === null || isModified || button !== 0 || defaultPrevented) return;
  event.preventDefault();
  hasFollowed = true;
  // A tap on a phone may leave the keyboard there.
  field.blur();
  if (link.hasAttribute("data-more")) return more();
  void follow(link);
}

/** Shows in the field what the list was asked for; a post leaves it as it is. */
function fillField() {
  const parameters = new URLSearchParams(location.search);
  if (!parameters.has("post")) field.value = parameters.get("q") ?? "";
}

/** Shows an entry of the history where it was left. @param {Place | undefined} place @param {Followed} [followed] the link that led away */
async function restore(place, followed) {
  clearTimeout(typing);
  const opened = root.dataset["view"] === "post" ? article.dataset["post"] : undefined;
  const isShown = await show(async () => {
    await restore(place, followed);
    focusOnView();
  });
  if (!isShown || place === undefined) return;
  scrollTo(0, place.y);
  const link = followed === undefined ? undefined : linksTo(followed.href)[followed.position];
  const way = link ?? linkTo(opened);
  if (way !== null && isInSight(way)) return focusOn(way);
  const { activeElement } = document;
  // What was found for a list, or its first hit, which took the place of another one, may be out of sight.
  if (activeElement instanceof HTMLElement && activeElement.closest("#found, #hits") !== null)
    activeElement.blur();
}

/** The place that a page in another language left. @returns {Place | undefined} */
function placeBefore() {
  try {
    const [search, state, y] = JSON.parse(sessionStorage.getItem("place") ?? "[]");
    sessionStorage.removeItem("place");
    return search === location.search ? { ...placeOf(state), y } : undefined;
  } catch {
    return undefined;
  }
}

/** Starts the page. */
function start() {
  history.scrollRestoration = "manual";
  for (const time of document.querySelectorAll("time")) showLocalDate(time);
  field.form?.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  field.addEventListener("input", (event) => {
    if (!(/** @type {InputEvent} */ (event).isComposing)) searchSoon();
  });
  field.addEventListener("compositionend", searchSoon);
  document.addEventListener("keydown", onKey);
  document.addEventListener("click", onClick);
  addEventListener("popstate", ({ state }) => {
    fillField();
    // A link to a part of the page leads there by itself.
    const place = placeOf(state);
    void restore(state === null && location.hash !== "" ? undefined : place, place.followed);
  });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let scrolling;
  addEventListener("scroll", () => {
    clearTimeout(scrolling);
    scrolling = setTimeout(keepPlace, scrollingPause);
  });
  const place = history.state === null ? placeBefore() : placeOf(history.state);
  // The first entry has a place, too, so that Back leads to it from a part of the page.
  history.replaceState(place ?? placeOf(null), "");
  showCall(everything);
  // A reader may have typed before this program came.
  const isTyped = document.activeElement === field && field.value !== "";
  if (!isTyped) fillField();
  void restore(place);
  if (isTyped) searchSoon();
}

start();
