/** HTML → plain text to read: paragraphs, line breaks, code and readings of ruby are kept. */
import type { Tokenizer as HtmlTokenizer } from "htmlparser2";
import {
  dropped,
  raisedNumber,
  readHtml,
  separating,
  struck,
  type HtmlHandler,
} from "./read-html.ts";

/** Elements with an empty line before and after them. */
const paragraphs = new Set(
  "p blockquote pre ul ol dl table h1 h2 h3 h4 h5 h6 figure hr".split(" "),
);
/** Elements with a space before and after them. */
const cells = new Set(["td", "th"]);

/** What is written at either end of an element for what a browser draws there. */
const signOf = (name: string): string => (struck.has(name) ? "~~" : name === "q" ? '"' : "");

/** Elements that set nothing apart where they are the first in an item, or the first or last in a cell of a row. */
const besideSign = new Set("p div h1 h2 h3 h4 h5 h6".split(" "));

/** Lists that a line says it is in, by its indentation. */
const lists = new Set(["ul", "ol"]);

/** Quotations in each other, and lists in each other, that lines show. */
const mostLevels = 3;

/** What a plain text has besides what a page shows. */
export interface PlainTextOptions {
  /**
   * Whether lines of quotations begin with `> `, others are in quotation marks, lines of a list in a list are indented,
   * raised numbers begin with `^`, what is struck out is between `~~`, cells of a row have `|` between them, and boxes
   * are `[x]` or `[ ]`: for a reader who sees nothing else.
   */
  readonly isMarked?: boolean;
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

/** A text in lines, from what a tokenizer finds. */
class Lines implements HtmlHandler {
  readonly #options: PlainTextOptions;
  /** The tag that began last. */
  #last = "";
  /** The link that is open: its URL, and its text so far. To take that from the whole takes quadratic time. */
  #link: { href: string; text: string } | undefined;
  #text = "";
  /** The control that began last, until its attributes are known. */
  #control: { isBox: boolean; isChecked: boolean } | undefined;
  /** Line breaks to write before the next text; without any, a space if one is due. None before the first text. */
  #breaks = 0;
  /** Whether the end of a cell takes these breaks back: its row goes on. */
  #isRowGoingOn = false;
  #isSpaceDue = false;
  /** White space of a `pre` to write before the next text in it, as it is. */
  #kept = "";
  /** How many elements are open in one that is dropped, itself included. */
  #hidden = 0;
  #openPre = 0;
  #openQuotes = 0;
  #openLists = 0;
  /** Whether of an item, or of a cell, only its sign is written. */
  #isStart = false;
  /** Whether the next text is raised. */
  #isRaised = false;
  /** Cells of the row that began last. */
  #cells = 0;
  /** Whether what is written of the cell that began last is one line: a row does not go on beside the last one of several. */
  #isOneLine = false;

  constructor(options: PlainTextOptions) {
    this.#options = options;
  }

