/**
 * The elements that are open while HTML is read tag by tag: the stack of the HTML standard's parser
 * (13.2.6, "Tree construction"), with those of its rules that decide where an element ends.
 *
 * Not followed: text and elements that a browser moves out of a broken table, formatting elements
 * that it opens again (`<b><p>a</b>b</p>`), and what it leaves out in `<select>` and `<frameset>`.
 */

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(" "));

const voidElements = setOf(
  "area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr",
);

/** "Special" elements: an end tag of another element does not reach through one. */
const special = setOf(
  "address applet article aside blockquote button caption center colgroup dd details dialog dir div dl " +
    "dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup iframe li listing main " +
    "marquee menu nav noembed noframes noscript object ol p plaintext pre script search section " +
    "select style summary table tbody td template textarea tfoot th thead title tr ul xmp",
);
/** Special elements that do not protect an open list item around them: a new list item still ends it. */
const openToItems = setOf("address div p");
/** An end tag ends no element outside the innermost of these. Tags of tables have scopes of their own. */
const scopes = setOf("applet caption table td th marquee object template foreignobject desc");
const tableScopes = setOf("table template");
const tableParts = setOf("caption col colgroup tbody td tfoot th thead tr");
const sections = ["tbody", "thead", "tfoot", "table"];
const terms = setOf("dd dt");
const headings = setOf("h1 h2 h3 h4 h5 h6");

/** Start tags that end an open paragraph. */
const endsParagraph = setOf(
  "address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure " +
    "footer form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre search " +
    "section summary table ul xmp",
);
const rubyParts = setOf("rb rp rt rtc");
/** Elements that the next part of a ruby ends. */
const endedByRuby = setOf("dd dt li optgroup option p rb rp rt");

const foreign = setOf("svg math");
/** Start tags that end all of SVG and MathML around them (13.2.6.5, "in foreign content"). */
const endsForeign = setOf(
  "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu " +
    "meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var",
);
/** Elements within SVG and MathML whose content is HTML again. */
const integrationPoints = setOf("foreignobject desc title mi mo mn ms mtext annotation-xml");

/** An open element, with the depths in the stack of the innermost elements of some kinds, itself included. */
interface OpenElement {
  readonly name: string;
  /** Whether tags in it are SVG's or MathML's. */
  readonly isForeign: boolean;
  /** Depth of the next outer element of the same name. */
  readonly outer: number;
  readonly special: number;
  readonly itemBarrier: number;
  readonly scope: number;
  readonly buttonScope: number;
  readonly tableScope: number;
}
const none = -1;
const outermost: OpenElement = {
  name: "",
  isForeign: false,
  outer: none,
  special: none,
  itemBarrier: none,
  scope: none,
  buttonScope: none,
  tableScope: none,
};

/** What is called for each element as it begins and ends. */
export interface ElementHandler {
  readonly begin: (name: string) => void;
  readonly end: (name: string) => void;
}

/** Takes tags and reports elements. Each tag takes constant time on average, however deep the nesting. */
export class OpenElements {
  readonly #stack: OpenElement[] = [];
  /** Depth of the innermost open element of each name. */
  readonly #innermost = new Map<string, number>();
  readonly #handler: ElementHandler;
  #isLastForeign = false;

  constructor(handler: ElementHandler) {
    this.#handler = handler;
  }

  /** Whether tags are SVG's or MathML's. */
  get isForeign(): boolean {
    return this.#top.isForeign;
  }

