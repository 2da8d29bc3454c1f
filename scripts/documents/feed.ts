/** The newest posts → an Atom feed (RFC 4287). */
import { Parser } from "htmlparser2";
import { downloads } from "../../functions/contract/http.ts";
import type { Post } from "../../functions/contract/resources.ts";
import { apiTitle } from "../../functions/contract/api.ts";
import type { Collection } from "../../functions/contract/collection.ts";
import { plainText } from "../../functions/html/plain-text.ts";
import { html, type Markup } from "./page/html.ts";
import { licenseUrl, type Presentation } from "./presentation.ts";

/** Posts in the feed. */
export const feedPosts = 50;

/** Characters of a body that an entry shows. */
const summaryLength = 300;

/** A text without the characters that XML 1.0 forbids (its production 2, "Char"). */
const xmlText = (text: string): string =>
  text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD");

/** The beginning of a body as one line of plain text. */
function summarizeBody(body: string): string {
  const lines = plainText(body, Parser);
  // On one line, what follows a quotation would read as quoted, too.
  const text = lines.replace(/^> /gm, "").replace(/\s+/gu, " ");
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
    <summary>${xmlText(summarizeBody(post.postContentHtml))}</summary>
  </entry>`;

const languageAttribute = ({ language }: Collection): Markup | undefined =>
  language === undefined ? undefined : html` xml:lang="${language}"`;

/** The terms in a line: their name, and where to read them. */
const renderRights = (collection: Collection): string =>
  [collection.license?.name, licenseUrl(collection)].filter(Boolean).join(", ");

/** When a feed without posts was updated: Atom wants a date, and a build knows no clock. */
const longAgo = "1970-01-01T00:00:00.000Z";

/**
 * The feed.
 *
 * @param siteUrl origin of the API, without a trailing slash
 * @param posts newest first
 * @param postHost host of the posts' pages: their author, where no publisher is named
 */
export const atomFeed = (
  siteUrl: string,
  posts: readonly Post[],
  postHost: string,
  { collection, main }: Presentation,
): string =>
  `<?xml version="1.0" encoding="utf-8"?>\n${
    html`<feed xmlns="http://www.w3.org/2005/Atom" ${languageAttribute(collection)}>
      <id>${siteUrl}${downloads.feed}</id>
      <title>${xmlText(collection.title?.[main] ?? apiTitle)}</title>
      ${
        collection.description &&
        html`<subtitle>${xmlText(collection.description[main])}</subtitle>`
      }
      <link rel="self" type="application/atom+xml" href="${siteUrl}${downloads.feed}" />
      <link rel="alternate" type="text/html" href="${siteUrl}/" />
      <updated>${posts[0]?.postDateGmt ?? longAgo}</updated>
      <author>
        <name>${xmlText(collection.publisher?.name ?? postHost)}</name>
        ${collection.publisher?.url && html`<uri>${collection.publisher.url}</uri>`}
      </author>
      ${collection.license && html`<rights>${xmlText(renderRights(collection))}</rights>`}
      ${posts.map(entry)}
    </feed>`.text
  }\n`;
