/** What all pages share: head, header, and the words of the page's script. */
import { apiDescription, apiTitle } from "../../../functions/contract/api.ts";
import { documents } from "../../../functions/contract/http.ts";
import { html, type Markup } from "./html.ts";
import { languageNames, type Language, type Translate } from "./languages.ts";

/** Files of the page besides itself, by their paths. */
export const assets = {
  style: "/site/style.css",
  script: "/site/page.js",
  language: "/site/language.js",
  icon: "/site/icon.svg",
} as const;

/** A section of a page. */
export interface Section {
  /** Its id, for links. */
  readonly anchor: string;
  readonly title: string;
}

/** Words that the page's script needs. */
const scriptWords = {
  copy: "Copy",
  copied: "Copied",
  waiting: "Waiting for the response …",
  failed: "The request failed",
  again: "Try again",
  hit: "hit",
  hits: "hits",
  nothing: "Nothing was found. Try fewer or other letters, or leave out a tag.",
  comments: "Comments",
  pages: "Page",
  previous: "Previous page",
  next: "Next page",
  tags: "Narrow by tag",
  without: "Without the tag",
  postTags: "Tags",
  neighbours: "Neighbours",
  similar: "Similar posts",
  onSite: "On the site",
  untitled: "(untitled)",
} as const;

/** What is in a document. */
export interface DocumentContent {
  readonly title: string;
  /** What the head holds besides what every page has there. */
  readonly head?: Markup;
  readonly body: Markup;
}

/** A document: head and body. */
export function document(
  t: Translate,
  language: Language,
  { title, head, body }: DocumentContent,
): string {
  const words = Object.entries(scriptWords).map(([key, word]) => [key, t(word)]);
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="description" content="${t(apiDescription)}" />
        <title>${title}</title>
        ${head}
        <link rel="icon" href="${assets.icon}" type="image/svg+xml" />
        <link rel="stylesheet" href="${assets.style}" />
      </head>
      <body data-words="${JSON.stringify(Object.fromEntries(words))}">
        ${body}
      </body>
    </html> `.text;
}

const languageLinks = (t: Translate, language: Language): Markup =>
  html`<nav class="languages" aria-label="${t("Language")}">
    ${Object.entries(languageNames).map(
      ([one, name]) =>
        html`<a
          href="${documents[one as Language]}"
          lang="${one}"
          hreflang="${one}"
          data-language="${one}"
          ${one === language ? html` aria-current="true"` : undefined}
          >${name}</a
        > `,
    )}
  </nav>`;

/** The header of a page, with links to the page in each language. */
export const header = (t: Translate, language: Language): Markup =>
  html`<header class="top">
    <a class="brand" href="${documents[language]}"
      ><img src="${assets.icon}" alt="" width="28" height="28" />${t(apiTitle)}</a
    >${languageLinks(t, language)}
  </header>`;

/** Links to a page's sections. */
export const contents = (t: Translate, sections: readonly Section[]): Markup =>
  html`<nav class="contents" aria-label="${t("Contents")}">
    <ul>
      ${sections.map(({ anchor, title }) => html`<li><a href="#${anchor}">${title}</a></li>`)}
    </ul>
  </nav>`;

/** A section under a heading of its own. */
export const sectionOf = ({ anchor, title }: Section, body: Markup): Markup =>
  html`<section id="${anchor}" aria-labelledby="${anchor}-title">
    <h2 id="${anchor}-title">${title}</h2>
    ${body}
  </section>`;
