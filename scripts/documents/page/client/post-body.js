/**
 * A stranger's HTML as text, within what a browser can show at once. It becomes a part of the page: of the HTML, only
 * elements of text are copied, with the attributes that are named here. No script, style, class or URL that loads is.
 */
import { spanOf } from "./dom.js";
import { restAsText, signOfBox } from "./fill-in-time.js";
import { formatting, textWithoutTags, valueWithTags, withoutStyles } from "./snippets.js";
import {
  breakableIn,
  directionOf,
  hasLongWord,
  longestBlock,
  longestNarrowWord,
  newBlock,
  piecesOf,
} from "./tree.js";

/** @param {string} words */
const setOf = (words) => new Set(words.split(" "));

/**
 * The elements of a post that are kept, those of text. Others could set rules of their own, ask servers, or keep the
 * browser at work until the page stops: pictures made of copies of copies, moving text, controls in thousands.
 */
const inline = setOf(
  "a abbr b big br cite code del dfn em font i ins kbd mark q rp rt ruby s samp small span strike strong sub sup " +
    "time tt u var wbr",
);
const blocks = setOf(
  "address article aside blockquote caption center col colgroup dd details dir div dl dt figcaption figure footer " +
    "h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol p pre search section summary table tbody td " +
    "tfoot th thead tr ul",
);
/** Those of them that browsers indent. */
const indented = setOf("blockquote dd dir figure menu ol ul");
/** Those whose width follows from the words in them. */
const columns = setOf("caption td th");
/** A URL or the like, as wide as which no column should be. */
const longName = /([!-~]{40,})/;
/** Elements that go with all that is in them. Of any other, what is in it stays. */
const dropped = setOf(
  "script style template svg audio video iframe frameset noscript select textarea title annotation annotation-xml",
);
/** Whether an element is one of these, or hidden, so that no word in it ends one around it. @param {Node} node */
const isDropped = (node) =>
  dropped.has(node.nodeName.toLowerCase()) ||
  (node instanceof Element &&
    (node.getAttribute("hidden")?.toLowerCase() ?? "until-found") !== "until-found");
/** The attributes that are kept as they are: how text and tables are read. */
const keptAttributes = "title hidden colspan rowspan start reversed value type open datetime".split(
  " ",
);
/** Where a link may lead: to another page, or to a program for messages. Others could run in this page. */
const linkSchemes = /^(?:https?|ftp|mailto|tel|sms|geo|xmpp|ircs?|magnet):/;

/** The name of a part of a post. The page has names of its own. @param {string} name as the post has it */
export const nameInPost = (name) => `in-post-${name}`;

/**
 * Browsers take quadratic time for elements that are deep, or many, and for many languages. Of further ones the text
 * stays, each block on a line of its own. The real posts that were looked at have up to 4,242 tags. Those that are no blocks have a bound of their own,
 * since a browser opens some again in each block until they are ended.
 */
const [mostBlocks, mostInlines, mostElements, mostLanguages] = [60, 10, 6000, 20];
/**
 * Rows that a cell may span, and rows times columns that all cells of a post may: Firefox keeps a note of each, also of
 * those that no table has.
 */
const [mostRows, mostSpanned] = [1000, 10_000];
/** Elements in each other that are indented: more would leave no room for a line. */
const mostIndents = 5;
/**
 * Tags of elements that browsers take quadratic time to read, or that change what holds for the page, as its referrer
 * policy in Chromium 150; and as which ones they are read instead.
 */
const readAs = new Map([
  ["base", "param"],
  ["meta", "param"],
  ["bdi", "span"],
  ["details", "dialog"],
  ["dialog", "div"],
  ["fieldset", "div"],
  ["form", "div"],
  ["main", "div"],
  ["selectedcontent", "span"],
  ["slot", "span"],
]);
/** Such a tag, or one of formatting, with its attributes. */
const replacedTag = new RegExp(
  `<(/?)(${[...readAs.keys(), ...formatting].join("|")})(?=[\\s/>])` +
    `((?:=\\s*(?:"[^"<]*"|'[^'<]*')|${valueWithTags}|=|[^<>=]+)*>?)`,
  "gi",
);
/** An id of such a tag, which a link may name. */
const idAttribute = /\sid\s*=\s*(?:"[^"<>]{1,100}"|'[^'<>]{1,100}'|[^\s"'<>=`]{1,100}(?=[\s>]))/i;
/** An attribute of such a tag: its name, and its value with the marks around it. */
const anyAttribute = /([^\s/=>]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>]*))?/g;
/**
 * Milliseconds that a browser may read a post, and units that it gets at a time. Browsers take quadratic time for more
 * than is known here: of a post that takes longer, what is left becomes text.
 */
