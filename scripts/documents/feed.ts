/** The newest posts → an Atom feed (RFC 4287). */
import { Tokenizer } from "htmlparser2";
import { apiTitle } from "../../functions/contract/api.ts";
import { documents, downloads } from "../../functions/contract/http.ts";
import type { Post } from "../../functions/contract/resources.ts";
import { plainText } from "../../functions/html/plain-text.ts";
import { html, type Markup } from "./page/html.ts";

/** Posts in the feed. */
export const feedPosts = 50;

/** Characters of a body that an entry shows. */
const summaryLength = 300;

/** A text without the characters that XML 1.0 forbids (its production 2, "Char"). */
const xmlText = (text: string): string =>
  text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD");

/** The beginning of a body as one line of plain text. */
function summaryOf(body: string): string {
  const text = plainText(body, Tokenizer).replace(/\s+/gu, " ");
  const characters = Array.from(text.slice(0, 2 * summaryLength));
  return characters.length <= summaryLength && text.length <= 2 * summaryLength
    ? text
    : `${characters.slice(0, summaryLength).join("")}…`;
}

/** The page of a post identifies its entry: no other post ever gets it. */
const entry = (post: Post): Markup =>
  html` <entry>
    <id>${xmlText(post.postUrl)}</id>
    <title>${xmlText(post.postTitle)}</title>
    <link href="${xmlText(post.postUrl)}" />
    <published>${post.postDateGmt}</published>
    <updated>${post.postDateGmt}</updated>
    ${post.tags.map(({ tagName }) => html`<category term="${xmlText(tagName)}" />`)}
    <summary>${xmlText(summaryOf(post.postContentHtml))}</summary>
  </entry>`;

/** When a feed without posts was updated: Atom wants a date, and a build knows no clock. */
const longAgo = "1970-01-01T00:00:00.000Z";

/**
 * The feed.
 *
 * @param siteUrl origin of the API, without a trailing slash
 * @param posts newest first
 * @param author who publishes the posts: the host of their pages
 */
export const atomFeed = (siteUrl: string, posts: readonly Post[], author: string): string =>
  `<?xml version="1.0" encoding="utf-8"?>\n${
    html`<feed xmlns="http://www.w3.org/2005/Atom">
      <id>${siteUrl}${downloads.feed}</id>
      <title>${apiTitle}</title>
      <link rel="self" type="application/atom+xml" href="${siteUrl}${downloads.feed}" />
      <link rel="alternate" type="text/html" href="${siteUrl}${documents.ja}" />
      <updated>${posts[0]?.postDateGmt ?? longAgo}</updated>
      <author><name>${author}</name></author>
      ${posts.map(entry)}
    </feed>`.text
  }\n`;
