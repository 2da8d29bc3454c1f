/**
 * A stranger's HTML as a part of the page. The order of defence: what would keep a browser busy becomes plain text; in a
 * document where nothing runs or loads, DOMPurify keeps the elements and attributes that are named here, and gives ids
 * and names a prefix; links and pictures are then held to http(s) and the like; what might be left, the site's
 * Content-Security-Policy refuses. The result is never read as HTML again, so it cannot mutate into something else.
 */
import DOMPurify, { type Config } from "dompurify";
import { i18n, part, render } from "./dom.ts";
import { h } from "./h.ts";
import { isSlowText, splitSlowText } from "./slow-text.ts";

const { t } = i18n;
const split = (words: string): string[] => words.split(" ");

/** What is kept of a post: text, and how it is read. No script, style, class, control or URL that loads is. */
const config = {
  ALLOWED_TAGS: split(
    "#text a abbr address article aside b big blockquote br caption center cite code col colgroup dd del details dfn dir " +
      "div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img input ins kbd legend li " +
      "mark menu nav ol p pre q rp rt ruby s samp search section small span strike strong sub summary sup table tbody td " +
      "tfoot th thead time tr tt u ul var wbr",
  ),
  ALLOWED_ATTR: split(
    "href src alt id name lang dir title hidden colspan rowspan start reversed value type checked open datetime",
  ),
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  FORBID_CONTENTS: split(
    "script style template svg audio video iframe noscript noembed noframes plaintext xmp select textarea title annotation " +
      "annotation-xml",
  ),
  SANITIZE_NAMED_PROPS: true,
  RETURN_DOM_FRAGMENT: true,
  // Which scheme may stay is decided below, once a URL is absolute.
  ALLOW_UNKNOWN_PROTOCOLS: true,
} as const satisfies Config;

/** The prefix that DOMPurify gives to ids and names. */
const namePrefix = "user-content-";
/** A host of more characters takes quadratic time to parse. */
const maxUrlLength = 4000;
/** Where a link may lead: to another page, or to a program for messages. */
const linkSchemes = /^(?:https?|ftp|mailto|tel|sms|geo|xmpp|ircs?|magnet):/;

/** Elements, elements in each other, attributes of one, and what the cells of tables span. Real posts have up to 4,242 and 30. */
const maxElements = 6000;
const maxDepth = 80;
const maxAttributes = 100;
const maxSpanned = 10_000;
/** Code units that a browser reads at a time. */
const readLength = 500;

/**
 * Reads HTML in a document where nothing runs or loads.
 *
 * @returns undefined where it becomes too many elements: a browser opens formatting again in each block until it is ended
 */
function parse(html: string): HTMLElement | undefined {
  const made = document.implementation.createHTMLDocument("");
  // A name in the post may hide these of the document, and a frameset would take the place of an empty body.
  const [write, elements] = [made.write.bind(made), made.getElementsByTagName("*")];
  write("<!doctype html><body><br>");
  const { body } = made;
  for (let at = 0; at < html.length; at += readLength) {
    write(html.slice(at, at + readLength));
    if (elements.length > maxElements) return undefined;
  }
  return body;
}

/** Whether HTML would keep a browser busy. */
function isSlow(html: string): boolean {
  const body = parse(html);
  if (body === undefined || body.querySelector("* ".repeat(maxDepth).trim()) !== null) return true;
  const elements = [body, ...body.querySelectorAll("*")];
  if (elements.some(({ attributes }) => attributes.length > maxAttributes)) return true;
  let spanned = 0;
  for (const { colSpan, rowSpan } of body.querySelectorAll<HTMLTableCellElement>("td, th"))
    spanned += colSpan * rowSpan - 1;
  if (spanned > maxSpanned) return true;
  const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode() !== null) if (isSlowText(texts.currentNode.nodeValue ?? "")) return true;
  return false;
}

/**
 * HTML whose styles and handlers have a name that means nothing: as a browser reads them, the page's policy reports each
 * of them. In a text, the reference is read as the letter.
 */
