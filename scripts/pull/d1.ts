/** A Cloudflare D1 database as a source: its query API is asked for named columns, page by page; the site stays up. */
import { Failure } from "../cli/command.ts";
import { counted, formatted } from "../lib/format-number.ts";
import { settingFrom } from "../cli/setting.ts";
import {
  ownName,
  tablesRead,
  type CanonicalTable,
  type SourceTable,
} from "../export/canonical-schema.ts";
import { ExportError } from "../export/errors.ts";
import { recognise, type PresentTables } from "../export/shape.ts";
import { canonical, canonicalSources } from "../export/shapes/canonical.ts";
import { d1, d1Counts, d1Tables, type CountedTable } from "../export/shapes/d1.ts";
import { collectGarbage } from "../lib/collect-garbage.ts";
import { printable } from "../lib/printable.ts";
import type { Progress } from "../cli/progress.ts";
import type { CanonicalFile, NewRow } from "./canonical-file.ts";
import { jsonOf, parseApiJson, Passing, webUrl, type Answer } from "./answer.ts";
import { PoliteClient, type Politeness } from "./polite-client.ts";
import type { PullTools, Source } from "./source.ts";

/** Cloudflare allows 1,200 requests in five minutes for everything that a user does. */
const politeness: Politeness = { inFiveMinutes: 600, apart: 0, timeout: 60_000, reserve: 50 };
const publicApi = "https://api.cloudflare.com/client/v4";

/** Characters that an answer should have, of JSON; much larger ones fail. */
const wantedCharacters = 1_500_000;
const firstRows = 500;
const mostRows = 20_000;
/** D1's free plan: the rows of a day. After them, D1 refuses the site, too. */
const freeRows = 5_000_000;
/** Reading a table is costly from as many rows on, and as many for one that it gives. */
const [costlyRows, costlyShare] = [500_000, 50];

/** Names of the variables, with what they must hold. */
const settings = {
  CLOUDFLARE_ACCOUNT_ID: "the account's ID (Workers & Pages → Account details)",
  CLOUDFLARE_API_TOKEN: "an API token with the permission D1: Read for this account",
} as const;

/** What every request has. A redirect would lead the token elsewhere. */
const requestWith = (token: string): RequestInit => ({
  headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
  redirect: "manual",
});

/** An answer was refused because it was too large, or so it seems: fewer rows may do. */
class TooLarge extends Passing {}

