/** Checks every row of an export before anything is written, and finds all problems, not just the first. */
import { createHash } from "node:crypto";
import { isNameable } from "../../functions/search/search-query.ts";
import { counted } from "../lib/format-number.ts";
import { violationOf } from "./column-rules.ts";
import type { Export, RawRow } from "./open.ts";
import { shown, type Problem, type Severity, type Violation } from "./problems.ts";
import { canonicalTables, type CanonicalTable, type ColumnRule } from "./canonical-schema.ts";

/** What a check found. */
export interface CheckResult {
  /** Rows read, by table. */
  readonly rows: Readonly<Partial<Record<CanonicalTable, number>>>;
  /** In the order of the tables, rows and columns. */
  readonly problems: readonly Problem[];
  /** Digest of all rows that the build reads: equal content, equal digest, in whatever order it is stored. */
  readonly digest: string;
  /** Ids of all posts. */
  readonly postIds: ReadonlySet<number>;
  /** Number of comments whose post exists. */
  readonly publishedComments: number;
}

/** Reads every row that the build will read and checks every column, key and reference. */
export function checkExport(source: Export, progress: (rows: number) => void): CheckResult {
  const tables = checkTables(source, progress);
  const postIds = checkPosts(tables);
  const tagIds = checkTags(tables);
  checkPostTags(tables, postIds, tagIds);
  const publishedComments = checkComments(tables, postIds);
  if (source.has("similar_posts")) checkSimilarPosts(tables, postIds);
  tables.reportUncounted();
  const { rows, problems } = tables;
  return { rows, problems, digest: tables.digest(), postIds, publishedComments };
}

const keyColumns = {
  posts: ["post_id"],
  tags: ["tag_id"],
  post_tags: ["post_id", "tag_id"],
  comments: ["comment_id"],
  similar_posts: ["post_id", "rank"],
} as const satisfies Readonly<Record<CanonicalTable, readonly [string, ...string[]]>>;

const keyOf = (table: CanonicalTable, row: RawRow): string =>
  keyColumns[table].map((column) => shown(row[column])).join("/");

/** The values of a row as JSON. */
function jsonOf(row: RawRow): string {
  const values = Object.values(row);
  try {
    return JSON.stringify(values);
  } catch {
    // A whole number beyond 2^53: JSON takes none, and the row is refused in any case.
    return JSON.stringify(values.map(String));
  }
}

