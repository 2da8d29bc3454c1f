/** Laid-out JSON in coloured pieces: for the examples at build time, and for live answers in the browser. */
import { tree } from "./tree.js";

/** A value as JSON, each piece of it with its kind as a class. @param {unknown} value @param {Parameters<typeof jsonTokens>[1]} [bounds] */
export const jsonTree = (value, bounds) =>
  Array.from(jsonTokens(value, bounds), ([kind, text]) =>
    kind === "plain" ? text : tree("span", { class: kind }, text),
  );

/**
 * The pieces of a value as JSON with an indent of two, as `JSON.stringify(value, null, 2)` writes it.
 * Longer arrays and texts end in a mark, where bounds are given.
 *
 * @param {unknown} value what JSON can hold
 * @param {{ items?: number, characters?: number }} [bounds] of arrays and of texts
 * @param {string} [indent] white space before the line on which the value begins
 * @returns {Generator<[kind: "key" | "text" | "number" | "literal" | "mark" | "plain", text: string]>}
 */
function* jsonTokens(value, bounds = {}, indent = "") {
  const { items = Infinity, characters = Infinity } = bounds;
  const inner = `${indent}  `;
  if (typeof value === "string") {
    if (value.length <= characters) yield ["text", JSON.stringify(value)];
    else {
      // Not between the two halves of a character.
      const start = value.slice(0, characters).replace(/[\uD800-\uDBFF]$/, "");
      yield ["text", JSON.stringify(start).slice(0, -1)];
      yield ["mark", "…"];
      yield ["text", '"'];
    }
  } else if (typeof value === "number") yield ["number", String(value)];
  else if (typeof value !== "object" || value === null) yield ["literal", String(value)];
  else if (Array.isArray(value)) {
    if (value.length === 0) return yield ["plain", "[]"];
    yield ["plain", "["];
    for (const [i, element] of value.slice(0, items).entries()) {
      yield ["plain", `${i === 0 ? "" : ","}\n${inner}`];
      yield* jsonTokens(element, bounds, inner);
    }
    if (value.length > items) yield ["mark", `\n${inner}… +${value.length - items}`];
    yield ["plain", `\n${indent}]`];
  } else {
    const entries = Object.entries(value);
    if (entries.length === 0) return yield ["plain", "{}"];
    yield ["plain", "{"];
    for (const [i, [key, field]] of entries.entries()) {
      yield ["plain", `${i === 0 ? "" : ","}\n${inner}`];
      yield ["key", JSON.stringify(key)];
      yield ["plain", ": "];
      yield* jsonTokens(field, bounds, inner);
    }
    yield ["plain", `\n${indent}}`];
  }
}
