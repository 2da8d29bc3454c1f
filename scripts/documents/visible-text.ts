/** The text of a post that the search looks at. */
import { Tokenizer } from "htmlparser2";
import { visibleText as visibleTextOf } from "../../functions/html/visible-text.ts";

/** The visible text of an HTML fragment, as `functions/html/visible-text.ts` defines it. */
export const visibleText = (html: string): string => visibleTextOf(html, Tokenizer);
