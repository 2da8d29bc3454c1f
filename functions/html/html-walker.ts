/** HTML → visible text and elements, one after another. */
import type { Parser as HtmlParser } from "htmlparser2";

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/**
 * Elements that separate words: those that the HTML standard's default style sheet lays out as
 * blocks, list items or parts of tables (HTML standard, 15.3 "Non-replaced elements"), and line
 * breaks and rules.
 */
export const blockElements = setOf(
  "html body address blockquote center dialog div figure figcaption footer form header hr legend " +
    "listing main p plaintext pre search xmp article aside h1 h2 h3 h4 h5 h6 hgroup nav section " +
    "dir dd dl dt menu ol ul li table caption colgroup col thead tbody tfoot tr td th " +
    "fieldset details summary optgroup option frameset frame br",
);

/** Elements of text that does not hold any more. */
export const strikethroughElements = setOf("s del strike");

/**
 * Hidden elements that hold no blocks: `<rp>` is shown only where ruby is not known. A block ends each of them: without
 * their end tag (in tables, or in SVG, where `<style>` is an element as any other), they would hide all that follows.
 */
const hiddenInlineElements = setOf("script style rp");

/** Parts of ruby that end an `<rp>`. */
const rubyParts = setOf("rb rt rtc");

/** Elements that may be open in each other. Chromium nests as many; more would take quadratic time. */
const maxDepth = 512;

const cdataStart = "<![CDATA[";
/** As long, and the beginning of a comment that ends at the next `>`. */
const commentStart = "<! CDATA[";

/** Attributes of a tag, by their names. */
export type Attributes = Readonly<Record<string, string>>;

/** What is called as a fragment is read. Every element that begins also ends, after all elements in it. */
export interface HtmlHandler {
  /** Visible text between tags, character references decoded. */
  text(text: string): void;
  begin(name: string, attributes: Attributes): void;
  end(name: string): void;
}

/** Hands on what is not in a `<template>`, nor in a hidden inline element. */
class VisiblePart implements HtmlHandler {
  readonly #handler: HtmlHandler;
  #openTemplates = 0;
  #isHidden = false;

  constructor(handler: HtmlHandler) {
    this.#handler = handler;
  }

  text(text: string): void {
    if (this.#openTemplates === 0 && !this.#isHidden) this.#handler.text(text);
  }

  begin(name: string, attributes: Attributes): void {
    if (name === "template") this.#openTemplates++;
    if (hiddenInlineElements.has(name)) this.#isHidden = true;
    else if (blockElements.has(name) || rubyParts.has(name)) this.#isHidden = false;
    if (this.#openTemplates === 0) this.#handler.begin(name, attributes);
  }

  end(name: string): void {
    if (hiddenInlineElements.has(name) || blockElements.has(name)) this.#isHidden = false;
    if (this.#openTemplates === 0) this.#handler.end(name);
    else if (name === "template") this.#openTemplates--;
  }
}

/**
 * Reads a fragment from a position on, up to the first element that is too deep.
 *
 * @returns the position after what was read
 */
function walkFrom(
  html: string,
  start: number,
  Parser: typeof HtmlParser,
  handler: HtmlHandler,
): number {
  const open: string[] = [];
  let end = html.length;
  const parser = new Parser({
    ontext: (text) => handler.text(text),
    onopentag(name, attributes) {
      open.push(name);
      handler.begin(name, attributes);
      if (open.length <= maxDepth) return;
      end = start + parser.endIndex + 1;
      parser.pause();
    },
    onclosetag(name) {
      open.pop();
      handler.end(name);
    },
  });
  // A CDATA section is text in SVG and MathML; in HTML, it is a comment that ends at the next `>`.
  for (let at = start; at < end;) {
    const found = html.indexOf(cdataStart, at);
    const next = found < 0 ? html.length : found;
    parser.write(html.slice(at, next));
    if (found >= 0) parser.write(parser.isInForeignContext() ? cdataStart : commentStart);
    at = next + cdataStart.length;
  }
  if (end === html.length) parser.end();
  for (const name of open.toReversed()) handler.end(name);
  return end;
}

/**
 * Reads an HTML fragment, without the content of `<script>`, `<style>`, `<template>` and `<rp>`. Takes time in proportion
 * to its length. An element that is too deep, and all elements around it, end at once.
 *
 * `<p>a<br>b</p>` gives: begin p, text a, begin br, end br, text b, end p.
 *
 * @param Parser of htmlparser2, which the function loads only where it is needed
 */
export function walkHtml(html: string, Parser: typeof HtmlParser, handler: HtmlHandler): void {
  const visible = new VisiblePart(handler);
  for (let at = 0; at < html.length;) at = walkFrom(html, at, Parser, visible);
}