const [readingTime, readAtOnce] = [1000, 500];

/** Whether the attributes of such a tag hide its element. @param {string} attributes */
const isHiding = (attributes) =>
  /hidden/i.test(attributes) &&
  Array.from(attributes.matchAll(anyAttribute)).some(
    ([, name, value = ""]) => /^hidden$/i.test(name ?? "") && !/^.?until-found/i.test(value),
  );

/** What is kept of the attributes of formatting. @param {string} attributes */
const keptOf = (attributes) =>
  (idAttribute.exec(attributes)?.[0] ?? "") + (isHiding(attributes) ? " hidden" : "");

/**
 * HTML that a browser reads in less time, with the same text. Nobody has to find out where tags are: what looks like
 * one in a text or an attribute is changed, too, where it does not matter.
 *
 * A browser opens formatting again in each block until its own end, with its attributes, in cubic time. So only some is
 * open at a time, without attributes but an id and whether it is hidden.
 *
 * @param {string} html
 */
function quicklyRead(html) {
  /** How many elements of formatting are open, by name. @type {Map<string, number>} */
  const open = new Map();
  let left = mostInlines;
  return withoutStyles(html).replace(replacedTag, (tag, slash, given, attributes) => {
    const name = given.toLowerCase();
    const other = readAs.get(name);
    // What looks like a value may be none: no tag in it stays one.
    if (other !== undefined) return `<${slash}${other}${attributes.replaceAll("<", "&lt;")}`;
    const count = open.get(name) ?? 0;
    if (slash === "" ? left === 0 : count === 0) return "<!>";
    left += slash === "" ? -1 : 1;
    open.set(name, count + (slash === "" ? 1 : -1));
    const kept = slash === "" ? keptOf(attributes) : "";
    // What looks like a tag in an attribute, or in a comment, may have taken the end of that.
    const [, mark = ""] = /(["'])[^"']*$/.exec(attributes) ?? [];
    const isOpen = mark !== "" && attributes.split(mark).length % 2 === 0;
    const end = attributes.endsWith("-->") ? " --" : isOpen ? ` ${mark}` : "";
    return `<${slash}${name}${kept}${end}>`;
  });
}

/** HTML as a browser reads it, in a document of its own, where nothing is loaded. @param {string} html */
function readInTime(html) {
  const made = document.implementation.createHTMLDocument("");
  // A name in the post may become one of the document's.
  const [write, close] = [made.write.bind(made), made.close.bind(made)];
  // Something is in the body, so that no frameset takes its place.
  write("<!doctype html><body><br>");
  const { body } = made;
  const end = performance.now() + readingTime;
  let at = 0;
  for (; at < html.length && performance.now() < end; at += readAtOnce)
    write(html.slice(at, at + readAtOnce));
  close();
  // Of what is in a document, the browser may have more to do after this.
  body.remove();
  body.querySelector("br")?.remove();
  if (at < html.length) body.append(textWithoutTags(html.slice(at)));
  return body;
}

/** What is shown for a picture without words in a link. */
const pictureSign = "🖼";

const visible = /[^\s\p{Default_Ignorable_Code_Point}]/u;

/** Where the content of an element goes: at first into its copy. */
class Place {
  /**
   * @param {Element} copy
   * @param {Place} [outer] of what is around it
   */
  constructor(copy, outer) {
    this.copy = copy;
    this.element = copy;
    this.outer = outer;
    /** That of the whole post. @type {Place} */
    this.whole = outer === undefined ? this : outer.whole;
    /**
     * Of the whole post, how many elements may still be continued in a further part of their block. A link may be in
     * many others: one that is not ended is around the cells of a table and their links.
     */
    this.continuable = mostElements;
    const isInline = outer !== undefined && inline.has(copy.localName);
    /** How many blocks are around it, itself included. @type {number} */
    this.blocks = outer === undefined ? 0 : outer.blocks + (isInline ? 0 : 1);
    /** And how many elements in these that are none. @type {number} */
    this.inlines = outer === undefined ? 0 : outer.inlines + (isInline ? 1 : 0);
    /** How many of the blocks are indented. @type {number} */
    this.indents = outer?.indents ?? 0;
    if (indented.has(copy.localName) && ++this.indents > mostIndents) copy.classList.add("flat");
    /** What is laid out together with it. @type {Place} */
    this.block = isInline ? outer.block : this;
    /** @type {boolean} */
    this.isNarrow = outer?.isNarrow === true || columns.has(copy.localName);
    /** @type {boolean} */
    this.isCode = outer?.isCode === true || copy.localName === "pre";
    /** Whether some of its text can be seen. @type {boolean} */
    this.hasText = false;
    /** Of a block, the text in it. */
    this.text = this.#newBlock();
  }

  /** Whether an element has its place here, too: not in too many others. @param {string} name */
  takes(name) {
    // Nothing is in a line break.
    if (name === "br" || name === "wbr") return true;
    if (!inline.has(name)) return this.blocks < mostBlocks;
    // Links count more than how a text looks.
    return this.inlines < (name === "a" ? mostBlocks : mostInlines);
  }

  /** Continues the block in a part of its own, with the elements that are open here, as far as these are not too many. @returns {Element} */
  continued() {
    if (this.block === this || this.outer === undefined) {
      this.element = this.copy.appendChild(document.createElement("div"));
    } else {
      const around = this.outer.continued();
      const isCopied = this.whole.continuable-- > 0;
      this.element = isCopied ? around.appendChild(shallow(this.copy)) : around;
    }
    return this.element;
  }

  /** @param {string} text */
  addText(text) {
    if (visible.test(text)) this.#markText();
    const end = text.indexOf("\n") + 1;
    // A line of code may be in many elements, one for each word. So a part ends with one, before it has to.
    if (this.isCode && end > 0 && this.block.text.units > longestBlock * 0.8) {
      this.#addPieces(text.slice(0, end));
      this.#beginPart();
      this.addText(text.slice(end));
    } else this.#addPieces(text);
  }

  #markText() {
    /** @type {Place | undefined} */
    let one = this;
    for (; one !== undefined && !one.hasText; one = one.outer) one.hasText = true;
  }

  /** @param {string} text */
  #addPieces(text) {
    // Between the rows of a table, it is not shown.
    if (!/[^ \t\n\f\r]/.test(text)) {
      if (text !== "") this.#endWord();
      return this.#append(text);
    }
    for (const [i, piece] of piecesOf(text, this.block.text).entries()) {
      if (i > 0) this.continued();
      for (const part of this.#breakable(piece)) this.#append(part);
    }
  }

  /** Text goes into the text before it: Safari takes quadratic time for many in a row. @param {string | Element} part */
  #append(part) {
    const last = this.element.lastChild;
    if (typeof part === "string" && last instanceof Text && last.length < longestBlock)
      last.appendData(part);
    else if (part !== "") this.element.append(part);
  }

  /** @param {Element} copy */
  addElement(copy) {
    this.element.append(copy);
    if (copy.localName === "br" || !inline.has(copy.localName)) this.#endWord();
    // Here a new part cannot be seen.
    if (copy.localName === "br" && this.block.text.units > longestBlock / 2) this.#beginPart();
  }

  #beginPart() {
    this.block.text = this.#newBlock();
    this.continued();
  }

  #endWord() {
    Object.assign(this.block.text, { row: 0, word: 0, turns: 0 });
  }

  /** A text, with elements for what may be broken anywhere. @param {string} text */
  #breakable(text) {
    const parts = breakableIn(text).flatMap((one, i) =>
      this.isNarrow && i % 2 === 0 ? one.split(longName) : [one],
    );
    return parts.map((one, i) => spanOf({ text: one, className: i % 2 === 1 ? "breakable" : "" }));
  }

  #newBlock() {
    return newBlock(this.isNarrow ? longestNarrowWord : undefined);
  }
}