/** Reads tables row by row, checks each column by its rule, and collects problems, counts and a digest. */
function checkTables(source: Export, progress: (rows: number) => void) {
  /** Rows read, by table. */
  const rows: Partial<Record<CanonicalTable, number>> = {};
  const problems: Problem[] = [];
  const content = createHash("sha256");
  const malformed = new Map<string, ReadonlySet<unknown>>();
  let read = 0;

  function report(
    table: CanonicalTable,
    row: RawRow,
    column: string,
    severity: Severity,
    violation: Violation,
  ): void {
    const value = shown(row[column]);
    problems.push({ table, key: keyOf(table, row), column, value, severity, ...violation });
  }

  /** Warns of rows that count nowhere. */
  function reportUncounted(): void {
    for (const { table, column, rows, reason } of source.uncounted())
      problems.push({
        table,
        key: counted(rows, "rows"),
        column,
        value: "",
        severity: "warning",
        rule: "uncounted",
        message: reason,
        hint: "nothing needed: they are not counted",
      });
  }

  /** All rows of a table, sorted by key, each with its columns checked. */
  function* checked(table: CanonicalTable): Generator<RawRow> {
    const rules = Object.entries<ColumnRule>(canonicalTables[table]);
    let count = 0;
    content.update(`\0${table}`);
    for (const row of source.rows(table, { orderBy: keyColumns[table] })) {
      content.update(jsonOf(row));
      for (const [column, rule] of rules) {
        const value = row[column];
        const violation = violationOf(value, rule);
        if (violation !== undefined) report(table, row, column, "error", violation);
        else if (typeof value === "string") checkText(table, row, column, value);
      }
      rows[table] = ++count;
      progress(++read);
      yield row;
    }
    rows[table] = count;
  }

  function checkText(table: CanonicalTable, row: RawRow, column: string, text: string): void {
    if (text.includes("\0"))
      report(table, row, column, "warning", {
        rule: "nul",
        message: "contains a NUL character",
        hint: "nothing needed: it is published unchanged, and search ignores it",
      });
    // In UTF-8, malformed bytes are read as this character. In UTF-16, SQLite pairs any surrogates without an error.
    const isSuspicious = source.encoding !== "UTF-8" || text.includes("\uFFFD");
    if (isSuspicious && isMalformed(table, row, column))
      report(table, row, column, "error", {
        rule: "utf-8",
        message: `is not valid ${source.encoding}`,
        hint: "write the text again",
      });
  }

  // One pass for all suspicious cells of a column: a row cannot be found quickly in a view that counts.
  function isMalformed(table: CanonicalTable, row: RawRow, column: string): boolean {
    const [keyColumn] = keyColumns[table];
    const cell = `${table}.${column}`;
    const keys = malformed.get(cell) ?? source.malformed(table, column, keyColumn);
    malformed.set(cell, keys);
    return keys.has(row[keyColumn]);
  }

  /** Warns of a row that refers to a row that does not exist; the build leaves it out. */
  function checkReference(
    table: CanonicalTable,
    row: RawRow,
    column: string,
    targets: ReadonlySet<number>,
    { rule, message, hint = "nothing needed: the link is left out" }: Reference,
  ): boolean {
    const id = row[column];
    const dangles = typeof id === "number" && !targets.has(id);
    if (dangles) report(table, row, column, "warning", { rule, message, hint });
    return !dangles;
  }

  return {
    report,
    reportUncounted,
    checked,
    checkReference,
    rows,
    problems,
    digest: () => content.digest("hex"),
  };
}

type CheckedTables = ReturnType<typeof checkTables>;

/** The violation of a reference, by default one for which nothing needs to be done. */
type Reference = Omit<Violation, "hint"> & { readonly hint?: string };

const duplicate: Violation = {
  rule: "duplicate",
  message: "appears in two rows",
  hint: "keep one of the rows",
};

function checkPosts(tables: CheckedTables): Set<number> {
  const ids = new Set<number>();
  for (const row of tables.checked("posts")) {
    const { post_id: id, post_title: title } = row;
    if (typeof id === "number") {
      if (ids.has(id)) tables.report("posts", row, "post_id", "error", duplicate);
      ids.add(id);
    }
    if (typeof title === "string" && title.trim() === "")
      tables.report("posts", row, "post_title", "warning", {
        rule: "empty-title",
        message: "is empty",
        hint: "give the post a title; it is published without one",
      });
  }
  return ids;
}

function checkTags(tables: CheckedTables): Set<number> {
  const ids = new Set<number>();
  const names = new Set<string>();
  for (const row of tables.checked("tags")) {
    const { tag_id: id, tag_name: name } = row;
    if (typeof id === "number") {
      if (ids.has(id)) tables.report("tags", row, "tag_id", "error", duplicate);
      ids.add(id);
    }
    if (typeof name !== "string") continue;
    if (names.has(name))
      tables.report("tags", row, "tag_name", "error", {
        ...duplicate,
        hint: "join the two tags, or rename one",
      });
    names.add(name);
    if (!isNameable(name))
      tables.report("tags", row, "tag_name", "warning", {
        rule: "tag-not-searchable",
        message: "is empty or contains white space, so the parameter `tags` cannot name it",
        hint: "rename the tag if it should be searchable; it is published unchanged",
      });
  }
  return ids;
}

function checkPostTags(
  tables: CheckedTables,
  postIds: ReadonlySet<number>,
  tagIds: ReadonlySet<number>,
): void {
  let lastKey = "";
  for (const row of tables.checked("post_tags")) {
    const key = keyOf("post_tags", row);
    if (key === lastKey)
      tables.report("post_tags", row, "tag_id", "warning", {
        rule: "duplicate-link",
        message: "is linked twice to the post",
        hint: "nothing needed: it is published once",
      });
    lastKey = key;
    tables.checkReference("post_tags", row, "post_id", postIds, {
      rule: "tagged-post-missing",
      message: "names a post that does not exist",
    });
    tables.checkReference("post_tags", row, "tag_id", tagIds, {
      rule: "tag-missing",
      message: "names a tag that does not exist",
    });
  }
}

