/** A post to read: its text, tags, comments, similar posts, and the posts around it; loaded with the first one. */
import type { Post, PostSummary } from "../../../../functions/contract/resources.ts";
import { renderComments } from "./comments.ts";
import { i18n, part, render, showCall } from "./dom.ts";
import { h, type Content } from "./h.ts";
import {
  formatComments,
  renderFacts,
  renderHit,
  renderPostLink,
  renderTags,
  visibleTitle,
} from "./hits.ts";
import { fillWhenVisible } from "./list.ts";
import { findNamed, sanitizePost } from "./sanitize-post.ts";

const { t, userText } = i18n;

/** Follows a link from one part of a post to another. In the URL of the page, its name would mean another part. */
function followWithin(event: MouseEvent): void {
  const { target, currentTarget } = event;
  const link = target instanceof Element ? target.closest("a[href^='#']") : null;
  if (link === null || !(currentTarget instanceof HTMLElement)) return;
  event.preventDefault();
  const name = link.getAttribute("href")?.slice(1) ?? "";
  const found = findNamed(currentTarget, name) ?? (/^(?:top)?$/i.test(name) ? currentTarget : null);
  if (!(found instanceof HTMLElement)) return;
  for (const folded of currentTarget.querySelectorAll("details"))
    if (folded.contains(found)) folded.open = true;
  // Set, it lets the part have the focus; a link has it without.
  if (!found.matches("a[href], summary")) found.tabIndex = -1;
  found.focus({ preventScroll: true });
  found.scrollIntoView();
}

/** Lets the keyboard scroll the tables that are wider than the page. */
function letKeysScroll(text: HTMLElement): void {
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries)
      if (target.scrollWidth > target.clientWidth) target.setAttribute("tabindex", "0");
      else target.removeAttribute("tabindex");
  });
  for (const wrapper of text.querySelectorAll(".scrollable")) observer.observe(wrapper);
}

/** A link to where the post comes from, where that is another page than this one. */
function renderOrigin({ postId, postUrl }: Post): Content {
  if (postUrl === `${part("#reader").dataset["siteUrl"]}/?post=${postId}`) return undefined;
  const attributes = { href: postUrl, target: "_blank", rel: "noreferrer" };
  return [" · ", h("a", attributes, t("On the site"))];
}

/** The post before or after, as a link. */
const renderNeighbour = (post: PostSummary | null, title: string): Content =>
  post !== null && h("p", {}, h("span", {}, title), renderPostLink(post, i18n));

/** Renders what follows the text of a post. */
function renderAfterText(post: Post): Content[] {
  const { tags, comments, similarPosts, previousPost, nextPost } = post;
  const names = tags.map(({ tagName }) => tagName);
  const similar = similarPosts.map((one) => renderHit(one, i18n));
  return [
    h("p", { class: "tags" }, renderTags(names, i18n)),
    comments.length > 0 && [
      h("h3", {}, formatComments(comments.length, i18n)),
      h("div", { class: "comments" }, renderComments(comments)),
    ],
    similar.length > 0 && [
      h("h3", {}, t("Similar posts")),
      h("ol", { class: "posts similar" }, similar),
    ],
    h(
      "nav",
      { class: "neighbours", "aria-label": t("Neighbours") },
      renderNeighbour(previousPost, t("Older")),
      renderNeighbour(nextPost, t("Newer")),
    ),
    h("div", { class: "call-place" }),
  ];
}

/**
 * Shows a post.
 *
 * @throws the reason of the signal
 */
export async function showPost(place: Element, post: Post, signal: AbortSignal): Promise<void> {
  const text = await sanitizePost(post.postContentHtml, post.postUrl);
  signal.throwIfAborted();
  // Of an unknown language, not that of the page.
  text.lang = userText["lang"] ?? "";
  text.addEventListener("click", followWithin);
  const title = visibleTitle(post.postTitle, i18n);
  const head = [
    h("h2", { class: "post-title", tabindex: "-1", ...userText }, title),
    h("p", { class: "facts-line" }, renderFacts(post, i18n), renderOrigin(post)),
  ];
  place.replaceChildren(...render(head), text, ...render(renderAfterText(post)));
  showCall(part(".call-place"), `/api/posts/${post.postId}`);
  letKeysScroll(text);
  fillWhenVisible(place.querySelectorAll(".hit"));
}