  /** @param name of the tag, in lower case */
  startTag(name: string): void {
    if (endsForeign.has(name)) while (this.isForeign) this.#popTop();
    this.#isLastForeign = this.isForeign || foreign.has(name);
    if (this.#isIgnored(name)) return;
    this.#endImplied(name);
    this.#push(name);
    if (voidElements.has(name)) this.#popTop();
  }

  /** The tag that was read last is written `<name/>`; that ends an element of SVG or MathML. */
  selfClosed(): void {
    if (this.#isLastForeign) this.#popTop();
  }

  /** @param name of the tag, in lower case */
  endTag(name: string): void {
    // A browser reads </br> as a line break, and a </p> that ends nothing as an empty paragraph.
    if (name === "br" || (name === "p" && !this.#isParagraphOpen)) this.startTag(name);
    const depth = headings.has(name) ? this.#innermostOf(headings) : this.#depthOf(name);
    if (depth >= this.#reach(name)) this.#popTo(depth);
  }

  /** The depth up to which an end tag ends elements. */
  #reach(name: string): number {
    const { scope, tableScope, special: innermostSpecial } = this.#top;
    if (name === "template") return 0;
    if (name === "table" || tableParts.has(name)) return tableScope;
    if (name === "li") return Math.max(scope, this.#depthOf("ol"), this.#depthOf("ul"));
    return special.has(name) ? scope : innermostSpecial;
  }

  get #top(): OpenElement {
    return this.#stack.at(-1) ?? outermost;
  }

  get #isParagraphOpen(): boolean {
    return this.#depthOf("p") > this.#top.buttonScope;
  }

  /** Depth of the innermost open element of this name; -1 where none is open. */
  #depthOf(name: string): number {
    return this.#innermost.get(name) ?? none;
  }

  #innermostOf(names: Iterable<string>): number {
    return Math.max(...Array.from(names, (name) => this.#depthOf(name)));
  }

  /** Forms do not nest, and parts of tables are nothing outside of one. */
  #isIgnored(name: string): boolean {
    if (name === "form") return this.#depthOf("form") > this.#depthOf("template");
    return tableParts.has(name) && this.#top.tableScope === none;
  }

  /** Ends what a start tag ends. */
  #endImplied(name: string): void {
    if (rubyParts.has(name)) this.#endRubyParts(name);
    else if (tableParts.has(name)) this.#endTableParts(name);
    else if (name === "a" || name === "nobr") this.endTag(name);
    else if (name === "button" && this.#depthOf(name) > this.#top.scope)
      this.#popTo(this.#depthOf(name));
    else if (name === "li" || terms.has(name)) {
      const { itemBarrier } = this.#top;
      const barrier = this.#stack[itemBarrier]?.name ?? "";
      if (terms.has(name) ? terms.has(barrier) : barrier === "li") this.#popTo(itemBarrier);
    }
    if (endsParagraph.has(name) && this.#isParagraphOpen) this.#popTo(this.#depthOf("p"));
    if (headings.has(name) && headings.has(this.#top.name)) this.#popTop();
  }

  #endRubyParts(name: string): void {
    if (this.#depthOf("ruby") <= this.#top.scope) return;
    const endsContainer = name === "rb" || name === "rtc";
    while (endedByRuby.has(this.#top.name) || (endsContainer && this.#top.name === "rtc"))
      this.#popTop();
  }

  #endTableParts(name: string): void {
    const isCell = name === "td" || name === "th";
    const parents = isCell ? ["tr", ...sections] : name === "tr" ? sections : ["table"];
    const parent = this.#innermostOf(parents);
    if (parent >= this.#top.tableScope) this.#popTo(parent + 1);
  }

  #push(name: string): void {
    const depth = this.#stack.length;
    const top = this.#top;
    const at = (isOne: boolean, otherwise: number): number => (isOne ? depth : otherwise);
    const isForeign = foreign.has(name) || (top.isForeign && !integrationPoints.has(name));
    // An element of SVG or MathML is not special for having the name of one of HTML, such as <style>.
    const isSpecial = special.has(name) && !isForeign;
    this.#stack.push({
      name,
      isForeign,
      outer: this.#depthOf(name),
      special: at(isSpecial, top.special),
      itemBarrier: at(isSpecial && !openToItems.has(name), top.itemBarrier),
      scope: at(scopes.has(name), top.scope),
      buttonScope: at(scopes.has(name) || name === "button", top.buttonScope),
      tableScope: at(tableScopes.has(name), top.tableScope),
    });
    this.#innermost.set(name, depth);
    this.#handler.begin(name);
  }

  #popTop(): void {
    this.#popTo(this.#stack.length - 1);
  }

  /** Ends the element at a depth and all within it. Nothing is at depth -1. */
  #popTo(depth: number): void {
    if (depth === none) return;
    while (this.#stack.length > depth) {
      const { name, outer } = this.#stack.pop() as OpenElement;
      this.#innermost.set(name, outer);
      this.#handler.end(name);
    }
  }
}
