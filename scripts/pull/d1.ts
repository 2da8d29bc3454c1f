/** A Cloudflare D1 database as a source: its query API is asked for named columns, page by page; the site stays up. */
import { Failure } from "../cli/command.ts";
import { counted, number } from "../lib/format-number.ts";
import { settingFrom } from "../cli/setting.ts";
import { d1Counts, d1Tables, ownName } from "../export/shapes/d1.ts";
import { printable, shown } from "../export/problems.ts";
import { collectGarbage } from "../lib/collect-garbage.ts";
import { valuesIfMissing } from "../export/canonical-schema.ts";
import type { CanonicalFile, NewRow } from "./canonical-file.ts";
import {
  jsonOf,
  Passing,
  PoliteClient,
  webUrl,
  type Answer,
  type Politeness,
} from "./polite-client.ts";
import type { PullTools, Source } from "./source.ts";

/** Cloudflare allows 1,200 requests in five minutes for everything that a user does. */
const politeness: Politeness = { inFiveMinutes: 600, apart: 0, timeout: 60_000 };
const publicApi = "https://api.cloudflare.com/client/v4";

/** Characters that an answer should have, of JSON; much larger ones fail. */
const wantedCharacters = 1_500_000;
const firstRows = 500;
const mostRows = 20_000;

/** Names of the variables, with what they must hold. */
const settings = {
  CLOUDFLARE_ACCOUNT_ID: "the account's ID (Workers & Pages → Account details)",
  CLOUDFLARE_API_TOKEN: "an API token with the permission D1: Read for this account",
} as const;

/** The result of one statement. */
interface Result {
  readonly rows: readonly (readonly unknown[])[];
  readonly rowsRead: number;
}

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
    return new Failure(`The database is not of the original site's shape: ${words}.`);
  if (status >= 500 || codes.some((code) => [7500, 1101, 1105].includes(code ?? 0)))
    return new TooLarge(`answered ${status}${words && `: ${words}`}`);
  if (status === 200) return new Passing("gave an answer that is cut or of another form");
  return new Failure(`Cloudflare answers ${status}${words && `: ${words}`}.`);
}

/** The query API of one database. */
function queryApi(client: PoliteClient, base: string, token: string) {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  let databaseId = "";
  let rowsRead = 0;

  /** Finds the database. @param name its name or ID */
  async function open(name: string): Promise<void> {
    if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(name)) {
      databaseId = name;
      return;
    }
    const found = await client.ask(
      "Looking for the database",
      () => [
        `${base}?name=${encodeURIComponent(name)}&per_page=100`,
        { headers, redirect: "manual" },
      ],
      (answer) => resultOf<readonly ({ name?: unknown; uuid?: unknown } | null)[]>(answer, token),
    );
    const uuid = found.find((one) => one?.name === name)?.uuid;
    if (typeof uuid !== "string")
      throw new Failure(
        `The account has no D1 database called ${printable(name)}. Check --d1 and CLOUDFLARE_ACCOUNT_ID.`,
      );
    databaseId = encodeURIComponent(uuid);
  }

  /**
   * Runs statements in one request: what they read is of one moment.
   *
   * @param statements made again for each attempt; called with whether fewer rows should be asked for
   */
  async function query(
    what: string,
    statements: (fewer: boolean) => readonly string[],
  ): Promise<Result[]> {
    let fewer = false;
    let asked: readonly string[] = [];
    return client.ask(
      what,
      () => {
        asked = statements(fewer);
        const body = JSON.stringify({ batch: asked.map((sql) => ({ sql, params: [] })) });
        return [`${base}/${databaseId}/raw`, { method: "POST", headers, body, redirect: "manual" }];
      },
      (answer) => {
        try {
          const results = resultOf<readonly RawResult[]>(answer, token);
          if (results.length !== asked.length) throw refusal(answer, token);
          return results.map((one) => resultFrom(one ?? {}, answer));
        } catch (error) {
          fewer = error instanceof TooLarge;
          throw error;
        }
      },
    );
  }

  /** Runs statements that give one value each. */
  async function values(what: string, statements: readonly string[]): Promise<unknown[]> {
    const results = await query(what, () => statements);
    return results.map(({ rows }) => rows[0]?.[0] ?? undefined);
  }

  function resultFrom({ success, results, meta }: RawResult, answer: Answer): Result {
    if (success !== true || !Array.isArray(results?.rows) || !results.rows.every(Array.isArray))
      throw refusal(answer, token);
    rowsRead += meta?.rows_read ?? 0;
    return { rows: results.rows, rowsRead: meta?.rows_read ?? 0 };
  }

  return { open, query, values, rowsRead: () => rowsRead };
}

