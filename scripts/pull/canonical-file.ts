/** Writes an export in the canonical shape: row by row by the rules of any export, and whole or not at all. */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import Database from "better-sqlite3";
import type { CollectionFile } from "../../functions/contract/collection.ts";
import { withCleanUp } from "../cli/clean-up.ts";
import { Failure } from "../cli/command.ts";
import { readRange, siblingPath, realPath } from "../lib/fs.ts";
import { takeLock } from "../lib/lock.ts";
import { pluralize } from "../lib/text.ts";
import { findBrokenReplies } from "../export/replies.ts";
import { findViolation } from "../export/column-rules.ts";
import { problemLines, preview, type Problem, type Violation } from "../export/problems.ts";
import {
  canonicalTables,
  columnNames,
  type CanonicalTable,
  type ColumnRule,
} from "../export/canonical-schema.ts";

/** An export without rows. */
const schemaFile = join(import.meta.dirname, "../../data/schema.sql");

/** Marks a file that a pull wrote, in SQLite's header: https://www.sqlite.org/pragma.html#pragma_application_id */
const applicationId = 0x63_61_73_65;
const applicationIdOffset = 68;

/**
 * Refuses to replace what no pull wrote: posts may have been added by hand.
 *
 * @throws Failure
 */
function assertOwn(target: string, path: string): void {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (!stat.isFile()) throw new Failure(`--out ${target} is no file. Name a file to write.`);
  if (stat.size === 0) return;
  const id = readRange(path, applicationIdOffset, 4);
  if (id.length < 4 || id.readUInt32BE() !== applicationId)
    throw new Failure(
      `${target} was not written by npm run pull, and would be lost. Move it away, or name another file with --out.`,
    );
}

/** A row by the names of its columns. One that is left out, or undefined, has the default of the schema, if it has one. */
export type NewRow = Readonly<Record<string, unknown>>;

/** Where a row was read. */
export interface Place {
  /** The file, such as posts.jsonl. */
  readonly name: string;
  /** Where in the file, such as "line 12". */
  readonly key: string;
  /** What the file calls a column, such as the name in its header. */
  readonly nameOf: (column: string) => string;
  /** Whether values may be in the wrong columns, so that one that is not published could be shown: none is. */
  readonly isDoubtful?: boolean;
}

/** How a row is added. */
interface AddOptions {
  /** More about the row for a message, such as its URL. */
  readonly url?: string;
  /** Whether a row with problems is left out with a warning; else it stops the pull. */
  readonly leaveOut?: boolean;
  /** Whether the row's values are not shown, besides its key: it may belong to a post that is not published. */
  readonly isPrivate?: boolean;
  /** Where the row is, where that says more than its key. */
  readonly place?: Place;
}

/** A cell as messages name it. */
function cellOf(
  table: string,
  row: NewRow,
  column: string,
  { url = "", isPrivate = false, place }: AddOptions,
): Pick<Problem, "table" | "key" | "column" | "value"> {
  const [key = ""] = Object.keys(row);
  const value = isPrivate || place?.isDoubtful ? "" : preview(row[column]);
  if (place) return { table: place.name, key: place.key, column: place.nameOf(column), value };
  return { table, key: `${preview(row[key])}${url && ` (${url})`}`, column, value };
}

/** A row in which the default of the schema stands for what is undefined, and for a NULL that means the same. */
const withDefaults = (row: NewRow, rules: Readonly<Record<string, ColumnRule>>): NewRow =>
  Object.fromEntries(
    Object.entries(row).filter(([column, value]) => {
      const rule = rules[column];
      const isDefault =
        (value === undefined && rule?.ifMissing !== undefined) ||
        (value === null && rule?.nullIsMissing === true);
      return !isDefault;
    }),
  );

const halfCharacter = (value: unknown): Violation | undefined =>
  typeof value === "string" && !value.isWellFormed()
    ? {
        rule: "utf-16",
        message: "holds half a character",
        hint: "write the text again at its source",
      }
    : undefined;

/** An export that is being written. */
export class CanonicalFile {
  /** Rows written, by table. */
  readonly rows: Partial<Record<CanonicalTable, number>> = {};
  readonly problems: Problem[] = [];
  readonly #database: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();

  constructor(database: Database.Database) {
    this.#database = database;
    database.exec(`PRAGMA application_id = ${applicationId}`);
    database.exec(readFileSync(schemaFile, "utf8"));
    // Not a part of the export: a file that is written by VACUUM INTO has no temporary tables.
    database.exec(
      "CREATE TEMP TABLE places (source TEXT, id INTEGER, file TEXT, key TEXT, PRIMARY KEY (source, id)) WITHOUT ROWID",
    );
    database.exec("BEGIN");
  }

