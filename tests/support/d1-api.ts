/** Cloudflare's query API on loopback, over a SQLite file: envelope, batches, rights, limits and faults. */
import { text } from "node:stream/consumers";
import Database from "better-sqlite3";
import { serveStandIn, type Asked, type StandIn } from "./stand-in.ts";

export const d1Account = "0123456789abcdef0123456789abcdef";
export const d1Token = "d1_nobody_may_see_this";
export const d1Id = "11111111-2222-3333-4444-555555555555";

/** A running API. */
export interface D1Api extends StandIn {
  readonly env: Readonly<Record<string, string>>;
  /** Every statement that was run. */
  readonly statements: readonly string[];
  /** Called before each request is answered, with the database. */
  before: (database: Database.Database, request: number) => void;
  /** Rows that are counted as read for each row of an answer. */
  cost: number;
}

const success = (result: unknown) => ({ success: true, errors: [], messages: [], result });
/** An answer to what is refused, as D1 gives it. */
export const d1Error = (code: number, message: string) => ({
  success: false,
  errors: [{ code, message }],
  messages: [],
  result: null,
});

/**
 * Runs a statement as the API does.
 *
 * @throws Error for what a reader may not do
 */
function run(database: Database.Database, sql: string, cost: number) {
  // The right D1: Read changes nothing.
  if (!/^(?:SELECT|PRAGMA table_info\()/.test(sql) || sql.includes(";"))
    throw new Error(`not authorized: ${sql}`);
  const statement = database.prepare(sql).raw();
  const rows = statement.all() as unknown[][];
  return {
    success: true,
    results: {
      columns: statement.columns().map(({ name }) => name),
      rows: rows.map((row) => row.map((value) => (Buffer.isBuffer(value) ? [...value] : value))),
    },
    meta: { duration: 0.1, rows_read: rows.length * cost, changed_db: false },
  };
}

/**
 * Serves a database.
 *
 * @param largestAnswer characters beyond which an answer fails, as large ones do
 */
export async function serveD1(file: string, { largestAnswer = 12_000_000 } = {}): Promise<D1Api> {
  const database = new Database(file);
  const statements: string[] = [];
  const base = `/accounts/${d1Account}/d1/database`;

  function runAll(batch: readonly { readonly sql: string }[]): readonly [number, object] {
    statements.push(...batch.map(({ sql }) => sql));
    try {
      const result = database.transaction(() =>
        batch.map(({ sql }) => run(database, sql, api.cost)),
      )();
      return JSON.stringify(result).length > largestAnswer
        ? [500, d1Error(7500, "result too large")]
        : [200, success(result)];
    } catch (cause) {
      return [400, d1Error(7500, `${(cause as Error).message}: SQLITE_ERROR`)];
    }
  }

  async function answer({ request, number, json }: Asked): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    // A client that was killed sends no whole request.
    const body = await text(request).catch(() => "");
    api.before(database, number);
    if (request.headers.authorization !== `Bearer ${d1Token}`)
      return json(401, d1Error(10_000, "Authentication error"));
    if (pathname === base) {
      const all = [
        { uuid: "0", name: "cases-old" },
        { uuid: d1Id, name: "cases" },
      ];
      const name = searchParams.get("name") ?? "";
      return json(200, success(all.filter((one) => one.name.includes(name))));
    }
    if (pathname !== `${base}/${d1Id}/raw` || body === "")
      return json(404, d1Error(7003, "Could not route to your account or database"));
    const { batch } = JSON.parse(body) as { batch: { sql: string }[] };
    json(...runAll(batch), { Ratelimit: '"default";r=900;t=30' });
  }

  const site = await serveStandIn(answer);
  const api: D1Api = Object.assign(site, {
    env: {
      CLOUDFLARE_ACCOUNT_ID: d1Account,
      CLOUDFLARE_API_TOKEN: d1Token,
      CLOUDFLARE_API_BASE_URL: site.url,
    },
    statements,
    before: () => {},
    cost: 1,
    close: ((close) => async () => {
      await close();
      database.close();
    })(site.close),
  });
  return api;
}
