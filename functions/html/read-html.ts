/** HTML → text and elements, one after another: what separates words, what is not shown, and ruby. */
import type { Tokenizer as HtmlTokenizer } from "htmlparser2";

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/** Elements whose content is not shown; `<rp>` is, but only where ruby is not known. */
export const dropped = setOf("script style template rp");

/**
 * Elements that separate words: those that the HTML standard's default style sheet lays out as
 * blocks, list items or parts of tables (HTML standard, 15.3 "Non-replaced elements"), and line
 * breaks and rules.
 */
export const separating = setOf(
  "html body address blockquote center dialog div figure figcaption footer form header hr legend " +
    "listing main p plaintext pre search xmp article aside h1 h2 h3 h4 h5 h6 hgroup nav section " +
    "dir dd dl dt menu ol ul li table caption colgroup col thead tbody tfoot tr td th " +
    "fieldset details summary optgroup option frameset frame br",
);

/** Elements of text that does not hold any more. */
export const struck = setOf("s del strike");

/** What a raised text begins with that is not part of the number before it: 10<sup>−6</sup> is not 10−6. */
export const raisedNumber = /^\s*[-+\u2212\d\uFF10-\uFF19]+/;

/** Elements without content and end tag. */
const empty = setOf(
  "area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr",
);
/** Elements besides those that separate words whose end tags end blocks in them, too. */
const containers = setOf("applet button marquee object select template");
/** An end tag of any of these ends the heading that is open; a start tag, one that nothing else is open in. */
const headings = [...setOf("h1 h2 h3 h4 h5 h6")];
/** Parts of ruby that the next part ends. */
const rubyParts = setOf("rb rp rt");

/** The elements within SVG and MathML whose content is HTML again. */
const integrationPoints = new Map([
  ["svg", setOf("foreignobject desc title")],
  ["math", setOf("mi mo mn ms mtext")],
]);
/** Start tags that end all of SVG and MathML around them (HTML standard, 13.2.6.5). */
const endsForeign = setOf(
  "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu " +
    "meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var",
);

/** What is called as a fragment is read. Every element that begins in it, and ends in it, does so in order. */
export interface HtmlHandler {
  /** Text between tags, character references decoded; also of elements that are not shown. */
  text(text: string): void;
  begin(name: string): void;
  end(name: string): void;
  /** An attribute of the tag that began last, its references decoded; after the end of an element without content. */
  attribute?(name: string, value: string): void;
}

/** An open element. */
interface OpenElement {
  readonly name: string;
  /** Whose tags are in it: those of "svg" or "math"; of HTML where undefined. */
  readonly language: string | undefined;
}

/**
 * The elements that are open. One ends at its end tag, or with an element around it. End tags that may be left
 * out matter for parts of ruby alone: elsewhere the next start tag separates words as well. Each tag takes
 * constant time on average, however deep the nesting.
 */
class OpenElements {
  readonly #handler: HtmlHandler;
  readonly #stack: OpenElement[] = [];
  /** For each open element, by name: how many elements around it separate words. */
  readonly #open = new Map<string, number[]>();
  /** How many open elements separate words. */
  #blocks = 0;
  #isLastForeign = false;

  constructor(handler: HtmlHandler) {
    this.#handler = handler;
  }

  /** Whether tags are SVG's or MathML's. */
  get isForeign(): boolean {
    return this.#stack.at(-1)?.language !== undefined;
  }