  /** Adds a row, or notes the problems that it has. */
  add(table: CanonicalTable, given: NewRow, options: AddOptions = {}): void {
    const rules: Readonly<Record<string, ColumnRule>> = canonicalTables[table];
    const { place, leaveOut = false } = options;
    const row = withDefaults(given, rules);
    const before = this.problems.length;
    for (const [column, value] of Object.entries(row)) {
      const rule = rules[column];
      if (rule === undefined) throw new Error(`${table} has no column ${column}`);
      const violation = findViolation(value, rule) ?? halfCharacter(value);
      if (violation === undefined) continue;
      const hint = leaveOut ? "the row is left out" : violation.hint;
      const severity = leaveOut ? "warning" : "error";
      this.problems.push({ ...cellOf(table, row, column, options), ...violation, hint, severity });
    }
    if (this.problems.length > before) return;
    const [key = "", name = key] = Object.keys(row);
    try {
      this.rows[table] = (this.rows[table] ?? 0) + this.#insert(table, row);
      if (place !== undefined) this.#notePlace(table, row[key], place);
    } catch (error) {
      if (!String((error as { code?: string }).code).startsWith("SQLITE_CONSTRAINT")) throw error;
      const isKnownId = this.has(table, row[key]);
      const first = isKnownId ? this.#findPlace(table, row[key]) : undefined;
      this.problems.push({
        ...cellOf(table, row, isKnownId ? key : name, options),
        rule: "duplicate",
        message: first === undefined ? "appears in two rows" : `is also in ${first}`,
        hint: "keep one of them, or rename one",
        severity: "error",
      });
    }
  }

  /** Remembers where a row was read, for a later one with the same key. */
  #notePlace(table: CanonicalTable, id: unknown, { name, key }: Place): void {
    if (table === "posts" || table === "comments" || table === "tags")
      this.#statement("INSERT INTO temp.places VALUES (?, ?, ?, ?)").run(table, id, name, key);
  }

  /** Where the row with a key was read; undefined where that is not known. */
  #findPlace(table: CanonicalTable, id: unknown): string | undefined {
    const select = "SELECT file || ' ' || key FROM temp.places WHERE source = ? AND id = ?";
    return this.#statement(select).pluck().get(table, id) as string | undefined;
  }

  /**
   * Notes what is wrong with a row that cannot be added.
   *
   * @param value of the field; left out where it is missing
   */
  refuse(place: Place, field: string, violation: Violation, value?: unknown): void {
    const cell = cellOf("", { [field]: value }, field, { place, isPrivate: value === undefined });
    this.problems.push({ ...cell, ...violation, severity: "error" });
  }

  /** Whether a row with a key is there. */
  has(table: CanonicalTable, id: unknown): boolean {
    const [key = ""] = columnNames(table);
    const select = this.#statement(`SELECT 1 FROM ${table} WHERE ${key} = ?`);
    return typeof id === "number" && select.get(id) !== undefined;
  }

  /**
   * Sets counts of a row, where it is there.
   *
   * @returns whether it is
   */
  count(
    table: "posts" | "comments",
    id: unknown,
    counts: Readonly<Record<string, unknown>>,
  ): boolean {
    if (!this.has(table, id)) return false;
    const rules: Readonly<Record<string, ColumnRule>> = canonicalTables[table];
    const [key = ""] = columnNames(table);
    for (const [column, value] of Object.entries(counts)) {
      const rule = rules[column];
      const violation = rule && findViolation(value, rule);
      const cell = { table, key: preview(id), column, value: preview(value) };
      if (violation !== undefined) this.problems.push({ ...cell, ...violation, severity: "error" });
      else this.#statement(`UPDATE ${table} SET ${column} = ? WHERE ${key} = ?`).run(value, id);
    }
    return true;
  }

  /** Makes room for similar posts; without it, builds compute them. */
  withSimilarPosts(): void {
    this.#database.exec(
      "CREATE TABLE similar_posts (post_id INTEGER NOT NULL, similar_post_id INTEGER NOT NULL, rank INTEGER NOT NULL, PRIMARY KEY (post_id, rank, similar_post_id))",
    );
  }

  /**
   * Removes similar posts that are not there.
   *
   * @returns how many
   */
  dropMissingSimilar(): number {
    return this.#database
      .prepare("DELETE FROM similar_posts WHERE similar_post_id NOT IN (SELECT post_id FROM posts)")
      .run().changes;
  }

  /**
   * Has builds link posts to a page elsewhere, unless an option says otherwise.
   *
   * @param template as of --post-url
   */
  postUrl(template: string): void {
    this.#setting("post_url", template);
  }

  /** Brings what a site says of itself; what a publisher says in data/collection.json wins over it. */
  collection(file: CollectionFile): void {
    this.#setting("collection", JSON.stringify(file));
  }

  #setting(name: string, value: string): void {
    this.#database.exec(
      "CREATE TABLE IF NOT EXISTS export_settings (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    );
    this.#database.prepare("INSERT INTO export_settings VALUES (?, ?)").run(name, value);
  }

  /**
   * Makes all replies lead up to a comment on the post itself, with a warning for each that is changed. So no build after
   * it has anything to say of them, with `--strict` too.
   */
  attachReplies(): void {
    const rows = this.#statement("SELECT comment_id, post_id, comment_parent FROM comments");
    const all = rows.raw().iterate() as IterableIterator<
      [id: number, post: number, parent: number]
    >;
    const replies = new Map(Array.from(all, ([id, post, parent]) => [id, { post, parent }]));
    for (const [id, violation] of findBrokenReplies(replies)) {
      this.#statement("UPDATE comments SET comment_parent = 0 WHERE comment_id = ?").run(id);
      const value = preview(replies.get(id)?.parent);
      const cell = { table: "comments", key: String(id), column: "comment_parent", value };
      this.problems.push({ ...cell, ...violation, severity: "warning" });
    }
  }

  /**
   * @returns the number of rows that were inserted
   */
  #insert(table: CanonicalTable, row: NewRow): number {
    const columns = Object.keys(row);
    const marks = columns.map(() => "?").join(", ");
    // A tag or a similar post that is linked twice is linked once.
    const isLink = table === "post_tags" || table === "similar_posts";
    const insert = isLink ? "INSERT OR IGNORE" : "INSERT";
    const sql = `${insert} INTO ${table} (${columns.join(", ")}) VALUES (${marks})`;
    return this.#statement(sql).run(Object.values(row)).changes;
  }

  #statement(sql: string): Database.Statement {
    const prepared = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, prepared);
    return prepared;
  }
}

