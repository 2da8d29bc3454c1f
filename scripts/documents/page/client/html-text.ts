/** HTML as text, by the function's own rules; loaded when the first snippet or plain text is shown. */
import { Tokenizer } from "htmlparser2";
import { plainText } from "../../../../functions/html/plain-text.ts";
import { snippetText } from "../../../../functions/html/visible-text.ts";

type Arguments = ConstructorParameters<typeof Tokenizer>;

/** Leaves character references to the browser, which knows them all: their names alone are 18 KB. */
class ReferenceKeepingTokenizer extends Tokenizer {
  constructor(options: Arguments[0], callbacks: Arguments[1]) {
    super({ ...options, decodeEntities: false }, callbacks);
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
  decode(snippetText(html, ReferenceKeepingTokenizer));

/** The text of a post in lines. */
export const toPlainText = (html: string): string =>
  decode(plainText(html, ReferenceKeepingTokenizer));
