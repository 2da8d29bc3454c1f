/** A post's text and the part of it that a search found, with marks: by the normalisation of the API, or without marks. */
import { hasLongRun } from "./tag-parameter.js";
import { tree } from "./tree.js";

/** Characters of a text that are searched at a time, and altogether. */
const [pieceLength, mostSearched] = [300, 1_000_000];
/** Characters of a text in which words are marked: a title of more is shown as it is. */
const longestMarked = 10_000;
/** Marks in a text: Firefox takes quadratic time for the lines of more, where directions change between them. */
const mostMarks = 100;
/** Characters of a word that a snippet begins with as a whole, or leaves out at its end. */
const longestWord = 20;
/** Characters of a snippet: of scripts with wide characters, and of others. */
const snippetLengths = { wide: 80, narrow: 160 };

const unseen = /[\0\p{Default_Ignorable_Code_Point}]+/gu;

/** A text in the form in which the API compares texts (functions/search/normalise.ts), but for runs of marks beyond any language. @param {string} text */
export const normalise = (text) =>
  (hasLongRun(text) ? text.replace(unseen, "") : text.replace(unseen, "").normalize("NFKC"))
    .toLowerCase()
    .replaceAll("ς", "σ")
    .replace(/\s+/gu, " ");

/** Elements that separate words, and those that are not shown: as functions/html/read-html.ts has them. */
export const separating =
  "address, blockquote, center, dialog, div, figure, figcaption, footer, form, header, hr, legend, listing, main, p, " +
  "plaintext, pre, search, xmp, article, aside, h1, h2, h3, h4, h5, h6, hgroup, nav, section, dir, dd, dl, dt, menu, " +
  "ol, ul, li, table, caption, colgroup, col, thead, tbody, tfoot, tr, td, th, fieldset, details, summary, optgroup, " +
  "option, br";
const dropped = "script, style, template, rp";

const separates = new Set(separating.split(", "));
const drops = new Set(dropped.split(", "));
/** What a part of a text leaves out as well: it does not hold any more. */
const struck = "s, del, strike";
const strikes = new Set(struck.split(", "));

/** Characters of a text, and texts, that are looked through for a raised number. */
const longestNumber = 30;
const raisedNumber = /^\s*[-+\u2212\d\uFF10-\uFF19]+/;

/** A text whose number at its beginning is raised, as functions/html/visible-text.ts has it. @param {string} text */
const superscript = (text) =>
  text.replace(raisedNumber, (number) =>
    number
      .normalize("NFKC")
      .replace(/[-\u2212]/g, "⁻")
      .replace("+", "⁺")
      .replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)] ?? digit),
  );

/**
 * The value of an attribute that may have tags in it, as the text of a tooltip, with the sign before it: a pattern. What
 * looks like one may have begun elsewhere: it is not long, and a comment does not end in it.
 */
export const valueWithTags = ['"', "'"]
  .map((mark) => `=\\s*${mark}(?:[^${mark}-]|-(?!->)){0,500}${mark}(?=[\\s/>])`)
  .join("|");
/** The attributes of a tag, and its end: a pattern. */
const attributes = `(?:${valueWithTags}|"[^"<]*"|'[^'<]*'|[^<>"'=]+|=)*>?`;

/** Elements that a browser opens again in each block until their own end. Links are, too, one at a time. */
export const formatting = "b big code em font i s small strike strong tt u".split(" ");
/** Their tags, which separate no words; so are those of the element that gets a copy of another one. */
const formattingTags = new RegExp(
  `</?(?:a|nobr|selectedcontent|${formatting.join("|")})(?=[\\s/>])${attributes}`,
  "gi",
);

/** Formatting that strikes out. As another element, a browser does not open it again. */
const struckTags = new RegExp(`<(/?)(?:s|strike)(?=[\\s/>])${attributes}`, "gi");

/**
 * HTML without styles, handlers and directions, each of which the page's policy would refuse, or a browser take long
 * for. In a text, a reference is read as the letter. In a tag, it makes an attribute of no meaning.
 *
 * @param {string} html
 */
