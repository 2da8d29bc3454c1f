/** The first screen: what the collection is, its search, and the newest posts, which are there without scripts. */
import { describeYears } from "../../../functions/contract/collection.ts";
import { paths } from "../../../functions/contract/http.ts";
import { formatNumber } from "../../lib/text.ts";
import type { Post, SearchResult } from "../../../functions/contract/resources.ts";
import { snippetText } from "../visible-text.ts";
import { excerpt } from "./client/excerpt.ts";
import { renderHit, renderListParts } from "./client/hits.ts";
import { defaultQuery } from "./client/query.ts";
import { spreads, timeChart, type Glance } from "./glance.ts";
import { html, toHtml, type Markup } from "./html.ts";
import type { Frame } from "./layout.ts";

/** What the first screen shows. */
export interface CollectionContent {
  /** Origin of the API, without a trailing slash. */
  readonly siteUrl: string;
  readonly counts: { readonly posts: number; readonly comments: number; readonly tags: number };
  readonly glance: Glance;
  /** The answer to a search of everything. */
  readonly newest: SearchResult;
  /** The posts of this answer. */
  readonly newestPosts: readonly Post[];
}

const searchForm = ({ t }: Frame): Markup =>
  html`<form class="search" role="search" action="${paths.search}">
    <label for="q">${t("Search the posts")}</label>
    <input
      id="q"
      name="q"
      type="search"
      placeholder="${t("Words in titles and texts")}"
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
      aria-keyshortcuts="/"
      enterkeyhint="search"
    />
  </form>`;

/** How much there is, in a line. */
function numbers({ t, presentation }: Frame, { counts }: CollectionContent): string {
  const named = [
    [t("Posts"), counts.posts],
    [t("Comments"), counts.comments],
    [t("Tags"), counts.tags],
  ] as const;
  const known = named.map(([name, count]) => `${name}\u00A0${formatNumber(count)}`);
  return [...known, describeYears(presentation.facts)].filter(Boolean).join(" · ");
}

/** The list of posts with what narrows it; the post that is opened takes its place. */
export function collectionParts(frame: Frame, content: CollectionContent): Markup {
  const { t, language, presentation } = frame;
  const parts = renderListParts(defaultQuery, content.newest, frame);
  const hits = content.newest.results.map((hit, i) => {
    const snippet = excerpt(snippetText(content.newestPosts[i]?.postContentHtml ?? ""), []);
    return renderHit(hit, frame, { snippet });
  });
  const description = presentation.collection.description?.[language];
  return html`${description && html`<p class="lead">${description}</p>`}
    <p class="lead facts-line">${numbers(frame, content)}</p>
    ${searchForm(frame)}
    <div class="columns" id="list">
      <section aria-labelledby="found">
        <h2 id="found" tabindex="-1" data-part="found" aria-live="polite">
          ${toHtml(parts.found)}
        </h2>
        <p data-part="chosen"></p>
        <noscript>
          <p>${t("Without scripts, this page shows the newest posts; a search gives JSON.")}</p>
        </noscript>
        <div data-part="note" role="status"></div>
        <ol class="posts" id="hits">
          ${toHtml(hits)}
        </ol>
        <p class="pages" data-part="pages">${toHtml(parts.pages)}</p>
        <div data-part="call"></div>
      </section>
      <nav class="orders" data-part="orders" aria-label="${t("Order")}">
        ${toHtml(parts.orders)}
      </nav>
      <aside class="charts" aria-label="${t("At a glance")}">
        <div data-part="tags">${toHtml(parts.tags)}</div>
        ${timeChart(t, content.glance)} ${spreads(t, content.glance)}
      </aside>
    </div>
    <article
      class="reader"
      id="reader"
      data-site-url="${content.siteUrl}"
      data-pictures="${presentation.collection.pictures.join(" ")}"
    >
      <p><a id="back" href="?">← ${t("All posts")}</a></p>
      <div id="reader-content"></div>
    </article>`;
}
