/** How documents call the collection: the publisher's words, else the program's own, in each language of the page. */
import { apiDescription, apiTitle, apiUse, fairUse } from "../../functions/contract/api.ts";
import {
  asSentence,
  factsSentence,
  mainLanguage,
  docsPath,
  pagePath,
  type Collection,
  type CollectionFacts,
  type CollectionSummary,
  type Language,
  type LanguageTexts,
} from "../../functions/contract/collection.ts";
import { translator } from "./page/languages.ts";

/** A collection in words, for every document. */
export interface Presentation {
  readonly collection: Collection;
  readonly facts: CollectionFacts;
  readonly title: LanguageTexts;
  /** What the posts are about, or, where nobody has said it, what the API is. */
  readonly subject: LanguageTexts;
  /** The language of the page at /. */
  readonly main: Language;
}

/** What a collection is called, by its file and its posts. */
export function presentCollection(collection: Collection, facts: CollectionFacts): Presentation {
  const own = (text: string): LanguageTexts => ({ ja: translator("ja")(text), en: text });
  return {
    collection,
    facts,
    title: collection.title ?? own(apiTitle),
    subject: collection.description ?? own(apiDescription),
    main: mainLanguage(collection),
  };
}

/** What programs read first, in English where the publisher has written it: the subject, numbers, and how to ask. */
export const aboutApi = ({ collection, facts, subject }: Presentation): string =>
  [
    asSentence(subject.en),
    factsSentence(facts),
    ...(collection.description === undefined ? [] : [apiUse]),
    fairUse,
  ].join(" ");

/** The collection as the function knows it. */
export const summarizeCollection = ({ collection, facts }: Presentation): CollectionSummary => ({
  title: collection.title?.en ?? "",
  description: collection.description?.en ?? "",
  ...facts,
});

/** Path of the page in a language. */
export const pageIn = (language: Language, { main }: Presentation): string =>
  pagePath(language, main);

/** Path of the documentation in a language. */
export const docsIn = (language: Language, { main }: Presentation): string =>
  docsPath(language, main);

/** A license as a URL, where it has one: of its text, or of its SPDX identifier. */
export function licenseUrl({ license }: Collection): string | undefined {
  if (license?.identifier === undefined) return license?.url;
  // An expression of several has no page.
  return /^[\w.+-]+$/.test(license.identifier)
    ? `https://spdx.org/licenses/${license.identifier}.html`
    : undefined;
}
