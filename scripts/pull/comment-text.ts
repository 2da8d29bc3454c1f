/** The text of a WordPress comment. WordPress gives HTML, and a comment of the API is text. */
import { Parser, Tokenizer } from "htmlparser2";
import { plainText } from "../../functions/html/plain-text.ts";
import { webUrl } from "./answer.ts";

const asHtml = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** A URL as people write it. */
const bare = (url: string): string => url.trim().replace(/^https?:\/\/|\/$/gi, "");

/** Whether a text is a URL, in whatever form. */
const shows = (text: string, url: string): boolean =>
  bare(text) === bare(url) || webUrl(text.trim())?.href === webUrl(url)?.href;

/**
 * The text of a comment. A link that does not show its URL has it in brackets after it, and of a picture its words are
 * there: else they would be lost.
 */
export function commentText(html: string): string {
  let written = "";
  let from = 0;
  const insert = (at: number, text: string): void => {
    written += html.slice(from, at) + asHtml(text);
    from = at;
  };
  let link: { readonly url: string; text: string } | undefined;
  const parser = new Parser({
    onopentag(name, { href = "", alt = "" }) {
      if (name === "a") link = { url: href.trim(), text: "" };
      if (name === "img" && alt !== "") insert(parser.endIndex + 1, alt);
    },
    ontext(text) {
      if (link !== undefined) link.text += text;
    },
    onclosetag(name, isImplied) {
      if (name !== "a" || link === undefined) return;
      const { url, text } = link;
      link = undefined;
      if (!isImplied && webUrl(url) !== undefined && !shows(text, url))
        insert(parser.startIndex, ` (${url})`);
    },
  });
  parser.end(html);
  return plainText(written + html.slice(from), Tokenizer);
}
