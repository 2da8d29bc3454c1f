/** What all pages share: head, header, foot, and the words of the page's program. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { languageNames, type Language } from "../../../functions/contract/collection.ts";
import { docsIn, licenseUrl, pageIn, type Presentation } from "../presentation.ts";
import type { I18n } from "./client/h.ts";
import { html, type Markup } from "./html.ts";
import { languages, translator, type Translate } from "./languages.ts";

/** Files of the page besides itself, by their paths. */
export const assets = {
  style: "/site/style.css",
  language: "/site/language.js",
  icon: "/site/icon.svg",
} as const;

/** A section of a page. */
export interface Section {
  /** Its id, for links. */
  readonly anchor: string;
  readonly title: string;
}

const sourceFolder = join(import.meta.dirname, "client");

/** Words that the page's program needs: what its files translate. */
const scriptWords = new Set(
  readdirSync(sourceFolder)
    .filter((name) => name.endsWith(".ts"))
    .flatMap((name) => [
      ...readFileSync(join(sourceFolder, name), "utf8").matchAll(/\bt\("([^"]+)"\)/g),
    ])
    .map(([, words = ""]) => words),
);

/** A page in one language, as all of its parts know it. */
export interface Frame extends I18n {
  readonly language: Language;
  readonly presentation: Presentation;
}

/** The page in a language. */
export function frameOf(language: Language, presentation: Presentation): Frame {
  const { language: lang } = presentation.collection;
  const userText = { dir: "auto", ...(lang ? { lang } : {}) };
  return { t: translator(language), userText, language, presentation };
}

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
  const words = language === "en" ? [] : [...scriptWords].map((word) => [word, t(word)]);
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

/**
 * What a link to the page shows elsewhere (https://ogp.me). It has no `og:url`: all posts share this file, and
 * networks would lead a link to a post (`/?post=ID`) to that URL. Without it, they take the URL that was shared.
 */
export const openGraph = ({ language, presentation }: Frame): Markup =>
  html`<meta property="og:type" content="website" />
    <meta property="og:title" content="${presentation.title[language]}" />
    <meta property="og:description" content="${presentation.subject[language]}" />
    <meta property="og:locale" content="${{ ja: "ja_JP", en: "en_US" }[language]}" />`;

/** The pages that exist in each language: their paths and programs. */
export const pages = {
  posts: { pathIn: pageIn, script: "/site/page.js" },
  docs: { pathIn: docsIn, script: "/site/docs.js" },
} as const;

/** The header of a page: what the collection is called, the other page, this one in other languages. */
export function header({ t, language, presentation }: Frame, page: keyof typeof pages): Markup {
  const other = page === "posts" ? "docs" : "posts";
  const languageLinks = languages
    .filter((one) => one !== language)
    .map((one) => {
      const href = pages[page].pathIn(one, presentation);
      const title = t("Language");
      const name = languageNames[one];
      return html`<a href="${href}" lang="${one}" hreflang="${one}" title="${title}">${name}</a>`;
    });
  return html`<header class="top">
    <h1>
      <img src="${assets.icon}" alt="" width="28" height="28" />${presentation.title[language]}
    </h1>
    <nav aria-label="${t("Contents")}">
      <a class="${other}" href="${pages[other].pathIn(language, presentation)}"
        >${{ posts: t("Posts"), docs: "API" }[other]}</a
      >
      ${languageLinks}
    </nav>
  </header>`;
}

/** Links in the head: the page in other languages. */
export function alternates({ presentation }: Frame, page: keyof typeof pages): Markup {
  const link = (name: string, language: Language): Markup => {
    const href = pages[page].pathIn(language, presentation);
    return html`<link rel="alternate" hreflang="${name}" href="${href}" />`;
  };
  return html`${languages.map((one) => link(one, one))} ${link("x-default", presentation.main)}`;
}

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

/** Links to a page's sections, folded until they are wanted; a wide screen has room for them. */
export const contents = (t: Translate, sections: readonly Section[]): Markup =>
  html`<nav class="contents" aria-label="${t("Contents of the documentation")}">
    <details>
      <summary>${t("Contents")}</summary>
      <ul>
        ${sections.map(({ anchor, title }) => html`<li><a href="#${anchor}">${title}</a></li>`)}
      </ul>
    </details>
  </nav>`;

/** A section under a heading of its own. */
export const sectionOf = ({ anchor, title }: Section, body: Markup): Markup =>
  html`<section id="${anchor}" aria-labelledby="${anchor}-title">
    <h2 id="${anchor}-title">${title}</h2>
    ${body}
  </section>`;
