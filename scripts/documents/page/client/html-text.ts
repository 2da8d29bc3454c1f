/** HTML as text, by the function's own rules; loaded when the first snippet or plain text is shown. */
import { Parser } from "htmlparser2";
import { plainText } from "../../../../functions/html/plain-text.ts";
import { snippetText } from "../../../../functions/html/visible-text.ts";

/** Leaves character references to the browser, which knows them all: their names alone are 18 KB. */
class ReferenceKeepingParser extends Parser {
  constructor(handler: ConstructorParameters<typeof Parser>[0]) {
    super(handler, { decodeEntities: false });
  }
}

/** Decodes character references; in this element, all else is text. */
function decode(text: string): string {
  const field = document.createElement("textarea");
  field.innerHTML = text;
  return field.textContent ?? "";
}

/** The text of a post to show a part of. */
export const toSnippetText = (html: string): string =>
  decode(snippetText(html, ReferenceKeepingParser));

/** The text of a post in lines. */
export const toPlainText = (html: string): string =>
  decode(plainText(html, ReferenceKeepingParser));
