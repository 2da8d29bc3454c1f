/** A Cloudflare D1 database as a source: its query API is asked for named columns, page by page; the site stays up. */
import { Failure } from "../cli/command.ts";
import { pluralize, formatNumber, escapeControlChars } from "../lib/text.ts";
import { requireEnv } from "../cli/setting.ts";
import {
  sourceColumn,
  tablesRead,
  type CanonicalTable,
  type SourceTable,
} from "../export/canonical-schema.ts";
import { ExportError } from "../export/errors.ts";
import { detectSchema, type PresentTables } from "../export/shape.ts";
import { canonical, canonicalSources } from "../export/shapes/canonical.ts";
import { d1, d1Counts, d1Tables, type CountedTable } from "../export/shapes/d1.ts";
import { collectGarbage } from "../lib/collect-garbage.ts";
import type { Progress } from "../cli/progress.ts";
import type { CanonicalFile, NewRow } from "./canonical-file.ts";
import { parseJson, parseApiJson, RetryableError, webUrl, type Answer } from "./answer.ts";
import { RateLimitedClient, type RateLimits } from "./rate-limited-client.ts";
import type { PullTools, Source } from "./source.ts";

/** Cloudflare allows 1,200 requests in five minutes for everything that a user does. */
const d1Limits: RateLimits = {
  perFiveMinutes: 600,
  minIntervalMs: 0,
  timeoutMs: 60_000,
  reserve: 50,
};
const publicApi = "https://api.cloudflare.com/client/v4";

/** Characters that an answer should have, of JSON; much larger ones fail. */
const wantedCharacters = 1_500_000;
const firstRows = 500;
const maxRows = 20_000;
/** D1's free plan: the rows of a day. After them, D1 refuses the site, too. */
const freeRows = 5_000_000;
/** Reading a table is costly from as many rows on. */
const costlyRows = 500_000;
/** And where D1 counts as many for one that it gives. */
const costlyShare = 50;

/** Names of the variables, with what they must hold. */
const settings = {
  CLOUDFLARE_ACCOUNT_ID: "the account's ID (Workers & Pages → Account details)",
  CLOUDFLARE_API_TOKEN: "an API token with the permission D1: Read for this account",
} as const;

/** An answer was refused because it was too large, or so it seems: fewer rows may do. */
class TooLargeError extends RetryableError {}

/**
 * What the API says of an error, by its codes and words.
 *
 * @param token is not shown, where the words echo it
 */
function refusalFrom(answer: Answer, token: string): Failure | RetryableError {
  const { status } = answer;
  const { errors } = (parseJson(answer) ?? {}) as { readonly errors?: unknown };
  const all = Array.isArray(errors)
    ? (errors as ({ code?: number; message?: string } | null)[])
    : [];
  const codes = all.map((error) => error?.code);
  const said = all.map((error) => error?.message).join("; ");
  const words = escapeControlChars(said.replaceAll(token, "…")).slice(0, 300);
  if (status === 401 || status === 403 || codes.includes(10_000))
    return new Failure(
      `Cloudflare refuses the token: set CLOUDFLARE_API_TOKEN to ${settings.CLOUDFLARE_API_TOKEN}.`,
    );
  if (codes.includes(7003) || status === 404)
    return new Failure(
      `Cloudflare knows no such account or database: check CLOUDFLARE_ACCOUNT_ID and the value of --d1.`,
    );
  if (/long-running export/i.test(words)) return new RetryableError("is exporting this database");
  if (/no such (?:table|column)/i.test(words))
    return new Failure(`A table or view of the database cannot be read: ${words}.`);
  if (status >= 500 || codes.some((code) => [7500, 1101, 1105].includes(code ?? 0)))
    return new TooLargeError(`answered ${status}${words && `: ${words}`}`);
  if (status === 200) return new RetryableError("gave an answer that is cut or of another form");
  return new Failure(`Cloudflare answers ${status}${words && `: ${words}`}.`);
}

/**
 * The `result` of an answer.
 *
 * @throws what `refusalFrom` makes of any other
 */
function readResult<T>(answer: Answer, token: string): readonly (T | null)[] {
  // An error of the server may be no JSON, and mean that it was asked for too much.
  const body = answer.status < 500 ? parseApiJson(answer) : parseJson(answer);
  const { success, result } = (body ?? {}) as {
    readonly success?: unknown;
    readonly result?: unknown;
  };
  if (answer.status !== 200 || success !== true || !Array.isArray(result))
    throw refusalFrom(answer, token);
  return result as (T | null)[];
}

