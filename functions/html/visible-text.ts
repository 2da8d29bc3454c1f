/** The text that a reader of a post sees: HTML → plain text. */
import type { Tokenizer as HtmlTokenizer } from "htmlparser2";
import { dropped, readHtml, separating } from "./read-html.ts";

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
export function visibleText(html: string, Tokenizer: typeof HtmlTokenizer): string {
  /** The running text, then the joined readings of each ruby, in the order in which these begin. */
  const texts: Running[] = [{ text: "" }];
  const newReadings = (): Running => texts[texts.push({ text: "" }) - 1]!;
  const destinations: Destination[] = [{ running: texts[0], readings: undefined }];
  const write = (text: string): void => {
    const { running } = destinations.at(-1)!;
    if (running !== undefined) running.text += text;
  };
  readHtml(html, Tokenizer, {
    text: write,
    begin(name) {
      if (separating.has(name)) write(" ");
      const outer = destinations.at(-1)!;
      const { running, readings } = outer;
      if (running === undefined || dropped.has(name))
        destinations.push({ running: undefined, readings });
      else if (name === "ruby") destinations.push({ running, readings: newReadings() });
      else if (name === "rt") destinations.push({ running: readings ?? newReadings(), readings });
      else destinations.push(outer);
    },
    end(name) {
      destinations.pop();
      if (separating.has(name)) write(" ");
    },
  });
  const [running, ...readings] = texts.map(({ text }) => text);
  return [running, ...readings.filter((text) => text !== "")].join(" ");
}