const withoutHandlers = (html: string): string =>
  html.replace(/\b[os](?=(?:n\w+|tyle)\s*=)/gi, (letter) => `&#${letter.charCodeAt(0)};`);

/**
 * Makes a URL of a post absolute.
 *
 * @returns undefined where it leads nowhere that is allowed
 */
function resolve(url: string | null, base: string): string | undefined {
  if (url === null || url.length > maxUrlLength || !URL.canParse(url, base)) return undefined;
  const { href } = new URL(url, base);
  return linkSchemes.test(href) ? href : undefined;
}

/** Has a link lead out of the page, or to a part of its post. */
function resolveLink(link: HTMLAnchorElement, base: string): void {
  const href = link.getAttribute("href");
  if (href?.startsWith("#")) return;
  // The keyboard would stop at a link that shows nothing.
  const isEmpty = link.textContent?.trim() === "" && link.querySelector("img") === null;
  const url = isEmpty ? undefined : resolve(href, base);
  if (url === undefined) return link.removeAttribute("href");
  link.href = url;
  link.target = "_blank";
  link.rel = "noreferrer";
}

/** Shows a picture of a host that the publisher names, else a link to it with a sign and its text. */
function replacePicture(img: HTMLImageElement, base: string, hosts: readonly string[]): void {
  const { alt } = img;
  const src = resolve(img.getAttribute("src"), base);
  const text = `🖼 ${alt.trim() || t("Picture")}`;
  const isLinked = img.closest("a[href]") !== null;
  if (src === undefined || !src.startsWith("http")) img.replaceWith(alt);
  else if (hosts.includes(new URL(src).origin))
    img.replaceWith(...render(h("img", { loading: "lazy", decoding: "async", alt, src })));
  else img.replaceWith(...render(isLinked ? text : h("a", { href: src }, text)));
}

/** Puts a table where it can scroll alone. */
function wrapTable(table: Element): void {
  const attributes = { class: "scrollable", role: "group", "aria-label": t("Table") };
  const [wrapper = ""] = render(h("div", attributes));
  table.replaceWith(wrapper);
  if (wrapper instanceof Element) wrapper.append(table);
}

/** Replaces what would be a control, load or lead elsewhere. */
function adapt(content: DocumentFragment, base: string): void {
  const hosts = split(part("#reader").dataset["pictures"] ?? "");
  for (const hidden of content.querySelectorAll("[hidden]:not([hidden=until-found i])"))
    hidden.remove();
  for (const input of content.querySelectorAll("input"))
    input.replaceWith(input.type === "checkbox" ? (input.checked ? "☑ " : "☐ ") : "");
  for (const img of content.querySelectorAll("img")) replacePicture(img, base, hosts);
  for (const link of content.querySelectorAll("a")) resolveLink(link, base);
  for (const table of content.querySelectorAll("table:not(table table)")) wrapTable(table);
}

/** The part of a post that a link within it names, such as a footnote. */
export function findNamed(text: HTMLElement, fragment: string): Element | null {
  const names = [fragment];
  try {
    names.push(decodeURIComponent(fragment));
  } catch {
    // The escapes are malformed.
  }
  const selectors = names.flatMap((name) =>
    ["id", "name"].map((key) => `[${key}="${CSS.escape(namePrefix + name)}"]`),
  );
  return text.querySelector(selectors.join());
}

/**
 * Makes a stranger's HTML a part of the page.
 *
 * @param url of the post, from which its links lead
 */
export async function sanitizePost(html: string, url: string): Promise<HTMLElement> {
  const text = document.createElement("div");
  text.className = "post-text";
  text.dir = "auto";
  const given = withoutHandlers(html);
  // A frameset leaves no body to sanitize.
  const content = isSlow(given)
    ? null
    : (DOMPurify.sanitize(given, config) as DocumentFragment | null);
  if (content === null) {
    const { toPlainText } = await import("./html-text.ts");
    const blocks = splitSlowText(toPlainText(html));
    text.append(...render(blocks.map((block) => h("div", { class: "written" }, block))));
  } else {
    adapt(content, url);
    text.append(content);
  }
  return text;
}
