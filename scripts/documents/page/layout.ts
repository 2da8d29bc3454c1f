/** What all pages share: head, header, and the words of the page's script. */
import { languageNames, type Language } from "../../../functions/contract/collection.ts";
import { licenseUrl, pageIn, type Presentation } from "../presentation.ts";
import { html, type Markup } from "./html.ts";
import { languages, translator, type Translate } from "./languages.ts";

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

/** A page in one language, as all of its parts know it. */
export interface Frame {
  readonly t: Translate;
  readonly language: Language;
  readonly presentation: Presentation;
}

/** The page in a language. */
export const frameOf = (language: Language, presentation: Presentation): Frame => ({
  t: translator(language),
  language,
  presentation,
});

/** What is in a document. */
export interface DocumentContent {
  readonly title: string;
  /** What the head holds besides what every page has there. */
  readonly head?: Markup;
  readonly body: Markup;
}

/** A document: head and body. */
export function document(
  { t, language, presentation }: Frame,
  { title, head, body }: DocumentContent,
): string {
  const words = Object.entries(scriptWords).map(([key, word]) => [key, t(word)]);
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="description" content="${presentation.subject[language]}" />
        <title>${title}</title>
        ${head}
        <link rel="icon" href="${assets.icon}" type="image/svg+xml" />
        <link rel="stylesheet" href="${assets.style}" />
      </head>
      <body
        data-words="${JSON.stringify(Object.fromEntries(words))}"
        data-posts-language="${presentation.collection.language ?? ""}"
      >
        ${body}
      </body>
    </html> `.text;
}

/** What a link to the page shows elsewhere (https://ogp.me). */
export const openGraph = ({ language, presentation }: Frame, siteUrl: string): Markup =>
  html`<meta property="og:type" content="website" />
    <meta property="og:title" content="${presentation.title[language]}" />
    <meta property="og:description" content="${presentation.subject[language]}" />
    <meta property="og:url" content="${siteUrl}${pageIn(language, presentation)}" />
    <meta property="og:locale" content="${{ ja: "ja_JP", en: "en_US" }[language]}" />`;

const languageLinks = ({ t, language, presentation }: Frame): Markup =>
  html`<nav class="languages" aria-label="${t("Language")}">
    ${languages.map(
      (one) =>
        html`<a
          href="${pageIn(one, presentation)}"
          lang="${one}"
          hreflang="${one}"
          data-language="${one}"
          ${one === language ? html` aria-current="true"` : undefined}
          >${languageNames[one]}</a
        > `,
    )}
  </nav>`;

/** The header of a page, with links to the page in each language. */
export const header = (frame: Frame): Markup => {
  const { language, presentation } = frame;
  return html`<header class="top">
    <a class="brand" href="${pageIn(language, presentation)}"
      ><img src="${assets.icon}" alt="" width="28" height="28" />${presentation.title[language]}</a
    >${languageLinks(frame)}
  </header>`;
};

/** The foot of a page: who publishes the posts, under which terms, and whom to ask; nothing where nobody says it. */
export function footer({ t, presentation: { collection } }: Frame): Markup | undefined {
  const { publisher, license, contact } = collection;
  const about = [
    [t("Publisher"), publisher?.name, publisher?.url],
    [t("License of the posts"), license?.name, licenseUrl(collection)],
    [
      t("Contact"),
      contact?.name ?? contact?.email ?? contact?.url,
      contact?.url ?? (contact?.email === undefined ? undefined : `mailto:${contact.email}`),
    ],
  ] as const;
  const known = about.filter(([, name]) => name !== undefined);
  if (known.length === 0) return undefined;
  return html`<footer>
    <dl class="publication">
      ${known.map(
        ([term, name, url]) =>
          html`<div>
            <dt>${term}</dt>
            <dd>${url === undefined ? name : html`<a href="${url}">${name}</a>`}</dd>
          </div>`,
      )}
    </dl>
  </footer>`;
}

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
