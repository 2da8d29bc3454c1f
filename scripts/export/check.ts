/** Checks every row of an export before anything is written, and finds all problems, not just the first. */
import { createHash } from "node:crypto";
import { Yielder } from "../lib/yielder.ts";
import { findViolation } from "./column-rules.ts";
import type { Export, RawRow } from "./open.ts";
import { findBrokenReplies, type Reply } from "./replies.ts";
import { preview, type Problem, type Severity, type Violation } from "./problems.ts";
import {
  canonicalTables,
  keyColumns,
  type CanonicalTable,
  type ColumnRule,
} from "./canonical-schema.ts";

/** What a check found. */
export interface CheckResult {
  /** Rows read, by table. */
  readonly rows: Readonly<Partial<Record<CanonicalTable, number>>>;
  /** In the order in which they are found: table by table, links to tags before tags, what is about several rows last. */
  readonly problems: readonly Problem[];
  /** Digest of all rows that the build reads: equal content, equal digest, in whatever order it is stored. */
  readonly digest: string;
  /** Ids of all posts. */
  readonly postIds: ReadonlySet<number>;
  /** Posts whose text has line breaks and no element of HTML; 0 where at least as many posts have an element. */
  readonly plainTextPosts: number;
  /** Number of comments whose post exists. */
  readonly publishedComments: number;
}

/** Reads every row that the build will read and checks every column, key and reference. Keeps no row. */
export async function checkExport(
  source: Export,
  progress: (rows: number) => void,
): Promise<CheckResult> {
  const tables = new CheckedTables(source, progress);
  const { ids: postIds, plainTextPosts } = await checkPosts(tables);
  // First the links: a tag that no post carries is not published, so it is checked less strictly.
  const usedTagIds = await checkPostTags(tables, postIds, readTagIds(source));
  await checkTags(tables, usedTagIds);
  const publishedComments = await checkComments(tables, postIds);
  if (source.has("similar_posts")) await checkSimilarPosts(tables, postIds);
  const problems = [...tables.problems, ...source.orphanRowWarnings()];
  const { rows } = tables;
  return { rows, problems, digest: tables.digest(), postIds, plainTextPosts, publishedComments };
}

/**
 * What becomes of a row: a build leaves out what belongs to no post. `unknown`: its id is text instead of a number, so
 * nobody can say whether its post is there.
 */
type RowStatus = "published" | "left out" | "unknown";

/** A row whose columns were checked. */
interface CheckedRow {
  readonly table: CanonicalTable;
  readonly values: RawRow;
  /** Only of a row that is published are values shown: the others may be private. */
  readonly status: RowStatus;
}

/** What a row needs to be published: a column that has one of these ids. */
interface MembershipRule {
  readonly column: string;
  readonly ids: ReadonlySet<unknown>;
  /** What to report of a row without; nothing where it is no problem. */
  readonly violation?: Pick<Violation, "rule" | "message">;
}

/** A column that names a row of another table. */
const reference = (
  column: string,
  ids: ReadonlySet<unknown>,
  rule: string,
  target = "post",
): MembershipRule => ({
  column,
  ids,
  violation: { rule, message: `names a ${target} that does not exist` },
});

const leftOut = "nothing needed: the row is left out";

const isNumberOrNull = (value: unknown): boolean =>
  value === null || typeof value === "number" || typeof value === "bigint";

const checkedStatus = (values: RawRow, unmet: readonly MembershipRule[]): RowStatus =>
  unmet.length === 0
    ? "published"
    : unmet.some(({ column, violation }) => !violation || isNumberOrNull(values[column]))
      ? "left out"
      : "unknown";

/** The row's key. Of a row that is not published, only numbers are shown. */
const describeKey = ({ table, values, status }: CheckedRow): string =>
  keyColumns[table]
    .map((column) => values[column])
    .map((id) => (status === "published" || isNumberOrNull(id) ? preview(id) : "(no number)"))
    .join("/");

/** The values of a row as JSON. */
function rowJson(row: RawRow): string {
  const values = Object.values(row);
  try {
    return JSON.stringify(values);
  } catch {
    // A whole number beyond 2^53: JSON takes none, and the row is not published in any case.
    return JSON.stringify(values.map(String));
  }
}

