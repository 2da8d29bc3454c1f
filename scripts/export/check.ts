/** Checks every row of an export before anything is written, and finds all problems, not just the first. */
import { createHash } from "node:crypto";
import type { Export, RawRow } from "./open.ts";
import {
  canonicalTableNames,
  canonicalTables,
  type CanonicalTable,
  type ColumnRule,
} from "./schema.ts";
import { breachOf, type Breach } from "./column-rules.ts";

/** An error would make a wrong or invalid document and stops the build; a warning is published as its rule says. */
type Severity = "error" | "warning";

/** A problem in one cell of the export. */
export interface Problem extends Breach {
  readonly table: CanonicalTable;
  /** The row's key, for example `812`, or `812/5` for a pair. */
  readonly key: string;
  readonly column: string;
  /** The offending value as JSON, shortened. */
  readonly value: string;
  readonly severity: Severity;
}

/** What a check found. */
export interface CheckResult {
  /** Rows read, by table. */
  readonly rows: Readonly<Partial<Record<CanonicalTable, number>>>;
  readonly problems: readonly Problem[];
  /** Digest of all rows that the build reads: equal content, equal digest, in whatever order it is stored. */
  readonly digest: string;
  /** Ids of all posts. */
  readonly postIds: ReadonlySet<number>;
  /** Number of comments that stand on a post that is there. */
  readonly publishedComments: number;
}

const keyColumns: Readonly<Record<CanonicalTable, readonly string[]>> = {
  posts: ["post_id"],
  tags: ["tag_id"],
  post_tags: ["post_id", "tag_id"],
  comments: ["comment_id"],
  similar_posts: ["post_id", "rank"],
};

const longestValue = 80;

function shown(value: unknown): string {
  const text =
    value instanceof Uint8Array ? `BLOB of ${value.length} bytes` : JSON.stringify(value);
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}

/** Where an id points, in words and in SQL terms. */
interface Reference {
  readonly table: CanonicalTable;
  readonly column: string;
  readonly target: "posts" | "tags";
  readonly breach: Breach;
}

const orphanedComment = "commented-post-missing";

const references: readonly Reference[] = [
  {
    table: "post_tags",
    column: "post_id",
    target: "posts",
    breach: {
      rule: "tagged-post-missing",
      message: "names a post that is not there",
      remedy: "nothing needed: the link is left out",
    },
  },
  {
    table: "post_tags",
    column: "tag_id",
    target: "tags",
    breach: {
      rule: "tag-missing",
      message: "names a tag that is not there",
      remedy: "nothing needed: the link is left out",
    },
  },
  {
    table: "comments",
    column: "post_id",
    target: "posts",
    breach: {
      rule: orphanedComment,
      message: "names a post that is not there",
      remedy: "nothing needed: the comment is left out",
    },
  },
  {
    table: "similar_posts",
    column: "post_id",
    target: "posts",
    breach: {
      rule: "similar-of-missing-post",
      message: "names a post that is not there",
      remedy: "nothing needed: the link is left out",
    },
  },
  {
    table: "similar_posts",
    column: "similar_post_id",
    target: "posts",
    breach: {
      rule: "similar-post-missing",
      message: "names a post that is not there",
      remedy: "nothing needed: the link is left out",
    },
  },
];

/**
 * Reads every row that the build will read and checks every column, key and reference.
 *
 * @param source an opened export
 * @param progress called with the number of rows read so far
 */