interface RawResult {
  readonly success?: boolean;
  readonly results?: { readonly rows?: readonly (readonly unknown[])[] };
  readonly meta?: { readonly rows_read?: number };
}

/** The `result` of an answer. @throws what `refusal` makes of any other */
function resultOf<T>(answer: Answer, token: string): T {
  const parsed = jsonOf(answer) as
    | { readonly success?: boolean; readonly result?: T }
    | null
    | undefined;
  if (answer.status !== 200 || parsed?.success !== true || !Array.isArray(parsed.result))
    throw refusal(answer, token);
  return parsed.result;
}

/** A table to read, and what becomes of its rows. */
interface Reading {
  readonly table: string;
  /** What identifies a row, in the order by which rows are read. */
  readonly key: readonly string[];
  /** SQL of each column, by its name in the canonical table. */
  readonly columns: Readonly<Record<string, string>>;
  /** Whether the rows of a key are counted together. */
  readonly isGrouped: boolean;
  /** The largest value of the key's first column that is read; undefined where there is none. */
  readonly last: number | undefined;
  /** Takes a row. */
  readonly take: (row: NewRow) => void;
}

/** Whether the key of a row comes after another one, or is no key that can be compared. */
function isAfter(key: readonly unknown[], other: readonly unknown[]): boolean {
  const differs = key.findIndex((part, i) => part !== other[i]);
  return differs >= 0 && !(Number(key[differs]) < Number(other[differs]));
}

/** Reads a table by its key, from the first row to the last one that was there in the beginning. */
class Cursor {
  readonly #reading: Reading;
  #after: readonly unknown[] | undefined;
  #limit = firstRows;
  rows = 0;
  isDone: boolean;

  constructor(reading: Reading) {
    this.#reading = reading;
    this.isDone = reading.last === undefined;
  }

  get table(): string {
    return this.#reading.table;
  }

