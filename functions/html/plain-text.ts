/** HTML → plain text to read: paragraphs, items, quotations, links, code, rows of tables and readings of ruby. */
import type { Parser as HtmlParser } from "htmlparser2";
import { blockElements, walkHtml, type Attributes, type HtmlHandler } from "./html-walker.ts";

/** Elements with an empty line before and after them. */
const paragraphs = new Set(
  "p blockquote pre ul ol dl table h1 h2 h3 h4 h5 h6 figure hr".split(" "),
);
const lists = new Set(["ul", "ol"]);
const cells = new Set(["td", "th"]);

/** Elements that begin on the line of their item. */
const itemStarts = new Set("p div h1 h2 h3 h4 h5 h6".split(" "));

/** What a plain text has besides what a page shows. */
export interface PlainTextOptions {
  /** Whether a link that does not show its URL has it in brackets after it, and of a picture its words are there. */
  readonly hasUrls?: boolean;
  /** From which links lead that are relative; without it, they have no URL. */
  readonly base?: string;
}

/** A URL as people write it. */
const bare = (url: string): string => url.trim().replace(/^https?:\/\/|\/$/gi, "");

/**
 * What begins with a host of more than DNS allows: one of many characters takes quadratic time to parse.
 */
const longHost =
  /^(?:(?:https?|wss?|ftp|file):|[\\/]{2})[\\/]*(?:(?=[^\\/?#]*[^!-~])[^\\/?#]{100}|[^\\/?#]{256})/i;

/** As the URL standard reads it. */
const stripped = (url: string): string => url.replace(/^[\0- ]+|[\t\n\r]/g, "");

/** The URL of a link, where its text does not show it; empty for links within the page, and other protocols. */
function hiddenUrl(href: string, text: string, base: string | undefined): string {
  const given = stripped(href).trim();
  const url = /^(?:#|$)/.test(given) || longHost.test(given) ? null : URL.parse(given, base);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password !== "")
    return "";
  const isShown =
    bare(text) === bare(given) ||
    (!longHost.test(stripped(text)) && URL.parse(text.trim())?.href === url.href);
  if (isShown) return "";
  return /^https?:\S+$/i.test(given) ? given : url.href;
}

/** A text in lines, from the elements of a fragment. */
class PlainTextWriter implements HtmlHandler {
  readonly #options: PlainTextOptions;
  #text = "";
  /** Line breaks to write before the next text; without any, a space if one is due. None before the first text. */
  #breaks = 0;
  #isSpaceDue = false;
  /** White space of a `pre` to write before the next text in it, as it is. */
  #codeSpace = "";
  /** The link that is open: its URL, and its text so far. To take that from the whole takes quadratic time. */
  #link: { href: string; text: string } | undefined;
  /** Of each list that is open: the number of its next item; undefined where items have a dash. */
  readonly #lists: (number | undefined)[] = [];
  #openPre = 0;
  #openQuotes = 0;
  #openCells = 0;
  /** Cells of the row that began last. */
  #rowCells = 0;
  /** Whether of an item, only its dash or number is written. */
  #isItemStart = false;

  constructor(options: PlainTextOptions) {
    this.#options = options;
  }

  text(text: string): void {
    if (text === "") return;
    if (this.#link !== undefined) this.#link.text += text;
    if (this.#openPre > 0) return this.#writeCode(text.replace(/\r\n?/g, "\n"));
    const collapsed = text.replace(/[ \t\n\f\r]+/g, " ");
    const words = collapsed.replace(/^ | $/g, "");
    this.#isSpaceDue ||= collapsed.startsWith(" ");
    if (words === "") return;
    this.#write(words);
    this.#isSpaceDue = collapsed.endsWith(" ");
  }

  /** Writes text of a `pre`. The space after it is written with what follows, if anything does. */
  #writeCode(text: string): void {
    const words = text.trimEnd();
    if (words !== "") {
      const written = this.#codeSpace + words;
      const isFirst = this.#text === "" || this.#breaks > 0;
      this.#write(isFirst ? written.replace(/^\n+/, "") : written);
      this.#codeSpace = "";
    }
    this.#codeSpace += text.slice(words.length);
  }

  #write(text: string): void {
    const lineStart = this.#openQuotes > 0 ? "> " : "";
    const isLine = this.#text === "" || this.#breaks > 0;
    if (this.#text !== "")
      this.#text += this.#breaks > 0 ? "\n".repeat(this.#breaks) : this.#isSpaceDue ? " " : "";
    this.#text += (isLine ? lineStart : "") + text.replaceAll("\n", `\n${lineStart}`);
    this.#breaks = 0;
    this.#isSpaceDue = false;
    this.#isItemStart = false;
  }

  begin(name: string, attributes: Attributes): void {
    if (name === "br") return this.#breakLine();
    this.#setApart(name);
    if (name === "a") {
      // A link ends where another one begins.
      this.#endLink();
      this.#link = { href: attributes["href"] ?? "", text: "" };
    } else if (name === "img" && this.#options.hasUrls) this.text(attributes["alt"] ?? "");
    else if (name === "q") this.text('"');
    else if (name === "rt") this.text("(");
    else if (name === "blockquote") this.#openQuotes++;
    else if (name === "pre") this.#openPre++;
    else if (name === "ul") this.#lists.push(undefined);
    else if (name === "ol") this.#lists.push(parseInt(attributes["start"] ?? "1", 10) || 1);
    else if (name === "li") this.#beginItem();
    else if (name === "tr") this.#rowCells = 0;
    else if (cells.has(name)) this.#beginCell();
  }

  #beginItem(): void {
    const number = this.#lists.at(-1);
    this.text(number === undefined ? "- " : `${number}. `);
    if (number !== undefined) this.#lists[this.#lists.length - 1] = number + 1;
    this.#isItemStart = true;
  }

  #beginCell(): void {
    if (this.#rowCells++ > 0) this.text(" | ");
    this.#openCells++;
  }

  end(name: string): void {
    if (name === "a") this.#endLink();
    else if (name === "q") this.text('"');
    else if (name === "rt") this.text(")");
    else if (name === "blockquote") this.#openQuotes--;
    else if (name === "pre") this.#openPre--;
    else if (lists.has(name)) this.#lists.pop();
    else if (cells.has(name)) this.#openCells--;
    if (name !== "br") this.#setApart(name);
  }

  /** Writes the URL of a link that does not show it. */
  #endLink(): void {
    const link = this.#link;
    this.#link = undefined;
    if (this.#options.hasUrls !== true || link === undefined) return;
    const url = hiddenUrl(link.href, link.text, this.#options.base);
    if (url === "") return;
    // The space that the link ends with comes after its URL.
    const isSpaceDue = this.#isSpaceDue;
    this.text(` (${url})`);
    this.#isSpaceDue = isSpaceDue;
  }

  finish(): string {
    this.#endLink();
    return this.#text;
  }

  #setApart(name: string): void {
    if (!blockElements.has(name) || cells.has(name)) return;
    if (this.#isItemStart && itemStarts.has(name)) return;
    this.#codeSpace = "";
    // A row is one line.
    if (this.#openCells > 0) this.#isSpaceDue = true;
    else this.#breaks = Math.max(this.#isParagraph(name) ? 2 : 1, this.#breaks);
  }

  /** Whether an element has an empty line before and after it. A list in a list has none. */
  #isParagraph(name: string): boolean {
    return paragraphs.has(name) && !(lists.has(name) && this.#lists.length > 0);
  }

  #breakLine(): void {
    if (this.#openPre > 0) this.#codeSpace += "\n";
    else if (this.#openCells > 0) this.#isSpaceDue = true;
    else if (!this.#isItemStart) this.#breaks = Math.min(2, this.#breaks + 1);
  }
}

/**
 * The plain text of an HTML fragment: paragraphs apart by an empty line, items with a dash or their number, lines of
 * quotations after `> `, a line for each row of a table with `|` between its cells, ruby as `漢(かん)`, `pre` as it is.
 * Comments, scripts, styles and templates are dropped, character references decoded. Takes time in proportion to the
 * length of the fragment.
 *
 * @param Parser of htmlparser2, which the function loads only where it is needed
 */
export function plainText(
  html: string,
  Parser: typeof HtmlParser,
  options: PlainTextOptions = {},
): string {
  const writer = new PlainTextWriter(options);
  walkHtml(html, Parser, writer);
  return writer.finish();
}