/** An export that was written. */
interface WrittenFile extends Pick<CanonicalFile, "rows" | "problems"> {
  /** What its source says of what was read. */
  readonly lines: readonly string[];
}

/**
 * Adds all rows of an export.
 *
 * @returns lines about what was read
 */
export type Collect = (file: CanonicalFile) => Promise<readonly string[]>;

/**
 * Writes an export to a file. It is gathered in a temporary file without a name and copied beside its
 * target when it is complete, then renamed: whatever happens, the target is the old file or the new one.
 *
 * @throws Failure with all problems of the rows, or where the target is of another origin; it is then unchanged
 */
export async function writeCanonicalFile(target: string, collect: Collect): Promise<WrittenFile> {
  try {
    const path = realPath(target);
    mkdirSync(dirname(path), { recursive: true });
    assertOwn(target, path);
    const release = takeLock(siblingPath(path, "lock"));
    if (release === undefined)
      throw new Failure(`Another pull is writing ${target}. Wait until it has ended.`);
    return await withCleanUp(release, () => writeFile(path, target, collect));
  } catch (error) {
    // The disk is full, or may not be written.
    if (
      error instanceof Database.SqliteError ||
      (error as NodeJS.ErrnoException).syscall !== undefined
    )
      throw new Failure(
        `pull stopped: ${target} cannot be written (${(error as Error).message}); it is unchanged.`,
      );
    throw error;
  }
}

/** Milliseconds in which a signal is seen that came together with the end of the input: some turns of the event loop. */
const signalDelay = 10;

async function writeFile(path: string, target: string, collect: Collect): Promise<WrittenFile> {
  const part = siblingPath(path, "part");
  // The empty name: SQLite removes the file by itself, also when this process is killed.
  const database = new Database("");
  try {
    database.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
    const file = new CanonicalFile(database);
    let lines: readonly string[];
    try {
      lines = await collect(file);
    } finally {
      // Ctrl-C at a terminal also ends what writes the input, maybe within a line. The event loop may see the end first.
      await setTimeout(signalDelay);
    }
    file.attachReplies();
    const errors = file.problems.filter(({ severity }) => severity === "error").length;
    const reason =
      errors > 0
        ? pluralize(errors, "errors")
        : file.rows.posts === undefined
          ? "what was read has no posts"
          : undefined;
    if (reason !== undefined)
      throw new Failure(
        [...problemLines(file.problems), `pull stopped: ${reason}; ${target} is unchanged.`].join(
          "\n",
        ),
      );
    database.exec("COMMIT");
    await withCleanUp(
      () => rmSync(part, { force: true }),
      async () => {
        // Of a pull that was killed here.
        rmSync(part, { force: true });
        database.prepare("VACUUM INTO ?").run(part);
        const descriptor = openSync(part, "r");
        fsyncSync(descriptor);
        closeSync(descriptor);
        renameSync(part, path);
      },
    );
    // Parts of the old file would be read as parts of this one.
    for (const suffix of ["-wal", "-shm", "-journal"]) rmSync(path + suffix, { force: true });
    return { rows: file.rows, problems: file.problems, lines };
  } finally {
    database.close();
  }
}
