/** Posts and comments in the API's own names → rows of an export. What JSON Lines and CSV share. */
import { createHash } from "node:crypto";
import { post as postResource } from "../../functions/contract/resources.ts";
import {
  canonicalTables,
  columnNames,
  type CanonicalTable,
  type ColumnRule,
} from "../export/canonical-schema.ts";
import type { Violation } from "../export/problems.ts";
import { pluralize, escapeControlChars, suggestSimilar } from "../lib/text.ts";
import type { CanonicalFile, NewRow, Place } from "./canonical-file.ts";
import { faultOfPages, notKept } from "./post-pages.ts";

/** Values by the names of the API. */
export type Fields = Readonly<Record<string, unknown>>;

/** Problems after which a pull reads no further: a file that is of another kind has one on each line. */
const maxProblems = 1000;
/** Unknown names that are remembered. A file may have a new one on each line. */
const maxUnknown = 10_000;
/** Names that a message shows. */
const maxNames = 40;

/** The API's name of a column: post_id → postId. */
export const fieldOf = (column: string): string =>
  column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const fieldsOf = (table: CanonicalTable): string[] => columnNames(table).map(fieldOf);

/** A post's text, in place of its HTML. */
export const bodyText = "postContentText";

/** Every field that a record may have; some follow from others, and are not read. */
const known: Readonly<Record<"posts" | "comments", ReadonlySet<string>>> = {
  posts: new Set([...Object.keys(postResource.properties), bodyText]),
  comments: new Set(fieldsOf("comments")),
};

const missing: Violation = { rule: "missing", message: "is missing", hint: "it is required" };
const noList: Violation = { rule: "list", message: "is no list", hint: "write it as […]" };
const noObject: Violation = { rule: "object", message: "is no object", hint: "write it as {…}" };

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A zone as databases write it: +00, +0900. */
const zoneOf = (zone: string): string =>
  /^[+-]/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(3).replace(":", "") || "00"}` : zone;

/** A date as spreadsheets and databases write it, as an export has it. What is no such date stays as it is. */
function dateFrom(text: string): string {
  const parts =
    /^\s*(\d{4})([-/.])(\d\d?)\2(\d\d?)(?:[T ]+(\d\d?):(\d\d)(?::(\d\d(?:\.\d+)?))?\s?(Z|[+-]\d\d(?::?\d\d)?)?)?\s*$/i.exec(
      text,
    );
  if (parts === null) return text;
  const [, year, , month = "", day = "", hour = "0", minute = "00", second = "00", zone = ""] =
    parts;
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}T${hour.padStart(2, "0")}:${minute}:${second}${zoneOf(zone)}`;
}

/** A value of a record as an export has it. */
function valueFor({ type }: ColumnRule, value: unknown): unknown {
  if (typeof value === "boolean" && type === "flag") return Number(value);
  return type === "date" && typeof value === "string" ? dateFrom(value) : value;
}

/** Text as HTML: a paragraph for what blank lines separate. */
const paragraphs = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/\r\n?|[\v\u2028\u2029]/g, "\n")
    // Spaces before a first line break are left to trim: to look for them here takes quadratic time.
    .split(/\n(?:[^\S\n]*\n)+/)
    .filter((part) => part.trim() !== "")
    // A first line may be blank, and a paragraph in Japanese begins with an ideographic space.
    .map((part) => part.trimEnd().replace(/^(?:\s*\n)?[ \t\u00A0]*/, ""))
    .map((part) => `<p>${part.replaceAll("\n", "<br>")}</p>`)
    .join("");

/** A post with HTML: made from its text, where it has text alone. */
function withHtml(post: Fields): Fields {
  const { postContentHtml: html, [bodyText]: text } = post;
  const hasHtml = typeof html === "string" ? html.trim() !== "" : (html ?? undefined) !== undefined;
  return hasHtml || typeof text !== "string"
    ? post
    : { ...post, postContentHtml: paragraphs(text) };
}

