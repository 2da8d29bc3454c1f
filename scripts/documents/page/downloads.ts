/** The parts of the page for those who copy the collection, follow it, or are an agent. */
import { apiUse } from "../../../functions/contract/api.ts";
import { asSentence, type Language } from "../../../functions/contract/collection.ts";
import { bulkFile, downloadHeaders, downloads, mcpPath } from "../../../functions/contract/http.ts";
import { syncResources } from "../../../functions/contract/sync.ts";
import { tools } from "../../../functions/contract/tools.ts";
import type { BulkPart } from "../bulk.ts";
import { formatNumber } from "../../lib/text.ts";
import { licenseUrl, pageIn, type Presentation } from "../presentation.ts";
import { feedPosts } from "../feed.ts";
import { fieldList } from "./fields.ts";
import { code, codeLine, html, Markup, prose } from "./html.ts";
import { translator, type Translate } from "./languages.ts";
import { codeSamplesOf } from "./code-samples.ts";

/** What these parts need to know of the snapshot. */
export interface DownloadContent {
  /** Origin of the API, without a trailing slash. */
  readonly siteUrl: string;
  readonly bulk: readonly BulkPart[];
  readonly feed: Pick<BulkPart, "path" | "bytes" | "digest">;
  readonly presentation: Presentation;
}

const sizeOf = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

const bulkList = (t: Translate, { siteUrl, bulk }: DownloadContent): Markup =>
  html`<h3>${t("Everything in one file")}</h3>
    <p>
      ${prose(t("Every post, one a line: the bytes of `/api/posts/{postId}`, by ascending id, as JSON Lines compressed by gzip. For those who read everything: one request instead of one for each post. A large collection is in several files by ranges of ids; `bulk` of the sync file lists them."))}
    </p>
    <ul>
      ${bulk.map(
        ({ path, posts, bytes }) =>
          html`<li>
            <a href="/${path}">${path.replace(/.*\//, "")}</a>: ${sizeOf(bytes)},
            ${formatNumber(posts)} ${t("posts")}
          </li>`,
      )}
    </ul>
    ${codeSamplesOf(t, "bulk", { siteUrl, bulkFile: bulk[0]?.path ?? bulkFile() })}`;

/** Fetches a program and starts it; the link is for those who read it first. */
const syncLine = (siteUrl: string, path: string, program: string): Markup =>
  codeLine(html`curl -O <a href="${path}">${siteUrl}${path}</a> && ${program} ${siteUrl} posts`);

const syncPart = (t: Translate, { siteUrl }: DownloadContent): Markup =>
  html`<h3>${t("Keep a copy up to date")}</h3>
    <p>
      ${prose(t("The sync file lists every post with the digest of its document. Fetch what your copy lacks or has with another digest, and delete what is not listed. A `304` on its `ETag` means that nothing changed."))}
    </p>
    ${codeLine(siteUrl + downloads.sync)}
    <p>${t("A first copy and every later one, with Node or with Python, without packages:")}</p>
    ${syncLine(siteUrl, downloads.syncJavaScript, "node sync.js")}
    ${syncLine(siteUrl, downloads.syncPython, "python3 sync.py")}
    ${syncResources.map(
      ({ title, description, properties }) =>
        html`<h4 id="${title}">${title}</h4>
          <p>${prose(t(description))}</p>
          ${fieldList(t, properties)}`,
    )}`;

const feedPart = (t: Translate, { siteUrl }: DownloadContent): Markup =>
  html`<h3>${t("Follow what is new")}</h3>
    <p>
      ${t("An Atom feed of the newest posts, for feed readers: title, page, date, tags and the beginning of the text.")}
      ${t("Posts in the feed:")} ${feedPosts}
    </p>
    ${codeLine(siteUrl + downloads.feed)} ${codeSamplesOf(t, "feed", { siteUrl })}`;

/** The section about copying and following. */
export const downloadParts = (t: Translate, content: DownloadContent): Markup =>
  html`${content.bulk.length === 0 ? undefined : bulkList(t, content)} ${syncPart(t, content)}
  ${feedPart(t, content)}`;

/** The section about MCP. */
export const mcpParts = (t: Translate, { siteUrl }: DownloadContent): Markup =>
  html`<p>
      ${t("An agent that speaks MCP (Model Context Protocol) searches and reads through two tools that only read. No key, no login.")}
    </p>
    ${codeLine(siteUrl + mcpPath)}
    <ul>
      <li>
        ${t("Claude: Settings, Connectors, Add custom connector, then this URL. In Claude Code:")}
        ${codeLine(`claude mcp add --transport http cases ${siteUrl}${mcpPath}`)}
      </li>
      <li>
        ${t("ChatGPT: Settings, Apps and connectors, switch on developer mode, Create, then this URL; no authentication.")}
      </li>
    </ul>
    ${Object.values(tools).map(
      ({ name, title, description, input }) =>
        html`<h3 id="tool-${name}">${code(name)} ${t(title)}</h3>
          <p>${prose(t(description))}</p>
          ${fieldList(t, input.properties)}`,
    )}`;

/** A link to the feed for feed readers. */
export const feedLink = html`<link
  rel="alternate"
  type="application/atom+xml"
  href="${downloads.feed}"
/>`;

/** A file that can be downloaded, as schema.org describes it. */
const downloadOf = (
  siteUrl: string,
  { path, bytes, digest }: Pick<BulkPart, "path" | "bytes" | "digest">,
  encodingFormat: string,
) => ({
  "@type": "DataDownload",
  contentUrl: `${siteUrl}/${path}`,
  encodingFormat,
  contentSize: `${bytes} B`,
  sha256: digest,
});

/**
 * The collection as a schema.org Dataset, for dataset search engines. It is data: a browser runs no
 * script of this type, so the page's policy does not concern it.
 */
export function datasetJson(language: Language, content: DownloadContent): Markup {
  const { siteUrl, bulk, feed, presentation } = content;
  const { collection, title, subject, facts } = presentation;
  const { publisher, license } = collection;
  // Search engines for data sets take no description below 50 characters.
  const use = collection.description && translator(language)(apiUse);
  const json = JSON.stringify({
    "@context": "https://schema.org",
    "@type": "Dataset",
    name: title[language],
    description: [asSentence(subject[language]), use].filter(Boolean).join(" "),
    url: siteUrl + pageIn(language, presentation),
    license: licenseUrl(collection) ?? (license && { "@type": "CreativeWork", name: license.name }),
    creator: publisher && { "@type": "Organization", ...publisher },
    inLanguage: collection.language,
    temporalCoverage:
      facts.posts === 0
        ? undefined
        : [facts.firstDate, facts.lastDate].map((date) => date.slice(0, 10)).join("/"),
    isAccessibleForFree: true,
    distribution: [
      ...bulk.map((part) => downloadOf(siteUrl, part, downloadHeaders.bulk["Content-Type"])),
      downloadOf(siteUrl, feed, "application/atom+xml"),
    ],
  });
  // In a script element only "<" could end the data.
  return new Markup(
    `<script type="application/ld+json">${json.replaceAll("<", "\\u003c")}</script>`,
  );
}
