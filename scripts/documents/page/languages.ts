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

/** @throws Error, once used, for a text that has no translation */
export const translator =
  (language: Language): Translate =>
  (english) => {
    const text = language === "en" ? english : japanese[english];
    if (text === undefined)
      throw new Error(
        `scripts/documents/page/japanese.ts has no translation of ${JSON.stringify(english)}`,
      );
    return text;
  };