/** The row of a record, with the fields that it has, and those that it must have. */
function rowFrom(table: "posts" | "comments", record: Fields): NewRow {
  const row: Record<string, unknown> = {};
  for (const [column, rule] of Object.entries<ColumnRule>(canonicalTables[table])) {
    const value = record[fieldOf(column)] ?? undefined;
    if (value !== undefined || !("ifMissing" in rule)) row[column] = valueFor(rule, value);
  }
  return row;
}

/** Characters of a URL that are looked at. */
const maxUrlLength = 2000;
/** Places of an id in it. */
const maxPlaces = 10;

/** What the URL of a post may be made from: itself with the mark in the place of one of the ids in it; "" of none. */
function findTemplates(url: string, id: string): string[] {
  if (url === "") return [""];
  if (url.length > maxUrlLength || /\{(?:site|postId)\}/.test(url)) return [];
  const found: string[] = [];
  for (let at = url.indexOf(id); at >= 0; at = url.indexOf(id, at + 1))
    found.push(`${url.slice(0, at)}{postId}${url.slice(at + id.length)}`);
  return found.slice(-maxPlaces);
}

/** Adds records to an export. */
export class RecordRows {
  readonly #file: CanonicalFile;
  readonly #say: (line: string) => void;
  readonly #unknown = new Set<string>();
  /** Those of them that are like no known one. */
  readonly #unread = new Set<string>();
  /** The ids of tags by their names. */
  readonly #tagIds = new Map<unknown, number>();
  #hasSimilar = false;
  /** What the URLs of all posts so far may be made from; undefined before the first. */
  #templates: readonly string[] | undefined;
  /** The first post whose URL is made from nothing that the others are. */
  #oddUrl: Place | undefined;

  constructor(file: CanonicalFile, say: (line: string) => void) {
    this.#file = file;
    this.#say = say;
  }

  /** Whether there are so many problems that reading on is of no use. */
  get isHopeless(): boolean {
    return this.#file.problems.length >= maxProblems;
  }

  /** Adds a post with its tags, comments and similar posts. */
  addPost(record: Fields, place: Place): void {
    this.#noteUnknown("posts", record, place);
    if (!this.#add("posts", rowFrom("posts", withHtml(record)), place)) return;
    const { postId } = record;
    for (const [i, tag] of this.#list(record, "tags", place))
      this.#addTag(Number(postId), tag, {
        ...place,
        nameOf: (column) => nested("tags", i, column),
      });
    for (const [i, comment] of this.#list(record, "comments", place)) {
      const at = { ...place, nameOf: (column: string) => nested("comments", i, column) };
      if (isObject(comment)) this.addComment({ ...comment, postId }, at);
      else this.#file.refuse(at, "", noObject, comment);
    }
    this.#addSimilar(Number(postId), record, place);
    this.#noteUrl(Number(postId), record["postUrl"], place);
  }

  /** Adds a comment on a post that is there. */
  addComment(record: Fields, place: Place): void {
    this.#noteUnknown("comments", record, place);
    this.#add("comments", rowFrom("comments", record), place);
  }

  /**
   * Ends the reading.
   *
   * @returns lines about what was left out
   */
  finish(): readonly string[] {
    const fault = this.#keepTemplate();
    const dropped = this.#hasSimilar ? this.#file.dropMissingSimilar() : 0;
    return [
      ...(this.#unread.size === 0 ? [] : [`not read: ${shownNames([...this.#unread])}`]),
      ...(fault === undefined ? [] : [notKept(fault)]),
      ...(dropped === 0
        ? []
        : [`left out, because the post is missing: ${pluralize(dropped, "similar posts")}`]),
    ];
  }

  /**
   * @returns whether the row was added
   */
  #add(table: CanonicalTable, row: NewRow, place: Place): boolean {
    const before = this.#file.problems.length;
    for (const [column, value] of Object.entries(row))
      if (value === undefined) this.#file.refuse(place, column, missing);
    if (this.#file.problems.length === before) this.#file.add(table, row, { place });
    return this.#file.problems.length === before;
  }

  /** The items of a list, without the null of a join that found none. */
  *#list(record: Fields, field: string, place: Place): Generator<[index: number, value: unknown]> {
    const value = record[field] ?? [];
    if (!Array.isArray(value)) return this.#file.refuse(place, field, noList, value);
    for (const [i, one] of value.entries()) if (one !== null) yield [i, one];
  }

