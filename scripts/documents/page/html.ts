/** HTML by tagged templates: whatever is put in is escaped, unless it is markup itself. */
import { escapeUTF8 } from "entities";
import type { Content } from "./client/h.ts";

/** A piece of HTML. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What a template takes. */
type Value = string | number | Markup | undefined | readonly Value[];

function renderValue(value: Value): string {
  if (value === undefined) return "";
  if (value instanceof Markup) return value.text;
  if (typeof value === "object") return value.map(renderValue).join("");
  return escapeUTF8(String(value));
}

/** A piece of HTML, with all values escaped for text and for quoted attributes. */
export const html = (strings: TemplateStringsArray, ...values: readonly Value[]): Markup =>
  new Markup(strings.reduce((text, string, i) => text + renderValue(values[i - 1]) + string));

/** Writes what the browser would render. */
export function toHtml(content: Content): Markup {
  if (content === undefined || content === false) return html``;
  if (typeof content === "string") return html`${content}`;
  if (!("name" in content)) return html`${content.map(toHtml)}`;
  const { name, attributes, children } = content;
  const written = Object.entries(attributes).map(([key, value]) => html` ${key}="${value}"`);
  const tag = new Markup(name);
  return html`<${tag}${written}>${toHtml(children)}</${tag}>`;
}

/** A name or value of the API. */
export const code = (text: string): Markup => html`<code>${text}</code>`;

/** A description, whose `quoted` names are set as code. */
export const prose = (text: string): Markup[] =>
  text.split("`").map((piece, i) => (i % 2 === 1 ? code(piece) : html`${piece}`));

/** A line of code, with a button to copy it. */
export const codeLine = (text: string | Markup): Markup =>
  html`<div class="line" data-copy><code tabindex="0">${text}</code></div>`;

/**
 * Code on lines of its own, which a keyboard can scroll.
 *
 * @param label what it is
 */
export const codeBlock = (label: string, content: string | Markup): Markup =>
  html`<pre tabindex="0" role="group" aria-label="${label}"><code>${content}</code></pre>`;