  /** The next page. @param fewer after an answer that was too large */
  statement(fewer: boolean): string {
    if (fewer) this.#limit = Math.max(1, Math.floor(this.#limit / 2));
    const { table, key: names, columns, isGrouped, last } = this.#reading;
    const key = names.join(", ");
    const bounds = [`${names[0]} <= ${last}`];
    if (this.#after !== undefined)
      bounds.push(
        names.length === 1
          ? `${key} > ${this.#after[0]}`
          : `(${key}) > (${this.#after.join(", ")})`,
      );
    return `SELECT ${Object.values(columns).join(", ")} FROM ${table} WHERE ${bounds.join(" AND ")}${isGrouped ? ` GROUP BY ${key}` : ""} ORDER BY ${key} LIMIT ${this.#limit}`;
  }

  /** Takes a page. @param characters of the answer that it has, at most */
  page({ rows }: Result, characters: number): void {
    const { key, columns, take } = this.#reading;
    const names = Object.keys(columns);
    for (const values of rows) take(Object.fromEntries(names.map((name, i) => [name, values[i]])));
    this.rows += rows.length;
    const last = rows.at(-1)?.slice(0, key.length);
    const isBack = last && this.#after && !isAfter(last, this.#after);
    // Without this, a table that always goes on has no end.
    if (isBack || Number(last?.[0]) > (this.#reading.last ?? 0))
      throw new Failure(
        `D1 does not give the rows of ${this.table} in the order and up to the id that was asked for, so they cannot all be read. Try again later.`,
      );
    // A key that is no exact number was reported; nothing can be asked for after it.
    this.isDone = rows.length < this.#limit || last?.every(Number.isSafeInteger) !== true;
    this.#after = last;
    const fitting = Math.floor((this.#limit * wantedCharacters) / Math.max(1, characters));
    this.#limit = Math.max(1, Math.min(mostRows, this.#limit * 4, fitting));
  }
}

/** Name of the number of rows in a group. */
const groupRows = "rows";

/** Columns of the database's tables. */
type Present = ReadonlyMap<string, ReadonlySet<string>>;

/** Canonical columns with their SQL, without optional columns that the database lacks. */
function selected(
  present: Present,
  table: string,
  columns: readonly (readonly [canonical: string, own: string])[],
): { readonly columns: Record<string, string>; readonly lacking: readonly string[] } {
  const found = present.get(table) ?? new Set();
  const lacking = columns.filter(([, own]) => !found.has(own));
  const needed = lacking.filter(([canonical]) => !valuesIfMissing.has(canonical));
  if (needed.length > 0)
    throw new Failure(`Table ${table} has no column ${needed.map(([, own]) => own).join(", ")}.`);
  return {
    columns: Object.fromEntries(columns.filter(([, own]) => found.has(own))),
    lacking: lacking.map(([, own]) => own),
  };
}

/**
 * The source.
 *
 * @param database its name or ID
 * @throws Failure where a setting is missing
 */
export function d1Source(database: string, tools: PullTools): Source {
  const { env, say, progress } = tools;
  const setting = (name: keyof typeof settings): string => settingFrom(env, name, settings[name]);
  const account = setting("CLOUDFLARE_ACCOUNT_ID");
  const token = setting("CLOUDFLARE_API_TOKEN");
  const api = (env["CLOUDFLARE_API_BASE_URL"] || publicApi).replace(/\/+$/, "");
  if (webUrl(api) === undefined)
    throw new Failure(
      `CLOUDFLARE_API_BASE_URL must be a URL that begins with http:// or https://, without a password. Unset it to ask Cloudflare itself.`,
    );
  const client = new PoliteClient(tools, politeness);
  const base = `${api}/accounts/${encodeURIComponent(account)}/d1/database`;
  const d1 = queryApi(client, base, token);

  async function presentColumns(): Promise<Present> {
    const tables = [...Object.values(d1Tables), ...d1Counts].map(({ table }) => table);
    const results = await d1.query("Reading the columns", () =>
      tables.map((table) => `PRAGMA table_info(${table})`),
    );
    return new Map(
      tables.map((table, i) => {
        const columns = new Set(results[i]?.rows.map((row) => String(row[1])));
        if (columns.size === 0)
          throw new Failure(
            `The database has no table ${table}. --d1 reads databases of the original site's shape: see README.md, "Your data".`,
          );
        return [table, columns];
      }),
    );
  }

  /** The largest ids, all of one moment; rows that come later are left to the next pull. */
  async function lastIds(): Promise<Readonly<Record<string, number | undefined>>> {
    const ends = [d1Tables.posts, d1Tables.tags, d1Tables.comments];
    const ids = await d1.values(
      "Reading the largest ids",
      ends.map(({ table, key: [key] }) => `SELECT max(${key}) FROM ${table}`),
    );
    for (const [i, { table, key }] of ends.entries())
      // Text is the largest of all, so a key of another type is seen here.
      if (ids[i] !== undefined && !Number.isSafeInteger(ids[i]))
        throw new Failure(
          `${table} has a ${key[0]} that is no whole number up to 2^53 - 1: ${shown(ids[i])}. Correct it, and pull again.`,
        );
    const [posts, tags, comments] = ids as (number | undefined)[];
    return { posts, tags, comments };
  }

  /** Lines about rows without an id, by table: nothing can be asked for by it. */
  async function withoutKeys(): Promise<string[]> {
    const keyed = [
      ...Object.values(d1Tables).map(({ table, key: [key] }) => ({ table, key })),
      ...d1Counts.map(({ table, by }) => ({ table, key: by })),
    ];
    const counts = await d1.values(
      "Reading rows without ids",
      keyed.map(({ table, key }) => `SELECT count(*) FROM ${table} WHERE ${key} IS NULL`),
    );
    return keyed.flatMap(({ table }, i) =>
      !counts[i]
        ? []
        : [`warning: ${table}: ${counted(Number(counts[i]), "rows")} without an id, left out`],
    );
  }

  /** One cursor a table, in the order in which rows may refer to each other. */
  function cursors(
    file: CanonicalFile,
    present: Present,
    last: Awaited<ReturnType<typeof lastIds>>,
  ) {
    const dropped = new Map<string, number>();
    /** Rows of a kind that counts nowhere, by table. */
    const unknown = new Map<string, number>();
    /** Tags that no post carries so far: perhaps deleted posts do, so nothing of them may be seen. */
    const tags = new Map<unknown, NewRow>();
    const drop = (what: string): void => void dropped.set(what, (dropped.get(what) ?? 0) + 1);
    const takes: Readonly<Record<keyof typeof d1Tables, (row: NewRow) => void>> = {
      posts: (row) => file.add("posts", row),
      tags: (row) => void tags.set(row["tag_id"], row),
      post_tags: (row) => {
        if (!file.has("posts", row["post_id"])) return drop("links to tags");
        const tag = tags.get(row["tag_id"]);
        if (tag !== undefined) file.add("tags", tag);
        tags.delete(row["tag_id"]);
        if (file.has("tags", row["tag_id"])) file.add("post_tags", row);
        else drop("links to tags");
      },
      comments: (row) =>
        file.has("posts", row["post_id"]) || typeof row["post_id"] !== "number"
          ? file.add("comments", row)
          : drop("comments"),
    };
    const lacks: string[] = [];
    const rows = (Object.keys(d1Tables) as (keyof typeof d1Tables)[]).map((into) => {
      const source = d1Tables[into];
      const { columns, lacking } = selected(
        present,
        source.table,
        source.columns.map((column) => [column, ownName(source, column)]),
      );
      lacks.push(...lacking.map((column) => `${source.table}.${column}`));
      return new Cursor({
        table: source.table,
        key: source.key,
        columns,
        isGrouped: false,
        last: last[into === "post_tags" ? "posts" : into],
        take: takes[into],
      });
    });
    const counts = d1Counts.map(({ table, by, into, counts: sums, reads }) => {
      selected(
        present,
        table,
        [by, ...reads].map((column) => [column, column]),
      );
      return new Cursor({
        table,
        key: [by],
        columns: { [by]: by, ...sums, [groupRows]: "count(*)" },
        isGrouped: true,
        last: last[into],
        take({ [by]: id, [groupRows]: rowsOfGroup, ...totals }) {
          // Groups of rows whose type is missing have no sum.
          const known = Object.fromEntries(
            Object.entries(totals).map(([name, sum]) => [name, sum ?? 0]),
          );
          if (!file.count(into as "posts" | "comments", id, known)) drop(`rows of ${table}`);
          const all = Object.values(known).reduce<number>((sum, one) => sum + Number(one), 0);
          if (all < Number(rowsOfGroup))
            unknown.set(table, (unknown.get(table) ?? 0) + Number(rowsOfGroup) - all);
        },
      });
    });
    return { rows, counts, dropped, unknown, lacks, tags };
  }

  /** Reads some tables to their end, a page of each in a request. */
  async function readAll(name: string, all: readonly Cursor[]): Promise<void> {
    const step = progress.step(name, "rows", undefined);
    for (let open = all.filter(({ isDone }) => !isDone); open.length > 0;) {
      const before = client.received;
      const results = await d1.query(`Reading ${name}`, (fewer) =>
        open.map((cursor) => cursor.statement(fewer)),
      );
      const characters = client.received - before;
      for (const [i, cursor] of open.entries()) cursor.page(results[i]!, characters);
      step.update(all.reduce((sum, { rows }) => sum + rows, 0));
      collectGarbage();
      open = open.filter(({ isDone }) => !isDone);
    }
    step.done();
  }

  return {
    name: "D1",
    async gather(file) {
      await d1.open(database);
      const present = await presentColumns();
      const last = await lastIds();
      const { rows, counts, dropped, unknown, lacks, tags: unused } = cursors(file, present, last);
      const [posts, tags, links, comments] = rows;
      if (lacks.length > 0) say(`columns that the database lacks: ${lacks.join(", ")}`);
      await readAll("posts", [posts!]);
      await readAll("comments and tags", [tags!, comments!]);
      // Rows that refer to the rows read so far, or that are counted for them.
      await readAll("links, votes and bookmarks", [links!, ...counts]);
      return [
        ...[...rows, ...counts].map(
          ({ table, rows: read }) => `${table}: ${counted(read, "rows")}`,
        ),
        ...[...unknown].map(
          ([table, count]) =>
            `warning: ${table}: ${counted(count, "rows")} of an unknown type, not counted`,
        ),
        ...(await withoutKeys()),
        ...[...dropped].map(
          ([what, count]) =>
            `left out, because the row that they refer to is missing: ${number(count)} ${what}`,
        ),
        ...(unused.size === 0
          ? []
          : [`left out, because no post carries them: ${counted(unused.size, "tags")}`]),
        `${counted(client.requests, "requests")}, ${(client.received / 1e6).toFixed(1)} million characters; ` +
          `D1 counts ${number(d1.rowsRead())} rows read (5,000,000 a day are free)`,
      ];
    },
  };
}
