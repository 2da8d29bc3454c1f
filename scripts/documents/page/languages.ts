/**
 * Languages of the documentation. English is the language of the contract; a translation is found by
 * the English text itself, so a text that changes needs its translation changed, too.
 */
import { languageNames, type Language } from "../../../functions/contract/collection.ts";
import { japanese } from "./japanese.ts";

/** The languages of the page. */
export const languages = Object.keys(languageNames) as readonly Language[];

/** Gives an English text in a language. */
export type Translate = (english: string) => string;

const missing = new Set<string>();

/** The English texts that were asked for and have no translation; `npm run check` reports them. */
export const untranslated = (): readonly string[] => [...missing];

/** A text without a translation stays English, so that a fork with other words still builds. */
export const translator =
  (language: Language): Translate =>
  (english) => {
    const text = language === "en" ? english : japanese[english];
    if (text === undefined) missing.add(english);
    return text ?? english;
  };