function checkSimilarPosts(tables: CheckedTables, postIds: ReadonlySet<number>): void {
  let post: unknown;
  const similar = new Set<unknown>();
  for (const row of tables.checked("similar_posts")) {
    const message = "names a post that does not exist";
    tables.checkReference("similar_posts", row, "post_id", postIds, {
      rule: "similar-of-missing-post",
      message,
    });
    tables.checkReference("similar_posts", row, "similar_post_id", postIds, {
      rule: "similar-post-missing",
      message,
    });
    if (row["post_id"] !== post) similar.clear();
    post = row["post_id"];
    if (similar.has(row["similar_post_id"]))
      tables.report("similar_posts", row, "similar_post_id", "warning", {
        rule: "duplicate-link",
        message: "is linked twice to the post",
        hint: "nothing needed: the first link is published",
      });
    similar.add(row["similar_post_id"]);
    if (row["similar_post_id"] === row["post_id"])
      tables.report("similar_posts", row, "similar_post_id", "warning", {
        rule: "similar-to-itself",
        message: "is the post itself",
        hint: "nothing needed: the link is left out",
      });
  }
}

/** A comment's post and the comment that it answers, 0 for none. */
interface Reply {
  readonly post: unknown;
  readonly parent: number;
}

/** @returns the number of comments whose post exists */
function checkComments(tables: CheckedTables, postIds: ReadonlySet<number>): number {
  const replies = new Map<number, Reply>();
  let published = 0;
  for (const row of tables.checked("comments")) {
    const hasPost = tables.checkReference("comments", row, "post_id", postIds, {
      rule: "commented-post-missing",
      message: "names a post that does not exist",
      hint: "nothing needed: the comment is left out",
    });
    if (hasPost) published++;
    const { comment_id: id, post_id: post, comment_parent: parent } = row;
    if (typeof id !== "number" || typeof parent !== "number") continue;
    if (replies.has(id)) tables.report("comments", row, "comment_id", "error", duplicate);
    replies.set(id, { post, parent });
  }
  checkReplies(tables, replies);
  return published;
}

/** Checks that replies lead up to a comment on the post itself. */
function checkReplies(tables: CheckedTables, replies: ReadonlyMap<number, Reply>): void {
  const circular = idsInCycles(replies);
  for (const [id, { post, parent }] of replies) {
    if (parent === 0) continue;
    const report = (severity: Severity, violation: Violation): void =>
      tables.report(
        "comments",
        { comment_id: id, comment_parent: parent },
        "comment_parent",
        severity,
        violation,
      );
    const answered = replies.get(parent);
    if (answered === undefined)
      report("warning", {
        rule: "parent-missing",
        message: "names a comment that does not exist",
        hint: "nothing needed: it is published as a comment on the post itself",
      });
    else if (answered.post !== post)
      report("error", {
        rule: "parent-on-another-post",
        message: "names a comment on another post",
        hint: "set the parent to 0 or to a comment on the same post",
      });
    else if (circular.has(id))
      report("error", {
        rule: "parent-cycle",
        message: "leads back to the comment itself",
        hint: "set the parent of one of these comments to 0",
      });
  }
}

/** The comments whose parents lead back to them. Each comment is visited once. */
function idsInCycles(replies: ReadonlyMap<number, Reply>): Set<number> {
  const circular = new Set<number>();
  const walkOf = new Map<number, number>();
  for (const first of replies.keys()) {
    let id = first;
    for (; id !== 0 && replies.has(id) && !walkOf.has(id); id = replies.get(id)?.parent ?? 0)
      walkOf.set(id, first);
    // A walk that meets itself has entered a cycle; one that meets another has nothing new.
    if (walkOf.get(id) === first)
      for (; !circular.has(id); id = replies.get(id)?.parent ?? 0) circular.add(id);
  }
  return circular;
}
