/** Cloudflare's query API on loopback, over a SQLite file: envelope, batches, rights, limits and faults. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import Database from "better-sqlite3";
import { failWith, type Fault, type JsonWriter } from "./faulty-answers.ts";

export const d1Account = "0123456789abcdef0123456789abcdef";
export const d1Token = "d1_nobody_may_see_this";
export const d1Id = "11111111-2222-3333-4444-555555555555";

/** What is wrong with an answer: also what D1 alone says. */
type D1Fault = Fault | "500 with code 7500" | "locked";

/** A running API. */
export interface D1Api {
  /** As for CLOUDFLARE_API_BASE_URL. */
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  /** Every statement that was run. */
  readonly statements: string[];
  readonly requests: number;
  /** Largest number of characters of an answer. */
  readonly largest: number;
  /** Chooses a fault for a request. */
  faultOf: (request: number) => D1Fault | undefined;
  /** How answers are written. */
  writer: JsonWriter;
  /** Changes an answer of the API before it is written. */
  edit: (body: string, request: number) => string;
  /** Called before each request is answered, with the database. */
  before: (database: Database.Database, request: number) => void;
  close(): Promise<void>;
}

const error = (code: number, message: string) => ({
  success: false,
  errors: [{ code, message }],
  messages: [],
  result: null,
});

/**
 * Serves a database.
 *
 * @param latency milliseconds before each answer
 * @param largestAnswer characters beyond which an answer fails, as large ones do
 */
export async function serveD1(
  file: string,
  { latency = 0, largestAnswer = 12_000_000 } = {},
): Promise<D1Api> {
  const database = new Database(file);
  const statements: string[] = [];
  let requests = 0;
  let largest = 0;
  const run = (sql: string) => {
    statements.push(sql);
    // The right D1: Read changes nothing, and the API refuses what a reader may not do.
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
      meta: { duration: 0.1, rows_read: rows.length, changed_db: false },
    };
  };
  const bodyOf = async (request: IncomingMessage): Promise<[status: number, body: string]> => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    const asked = await text(request);
    const answer = (status: number, body: object): [number, string] => [
      status,
      JSON.stringify(body),
    ];
    if (request.headers.authorization !== `Bearer ${d1Token}`)
      return answer(401, error(10_000, "Authentication error"));
    const base = `/accounts/${d1Account}/d1/database`;
    if (pathname === base) {
      const name = searchParams.get("name") ?? "";
      const all = [
        { uuid: "0", name: "cases-old" },
        { uuid: d1Id, name: "cases" },
      ];
      return answer(200, {
        success: true,
        errors: [],
        messages: [],
        result: all.filter((one) => one.name.includes(name)),
      });
    }
    if (pathname !== `${base}/${d1Id}/raw`)
      return answer(404, error(7003, "Could not route to your account or database"));
    const { batch } = JSON.parse(asked) as { batch: { sql: string }[] };
    try {
      const result = database.transaction(() => batch.map(({ sql }) => run(sql)))();
      const body = JSON.stringify({ success: true, errors: [], messages: [], result });
      largest = Math.max(largest, body.length);
      return body.length > largestAnswer
        ? answer(500, error(7500, "result too large"))
        : [200, body];
    } catch (cause) {
      return answer(400, error(7500, `${(cause as Error).message}: SQLITE_ERROR`));
    }
  };
  const api: Pick<D1Api, "faultOf" | "before" | "writer" | "edit"> = {
    faultOf: () => undefined,
    writer: (json) => ["application/json", Buffer.from(json)],
    edit: (body) => body,
    before: () => {},
  };
  const fail = (fault: D1Fault, response: ServerResponse): void => {
    const answer = (status: number, message: string): void =>
      void response
        .writeHead(status, { "Content-Type": "application/json" })
        .end(JSON.stringify(error(7500, message)));
    if (fault === "500 with code 7500") answer(500, "internal error");
    else if (fault === "locked") answer(400, "Currently processing a long-running export.");
    else failWith(fault, response);
  };
  const server = createServer(async (request, response) => {
    const number = requests++;
    if (latency > 0) await new Promise((wait) => setTimeout(wait, latency));
    const fault = api.faultOf(number);
    if (fault !== undefined) return fail(fault, response);
    api.before(database, number);
    // A client that was killed sends no whole request.
    const [status, body] = await bodyOf(request).catch(() => [400, ""] as const);
    const [type, bytes] = api.writer(api.edit(body, number));
    if (type !== undefined) response.setHeader("Content-Type", type);
    response.writeHead(status, { Ratelimit: '"default";r=900;t=30' }).end(bytes);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(api, {
    url,
    env: {
      CLOUDFLARE_ACCOUNT_ID: d1Account,
      CLOUDFLARE_API_TOKEN: d1Token,
      CLOUDFLARE_API_BASE_URL: url,
    },
    statements,
    get requests() {
      return requests;
    },
    get largest() {
      return largest;
    },
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
        database.close();
      }),
  }) as D1Api;
}
