/** The page of the posts. Its URL is the state: it names a list, or one post, and every view follows from it. */
import "./docs.ts";
import { button, fill, i18n, part } from "./dom.ts";
import { fetchPost, RequestError } from "./fetch-json.ts";
import { h } from "./h.ts";
import { hits, showList, shownList, startList } from "./list.ts";
import { defaultQuery, isSearch, parseQuery, toQueryString } from "./query.ts";

/** Milliseconds without a key before what was typed is searched for; without scrolling before the place is kept. */
const typingPauseMs = 300;
const scrollingPauseMs = 100;

const { t } = i18n;
const root = document.documentElement;
const article = part("#reader");
const reader = part("#reader-content");
const list = part("#list");
const siteTitle = document.title;
/** The search field. */
const field = part("#q") as HTMLInputElement;
/** The way from a post to the list. */
const back = part("#back") as HTMLAnchorElement;

/** Ends what was asked for the view before. */
let requests = new AbortController();
/** Pixels that the list was scrolled when a post took its place. */
let listScroll = 0;
let typing: ReturnType<typeof setTimeout> | undefined;

/** The parameters of the URL. */
const parameters = (): URLSearchParams => new URLSearchParams(location.search);
/** The post that is shown. */
const shownPost = (): string | undefined => (article.hidden ? undefined : article.dataset["post"]);

/** Shows a list, or a post. What is hidden says so itself: reading modes do not look at styles. */
function setView(view: "start" | "search" | "post"): void {
  if (view === "post" && !list.hidden) listScroll = scrollY;
  root.dataset["view"] = view;
  list.hidden = view === "post";
  article.hidden = view !== "post";
}

/** Says why something is not shown, with a way to try again where that may help. */
function showFailure(place: Element, error: unknown): void {
  const isRequest = error instanceof RequestError;
  const message = isRequest ? error.message : `${t("The request failed")}: ${error}`;
  fill(place, h("p", { class: "failure", role: "alert" }, message));
  // A part of the program that did not come: a browser may not ask for it again.
  const again = isRequest ? () => showView(scrollY) : () => location.reload();
  if (!isRequest || error.canRetry) place.append(button(t("Try again"), again));
}

/**
 * Reads a post and shows it, unless it is there.
 *
 * @returns its title
 */
async function openPost(postId: string, signal: AbortSignal): Promise<string> {
  if (article.dataset["post"] !== postId) {
    delete article.dataset["post"];
    fill(reader, t("Waiting for the response …"));
    // Who only looks at the list does not wait for what shows a post.
    const [{ showPost }, post] = await Promise.all([import("./post.ts"), fetchPost(postId)]);
    await showPost(reader, post, signal);
    article.dataset["post"] = postId;
  }
  return article.querySelector("h2")?.textContent ?? "";
}

/**
 * Shows what the URL names, or why that cannot be shown.
 *
 * @returns whether no other view was asked for meanwhile
 */
async function renderView(): Promise<boolean> {
  requests.abort();
  requests = new AbortController();
  const { signal } = requests;
  const postId = parameters().get("post");
  const query = parseQuery(parameters());
  const view = postId !== null ? "post" : isSearch(query) ? "search" : "start";
  // Until the first list is there, the newest posts stay hidden.
  if (postId !== null || root.dataset["view"] !== "loading") setView(view);
  let title = query.q;
  try {
    if (postId === null) await showList(query, signal);
    else title = await openPost(postId, signal);
  } catch (error) {
    if (!signal.aborted) showFailure(postId === null ? part('[data-part="note"]') : reader, error);
  }
  if (signal.aborted) return false;
  setView(view);
  document.title = [title, siteTitle].filter(Boolean).join(" – ");
  // Reading modes take the title of what they show from here.
  part('meta[property="og:title"]').setAttribute("content", (postId && title) || siteTitle);
  back.href = shownList();
  const isFromSearch = isSearch(parseQuery(new URLSearchParams(shownList())));
  back.textContent = `← ${isFromSearch ? t("Results") : t("All posts")}`;
  return true;
}

/** Shows what the URL names at a place, with the keyboard at a hit or the heading; not away from who types. */
async function showView(y: number, postId?: string): Promise<void> {
  if (!(await renderView())) return;
  scrollTo(0, y);
  if (document.activeElement === field) return;
  const hit = hits.querySelector<HTMLElement>(`[data-post="${CSS.escape(postId ?? "")}"] h3 a`);
  const heading = article.hidden ? part("#found") : article.querySelector<HTMLElement>("h2");
  (hit ?? heading)?.focus({ preventScroll: true });
}

/** Keeps in the history how far the reader scrolled. */
const keepScroll = (): void => history.replaceState({ y: scrollY }, "");

/**
 * Changes the URL.
 *
 * @param how further typing, and a link to the page itself, are no step of the history
 */