/** The result of one statement, as the API gives it. */
interface RawResult {
  readonly success?: unknown;
  readonly results?: { readonly rows?: unknown };
  readonly meta?: { readonly rows_read?: unknown };
}

/** Rows of one statement, and the characters of the answer, of JSON. */
type Rows = readonly (readonly unknown[])[];

/** The query API of one database. */
class D1Database {
  readonly client: RateLimitedClient;
  readonly #token: string;
  /** URL of the account's databases, then of the database. */
  #url: string;
  /** Rows read, as D1 counts them. */
  rowsRead = 0;

  constructor(client: RateLimitedClient, url: string, token: string) {
    this.client = client;
    this.#url = url;
    this.#token = token;
  }

  /**
   * Finds the database.
   *
   * @param name its name or ID
   * @throws Failure where the account has none of this name
   */
  async open(name: string): Promise<void> {
    const isId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(name);
    const uuid = isId ? name : await this.#findId(name);
    this.#url += `/${encodeURIComponent(uuid)}/raw`;
  }

  async #findId(name: string): Promise<string> {
    const found = await this.client.ask(
      "Looking for the database",
      () => [`${this.#url}?name=${encodeURIComponent(name)}&per_page=100`, this.#request()],
      (answer) =>
        readResult<{ readonly name?: unknown; readonly uuid?: unknown }>(answer, this.#token),
    );
    const uuid = found.find((one) => one?.name === name)?.uuid;
    if (typeof uuid !== "string")
      throw new Failure(
        `The account has no D1 database called ${escapeControlChars(name)}. Check --d1 and CLOUDFLARE_ACCOUNT_ID.`,
      );
    return uuid;
  }

  /** What every request has. A redirect would lead the token elsewhere. */
  #request(): RequestInit {
    const headers = { Authorization: `Bearer ${this.#token}`, "Content-Type": "application/json" };
    return { headers, redirect: "manual" };
  }