/** A text without any escapes, such as %41, \u0041, \x41, &#65; or &#x41;, and without backslashes. */
function unescaped(text: string): string {
  const once = text
    .replace(/(?:%|\\+u00|\\+x|&#x)([0-9a-f]{2});?/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
    .replace(/&#(\d{2,3});?/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll("\\", "");
  return once === text ? text : unescaped(once);
}

/** What the API says of an error, by its codes and words. Words that hold the token are not shown. */
function refusal(answer: Answer, token: string): Failure | Passing {
  const { status } = answer;
  const { errors } = (jsonOf(answer) ?? {}) as { readonly errors?: unknown };
  const all = Array.isArray(errors)
    ? (errors as ({ code?: number; message?: string } | null)[])
    : [];
  const codes = all.map((error) => error?.code);
  const said = all
    .map((error) => error?.message)
    .join("; ")
    .slice(0, 2000);
  const isSecret = unescaped(said).includes(unescaped(token));
  const words = isSecret ? "" : printable(said).slice(0, 300);
  if (status === 401 || status === 403 || codes.includes(10_000))
    return new Failure(
      `Cloudflare refuses the token: set CLOUDFLARE_API_TOKEN to ${settings.CLOUDFLARE_API_TOKEN}.`,
    );
  if (codes.includes(7003) || status === 404)
    return new Failure(
      `Cloudflare knows no such account or database: check CLOUDFLARE_ACCOUNT_ID and the value of --d1.`,
    );
  if (/long-running export/i.test(words)) return new Passing("is exporting this database");
  if (/no such (?:table|column)/i.test(words))
    return new Failure(`A table or view of the database cannot be read: ${words}.`);
  if (status >= 500 || codes.some((code) => [7500, 1101, 1105].includes(code ?? 0)))
    return new TooLarge(`answered ${status}${words && `: ${words}`}`);
  if (status === 200) return new Passing("gave an answer that is cut or of another form");
  return new Failure(`Cloudflare answers ${status}${words && `: ${words}`}.`);
}

/** The `result` of an answer. @throws what `refusal` makes of any other */
function resultOf<T>(answer: Answer, token: string): readonly (T | null)[] {
  // An error of the server may be no JSON, and mean that it was asked for too much.
  const body = answer.status < 500 ? parseApiJson(answer) : jsonOf(answer);
  const { success, result } = (body ?? {}) as {
    readonly success?: unknown;
    readonly result?: unknown;
  };
  if (answer.status !== 200 || success !== true || !Array.isArray(result))
    throw refusal(answer, token);
  return result as (T | null)[];
}

/** The result of one statement, as the API gives it. */
interface RawResult {
  readonly success?: unknown;
  readonly results?: { readonly rows?: unknown };
  readonly meta?: { readonly rows_read?: unknown };
}

/** The query API of one database. */
class D1Database {
  readonly #client: PoliteClient;
  readonly #url: string;
  readonly #token: string;
  /** Rows read, as D1 counts them. */
  rowsRead = 0;

  constructor(client: PoliteClient, url: string, token: string) {
    this.#client = client;
    this.#url = url;
    this.#token = token;
  }

  /**
   * Runs statements in one request: what they read is of one moment.
   *
   * @param statements made again for each attempt; called with whether fewer rows should be asked for
   * @returns the rows of each, and the characters of the answer
   */
  async query(what: string, statements: (fewer: boolean) => readonly string[]): Promise<Rows> {
    let fewer = false;
    let asked: readonly string[] = [];
    return this.#client.ask(
      what,
      () => {
        asked = statements(fewer);
        const body = JSON.stringify({ batch: asked.map((sql) => ({ sql, params: [] })) });
        return [this.#url, { ...requestWith(this.#token), method: "POST", body }];
      },
      (answer) => {
        try {
          return this.#rowsOf(answer, asked.length);
        } catch (error) {
          fewer = error instanceof TooLarge;
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

  #rowsOf(answer: Answer, count: number): Rows {
    const all = resultOf<RawResult>(answer, this.#token);
    const results = all.map((one) => one?.success === true && one.results?.rows);
    const isRight = results.every((rows) => Array.isArray(rows) && rows.every(Array.isArray));
    if (all.length !== count || !isRight) throw refusal(answer, this.#token);
    for (const one of all) this.rowsRead += Number(one?.meta?.rows_read ?? 0);
    return { results: results as Rows["results"], characters: answer.body.length };
  }
}

/**
 * Finds a database.
 *
 * @param base URL of the account's databases
 * @param name its name or ID
 * @throws Failure where the account has none of this name
 */
async function openDatabase(client: PoliteClient, base: string, token: string, name: string) {
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(name))
    return new D1Database(client, `${base}/${name}/raw`, token);
  const found = await client.ask(
    "Looking for the database",
    () => [`${base}?name=${encodeURIComponent(name)}&per_page=100`, requestWith(token)],
    (answer) => resultOf<{ readonly name?: unknown; readonly uuid?: unknown }>(answer, token),
  );
  const uuid = found.find((one) => one?.name === name)?.uuid;
  if (typeof uuid !== "string")
    throw new Failure(
      `The account has no D1 database called ${printable(name)}. Check --d1 and CLOUDFLARE_ACCOUNT_ID.`,
    );
  return new D1Database(client, `${base}/${encodeURIComponent(uuid)}/raw`, token);
}

/** Rows of each statement of a request. */
interface Rows {
  readonly results: readonly (readonly (readonly unknown[])[])[];
  /** Characters of the answer, of JSON. */
  readonly characters: number;
}

/** A table to read. */
interface Reading {
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

/** Where the values of a key are among numbers, as SQLite sorts: NULL is before all of them, text after them. */
const placesOf = (key: readonly unknown[]): number[] =>
  key.map((part) => (typeof part === "number" ? part : part === null ? -Infinity : Infinity));

/** The SQL of what comes after a key. What follows text is text, too, and no id: it is left out. */
function afterSql(names: readonly string[], places: readonly number[]): string {
  const text = places.indexOf(Infinity);
  const numbers = text < 0 ? places : places.slice(0, text);
  const values = numbers.map((number) => (number === -Infinity ? "-9e999" : number));
  return `(${names.slice(0, values.length).join(", ")}) > (${values.join(", ")})`;
}

/** The next rows of a table. @param after the places of the last key so far; none before the first */
function pageSql(reading: Reading, after: readonly number[], limit: number): string {
  const { table, key: names, columns, isGrouped, last } = reading;
  const key = names.join(", ");
  const bounds = [`${names[0]} <= ${last}`];
  if (after.length > 0) bounds.push(afterSql(names, after));
  return `SELECT ${Object.values(columns).join(", ")} FROM ${table} WHERE ${bounds.join(" AND ")}${isGrouped ? ` GROUP BY ${key}` : ""} ORDER BY ${key} LIMIT ${limit}`;
}

/**
 * One more row of the last key so far, if there is one: a view may give a key twice, and the next page begins after it.
 * Rows whose key is of several columns have no others, so these are then the same.
 */
function repeatedSql(reading: Reading, after: readonly number[]): string[] {
  const { table, key, columns, isGrouped } = reading;
  if (isGrouped || key.length > 1 || after.length === 0) return [];
  return [
    `SELECT ${Object.values(columns).join(", ")} FROM ${table} WHERE ${key[0]} = ${after[0]} LIMIT 1 OFFSET 1`,
  ];
}

/** Checks that keys go on, up to the last one: without this, a table that always goes on has no end. @throws Failure */
function assertOrder(reading: Reading, key: readonly number[], after: readonly number[]): void {
  const [first = Infinity] = key;
  const differs = key.findIndex((place, i) => place !== after[i]);
  const isBefore = differs < 0 || key[differs]! < (after[differs] ?? -Infinity);
  if (isBefore || first > (reading.last ?? 0))
    throw new Failure(
      `D1 does not give the rows of ${reading.table} in the order and up to the id that was asked for, so they cannot all be read. Try again later.`,
    );
}

/** Reads a table by its key, page by page, from the first row to the last one that was there in the beginning. */
async function* pagesOf(database: D1Database, reading: Reading): AsyncGenerator<readonly NewRow[]> {
  const names = Object.keys(reading.columns);
  let after: readonly number[] = [];
  let limit = firstRows;
  for (let isDone = reading.last === undefined; !isDone;) {
    const { results, characters } = await database.query(`Reading ${reading.table}`, (fewer) => {
      if (fewer) limit = Math.max(1, Math.floor(limit / 2));
      return [pageSql(reading, after, limit), ...repeatedSql(reading, after)];
    });
    const [rows = [], repeated = []] = results;
    yield [...repeated, ...rows].map((values) =>
      Object.fromEntries(names.map((name, i) => [name, values[i]])),
    );
    const key = placesOf(rows.at(-1)?.slice(0, reading.key.length) ?? []);
    if (rows.length > 0) assertOrder(reading, key, after);
    isDone = rows.length < limit;
    after = key;
    const fitting = Math.floor((limit * wantedCharacters) / Math.max(1, characters));
    limit = Math.max(1, Math.min(mostRows, limit * 4, fitting));
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
}

/** Reads a table to its end, where it is there. @param take gets each row by canonical names */
async function readTable(
  { database, progress, say, present }: Pull,
  reading: Reading,
  take: (row: NewRow) => void,
): Promise<void> {
  if (!present.has(reading.table)) return;
  const step = progress.step(reading.table, "rows", undefined);
  let count = 0;
  const before = database.rowsRead;
  let isCostly = false;
  for await (const rows of pagesOf(database, reading)) {
    for (const row of rows) take(row);
    step.update((count += rows.length));
    const read = database.rowsRead - before;
    if (!isCostly && read > costlyRows && read > costlyShare * count) {
      isCostly = true;
      say(
        `warning: D1 has counted ${formatted(read)} rows for ${formatted(count)} of ${reading.table}, and ${formatted(freeRows)} a day are free; after them, it refuses the site, too. Does a view count in other tables, or has the table no index? Each page reads all of it again. In a view, count by an index, (SELECT count(*) FROM votes WHERE post_id = articles.id); of votes, CREATE INDEX on the id of what was voted for.`,
      );
    }
    collectGarbage();
  }
  step.done();
}

/** The rows of a canonical table, without columns that the database lacks. */
function rowsOf({ shape, present, last }: Pull, into: CanonicalTable): Reading {
  const source = shape.tables[into] ?? canonicalSources[into];
  const names = new Set([...source.key, ...source.columns]);
  const columns = [...names].map((column) => [column, ownName(source, column)] as const);
  return {
    table: source.table,
    key: source.key,
    columns: Object.fromEntries(columns.filter(([, own]) => present.get(source.table)?.has(own))),
    isGrouped: false,
    last: last[into === "post_tags" || into === "similar_posts" ? "posts" : into],
  };
}

/** The columns of all tables and views of both shapes that are there. SQLite's names have no case. */
async function presentColumns(database: D1Database): Promise<PresentTables> {
  const tables = [canonical, d1].flatMap(tablesRead);
  const { results } = await database.query("Reading the columns", () =>
    tables.map((table) => `PRAGMA table_info(${table})`),
  );
  const columns = results.map((rows) => new Set(rows.map((row) => String(row[1]).toLowerCase())));
  return new Map(
    tables.map((table, i) => [table, columns[i]!] as const).filter(([, { size }]) => size > 0),
  );
}

/**
 * The shape of a database, and its tables without others of the same names.
 *
 * @param say gets what it lacks and can be without
 * @throws Failure where it has none
 */
function shapeOf(all: PresentTables, say: PullTools["say"]): Pick<Pull, "shape" | "present"> {
  try {
    const { adapter, notices, others } = recognise(all, [], false);
    for (const notice of notices) say(printable(notice));
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
async function lastIds(
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

/** A line about rows that are left out; nothing where there are none. */
const leftOut = (count: number, what: string, reason: string): string[] =>
  count === 0 ? [] : [`left out, because ${reason}: ${counted(count, what)}`];
const rowIsMissing = "the row that they refer to is missing";

/** Adds the tags that posts carry, with their links. Other tags may be of deleted posts. @returns lines about the rest */
async function addTags(pull: Pull): Promise<string[]> {
  const { file } = pull;
  // An id that comes twice is refused only where a post carries it.
  const unused = new Map<unknown, NewRow[]>();
  await readTable(pull, rowsOf(pull, "tags"), (tag) => {
    const { tag_id: id } = tag;
    unused.set(id, [...(unused.get(id) ?? []), tag]);
  });
  let dropped = 0;
  await readTable(pull, rowsOf(pull, "post_tags"), (link) => {
    const { post_id: post, tag_id: tag } = link;
    const isPublished = file.has("posts", post);
    if (isPublished) for (const first of unused.get(tag) ?? []) file.add("tags", first);
    if (isPublished) unused.delete(tag);
    if (isPublished && file.has("tags", tag)) file.add("post_tags", link);
    else dropped++;
  });
  return [
    ...leftOut(dropped, "links to tags", rowIsMissing),
    ...leftOut(unused.size, "tags", "no post carries them"),
  ];
}

/** Adds the comments on posts that are there. @returns lines about the rest */
async function addComments(pull: Pull): Promise<string[]> {
  let dropped = 0;
  await readTable(pull, rowsOf(pull, "comments"), (row) => {
    const { post_id: post } = row;
    // Text in the place of an id may be meant for a post that is there: a problem of the row.
    if (pull.file.has("posts", post)) pull.file.add("comments", row);
    else if (typeof post === "string") pull.file.add("comments", row, { isPrivate: true });
    else dropped++;
  });
  return leftOut(dropped, "comments", rowIsMissing);
}

/** Adds similar posts, where the database has them. @returns lines about the rest */
async function addSimilar(pull: Pull): Promise<string[]> {
  const { file, present } = pull;
  if (!present.has(canonicalSources.similar_posts.table)) return [];
  file.withSimilarPosts();
  let dropped = 0;
  await readTable(pull, rowsOf(pull, "similar_posts"), (row) => {
    const { post_id: post, similar_post_id: similar } = row;
    if (file.has("posts", post) && file.has("posts", similar)) file.add("similar_posts", row);
    else dropped++;
  });
  return leftOut(dropped, "similar posts", rowIsMissing);
}

/** Name of the number of rows in a group. */
const groupRows = "rows";

/** Sets what rows of a table count for posts or comments. @returns lines about rows that count nowhere */
async function addCounts(pull: Pull, { table, by, into, counts }: CountedTable): Promise<string[]> {
  const target = into as "posts" | "comments";
  let dropped = 0;
  let unknown = 0;
  const columns = { [by]: by, ...counts, [groupRows]: "count(*)" };
  const reading = { table, key: [by], columns, isGrouped: true, last: pull.last[target] };
  await readTable(pull, reading, ({ [by]: id, [groupRows]: rows, ...sums }) => {
    // Groups of rows whose type is missing have no sum.
    const known = Object.entries(sums).map(([name, sum]) => [name, Number(sum ?? 0)] as const);
    if (!pull.file.count(target, id, Object.fromEntries(known))) dropped += Number(rows);
    unknown += Number(rows) - known.reduce((all, [, sum]) => all + sum, 0);
  });
  return [
    ...(unknown === 0
      ? []
      : [`warning: ${table}: ${counted(unknown, "rows")} of an unknown type, not counted`]),
    ...leftOut(dropped, `rows of ${table}`, rowIsMissing),
  ];
}

/** Lines about rows without an id or with text for it, by table: they are not asked for. */
async function withoutKeys({ database, shape, present }: Pull): Promise<string[]> {
  const keyed = [
    ...Object.values(shape.tables).map(({ table, key: [key] }) => ({ table, key })),
    ...shape.counts.map(({ table, by }) => ({ table, key: by })),
  ].filter(({ table }) => present.has(table));
  const counts = await database.values(
    "Reading rows without ids",
    keyed.map(
      ({ table, key }) => `SELECT count(*) FROM ${table} WHERE ${key} IS NULL OR ${key} >= ''`,
    ),
  );
  return keyed.flatMap(({ table }, i) =>
    !counts[i]
      ? []
      : [
          `warning: ${table}: ${counted(Number(counts[i]), "rows")} without a number as id, left out`,
        ],
  );
}

/**
 * The source.
 *
 * @param name name or ID of the database
 * @throws Failure where a setting is missing
 */
export function d1Source(name: string, { env, progress, ...edges }: PullTools): Source {
  const setting = (key: keyof typeof settings): string => settingFrom(env, key, settings[key]);
  const account = setting("CLOUDFLARE_ACCOUNT_ID");
  const token = setting("CLOUDFLARE_API_TOKEN");
  const api = (env["CLOUDFLARE_API_BASE_URL"] || publicApi).replace(/\/+$/, "");
  if (webUrl(api) === undefined)
    throw new Failure(
      "CLOUDFLARE_API_BASE_URL must be a URL that begins with http:// or https://, without a password. Unset it to ask Cloudflare itself.",
    );
  const client = new PoliteClient(edges, politeness);
  const base = `${api}/accounts/${encodeURIComponent(account)}/d1/database`;
  return {
    name: "D1",
    async gather(file) {
      const database = await openDatabase(client, base, token, name);
      const { shape, present } = shapeOf(await presentColumns(database), edges.say);
      const last = await lastIds(database, present, shape);
      const pull = { database, file, progress, say: edges.say, shape, present, last };
      await readTable(pull, rowsOf(pull, "posts"), (row) => file.add("posts", row));
      const lines = [...(await addTags(pull)), ...(await addComments(pull))];
      if (shape === canonicalShape) lines.push(...(await addSimilar(pull)));
      for (const table of shape.counts) lines.push(...(await addCounts(pull, table)));
      return [
        ...lines,
        ...(await withoutKeys(pull)),
        `${client.traffic()}; D1 counts ${formatted(database.rowsRead)} rows read (${formatted(freeRows)} a day are free)`,
      ];
    },
  };
}