  text(given: string): void {
    if (this.#hidden > 0 || given === "") return;
    this.#endControl();
    if (this.#link !== undefined) this.#link.text += given;
    const text = this.#isRaised && raisedNumber.test(given) ? given.replace(/^\s*/, "$&^") : given;
    if (given.trim() !== "") this.#isRaised = false;
    if (this.#openPre > 0) return this.#asWritten(text.replace(/\r\n?/g, "\n"));
    const collapsed = text.replace(/[ \t\n\f\r]+/g, " ");
    const words = collapsed.replace(/^ | $/g, "");
    this.#isSpaceDue ||= collapsed.startsWith(" ");
    if (words === "") return;
    this.#write(words);
    this.#isSpaceDue = collapsed.endsWith(" ");
  }

  /** Text of a `pre`. The space after it is written with what follows, if anything does. */
  #asWritten(text: string): void {
    const words = text.trimEnd();
    if (words !== "") {
      const written = this.#kept + words;
      const isFirst = this.#text === "" || this.#breaks > 0;
      this.#write(isFirst ? written.replace(/^\n+/, "") : written);
      this.#kept = "";
    }
    this.#kept += text.slice(words.length);
  }

  #write(text: string): void {
    const start = this.#options.isMarked ? this.#startOfLine() : "";
    const isLine = this.#text === "" || this.#breaks > 0;
    if (this.#text !== "")
      this.#text += this.#breaks > 0 ? "\n".repeat(this.#breaks) : this.#isSpaceDue ? " " : "";
    this.#isOneLine &&= this.#isStart || !isLine;
    this.#text +=
      (isLine ? start : "") + (start === "" ? text : text.replaceAll("\n", `\n${start}`));
    this.#setBreaks(0);
    this.#isSpaceDue = false;
    this.#isStart = false;
  }

  /** What says in which quotations and lists a line is. */
  #startOfLine(): string {
    const outerLists = Math.max(0, this.#openLists - 1);
    return (
      "> ".repeat(Math.min(mostLevels, this.#openQuotes)) +
      "  ".repeat(Math.min(mostLevels, outerLists))
    );
  }

  begin(name: string): void {
    if (this.#hidden > 0 || dropped.has(name)) {
      this.#hidden++;
      return;
    }
    this.#endControl();
    if (this.#options.isMarked && name === "input")
      this.#control = { isBox: false, isChecked: false };
    this.#last = name;
    if (name === "a") {
      // A link ends where another one begins.
      this.#endLink();
      this.#link = { href: "", text: "" };
    }
    if (this.#options.isMarked && name === "sup") this.#isRaised = true;
    if (this.#options.isMarked) this.text(signOf(name));
    if (name === "blockquote") this.#openQuotes++;
    if (name === "rt") this.text("(");
    else if (name === "br" && this.#openPre > 0) this.#kept += "\n";
    else if (name === "br") this.#breakLine();
    else this.#setApart(name);
    if (name === "pre") this.#openPre++;
    if (lists.has(name)) this.#openLists++;
    if (name === "li") {
      this.text("- ");
      this.#isStart = true;
    }
    if (name === "tr") this.#cells = 0;
    if (this.#options.isMarked && cells.has(name)) {
      // Of an empty one, nothing else would be seen.
      if (this.#cells++ > 0) this.text("| ");
      this.#isStart = true;
      this.#isOneLine = true;
    }
  }

  attribute(name: string, value: string): void {
    if (this.#hidden > 0) return;
    if (this.#control !== undefined) {
      if (name === "type") this.#control.isBox = value.toLowerCase() === "checkbox";
      if (name === "checked") this.#control.isChecked = true;
    }
    if (this.#options.hasUrls !== true) return;
    // Of two, the first counts.
    if (name === "href" && this.#last === "a" && this.#link?.href === "") this.#link.href = value;
    if (name === "alt" && this.#last === "img") this.text(value);
  }

  /** Writes whether a box, such as that of an item to do, is checked. */
  #endControl(): void {
    const control = this.#control;
    this.#control = undefined;
    if (control?.isBox)
      this.text(`${control.isChecked ? "[x]" : "[ ]"}${this.#openPre > 0 ? "" : " "}`);
  }

  /** Writes the URL of a link that does not show it. */
  #endLink(): void {
    const link = this.#link;
    this.#link = undefined;
    if (link === undefined || link.href === "") return;
    const url = hiddenUrl(link.href, link.text, this.#options.base);
    if (url === "") return;
    // The space that the link ends with comes after its URL.
    const isSpaceDue = this.#isSpaceDue;
    this.text(` (${url})`);
    this.#isSpaceDue = isSpaceDue;
  }

  end(name: string): void {
    if (this.#hidden > 0) {
      this.#hidden--;
      return;
    }
    // It ends before its attributes are known.
    if (name !== "input") this.#endControl();
    if (name === "a") this.#endLink();
    if (this.#options.isMarked) this.text(signOf(name));
    if (name === "sup") this.#isRaised = false;
    if (name === "blockquote") this.#openQuotes--;
    if (name === "pre") this.#openPre--;
    if (lists.has(name)) this.#openLists--;
    if (name === "rt") this.text(")");
    else if (name !== "br") this.#setApart(name);
  }

  toString(): string {
    this.#endControl();
    this.#endLink();
    return this.#text;
  }

  #setApart(name: string): void {
    const isRowGoingOn = this.#isRowGoingOn && this.#isOneLine;
    if (this.#options.isMarked && isRowGoingOn && (cells.has(name) || name === "tr"))
      this.#setBreaks(0);
    if (cells.has(name)) return this.text(" ");
    if (!separating.has(name) && !paragraphs.has(name)) return;
    if (this.#isStart && besideSign.has(name)) return;
    const isInList = this.#options.isMarked && lists.has(name) && this.#openLists > 0;
    const breaks = paragraphs.has(name) && !isInList ? 2 : 1;
    this.#setBreaks(Math.max(breaks, this.#breaks), besideSign.has(name));
    this.#kept = "";
  }

  #breakLine(): void {
    if (!this.#isStart) this.#setBreaks(Math.min(2, this.#breaks + 1), true);
  }

  /** @param isRowGoingOn whether what adds them, if it is the last in a cell, leaves its row whole */
  #setBreaks(breaks: number, isRowGoingOn = false): void {
    this.#isRowGoingOn = isRowGoingOn && (this.#breaks === 0 || this.#isRowGoingOn);
    this.#breaks = breaks;
  }
}

/**
 * The plain text of an HTML fragment: paragraphs apart by an empty line, list items with a dash, ruby as
 * `漢(かん)`, `pre` as it is. Comments, scripts, styles and templates are dropped, character references decoded. Takes
 * time in proportion to the length of the fragment.
 *
 * @param Tokenizer of htmlparser2, which the function loads only where it is needed
 * @param options all off by default
 */
export function plainText(
  html: string,
  Tokenizer: typeof HtmlTokenizer,
  options: PlainTextOptions = {},
): string {
  const lines = new Lines(options);
  readHtml(html, Tokenizer, lines);
  return lines.toString();
}
