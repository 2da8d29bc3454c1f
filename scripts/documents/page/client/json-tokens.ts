/** Laid-out JSON in coloured pieces: for the examples at build time, and for live answers in the browser. */
import { h, type Content } from "./h.ts";

/** Texts, numbers and literals; a text before a colon is a key. */
const tokens = /("[^"\\]*(?:\\.[^"\\]*)*")(:)?|-?\d[\d.eE+-]*|true|false|null/g;

/** Shortens an array or a text, which then ends in a mark. */
function shorten(value: unknown, items: number, characters: number): unknown {
  if (Array.isArray(value) && value.length > items)
    return [...(value as unknown[]).slice(0, items), `… +${value.length - items}`];
  if (typeof value !== "string" || value.length <= characters) return value;
  // Not between the two halves of a character.
  return `${value.slice(0, characters).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/**
 * Renders a value as JSON with an indent of two, each piece of it with its kind as a class.
 *
 * @param bounds of what is shown of arrays and of texts
 */
export function renderJson(
  value: unknown,
  { items = Infinity, characters = Infinity } = {},
): Content[] {
  const json = JSON.stringify(value, (_, one: unknown) => shorten(one, items, characters), 2);
  const parts: Content[] = [];
  let end = 0;
  for (const { 0: whole, 1: text, 2: colon, index } of json.matchAll(tokens)) {
    const kind = text === undefined ? (/^[-\d]/.test(whole) ? "number" : "literal") : "text";
    parts.push(
      json.slice(end, index),
      h("span", { class: colon === undefined ? kind : "key" }, text ?? whole),
      colon,
    );
    end = index + whole.length;
  }
  return [...parts, json.slice(end)];
}
