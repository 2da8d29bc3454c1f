/** The text that a reader of a post sees: HTML → plain text. */
import type { Tokenizer as HtmlTokenizer } from "htmlparser2";
import { dropped, readHtml, separating, type HtmlHandler } from "./read-html.ts";

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

/** The running text and the readings beside it. */
class VisibleText implements HtmlHandler {
  readonly #running: Running = { text: "" };
  /** Joined readings of each ruby, in the order in which these begin. */
  readonly #readings: Running[] = [];
  readonly #destinations: Destination[] = [{ running: this.#running, readings: undefined }];

  get #destination(): Destination {
    return this.#destinations.at(-1) as Destination;
  }

  text(text: string): void {
    if (this.#destination.running !== undefined) this.#destination.running.text += text;
  }

  begin(name: string): void {
    if (separating.has(name)) this.text(" ");
    const { running, readings } = this.#destination;
    if (running === undefined || dropped.has(name))
      this.#destinations.push({ running: undefined, readings });
    else if (name === "ruby") this.#destinations.push({ running, readings: this.#newReadings() });
    else if (name === "rt")
      this.#destinations.push({ running: readings ?? this.#newReadings(), readings });
    else this.#destinations.push(this.#destination);
  }

  end(name: string): void {
    this.#destinations.pop();
    if (separating.has(name)) this.text(" ");
  }

  toString(): string {
    return [this.#running, ...this.#readings.filter(({ text }) => text !== "")]
      .map(({ text }) => text)
      .join(" ");
  }

  #newReadings(): Running {
    const readings = { text: "" };
    this.#readings.push(readings);
    return readings;
  }
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
  const text = new VisibleText();
  readHtml(html, Tokenizer, text);
  return text.toString();
}