export const withoutStyles = (html) =>
  html.replace(/\b[dos](?=(?:ir|n\w+|tyle)\s*=)/gi, (letter) => `&#${letter.charCodeAt(0)};`);

/** Tags of a post that are read as a browser does: of unclosed ones, 18,000 keep a tab busy for seconds. */
const mostTags = 3000;

/**
 * A post of more tags, without most of them: as a browser reads it where elements end with their tags.
 *
 * @param {string} html
 * @param {boolean} isSnippet whether it is to show a part of
 */
function withoutTags(html, isSnippet) {
  let [text, readings, hidden, end] = ["", "", "", 0];
  let [isReading, isRaised] = [false, false];
  // Any other < is left out, too, so that no tag comes together from what is beside one.
  // One more at the end, for what follows the last.
  const all = `${html}<`.matchAll(/<(\/?)([a-z][^\s/<>]*)?[^<>]*>?/gi);
  for (const { 0: tag, 1: slash, 2: given, index } of all) {
    const raw = html.slice(end, index);
    const part = isRaised ? superscript(raw) : raw;
    if (hidden === "" && isReading) readings += part;
    else if (hidden === "") text += part;
    end = index + tag.length;
    const name = given?.toLowerCase() ?? "";
    if (hidden !== "" && (name !== hidden || slash === "")) continue;
    hidden = (drops.has(name) || (isSnippet && strikes.has(name))) && slash === "" ? name : "";
    isRaised = isSnippet && (name === "sup" ? slash === "" : isRaised && raw.trim() === "");
    if (name === "rt" || name === "ruby") isReading = name === "rt" && slash === "";
    if (name === "ruby" && slash !== "") readings += " ";
    if (separates.has(name)) text += " ";
  }
  return `${text} ${readings}`;
}

/** The text of HTML of any number of tags. @param {string} html */
export function textWithoutTags(html) {
  const template = document.createElement("template");
  template.innerHTML = withoutTags(html, false);
  return template.content.textContent ?? "";
}

/** Writes the number that an element begins with in raised digits. @param {Element} element */
function raiseNumber(element) {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  // Elements in each other have the same texts.
  let left = longestNumber;
  for (let isNumber = true; isNumber && left-- > 0 && texts.nextNode() !== null;) {
    const text = /** @type {Text} */ (texts.currentNode);
    const first = text.data.slice(0, longestNumber);
    isNumber = first === text.data && first.replace(raisedNumber, "").trim() === "";
    if (raisedNumber.test(first)) text.data = superscript(text.data);
  }
}

/**
 * The text of a post to show a part of, as functions/html/visible-text.ts has it: without what is struck out, and raised
 * numbers as `10⁶`. Readings of ruby follow after all other text.
 *
 * @param {string} html
 */
export function snippetText(html) {
  // Inert: it loads nothing.
  const template = document.createElement("template");
  const isLong = html.split("<", mostTags + 1).length > mostTags;
  template.innerHTML = isLong
    ? withoutTags(html, true)
    : withoutStyles(html).replace(struckTags, "<$1del>").replace(formattingTags, "<wbr>");
  const body = template.content;
  for (const one of body.querySelectorAll(`${dropped}, del`)) one.remove();
  const readings = new Map();
  for (const one of body.querySelectorAll("rt")) {
    // One in another went with it.
    if (!body.contains(one)) continue;
    const ruby = one.closest("ruby") ?? one;
    readings.set(ruby, (readings.get(ruby) ?? "") + one.textContent);
    one.remove();
  }
  for (const one of body.querySelectorAll(separating)) {
    one.before(" ");
    one.after(" ");
    one.prepend(" ");
  }
  for (const one of body.querySelectorAll("sup")) raiseNumber(one);
  return [body.textContent, ...readings.values()].join(" ");
}

/** The characters of a text as readers count them: what is normalised together is in one. */
const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * Where words are in a text.
 *
 * @param {string} text
 * @param {readonly string[]} needles normalised, none empty
 * @returns {readonly (readonly [start: number, end: number])[]} apart from each other, in order; none where positions in the
 *   normalised text cannot be led back to the text
 */