  /** Adds a tag of a post, which is a text or an object. */
  #addTag(postId: number, tag: unknown, place: Place): void {
    const { tagName: name, tagId } = isObject(tag) ? tag : { tagName: tag };
    const known = this.#tagIds.get(name);
    const id = tagId ?? known ?? makeTagId(this.#file, typeof name === "string" ? name : "");
    if (id !== known) {
      if (!this.#add("tags", { tag_id: id, tag_name: name ?? undefined }, place)) return;
      this.#tagIds.set(name, Number(id));
    }
    this.#file.add("post_tags", { post_id: postId, tag_id: id }, { place });
  }

  #addSimilar(postId: number, record: Fields, place: Place): void {
    if (!Array.isArray(record["similarPosts"] ?? undefined)) return;
    if (!this.#hasSimilar) this.#file.withSimilarPosts();
    this.#hasSimilar = true;
    for (const [i, similar] of this.#list(record, "similarPosts", place)) {
      const id = isObject(similar) ? similar["postId"] : similar;
      const at = { ...place, nameOf: () => `similarPosts[${i}].postId` };
      this.#add("similar_posts", { post_id: postId, similar_post_id: id, rank: i + 1 }, at);
    }
  }

  #noteUrl(postId: number, url: unknown, place: Place): void {
    if (this.#oddUrl !== undefined) return;
    const found = findTemplates(typeof url === "string" ? url : "", String(postId));
    this.#templates = this.#templates?.filter((one) => found.includes(one)) ?? found;
    if (this.#templates.length === 0) this.#oddUrl = place;
  }

  /**
   * Keeps what all URLs of posts have in common, so that the posts of a copy lead to the same pages.
   *
   * @returns why that is not possible; undefined where it is, or where no post has a URL
   */
  #keepTemplate(): string | undefined {
    if (this.#oddUrl !== undefined)
      return `${this.#oddUrl.name} ${this.#oddUrl.key}: postUrl is not one text for all posts with the id of each`;
    const template = this.#templates?.at(-1) ?? "";
    if (template === "") return undefined;
    const fault = faultOfPages(template);
    if (fault === undefined) this.#file.postUrl(template);
    return fault;
  }

  /** Says once of each unknown name that it is almost a known one, or keeps it for the end. */
  #noteUnknown(table: "posts" | "comments", record: Fields, { name, key }: Place): void {
    for (const field in record) {
      if (known[table].has(field) || this.#unknown.has(field)) continue;
      if (this.#unknown.size < maxUnknown) this.#unknown.add(field);
      const meant = suggestSimilar(field, known[table]);
      if (meant !== undefined)
        this.#say(`${name} ${key}: ${shownNames([field])} is not read. Is ${meant} meant?`);
      else if (this.#unread.size < maxUnknown) this.#unread.add(field);
    }
  }
}

/** Makes an id for a tag without one from its name, so that it is the same in the next pull. */
export function makeTagId(file: CanonicalFile, name: string): number {
  let id = createHash("sha256").update(name).digest().readUInt32BE() >>> 1 || 1;
  while (file.has("tags", id)) id++;
  return id;
}

/** The field of an item in a list: tags[2].tagName. */
const nested = (list: string, index: number, column: string): string =>
  `${list}[${index}]${column && `.${fieldOf(column)}`}`;

/** Names in a message: the first of them, shortened, and how many there are. */
export function shownNames(names: readonly string[]): string {
  const shown = names.slice(0, maxNames).map((name) => escapeControlChars(name).slice(0, 80));
  const rest = names.length - shown.length;
  return `${shown.join(", ")}${rest === 0 ? "" : `, and ${pluralize(rest, "others")}`}`;
}
