/** The text that a reader of a post sees: HTML → plain text. */
import { Parser } from "htmlparser2";

/** Elements whose content is not shown. */
const dropped = new Set(["script", "style", "template"]);

/**
 * Elements that separate words: those that the HTML standard's default style sheet lays out as
 * blocks, list items or parts of tables (HTML standard, 15.3 "Non-replaced elements"), and line
 * breaks and rules.
 */
const separating = new Set(
  (
    "html body address blockquote center dialog div figure figcaption footer form header hr legend " +
    "listing main p plaintext pre search xmp article aside h1 h2 h3 h4 h5 h6 hgroup nav section " +
    "dir dd dl dt menu ol ul li table caption colgroup col thead tbody tfoot tr td th " +
    "fieldset details summary optgroup option frameset frame br"
  ).split(" "),
);

/**
 * The visible text of an HTML fragment. Comments and what stands in `<script>`, `<style>` and
 * `<template>` are dropped, tags removed, character references decoded. Blocks and line breaks
 * separate words by a space, inline elements do not: `a<b>b</b>c` reads `abc`.
 */
export function visibleText(html: string): string {
  let text = "";
  let droppedDepth = 0;
  const separate = (name: string): void => {
    if (droppedDepth === 0 && separating.has(name)) text += " ";
  };
  const parser = new Parser(
    {
      onopentagname(name) {
        if (dropped.has(name)) droppedDepth++;
        separate(name);
      },
      onclosetag(name) {
        if (dropped.has(name)) droppedDepth--;
        separate(name);
      },
      ontext(piece) {
        if (droppedDepth === 0) text += piece;
      },
    },
    { decodeEntities: true, lowerCaseTags: true, recognizeSelfClosing: false },
  );
  parser.end(html);
  return text;
}
