/** The text that a reader of a post sees: HTML → plain text. */
import type { Tokenizer as HtmlTokenizer } from "htmlparser2";
import { dropped, raisedNumber, readHtml, separating, struck } from "./read-html.ts";

/** A text that grows. */
interface Running {
  text: string;
}

/** Where the text of an element goes. */
interface Destination {
  /** Undefined where text is dropped. */
  readonly running: Running | undefined;
  /** The readings of the ruby around it. */
  readonly readings: Running | undefined;
}

/**
 * The visible text of an HTML fragment. Comments and the content of `<script>`, `<style>` and
 * `<template>` are dropped, tags removed, character references decoded. Blocks and line breaks
 * separate words by a space, inline elements do not: `a<b>b</b>c` reads `abc`.
 *
 * Ruby reads as its base. The readings (`<rt>`) of each ruby are joined and follow after all text, each
 * after a space: `<ruby>薔<rt>ば</rt>薇<rt>ら</rt></ruby>が咲く` reads `薔薇が咲く ばら`. A text belongs
 * to the innermost `<rt>` around it, and that to the innermost `<ruby>`.
 *
 * Takes time in proportion to the length of the fragment.
 *
 * @param Tokenizer of htmlparser2, which the function loads only where it is needed
 */
export const visibleText = (html: string, Tokenizer: typeof HtmlTokenizer): string =>
  textOf(html, Tokenizer, dropped);

/** Elements that are not shown in a part of a text. */
const leftOut: ReadonlySet<string> = new Set([...dropped, ...struck]);

/** A raised number in the characters that Unicode has for it, which are compared as the number is. */
const superscript = (number: string): string =>
  number
    .normalize("NFKC")
    .replace(/[-\u2212]/g, "⁻")
    .replace("+", "⁺")
    .replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]!);

/**
 * The visible text of an HTML fragment to show a part of, where nothing tells text that is struck out, or raised, from
 * other text: without what is struck out, and raised numbers as `10⁶`.
 *
 * @param Tokenizer of htmlparser2
 */
export const snippetText = (html: string, Tokenizer: typeof HtmlTokenizer): string =>
  textOf(html, Tokenizer, leftOut, superscript);

/**
 * @param hidden elements that are not shown
 * @param raised what is written for a raised number
 */
function textOf(
  html: string,
  Tokenizer: typeof HtmlTokenizer,
  hidden: ReadonlySet<string>,
  raised?: (number: string) => string,
): string {
  /** The running text, then the joined readings of each ruby, in the order in which these begin. */
  const texts: Running[] = [{ text: "" }];
  const newReadings = (): Running => texts[texts.push({ text: "" }) - 1]!;
  const destinations: Destination[] = [{ running: texts[0], readings: undefined }];
  const write = (text: string): void => {
    const { running } = destinations.at(-1)!;
    if (running !== undefined) running.text += text;
  };
  let isRaised = false;
  readHtml(html, Tokenizer, {
    text(given) {
      if (!isRaised || destinations.at(-1)!.running === undefined) return write(given);
      write(given.replace(raisedNumber, raised!));
      isRaised = given.replace(raisedNumber, "").trim() === "";
    },
    begin(name) {
      if (name === "sup") isRaised = raised !== undefined;
      if (separating.has(name)) write(" ");
      const outer = destinations.at(-1)!;
      const { running, readings } = outer;
      if (running === undefined || hidden.has(name))
        destinations.push({ running: undefined, readings });
      else if (name === "ruby") destinations.push({ running, readings: newReadings() });
      else if (name === "rt") destinations.push({ running: readings ?? newReadings(), readings });
      else destinations.push(outer);
    },
    end(name) {
      if (name === "sup") isRaised = false;
      destinations.pop();
      if (separating.has(name)) write(" ");
    },
  });
  const [running, ...readings] = texts.map(({ text }) => text);
  return [running, ...readings.filter((text) => text !== "")].join(" ");
}