  /**
   * Runs statements in one request: what they read is of one moment.
   *
   * @param statements made again for each attempt; called with whether fewer rows should be asked for
   * @returns the rows of each, and the characters of the answer
   */
  async query(
    what: string,
    statements: (fewer: boolean) => readonly string[],
  ): Promise<{ readonly results: readonly Rows[]; readonly characters: number }> {
    let fewer = false;
    let asked: readonly string[] = [];
    return this.client.ask(
      what,
      () => {
        asked = statements(fewer);
        const body = JSON.stringify({ batch: asked.map((sql) => ({ sql, params: [] })) });
        return [this.#url, { ...this.#request(), method: "POST", body }];
      },
      (answer) => {
        try {
          return { results: this.#readRows(answer, asked.length), characters: answer.body.length };
        } catch (error) {
          fewer = error instanceof TooLargeError;
          throw error;
        }
      },
    );
  }

  /** Runs statements that give one value each; undefined for none. */
  async values(what: string, statements: readonly string[]): Promise<unknown[]> {
    const { results } = await this.query(what, () => statements);
    return results.map((rows) => rows[0]?.[0] ?? undefined);
  }

  #readRows(answer: Answer, count: number): readonly Rows[] {
    const all = readResult<RawResult>(answer, this.#token);
    const results = all.map((one) => one?.success === true && one.results?.rows);
    const isRight = results.every((rows) => Array.isArray(rows) && rows.every(Array.isArray));
    if (all.length !== count || !isRight) throw refusalFrom(answer, this.#token);
    for (const one of all) this.rowsRead += Number(one?.meta?.rows_read ?? 0);
    return results as Rows[];
  }
}

/** A table to read. */
interface TableQuery {
  readonly table: string;
  /** What identifies a row, in the order by which rows are read. */
  readonly key: readonly string[];
  /** SQL of each column, by its name in the canonical table; the key's first. */
  readonly columns: Readonly<Record<string, string>>;
  /** Whether the rows of a key are counted together. */
  readonly isGrouped: boolean;
  /** The largest value of the key's first column that is read; undefined where there is none. */
  readonly last: number | undefined;
}

/** Whether a column of a key holds a number. What holds none is no id: it is left out, and counted. */
const isNumber = (column: string): string => `typeof(${column}) IN ('integer', 'real')`;

/**
 * The rows of a table from a key on, that key's own row included.
 *
 * @param after empty before the first
 */
function pageSql(query: TableQuery, after: readonly number[], limit: number): string {
  const { table, key, columns, isGrouped, last } = query;
  const names = key.join(", ");
  const bounds = [`${key[0]} <= ${last}`, ...key.map(isNumber)];
  if (after.length > 0) bounds.push(`(${names}) >= (${after.join(", ")})`);
  return `SELECT ${Object.values(columns).join(", ")} FROM ${table} WHERE ${bounds.join(" AND ")}${isGrouped ? ` GROUP BY ${names}` : ""} ORDER BY ${names} LIMIT ${limit}`;
}

/** Compares keys: below 0 where the first comes before the second. */
function compareKeys(a: readonly number[], b: readonly number[]): number {
  const differs = a.findIndex((part, i) => part !== b[i]);
  return differs < 0 ? 0 : (a[differs] ?? 0) - (b[differs] ?? 0);
}

/**
 * Reads a table by its key, page by page, from the first row to the last one that was there in the beginning. A page
 * begins with the row before it, so that a key that a view gives twice is seen.
 *
 * @throws Failure where keys do not go on, up to the last one: without this, a table that always goes on has no end
 */
async function* readPages(
  database: D1Database,
  query: TableQuery,
): AsyncGenerator<readonly NewRow[]> {
  const { table, key, columns, last } = query;
  const names = Object.keys(columns);
  let after: readonly number[] = [];
  let limit = firstRows;
  for (let isDone = last === undefined; !isDone;) {
    const { results, characters } = await database.query(`Reading ${table}`, (fewer) => {
      if (fewer) limit = Math.max(2, limit >> 1);
      return [pageSql(query, after, limit)];
    });
    const [rows = []] = results;
    const keys = rows.map((values) => values.slice(0, key.length).map(Number));
    const isSeen = compareKeys(keys[0] ?? [], after) === 0 && after.length > 0;
    const end = keys.at(-1) ?? after;
    isDone = rows.length < limit;
    if (
      (!isDone && after.length > 0 && compareKeys(end, after) <= 0) ||
      (end[0] ?? 0) > (last ?? 0)
    )
      throw new Failure(
        `D1 does not give the rows of ${table} in the order and up to the id that was asked for, so they cannot all be read. Try again later.`,
      );
    yield rows
      .slice(isSeen ? 1 : 0)
      .map((values) => Object.fromEntries(names.map((name, i) => [name, values[i]])));
    after = end;
    const fitting = Math.floor((limit * wantedCharacters) / Math.max(1, characters));
    limit = Math.max(2, Math.min(maxRows, limit * 4, fitting));
  }
}

/** A shape of databases, as it is read row by row. */
interface Shape {
  readonly tables: Readonly<Partial<Record<CanonicalTable, SourceTable>>>;
  readonly counts: readonly CountedTable[];
}

const canonicalShape: Shape = { tables: canonicalSources, counts: [] };
const originalShape: Shape = { tables: d1Tables, counts: d1Counts };

/** The largest ids that are read. */
type LastIds = Readonly<Record<"posts" | "tags" | "comments", number | undefined>>;

/** What the parts of a pull work with. */
interface Pull {
  readonly database: D1Database;
  readonly file: CanonicalFile;
  readonly progress: Progress;
  readonly say: PullTools["say"];
  readonly shape: Shape;
  readonly present: PresentTables;
  readonly last: LastIds;
  /** What is said at the end. */
  readonly lines: string[];
}

/**
 * Reads a table to its end, where it is there.
 *
 * @param take gets each row by canonical names
 */
async function readTable(
  { database, progress, say, present }: Pull,
  query: TableQuery,
  take: (row: NewRow) => void,
): Promise<void> {
  if (!present.has(query.table)) return;
  const step = progress.step(query.table, "rows", undefined);
  let count = 0;
  const before = database.rowsRead;
  let isCostly = false;
  for await (const rows of readPages(database, query)) {
    for (const row of rows) take(row);
    step.update((count += rows.length));
    const read = database.rowsRead - before;
    if (!isCostly && read > Math.max(costlyRows, costlyShare * count)) {
      isCostly = true;
      say(
        `warning: D1 has counted ${formatNumber(read)} rows for ${formatNumber(count)} of ${query.table}, and ${formatNumber(freeRows)} a day are free; after them, it refuses the site, too. Does a view count in other tables? Each page reads all of them again, unless they have an index (CREATE INDEX) on the id by which it counts.`,
      );
    }
    collectGarbage();
  }
  step.done();
}

/** How a canonical table is read, without columns that the database lacks. */
function queryFor({ shape, present, last }: Pull, into: CanonicalTable): TableQuery {
  const source = shape.tables[into] ?? canonicalSources[into];
  const names = new Set([...source.key, ...source.columns]);
  const columns = [...names].map((column) => [column, sourceColumn(source, column)] as const);
  return {
    table: source.table,
    key: source.key,
    columns: Object.fromEntries(columns.filter(([, own]) => present.get(source.table)?.has(own))),
    isGrouped: false,
    last: last[into === "post_tags" || into === "similar_posts" ? "posts" : into],
  };
}

/** The columns of all tables and views of both shapes that are there. SQLite's names have no case. */
async function readColumns(database: D1Database): Promise<PresentTables> {
  const tables = [canonical, d1].flatMap(tablesRead);
  const { results } = await database.query("Reading the columns", () =>
    tables.map((table) => `PRAGMA table_info(${table})`),
  );
  const columns = results.map((rows) => new Set(rows.map((row) => String(row[1]).toLowerCase())));
  return new Map(
    tables
      .map((table, i) => [table, columns[i] ?? new Set()] as const)
      .filter(([, { size }]) => size > 0),
  );
}

/**
 * The shape of a database, and its tables without others of the same names.
 *
 * @param say gets what it lacks and can be without
 * @throws Failure where it has none
 */
function readShape(all: PresentTables, say: PullTools["say"]): Pick<Pull, "shape" | "present"> {
  try {
    const { adapter, notices, others } = detectSchema(all, [], false);
    for (const notice of notices) say(escapeControlChars(notice));
    return {
      shape: adapter === d1 ? originalShape : canonicalShape,
      present: new Map([...all].filter(([table]) => !others.includes(table))),
    };
  } catch (error) {
    if (!(error instanceof ExportError)) throw error;
    throw new Failure(`--d1 cannot read the database: ${error.message}`);
  }
}

/** The largest ids, all of one moment; rows that come later are left to the next pull. */
async function readLastIds(
  database: D1Database,
  present: PresentTables,
  { tables }: Shape,
): Promise<LastIds> {
  const names = ["posts", "tags", "comments"] as const;
  const ends = names
    .map((name) => [name, tables[name] ?? canonicalSources[name]] as const)
    .filter(([, { table }]) => present.has(table));
  const ids = await database.values(
    "Reading the largest ids",
    ends.map(([, { table, key }]) => `SELECT max(${key[0]}) FROM ${table}`),
  );
  for (const [i, [, { table, key }]] of ends.entries()) {
    const id = ids[i];
    // Text is the largest of all, so a key of another type is seen here. It may be private, so it is not shown.
    if (id !== undefined && !Number.isSafeInteger(id))
      throw new Failure(
        `${table} has a ${key[0]} that is no whole number up to 2^53 - 1: ${typeof id === "number" ? id : `a ${typeof id}`}. Correct it, and pull again.`,
      );
  }
  return Object.fromEntries(ends.map(([name], i) => [name, ids[i]])) as LastIds;
}

/** Notes rows that are left out, where there are any. */
function noteLeftOut(
  { lines }: Pull,
  count: number,
  what: string,
  reason = "the row that they refer to is missing",
): void {
  if (count > 0) lines.push(`left out, because ${reason}: ${pluralize(count, what)}`);
}

/** Adds the tags that posts carry, with their links. Other tags may be of deleted posts. */
async function addTags(pull: Pull): Promise<void> {
  const { file } = pull;
  // An id that comes twice is refused only where a post carries it.
  const unused = new Map<unknown, NewRow[]>();
  await readTable(pull, queryFor(pull, "tags"), (tag) => {
    const { tag_id: id } = tag;
    unused.set(id, [...(unused.get(id) ?? []), tag]);
  });
  let dropped = 0;
  await readTable(pull, queryFor(pull, "post_tags"), (link) => {
    const { post_id: post, tag_id: tag } = link;
    const isPublished = file.has("posts", post);
    if (isPublished) for (const first of unused.get(tag) ?? []) file.add("tags", first);
    if (isPublished) unused.delete(tag);
    if (isPublished && file.has("tags", tag)) file.add("post_tags", link);
    else dropped++;
  });
  noteLeftOut(pull, dropped, "links to tags");
  noteLeftOut(pull, unused.size, "tags", "no post carries them");
}

/** Adds the comments on posts that are there. */
async function addComments(pull: Pull): Promise<void> {
  let dropped = 0;
  await readTable(pull, queryFor(pull, "comments"), (row) => {
    const { post_id: post } = row;
    // Text in the place of an id may be meant for a post that is there: a problem of the row.
    if (pull.file.has("posts", post)) pull.file.add("comments", row);
    else if (typeof post === "string") pull.file.add("comments", row, { isPrivate: true });
    else dropped++;
  });
  noteLeftOut(pull, dropped, "comments");
}

/** Adds similar posts, where the database has them. */
async function addSimilar(pull: Pull): Promise<void> {
  const { file, present } = pull;
  if (!present.has(canonicalSources.similar_posts.table)) return;
  file.withSimilarPosts();
  let dropped = 0;
  await readTable(pull, queryFor(pull, "similar_posts"), (row) => {
    const { post_id: post, similar_post_id: similar } = row;
    if (file.has("posts", post) && file.has("posts", similar)) file.add("similar_posts", row);
    else dropped++;
  });
  noteLeftOut(pull, dropped, "similar posts");
}

/** Name of the number of rows in a group. */
const groupRows = "rows";

/** Sets what rows of a table count for posts or comments. */
async function addCounts(pull: Pull, { table, by, into, counts }: CountedTable): Promise<void> {
  const target = into as "posts" | "comments";
  let dropped = 0;
  let unknown = 0;
  const columns = { [by]: by, ...counts, [groupRows]: "count(*)" };
  const query = { table, key: [by], columns, isGrouped: true, last: pull.last[target] };
  await readTable(pull, query, ({ [by]: id, [groupRows]: rows, ...sums }) => {
    // Groups of rows whose type is missing have no sum.
    const known = Object.entries(sums).map(([name, sum]) => [name, Number(sum ?? 0)] as const);
    if (!pull.file.count(target, id, Object.fromEntries(known))) dropped += Number(rows);
    unknown += Number(rows) - known.reduce((all, [, sum]) => all + sum, 0);
  });
  if (unknown > 0)
    pull.lines.push(
      `warning: ${table}: ${pluralize(unknown, "rows")} of an unknown type, not counted`,
    );
  noteLeftOut(pull, dropped, `rows of ${table}`);
}

/** Notes rows without a number for an id, by table: they are not asked for. */
async function noteRowsWithoutIds({ database, shape, present, lines }: Pull): Promise<void> {
  const keyed = [
    ...Object.values(shape.tables),
    ...shape.counts.map(({ table, by }) => ({ table, key: [by] })),
  ].filter(({ table }) => present.has(table));
  const counts = await database.values(
    "Reading rows without ids",
    keyed.map(
      ({ table, key }) =>
        `SELECT count(*) FROM ${table} WHERE NOT (${key.map(isNumber).join(" AND ")})`,
    ),
  );
  for (const [i, { table }] of keyed.entries())
    if (Number(counts[i]) > 0)
      lines.push(
        `warning: ${table}: ${pluralize(Number(counts[i]), "rows")} without a number as id, left out`,
      );
}

/**
 * The source.
 *
 * @param name name or ID of the database
 * @throws Failure where a setting is missing
 */
export function d1Source(name: string, { env, progress, ...edges }: PullTools): Source {
  const setting = (key: keyof typeof settings): string => requireEnv(env, key, settings[key]);
  const account = setting("CLOUDFLARE_ACCOUNT_ID");
  const token = setting("CLOUDFLARE_API_TOKEN");
  const api = (env["CLOUDFLARE_API_BASE_URL"] || publicApi).replace(/\/+$/, "");
  if (webUrl(api) === undefined)
    throw new Failure(
      "CLOUDFLARE_API_BASE_URL must be a URL that begins with http:// or https://, without a password. Unset it to ask Cloudflare itself.",
    );
  const base = `${api}/accounts/${encodeURIComponent(account)}/d1/database`;
  const database = new D1Database(new RateLimitedClient(edges, d1Limits), base, token);
  return {
    name: "D1",
    async collect(file) {
      await database.open(name);
      const { say } = edges;
      const { shape, present } = readShape(await readColumns(database), say);
      const last = await readLastIds(database, present, shape);
      const pull: Pull = { database, file, progress, say, shape, present, last, lines: [] };
      await readTable(pull, queryFor(pull, "posts"), (row) => file.add("posts", row));
      await addTags(pull);
      await addComments(pull);
      if (shape === canonicalShape) await addSimilar(pull);
      for (const table of shape.counts) await addCounts(pull, table);
      await noteRowsWithoutIds(pull);
      return [
        ...pull.lines,
        `${database.client.traffic()}; D1 counts ${formatNumber(database.rowsRead)} rows read (${formatNumber(freeRows)} a day are free)`,
      ];
    },
  };
}