  /** @param name of the tag, in lower case */
  startTag(name: string): void {
    if (endsForeign.has(name)) while (this.isForeign) this.#pop();
    if ((rubyParts.has(name) || name === "rtc") && this.#isOpen("ruby"))
      while (rubyParts.has(this.#stack.at(-1)?.name ?? "")) this.#pop();
    if (separating.has(name)) this.#endFallbacks();
    if (headings.includes(name) && headings.includes(this.#stack.at(-1)?.name ?? "")) this.#pop();
    const begun = integrationPoints.has(name) ? name : undefined;
    const language = this.#stack.at(-1)?.language ?? begun;
    const isHtmlAgain = integrationPoints.get(language ?? "")?.has(name) === true;
    this.#stack.push({ name, language: isHtmlAgain ? undefined : language });
    const sameName = this.#open.get(name) ?? [];
    this.#open.set(name, sameName);
    sameName.push(this.#blocks);
    if (separating.has(name)) this.#blocks++;
    this.#handler.begin(name);
    this.#isLastForeign = language !== undefined;
    if (empty.has(name) && !this.#isLastForeign) this.#pop();
  }

  /** The tag that was read last is written `<name/>`; that ends an element of SVG or MathML. */
  selfClosed(): void {
    if (this.#isLastForeign) this.#pop();
  }

  /** @param given name of the tag, in lower case */
  endTag(given: string): void {
    const name = headings.includes(given) ? this.#innermostHeading() : given;
    // A browser reads </br> as a line break, and a </p> that ends nothing as an empty paragraph.
    if (name === "br" || (name === "p" && !this.#isOpen(name))) this.startTag(name);
    else if (separating.has(name)) this.#endFallbacks();
    // An inline element does not end the blocks in it: <b>a<p>b</b>c</p> reads "a bc".
    const blocks = this.#open.get(name)?.at(-1);
    const reaches = blocks === this.#blocks || separating.has(name) || containers.has(name);
    if (blocks !== undefined && reaches) while (this.#pop() !== name);
  }

  /** The heading with the most blocks around it. */
  #innermostHeading(): string {
    const blocksAround = headings.map((name) => this.#open.get(name)?.at(-1) ?? -1);
    return headings[blocksAround.indexOf(Math.max(...blocksAround))]!;
  }

  #isOpen(name: string): boolean {
    return this.#open.get(name)?.at(-1) !== undefined;
  }

  /** An <rp> holds no blocks, so its end tag is missing. Without this, it would hide all text that follows. */
  #endFallbacks(): void {
    while (this.#isOpen("rp")) this.#pop();
  }

  #pop(): string {
    const { name } = this.#stack.pop()!;
    this.#open.get(name)!.pop();
    if (separating.has(name)) this.#blocks--;
    this.#handler.end(name);
    return name;
  }
}

const cdata = "<![CDATA[";

/**
 * Reads an HTML fragment. Takes time in proportion to its length.
 *
 * `<p>a<br>b</p>` gives: begin p, text a, begin br, end br, text b, end p.
 *
 * @param Tokenizer of htmlparser2, which the function loads only where it is needed
 */
export function readHtml(
  html: string,
  Tokenizer: typeof HtmlTokenizer,
  handler: HtmlHandler,
): void {
  const elements = new OpenElements(handler);
  const nameAt = (start: number, end: number): string => html.slice(start, end).toLowerCase();
  const nothing = (): void => {};
  let [attribute, value] = ["", ""];
  // Of most fragments, the text alone is wanted.
  const isAsked = handler.attribute !== undefined;
  const tokenizer = new Tokenizer(
    { decodeEntities: true, recognizeSelfClosing: false },
    {
      ontext: (start, end) => handler.text(html.slice(start, end)),
      ontextentity: (codePoint) => handler.text(String.fromCodePoint(codePoint)),
      onopentagname: (start, end) => elements.startTag(nameAt(start, end)),
      onselfclosingtag: () => elements.selfClosed(),
      onclosetag: (start, end) => elements.endTag(nameAt(start, end)),
      isInForeignContext: () => elements.isForeign,
      oncdata: (start, end, offset) => handler.text(html.slice(start, end - offset)),
      onattribname: isAsked
        ? (start, end) => ([attribute, value] = [nameAt(start, end), ""])
        : nothing,
      onattribdata: isAsked ? (start, end) => (value += html.slice(start, end)) : nothing,
      onattribentity: isAsked ? (codePoint) => (value += String.fromCodePoint(codePoint)) : nothing,
      onattribend: () => handler.attribute?.(attribute, value),
      // A CDATA section that has no end is reported as a comment.
      oncomment(start, end) {
        const isText = elements.isForeign && html.startsWith(cdata, start - 2);
        if (isText) handler.text(html.slice(start - 2 + cdata.length, end));
      },
      ondeclaration: nothing,
      onend: nothing,
      onopentagend: nothing,
      onprocessinginstruction: nothing,
    },
  );
  // A CDATA section is text in SVG and MathML. In HTML it is a comment that ends at the next `>`, as a
  // declaration does. So there, the tokenizer gets a declaration of the same length instead. Where both are
  // plain text, such as in a <textarea>, the text is taken from the fragment itself.
  let at = 0;
  for (let next: number; (next = html.indexOf(cdata, at)) !== -1; at = next + cdata.length) {
    tokenizer.write(html.slice(at, next));
    tokenizer.write(elements.isForeign ? cdata : "<!DOCTYPE");
  }
  tokenizer.write(html.slice(at));
  tokenizer.end();
}