/** Reads tables row by row, checks each column by its rule, and collects problems, counts and a digest. */
class CheckedTables {
  /** Rows read, by table. */
  readonly rows: Partial<Record<CanonicalTable, number>> = {};
  readonly problems: Problem[] = [];
  readonly #content = createHash("sha256");
  /** Keys of the rows with malformed text, by table and column. */
  readonly #malformed = new Map<string, ReadonlySet<unknown>>();
  readonly #source: Export;
  readonly #progress: (rows: number) => void;
  readonly #yielder = new Yielder();
  #read = 0;

  constructor(source: Export, progress: (rows: number) => void) {
    this.#source = source;
    this.#progress = progress;
  }

  /** Digest of the rows that were read. Ask once, at the end. */
  digest(): string {
    return this.#content.digest("hex");
  }

  /** All rows of a table, sorted by key, each with its columns checked. */
  async *read(
    table: CanonicalTable,
    requirements: readonly MembershipRule[] = [],
  ): AsyncGenerator<CheckedRow> {
    const rules = Object.entries<ColumnRule>(canonicalTables[table]);
    let count = 0;
    this.#content.update(`\0${table}`);
    for (const values of this.#source.rows(table, { orderBy: keyColumns[table] })) {
      this.#content.update(rowJson(values));
      const unmet = requirements.filter(({ column, ids }) => !ids.has(values[column]));
      const row = { table, values, status: checkedStatus(values, unmet) };
      for (const [column, rule] of rules) this.#checkColumn(row, column, rule);
      for (const { column, violation } of unmet)
        if (violation !== undefined && findViolation(values[column], { type: "id" }) === undefined)
          this.report(row, column, "warning", { ...violation, hint: leftOut });
      this.rows[table] = ++count;
      this.#progress(++this.#read);
      if (this.#yielder.shouldYield) await this.#yielder.yieldNow();
      yield row;
    }
    this.rows[table] = count;
  }

  /** Notes a problem. A row that is left out is no reason to stop. */
  report(row: CheckedRow, column: string, severity: Severity, violation: Violation): void {
    const { table, status, values } = row;
    const value = status === "published" ? preview(values[column]) : "";
    const problem = { table, key: describeKey(row), column, value, severity, ...violation };
    this.problems.push(
      status === "left out" ? { ...problem, severity: "warning", hint: leftOut } : problem,
    );
  }

  #checkColumn(row: CheckedRow, column: string, rule: ColumnRule): void {
    const value = row.values[column];
    const violation = findViolation(value, rule);
    if (violation !== undefined) this.report(row, column, "error", violation);
    else if (typeof value === "string") this.#checkText(row, column, value);
  }

  #checkText(row: CheckedRow, column: string, text: string): void {
    if (text.includes("\0"))
      this.report(row, column, "warning", {
        rule: "nul",
        message: "contains a NUL character",
        hint: "nothing needed: it is published unchanged, and search ignores it",
      });
    const { encoding } = this.#source;
    // In UTF-8, malformed bytes are read as this character. In UTF-16, SQLite pairs any surrogates without an error.
    const isSuspicious = encoding !== "UTF-8" || text.includes("\uFFFD");
    if (isSuspicious && this.#isMalformed(row, column))
      this.report(row, column, "error", {
        rule: "utf-8",
        message: `is not valid ${encoding}`,
        hint: "write the text again",
      });
  }

  // One pass for all suspicious cells of a column: a row cannot be found quickly in a view that counts.
  #isMalformed({ table, values }: CheckedRow, column: string): boolean {
    const [keyColumn] = keyColumns[table];
    const cell = `${table}.${column}`;
    const keys = this.#malformed.get(cell) ?? this.#source.malformed(table, column, keyColumn);
    this.#malformed.set(cell, keys);
    return keys.has(values[keyColumn]);
  }
}

const duplicate: Violation = {
  rule: "duplicate",
  message: "appears in two rows",
  hint: "keep one of the rows",
};

/** Adds an id, or reports that it is there already. */
function addId(tables: CheckedTables, row: CheckedRow, column: string, ids: Set<number>): void {
  const id = row.values[column];
  if (typeof id !== "number") return;
  if (ids.has(id)) tables.report(row, column, "error", duplicate);
  ids.add(id);
}

/**
 * @returns the ids of all posts, and how many of them seem to be plain text
 */