/** Blocks without a place of their own, which are too deep: each begins and ends a line. */
class Lines {
  /** The innermost such block around an element. @type {Map<Node | null, Node | undefined>} */
  #around = new Map();
  /** That of the last text, and the block that this is in. @type {{ line?: Node | undefined, block?: Place }} */
  #last = {};

  /** @param {Element} element @param {boolean} isLine whether it is such a block */
  enter(element, isLine) {
    this.#around.set(element, isLine ? element : this.#around.get(element.parentNode));
  }

  /** Whether a text begins a line, further texts after it. @param {Node} text @param {Place} place */
  begins(text, { block }) {
    if (!/\S/.test(text.nodeValue ?? "")) return false;
    const last = this.#last;
    this.#last = { line: this.#around.get(text.parentNode), block };
    return last.block === block && last.line !== this.#last.line;
  }
}

/** A copy of an element without its content, but with a name of its own. @param {Element} element */
function shallow(element) {
  const copy = /** @type {Element} */ (element.cloneNode(false));
  copy.removeAttribute("id");
  return copy;
}

/** What begins with a host of more than DNS allows: a browser takes quadratic time for one of many characters. */
const longHost =
  /^(?:(?:https?|wss?|ftp|file):|[\\/]{2})[\\/]*(?:(?=[^\\/?#]*[^!-~])[^\\/?#]{100}|[^\\/?#]{256})/i;

/**
 * Where a link of a post leads: relative to where the post comes from, or within the post as it is; null where nowhere.
 *
 * @param {string} href
 * @param {string} url of the post
 */
function linkOf(href, url) {
  // As the URL standard reads it.
  if (longHost.test(href.replace(/^[\0- ]+|[\t\n\r]/g, ""))) return null;
  if (href.startsWith("#")) return href;
  try {
    const led = new URL(href, url).href;
    return linkSchemes.test(led) ? led : null;
  } catch {
    // It is malformed.
    return null;
  }
}

/**
 * What the elements of a post share: its URL, its languages so far, and what its cells may still span.
 *
 * @typedef {{ readonly url: string, readonly languages: Set<string>, spanned: number }} Shared
 */

/** Takes what a cell spans from what is left; one for which too little is left spans nothing. @param {HTMLTableCellElement} cell @param {Shared} shared */
function boundSpan(cell, shared) {
  if (cell.rowSpan > mostRows) cell.rowSpan = mostRows;
  // 0 is for all rows that follow.
  const spanned = cell.colSpan * (cell.rowSpan || mostRows) - 1;
  if (spanned <= shared.spanned) shared.spanned -= spanned;
  else for (const name of ["colspan", "rowspan"]) cell.removeAttribute(name);
}

/** Characters of the longest value that is kept: each part of a text that is divided has its own copy of it. */
const longestValue = 4000;

/** @param {string | null} value of an attribute @returns {value is string} */
const isKept = (value) => value !== null && value.length <= longestValue;

/** Where a link leads, in a tab of its own; and its name. @param {Element} link @param {HTMLAnchorElement} copy @param {string} url of the post */
function copyLink(link, copy, url) {
  const given = link.getAttribute("href");
  const href = given === null ? null : linkOf(given, url);
  if (isKept(href)) copy.href = href;
  if (isKept(href) && !href.startsWith("#")) {
    copy.target = "_blank";
    copy.rel = "noreferrer";
  }
  const name = link.getAttribute("name");
  if (isKept(name)) copy.name = nameInPost(name);
}

/** Gives a link whose only content is a picture or a drawing a sign, with its name for screen readers. @param {Element} link @param {Element} picture @param {Place} place of what is in the link */
function signLink(link, picture, place) {
  const name = link.getAttribute("aria-label") ?? picture.querySelector("title")?.textContent ?? "";
  if (isKept(name) && visible.test(name)) place.copy.setAttribute("aria-label", name);
  place.copy.append(pictureSign);
  place.hasText = true;
}

/** Takes where they lead from links that show nothing: the keyboard would stop there. @param {ReadonlyMap<Node | null, Place>} places of what is in the elements */
function endEmptyLinks(places) {
  for (const [link, place] of places) {
    const { copy, hasText } = place;
    if (hasText || !(link instanceof HTMLAnchorElement) || !copy.hasAttribute("href")) continue;
    const isHidden =
      link.getAttribute("aria-hidden") === "true" || link.getAttribute("tabindex")?.startsWith("-");
    // A drawing that leads within the post only marks a place, as beside headings.
    const isMark = link.getAttribute("href")?.startsWith("#");
    const picture = isHidden ? null : link.querySelector(isMark ? "img" : "img, svg");
    if (picture !== null) signLink(link, picture, place);
    else for (const key of ["href", "target", "rel"]) copy.removeAttribute(key);
  }
}

/**
 * A copy of a stranger's element without its content.
 *
 * @param {Element} element
 * @param {string} name
 * @param {Shared} shared
 */
function copyOf(element, name, shared) {
  const { languages, url } = shared;
  const copy = document.createElement(name);
  for (const key of keptAttributes) {
    const value = element.getAttribute(key);
    if (isKept(value)) copy.setAttribute(key, value);
  }
  const id = element.getAttribute("id");
  if (isKept(id)) copy.id = nameInPost(id);
  if (copy instanceof HTMLAnchorElement) copyLink(element, copy, url);
  const language = element.getAttribute("lang");
  if (isKept(language) && (languages.has(language) || languages.size < mostLanguages)) {
    languages.add(language);
    copy.setAttribute("lang", language);
  }
  if (copy instanceof HTMLTableCellElement) boundSpan(copy, shared);
  return copy;
}

/**
 * A stranger's HTML as an element of text: of each element that is not kept, what is in it.
 *
 * @param {string} html
 * @param {string} url of the post, from which its links lead
 */
export function bodyOf(html, url) {
  const made = readInTime(quicklyRead(html));
  const body = document.createElement("div");
  body.className = "post-text";
  /** @type {Shared} */
  const shared = { url, languages: new Set(), spanned: mostSpanned };
  const whole = new Place(body);
  /** Where the content of each element goes. @type {Map<Node | null, Place>} */
  const places = new Map([[made, whole]]);
  // Copied in one pass: to move what is in unknown elements takes quadratic time where they are in each other.
  const nodes = document.createTreeWalker(
    made,
    NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT,
    (node) => (isDropped(node) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT),
  );
  const lines = new Lines();
  /** The post's own words: those of a picture may be the name of a file. */
  let words = "";
  let left = mostElements;
  for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
    if (left === 0) {
      body.append(...restAsText(nodes));
      break;
    }
    const place = places.get(node.parentNode) ?? whole;
    const read = node.nodeName.toLowerCase();
    const name = read === readAs.get("details") ? "details" : read;
    // The page's policies load no picture.
    if (node instanceof HTMLImageElement) place.addText(visible.test(node.alt) ? node.alt : "");
    else if (node instanceof HTMLInputElement) place.addText(signOfBox(node));
    else if (!(node instanceof Element)) {
      if (lines.begins(node, place)) {
        left--;
        place.addElement(document.createElement("br"));
      }
      words += node.nodeValue ?? "";
      place.addText(node.nodeValue ?? "");
    } else {
      const isTaken = (inline.has(name) || blocks.has(name)) && place.takes(name);
      lines.enter(node, !isTaken && blocks.has(name));
      if (isTaken) {
        left--;
        const copy = copyOf(node, name, shared);
        place.addElement(copy);
        places.set(node, new Place(copy, place));
      } else places.set(node, place);
    }
  }
  endEmptyLinks(places);
  // Both for the whole post: a word may go through many elements, and browsers take long where each of many says its own
  // direction.
  const text = body.textContent ?? "";
  if (hasLongWord(text)) body.classList.add("unkerned");
  body.dir = directionOf(words + text);
  return body;
}