function changeUrl(queryString: string, how: "pushState" | "replaceState"): void {
  clearTimeout(typing);
  if (how === "pushState") keepScroll();
  history[how](null, "", location.pathname + (queryString === "?" ? "" : queryString));
}

/** The links that narrow a list or sort it. */
const refining = '[data-part="chosen"], [data-part="orders"], [data-part="tags"]';

/** Goes where a link within the page leads. */
function navigate(link: Element): void {
  const href = link.getAttribute("href") ?? "?";
  const query = parseQuery(new URLSearchParams(href));
  // What narrows or sorts keeps what was typed, which may be newer than the link.
  const target = link.closest(refining) ? toQueryString({ ...query, q: field.value }) : href;
  const postId = shownPost();
  changeUrl(target, target === (location.search || "?") ? "replaceState" : "pushState");
  fillField();
  // A tap on a phone may leave the keyboard there.
  field.blur();
  if (link === back) void showView(listScroll, postId);
  else void showView(0);
}

function onClick(event: MouseEvent): void {
  const { target, button: key, metaKey, ctrlKey, shiftKey, altKey, defaultPrevented } = event;
  const link = target instanceof Element ? target.closest("a[href^='?']") : null;
  if (link === null || defaultPrevented || key !== 0) return;
  if (metaKey || ctrlKey || shiftKey || altKey) return;
  event.preventDefault();
  navigate(link);
}

/** Shows in the field what a list was asked for; a post leaves it as it is. */
function fillField(): void {
  if (!parameters().has("post")) field.value = parameters().get("q") ?? "";
}

/** Shows an entry of the history where it was left. */
async function restoreView(): Promise<void> {
  const { y = 0 } = (history.state ?? {}) as { readonly y?: number };
  const postId = shownPost();
  clearTimeout(typing);
  fillField();
  await showView(y, postId);
}

/**
 * Searches for what is in the field; keeps tags and order of a list.
 *
 * @returns whether that is another search
 */
function search(): boolean {
  const isPost = shownPost() !== undefined;
  const query = isPost ? defaultQuery : parseQuery(parameters());
  if (query.q === field.value) return false;
  const next = toQueryString({ ...query, q: field.value, page: 1 });
  // The first word of a search is a step in the history.
  changeUrl(next, query.q === "" ? "pushState" : "replaceState");
  void (isPost ? showView(0) : renderView());
  return true;
}

function searchSoon(): void {
  clearTimeout(typing);
  typing = setTimeout(search, typingPauseMs);
}

/**
 * Leads from the field to the hits, and from one to the next.
 *
 * @returns whether there is a way
 */
function step(by: 1 | -1): boolean {
  const stops = [field, ...hits.querySelectorAll<HTMLElement>(".hit h3 a")];
  const place = stops.findIndex((stop) => stop === document.activeElement);
  const next = place < 0 || list.hidden ? undefined : stops[place + by];
  next?.focus();
  return next !== undefined;
}

function onKey(event: KeyboardEvent): void {
  const { key, keyCode, target, isComposing, altKey, ctrlKey, metaKey } = event;
  // 229: in Safari, the key that ends or cancels a conversion comes after it.
  if (isComposing || keyCode === 229 || altKey || ctrlKey || metaKey) return;
  if (key === "/" && target !== field) field.select();
  else if (key === "Escape" && target === field) {
    field.value = "";
    search();
  } else if (!(key === "ArrowDown" && step(1)) && !(key === "ArrowUp" && step(-1))) return;
  event.preventDefault();
}

/** Has the page react to its visitor. */
function listen(): void {
  history.scrollRestoration = "manual";
  field.form?.addEventListener("submit", (event) => {
    event.preventDefault();
    // The same words are asked for again where they failed.
    if (!search()) void renderView();
  });
  field.addEventListener("input", (event) => {
    if (!(event as InputEvent).isComposing) searchSoon();
  });
  field.addEventListener("compositionend", searchSoon);
  document.addEventListener("keydown", onKey);
  document.addEventListener("click", onClick);
  addEventListener("popstate", () => void restoreView());
  let scrolling: typeof typing;
  addEventListener("scroll", () => {
    clearTimeout(scrolling);
    scrolling = setTimeout(keepScroll, scrollingPauseMs);
  });
}

/** Shows the first view. A reader may have typed before this program came. */
async function start(): Promise<void> {
  const id = location.hash.slice(1);
  // The documentation was a part of this page: old links to its parts lead to the page that it has now.
  if (id !== "" && location.search === "" && document.getElementById(id) === null)
    return location.replace(part("a.docs").getAttribute("href") + location.hash);
  const typed = document.activeElement === field ? field.value : "";
  listen();
  startList();
  fillField();
  if (typed !== "") {
    field.value = typed;
    searchSoon();
  }
  const { y = 0 } = (history.state ?? {}) as { readonly y?: number };
  if (await renderView()) scrollTo(0, y);
}

void start();
