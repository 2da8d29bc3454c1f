/** HTML as text, by the function's own rules; loaded when the first snippet or plain text is shown. */
import { Tokenizer } from "htmlparser2";
import { plainText } from "../../../../functions/html/plain-text.ts";
import { snippetText } from "../../../../functions/html/visible-text.ts";

/** The text of a post to show a part of. */
export const toSnippetText = (html: string): string => snippetText(html, Tokenizer);

/** The text of a post in lines. */
export const toPlainText = (html: string): string => plainText(html, Tokenizer);
