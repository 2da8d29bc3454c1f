/** The text that a reader of a post sees: HTML → plain text. */
import type { Parser as HtmlParser } from "htmlparser2";
import { blockElements, strikethroughElements, walkHtml } from "./html-walker.ts";

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
 * @param Parser of htmlparser2, which the function loads only where it is needed
 */
export const visibleText = (html: string, Parser: typeof HtmlParser): string =>
  readText(html, Parser, new Set());

/** What a raised text begins with that is not part of the number before it: 10<sup>−6</sup> is not 10−6. */
const raisedNumber = /^\s*[-+\u2212\d\uFF10-\uFF19]+/;

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
 * @param Parser of htmlparser2
 */
export const snippetText = (html: string, Parser: typeof HtmlParser): string =>
  readText(html, Parser, strikethroughElements, superscript);

/**
 * @param dropped elements whose text is left out
 * @param raise what is written for a raised number
 */
function readText(
  html: string,
  Parser: typeof HtmlParser,
  dropped: ReadonlySet<string>,
  raise?: (number: string) => string,
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
  walkHtml(html, Parser, {
    text(given) {
      if (!isRaised || raise === undefined) return write(given);
      write(given.replace(raisedNumber, raise));
      isRaised = given.replace(raisedNumber, "").trim() === "";
    },
    begin(name) {
      if (name === "sup") isRaised = true;
      if (blockElements.has(name)) write(" ");
      const outer = destinations.at(-1)!;
      const { running, readings } = outer;
      if (running === undefined || dropped.has(name))
        destinations.push({ running: undefined, readings });
      else if (name === "ruby") destinations.push({ running, readings: newReadings() });
      else if (name === "rt") destinations.push({ running: readings ?? newReadings(), readings });
      else destinations.push(outer);
    },
    end(name) {
      if (name === "sup") isRaised = false;
      destinations.pop();
      if (blockElements.has(name)) write(" ");
    },
  });
  const [running, ...readings] = texts.map(({ text }) => text);
  return [running, ...readings.filter((text) => text !== "")].join(" ");
}