async function checkPosts(
  tables: CheckedTables,
): Promise<{ ids: Set<number>; plainTextPosts: number }> {
  const ids = new Set<number>();
  let withElements = 0;
  let withBreaks = 0;
  for await (const row of tables.read("posts")) {
    addId(tables, row, "post_id", ids);
    const { post_title: title, post_content_html: html } = row.values;
    if (typeof html === "string")
      if (/<[a-z]/i.test(html)) withElements++;
      else if (/[\n\v\r]/.test(html.trim())) withBreaks++;
    if (typeof title === "string" && title.trim() === "")
      tables.report(row, "post_title", "warning", {
        rule: "empty-title",
        message: "is empty",
        hint: "give the post a title; it is published without one",
      });
  }
  return { ids, plainTextPosts: withElements >= withBreaks ? 0 : withBreaks };
}

/**
 * @param usedTagIds ids of the tags that posts carry; others are not published
 */
async function checkTags(tables: CheckedTables, usedTagIds: ReadonlySet<unknown>): Promise<void> {
  const ids = new Set<number>();
  const names = new Set<string>();
  for await (const row of tables.read("tags", [{ column: "tag_id", ids: usedTagIds }])) {
    const { tag_name: name } = row.values;
    if (row.status !== "published") continue;
    addId(tables, row, "tag_id", ids);
    if (typeof name !== "string") continue;
    if (names.has(name))
      tables.report(row, "tag_name", "error", {
        ...duplicate,
        hint: "join the two tags, or rename one",
      });
    names.add(name);
    if (name === "")
      tables.report(row, "tag_name", "warning", {
        rule: "tag-not-searchable",
        message: "is empty, so the parameter `tags` cannot name it",
        hint: "rename the tag if it should be searchable; it is published unchanged",
      });
  }
}

/** The ids of all tags. */
const readTagIds = (source: Export): Set<unknown> =>
  new Set(Array.from(source.rows("tags", { columns: ["tag_id"] }), (row) => row["tag_id"]));

/**
 * @returns the ids of the tags that posts carry
 */
async function checkPostTags(
  tables: CheckedTables,
  postIds: ReadonlySet<number>,
  tagIds: ReadonlySet<unknown>,
): Promise<Set<unknown>> {
  const usedTagIds = new Set<unknown>();
  let lastKey = "";
  for await (const row of tables.read("post_tags", [
    reference("post_id", postIds, "tagged-post-missing"),
    reference("tag_id", tagIds, "tag-missing", "tag"),
  ])) {
    if (row.status !== "published") continue;
    usedTagIds.add(row.values["tag_id"]);
    const key = describeKey(row);
    if (key === lastKey)
      tables.report(row, "tag_id", "warning", {
        rule: "duplicate-link",
        message: "is linked twice to the post",
        hint: "nothing needed: it is published once",
      });
    lastKey = key;
  }
  return usedTagIds;
}

async function checkSimilarPosts(
  tables: CheckedTables,
  postIds: ReadonlySet<number>,
): Promise<void> {
  let post: unknown;
  const similar = new Set<unknown>();
  for await (const row of tables.read("similar_posts", [
    reference("post_id", postIds, "similar-of-missing-post"),
    reference("similar_post_id", postIds, "similar-post-missing"),
  ])) {
    if (row.status !== "published") continue;
    const { post_id: postId, similar_post_id: similarId } = row.values;
    if (postId !== post) similar.clear();
    post = postId;
    if (similar.has(similarId))
      tables.report(row, "similar_post_id", "warning", {
        rule: "duplicate-link",
        message: "is linked twice to the post",
        hint: "nothing needed: the first link is published",
      });
    similar.add(similarId);
    if (similarId === postId)
      tables.report(row, "similar_post_id", "warning", {
        rule: "similar-to-itself",
        message: "is the post itself",
        hint: "nothing needed: the link is left out",
      });
  }
}

/**
 * @returns the number of comments whose post exists
 */
async function checkComments(tables: CheckedTables, postIds: ReadonlySet<number>): Promise<number> {
  const replies = new Map<number, Reply>();
  let published = 0;
  for await (const row of tables.read("comments", [
    reference("post_id", postIds, "commented-post-missing"),
  ])) {
    if (row.status !== "published") continue;
    published++;
    const { comment_id: id, post_id: post, comment_parent: parent } = row.values;
    if (typeof id !== "number" || typeof parent !== "number") continue;
    if (replies.has(id)) tables.report(row, "comment_id", "error", duplicate);
    replies.set(id, { post, parent });
  }
  for (const [id, violation] of findBrokenReplies(replies)) {
    const values = { comment_id: id, comment_parent: replies.get(id)?.parent };
    const row = { table: "comments", values, status: "published" } as const;
    tables.report(row, "comment_parent", "warning", violation);
  }
  return published;
}