export function placesOf(text, needles) {
  if (needles.length === 0 || text.length > longestMarked || hasLongRun(text)) return [];
  /** Of each unit of the normalised text: where its character begins and ends in the text. @type {(readonly [number, number])[]} */
  const origins = [];
  /** @type {string[]} */
  const parts = [];
  let endsInSpace = false;
  for (const { segment, index } of segmenter.segment(text)) {
    const own = normalise(segment);
    /** @type {string} */
    const part = endsInSpace ? own.replace(/^ /, "") : own;
    parts.push(part);
    if (part !== "") endsInSpace = part.endsWith(" ");
    for (let i = 0; i < part.length; i++) origins.push([index, index + segment.length]);
  }
  const folded = parts.join("");
  if (folded !== normalise(text)) return [];
  /** @type {[number, number][]} */
  const found = [];
  for (const needle of needles)
    for (let at = folded.indexOf(needle); at >= 0; at = folded.indexOf(needle, at + needle.length))
      found.push([origins[at]?.[0] ?? 0, origins[at + needle.length - 1]?.[1] ?? 0]);
  found.sort(([a], [b]) => a - b);
  let last = 0;
  return found.filter(([start, end]) => {
    const isApart = start >= last;
    if (isApart) last = end;
    return isApart;
  });
}

/**
 * A part of a text with marks around words: the first ones.
 *
 * @param {string} text
 * @param {readonly (readonly [number, number])[]} found
 * @returns {import("../tree.ts").Content[]}
 */
function withMarks(text, found) {
  const places = found.slice(0, mostMarks);
  const ends = [0, ...places.map(([, end]) => end)];
  return [
    ...places.flatMap(([start, end], i) => [
      text.slice(ends[i], start),
      tree("mark", {}, text.slice(start, end)),
    ]),
    text.slice(ends.at(-1)),
  ];
}

/** A title with marks. @param {string} title @param {readonly string[]} needles */
export const markedTitle = (title, needles) => withMarks(title, placesOf(title, needles));

/** Where the piece of a text begins that has the first word; 0 where none has. @param {string} line @param {readonly string[]} needles @param {number} length of a piece @param {number} overlap of pieces, so that a word between two is found */
function pieceWith(line, needles, length, overlap) {
  const end = needles.length === 0 ? 0 : Math.min(line.length, mostSearched);
  for (let at = 0; at < end; at += length) {
    const piece = normalise(line.slice(at, at + length + overlap));
    if (needles.some((needle) => piece.includes(needle))) return at;
  }
  return 0;
}

/**
 * The part of a text where the first word is, else its beginning.
 *
 * @param {string} text
 * @param {readonly string[]} needles normalised, none empty
 */
export function snippetOf(text, needles) {
  const line = text.replace(/\s+/gu, " ").trim();
  const length = snippetLengths[/[\u3040-\u9FFF\uAC00-\uD7A3]/.test(line) ? "wide" : "narrow"];
  const overlap = 2 * Math.max(0, ...needles.map((needle) => needle.length));
  const characters = segmenter.segment(line);
  /** A place that is not within a character. @param {number} at */
  const cut = (at) => characters.containing(Math.max(0, at))?.index ?? line.length;
  // To find places takes many times as long as to find their piece.
  const piece = Math.max(pieceLength, overlap);
  const start = cut(pieceWith(line, needles, piece, overlap));
  const searched = line.slice(start, cut(start + piece + overlap + length));
  const places = placesOf(searched, needles).map(([from, end]) => [start + from, start + end]);
  const [first = 0, last = 0] = places[0] ?? [];
  const near = cut(Math.min(first - length / 4, line.length - length));
  const space = line.lastIndexOf(" ", near);
  const from = near - space > longestWord ? near : space + 1;
  const limit = cut(Math.max(near + length, last));
  const gap = line.lastIndexOf(" ", limit);
  const isBetween = limit < line.length && gap >= last && limit - gap <= longestWord;
  const end = isBetween ? gap : limit;
  const shown = placesOf(line.slice(from, end), needles);
  return [
    from > 0 ? "…" : "",
    ...withMarks(line.slice(from, end), shown),
    end < line.length ? "…" : "",
  ];
}
