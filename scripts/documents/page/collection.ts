/** The first screen: what the collection is, its search, and the newest posts, which are there without scripts. */
import { yearsOf } from "../../../functions/contract/collection.ts";
import { paths } from "../../../functions/contract/http.ts";
import { formatted } from "../../lib/format-number.ts";
import type { Post } from "../../../functions/contract/resources.ts";
import { visibleText } from "../visible-text.ts";
import { everything, hitTree, partsOfList, type SearchResult } from "./client/list.js";
import { snippetOf } from "./client/snippets.js";
import { spreads, timeChart, type Glance } from "./glance.ts";
import { html, markupOf, type Markup } from "./html.ts";
import type { Frame } from "./layout.ts";
import type { Words } from "./tree.ts";

/** What the first screen shows. */
export interface CollectionContent {
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

function facts({ t, presentation }: Frame, { counts }: CollectionContent): Markup {
  const years = yearsOf(presentation.facts);
  const known: readonly (readonly [name: string, value: string])[] = [
    [t("Posts"), formatted(counts.posts)],
    [t("Comments"), formatted(counts.comments)],
    [t("Tags"), formatted(counts.tags)],
    ...(years === "" ? [] : ([[t("Years"), years]] as const)),
  ];
  return html`<dl class="facts">
    ${known.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/** The list of posts with what narrows it; the post that is opened takes its place. */
export function collectionParts(frame: Frame, content: CollectionContent): Markup {
  const { t, language, presentation } = frame;
  const { language: postsLanguage } = presentation.collection;
  const shown: Words = { t, lang: postsLanguage === undefined ? {} : { lang: postsLanguage } };
  const parts = partsOfList(everything, content.newest, shown);
  const hits = content.newest.results.map((hit, i) => {
    const snippet = snippetOf(visibleText(content.newestPosts[i]?.postContentHtml ?? ""), []);
    return hitTree(hit, shown, { snippet });
  });
  return html`<p class="lead">${presentation.subject[language]}</p>
    ${searchForm(frame)}
    <div class="columns" id="list">
      <section aria-labelledby="found">
        <h2 id="found" data-part="found" aria-live="polite">${markupOf(parts.found)}</h2>
        <p data-part="chosen"></p>
        <noscript>
          <p>${t("Without scripts, this page shows the newest posts; a search gives JSON.")}</p>
        </noscript>
        <div data-part="note" role="status"></div>
        <ol class="posts" id="hits">
          ${markupOf(hits)}
        </ol>
        <p class="pages" data-part="pages">${markupOf(parts.pages)}</p>
        <div data-part="call"></div>
      </section>
      <aside aria-label="${t("At a glance")}">
        <nav class="orders" data-part="orders" aria-label="${t("Order")}">
          ${markupOf(parts.orders)}
        </nav>
        <div class="charts">
          ${facts(frame, content)}
          <div class="whole">${timeChart(t, content.glance)}</div>
          <div data-part="tags">${markupOf(parts.tags)}</div>
          ${spreads(t, content.glance).map((chart) => html`<div class="whole">${chart}</div>`)}
        </div>
      </aside>
    </div>
    <article id="reader">
      <p><a id="back" href="?">← ${t("All posts")}</a></p>
      <div id="reader-content"></div>
    </article>`;
}