export function checkExport(source: Export, progress: (rows: number) => void): CheckResult {
  const problems: Problem[] = [];
  const rows: Partial<Record<CanonicalTable, number>> = {};
  const content = createHash("sha256");
  const ids = { posts: new Set<number>(), tags: new Set<number>() };
  let read = 0;

  const keyOf = (table: CanonicalTable, row: RawRow): string =>
    keyColumns[table].map((column) => shown(row[column])).join("/");
  const report = (
    table: CanonicalTable,
    row: RawRow,
    column: string,
    severity: Severity,
    found: Breach,
  ): void => {
    problems.push({
      table,
      key: keyOf(table, row),
      column,
      value: shown(row[column]),
      severity,
      ...found,
    });
  };

  /** All rows of a table, sorted by key, with their columns checked. */
  function* checkedRows(table: CanonicalTable): Generator<RawRow> {
    const rules = Object.entries<ColumnRule>(canonicalTables[table]);
    rows[table] = 0;
    content.update(`\0${table}`);
    for (const row of source.rows(table, ...keyColumns[table])) {
      content.update(JSON.stringify(Object.values(row)));
      for (const [column, rule] of rules) {
        const value = row[column];
        const found = breachOf(value, rule);
        if (found !== undefined) report(table, row, column, "error", found);
        else if (typeof value === "string") checkText(table, row, column, value);
      }
      rows[table]++;
      progress(++read);
      yield row;
    }
  }

  function checkText(table: CanonicalTable, row: RawRow, column: string, text: string): void {
    if (text.includes("\0"))
      report(table, row, column, "warning", {
        rule: "nul",
        message: "contains a NUL character",
        remedy: "nothing needed: it is published as it is, and search passes over it",
      });
    if (!text.includes("\uFFFD")) return;
    // Either the text has this character, or it stands for bytes that are not UTF-8.
    const [keyColumn] = keyColumns[table] as [string];
    if (!source.isWellFormed(table, column, keyColumn, row[keyColumn]))
      report(table, row, column, "error", {
        rule: "utf-8",
        message: "is not valid UTF-8",
        remedy: "write the text anew as UTF-8",
      });
  }

  /** Collects ids and reports those that come twice. */
  function uniqueId(table: "posts" | "tags", row: RawRow, column: string): void {
    const id = row[column];
    if (typeof id !== "number") return;
    if (ids[table].has(id))
      report(table, row, column, "error", {
        rule: "duplicate",
        message: "stands in two rows",
        remedy: "keep one of the rows",
      });
    ids[table].add(id);
  }

  for (const row of checkedRows("posts")) {
    uniqueId("posts", row, "post_id");
    if (typeof row["post_title"] === "string" && row["post_title"].trim() === "")
      report("posts", row, "post_title", "warning", {
        rule: "empty-title",
        message: "is empty",
        remedy: "give the post a title; it is published without one",
      });
  }

  const tagNames = new Set<unknown>();
  for (const row of checkedRows("tags")) {
    uniqueId("tags", row, "tag_id");
    const name = row["tag_name"];
    if (typeof name !== "string") continue;
    if (tagNames.has(name))
      report("tags", row, "tag_name", "error", {
        rule: "duplicate",
        message: "stands in two rows",
        remedy: "join the two tags, or rename one",
      });
    tagNames.add(name);
    if (name === "" || /\s/u.test(name))
      report("tags", row, "tag_name", "warning", {
        rule: "tag-not-searchable",
        message: "is empty or contains white space, so the parameter `tags` cannot name it",
        remedy: "rename the tag if it should be searchable; it is published as it is",
      });
  }

  let lastPair = "";
  for (const row of checkedRows("post_tags")) {
    const pair = keyOf("post_tags", row);
    if (pair === lastPair)
      report("post_tags", row, "tag_id", "warning", {
        rule: "duplicate-link",
        message: "is linked twice to the post",
        remedy: "nothing needed: it is published once",
      });
    lastPair = pair;
    checkReferences("post_tags", row);
  }

  checkComments();

  if (source.has("similar_posts"))
    for (const row of checkedRows("similar_posts")) {
      checkReferences("similar_posts", row);
      if (row["similar_post_id"] === row["post_id"])
        report("similar_posts", row, "similar_post_id", "warning", {
          rule: "similar-to-itself",
          message: "is the post itself",
          remedy: "nothing needed: the link is left out",
        });
    }

  function checkReferences(table: CanonicalTable, row: RawRow): void {
    for (const reference of references) {
      if (reference.table !== table) continue;
      const id = row[reference.column];
      if (typeof id === "number" && !ids[reference.target].has(id))
        report(table, row, reference.column, "warning", reference.breach);
    }
  }

  /** Comments: their ids, their posts, and that replies lead up to a comment on the post itself. */
  function checkComments(): void {
    const parents = new Map<number, { readonly post: unknown; readonly parent: number }>();
    for (const row of checkedRows("comments")) {
      checkReferences("comments", row);
      const { comment_id: id, post_id: post, comment_parent: parent } = row;
      if (typeof id !== "number" || typeof parent !== "number") continue;
      if (parents.has(id))
        report("comments", row, "comment_id", "error", {
          rule: "duplicate",
          message: "stands in two rows",
          remedy: "keep one of the rows",
        });
      parents.set(id, { post, parent });
    }
    for (const [id, { post, parent }] of parents) {
      if (parent === 0) continue;
      const row: RawRow = { comment_id: id, comment_parent: parent };
      const above = parents.get(parent);
      if (above === undefined)
        report("comments", row, "comment_parent", "warning", {
          rule: "parent-missing",
          message: "names a comment that is not there",
          remedy: "nothing needed: it is published as a comment on the post itself",
        });
      else if (above.post !== post)
        report("comments", row, "comment_parent", "error", {
          rule: "parent-on-another-post",
          message: "names a comment on another post",
          remedy: "set the parent to 0 or to a comment on the same post",
        });
      else if (inCycle(id))
        report("comments", row, "comment_parent", "error", {
          rule: "parent-cycle",
          message: "leads back to the comment itself",
          remedy: "set the parent of one of these comments to 0",
        });
    }
    // Whether following parents from a comment comes back to it. Steps are bounded by the loop's
    // own length: a walk that has seen more comments than exist is in a cycle further up.
    function inCycle(id: number): boolean {
      const seen = new Set<number>();
      let at = parents.get(id)?.parent;
      while (at !== undefined && at !== 0 && !seen.has(at)) {
        if (at === id) return true;
        seen.add(at);
        at = parents.get(at)?.parent;
      }
      return false;
    }
  }

  const order = new Map(canonicalTableNames.map((table, i) => [table, i]));
  problems.sort((a, b) => (order.get(a.table) ?? 0) - (order.get(b.table) ?? 0));
  const orphans = problems.filter(({ rule }) => rule === orphanedComment).length;
  return {
    rows,
    problems,
    digest: content.digest("hex"),
    postIds: ids.posts,
    publishedComments: (rows.comments ?? 0) - orphans,
  };
}

/** Problems of one rule and table that a report shows in full. */
const shownPerRule = 20;

/** The problems as lines for a person: at most 20 of each rule, with exact totals. */
export function problemLines(problems: readonly Problem[]): string[] {
  const groups = new Map<string, Problem[]>();
  for (const problem of problems) {
    const group = `${problem.severity} ${problem.table} ${problem.rule}`;
    const members = groups.get(group);
    if (members === undefined) groups.set(group, [problem]);
    else members.push(problem);
  }
  return [...groups.values()].flatMap((group) => {
    const lines = group
      .slice(0, shownPerRule)
      .map(
        ({ table, key, column, value, message, remedy, severity, rule }) =>
          `${severity}: ${table} ${key}: ${column} ${value} ${message} (${rule}; ${remedy})`,
      );
    const [first] = group;
    if (first !== undefined && group.length > shownPerRule)
      lines.push(
        `${first.severity}: ${first.table}: ${group.length - shownPerRule} more of ${first.rule}, ${group.length} in all`,
      );
    return lines;
  });
}
