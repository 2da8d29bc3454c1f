/** The text of a post that the search looks at, and that a page shows a part of. */
import { Parser } from "htmlparser2";
import {
  snippetText as snippetTextOf,
  visibleText as visibleTextOf,
} from "../../functions/html/visible-text.ts";

/** The visible text of an HTML fragment, as `functions/html/visible-text.ts` defines it. */
export const visibleText = (html: string): string => visibleTextOf(html, Parser);

/** The text of an HTML fragment to show a part of, as `functions/html/visible-text.ts` defines it. */
export const snippetText = (html: string): string => snippetTextOf(html, Parser);
