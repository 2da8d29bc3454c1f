/** HTML → text and elements, one after another, as a browser nests them. */
import type { Tokenizer as HtmlTokenizer } from "htmlparser2";
import { OpenElements, type ElementHandler } from "./open-elements.ts";

/** What is called as a fragment is read. Every element that begins in it, and ends in it, does so in order. */
export interface HtmlHandler extends ElementHandler {
  /** Text between tags, character references decoded; also of elements that a browser does not show. */
  readonly text: (text: string) => void;
}

const cdata = "<![CDATA[";

/**
 * Reads an HTML fragment. Takes time in proportion to its length.
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
      onattribdata: nothing,
      onattribentity: nothing,
      onattribend: nothing,
      onattribname: nothing,
      oncomment: nothing,
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
