/** Asks a site what the contract promises: the table of requests and answers, run. */
import { paths, successHeaders } from "../../functions/contract/http.ts";
import type { SearchResult } from "../../functions/contract/resources.ts";
import { publishedRules, type Description, type Rules } from "../lib/json-schema.ts";
import { ask, failureReason } from "../lib/http.ts";
import { requestTable, type RequestRow, type SiteFacts } from "./request-table.ts";

/** One check, and why it failed, if it did. */
export interface SmokeCheck {
  readonly check: string;
  readonly failure?: string;
}

/** A site to ask. */
export interface SmokeTestOptions {
  /** Base URL, without a trailing slash. */
  readonly site: string;
  /** A stand-in for the site's server. */
  readonly fetch?: (url: string, init?: RequestInit) => Promise<Response>;
  /** Ends the test early: it then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

function expectEqual(what: string, found: unknown, expected: unknown): void {
  if (JSON.stringify(found) !== JSON.stringify(expected))
    throw new Error(`${what} is ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`);
}

function expectHeaders(response: Response, expected: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(expected))
    expectEqual(name, response.headers.get(name), value);
}

/** A body and its headers, as MCP clients send them. */
const jsonBody = (body: object): RequestInit => ({
  body: JSON.stringify(body),
  headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
});

/** The schemas of the published description, by name. */
type Schemas = ReadonlyMap<string, Rules>;

/**
 * Checks the answer to one row of the table.
 *
 * @throws Error that says what is wrong
 */
async function checkRow(
  options: SmokeTestOptions,
  { method, path, expected, body: sent }: RequestRow,
  schemas: Schemas | undefined,
): Promise<void> {
  const response = await request(options, path, {
    method,
    ...(sent === undefined ? {} : jsonBody(sent)),
  });
  expectEqual("status", response.status, expected.status);
  expectHeaders(response, expected.headers);
  if (expected.mediaType !== undefined) {
    const [mediaType] = response.headers.get("Content-Type")?.split(";") ?? [];
    expectEqual("media type", mediaType, expected.mediaType);
  }
  const body = await response.text();
  const policy = response.headers.get("Content-Security-Policy") ?? "";
  if (!policy.startsWith(expected.policy ?? ""))
    throw new Error(`its Content-Security-Policy is ${policy}`);
  if (method === "HEAD") return expectEqual("body", body, "");
  const isJson = expected.headers["Content-Type"]?.startsWith("application/json");
  const value: unknown = isJson ? JSON.parse(body) : body;
  if (expected.body !== undefined) expectEqual("body", value, expected.body);
  for (const part of expected.holds ?? [])
    if (!body.includes(part)) throw new Error(`the body does not hold ${part}`);
  // Without the description, that is the failure, not each answer.
  const broken = expected.schema && schemas?.get(expected.schema)?.(value);
  if (broken !== undefined && broken.length > 0) throw new Error(broken.join("; "));
  const { metadata, postId } = value as { metadata?: Record<string, unknown>; postId?: number };
  for (const [field, wanted] of Object.entries(expected.metadata ?? {}))
    expectEqual(field, metadata?.[field], wanted);
  if (expected.postId !== undefined) expectEqual("postId", postId, expected.postId);
}

const request = (
  { site, fetch = ask, signal }: SmokeTestOptions,
  path: string,
  init: RequestInit = {},
): Promise<Response> => fetch(site + path, signal ? { ...init, signal } : init);

/**
 * Reads the body of a success.
 *
 * @throws Error that says what is wrong
 */
async function readSuccess<T>(options: SmokeTestOptions, path: string): Promise<T> {
  const response = await request(options, path);
  expectEqual("status", response.status, 200);
  expectHeaders(response, successHeaders);
  return (await response.json()) as T;
}

async function readSchemas(options: SmokeTestOptions): Promise<Schemas> {
  const document = await readSuccess<Description & { openapi: string }>(options, paths.openapi);
  expectEqual("openapi", document.openapi, "3.1.0");
  const names = Object.keys(document.components.schemas);
  return new Map(names.map((name) => [name, publishedRules(document, name)]));
}

/** What the table needs to know of a site: the newest and the oldest post, which may be in a pack, and its tags. */
async function readFacts(options: SmokeTestOptions): Promise<SiteFacts> {
  const search = (query: string): Promise<SearchResult> =>
    readSuccess(options, `${paths.search}?${query}`);
  const all = await search("pageSize=1");
  const oldest = await search("orderby=timeAsc&pageSize=1");
  return {
    count: all.metadata.count,
    postIds: [...all.results, ...oldest.results].map(({ postId }) => postId),
    tagNames: all.tagCounts.map(({ tagName }) => tagName),
  };
}

/**
 * Checks a published site.
 *
 * @returns a result for each check, as it is made
 * @throws the reason of `signal` where that ends the test
 */
export async function* smokeTest(options: SmokeTestOptions): AsyncGenerator<SmokeCheck> {
  const run = async (
    check: string,
    work: () => Promise<void>,
    meaning = "",
  ): Promise<SmokeCheck> => {
    try {
      await work();
      return { check };
    } catch (error) {
      options.signal?.throwIfAborted();
      return { check, failure: failureReason(error as Error) + (meaning && ` (${meaning})`) };
    }
  };
  let schemas: Schemas | undefined;
  let facts: SiteFacts = { count: undefined, postIds: [], tagNames: [] };
  yield await run("the description is OpenAPI 3.1.0", async () => {
    schemas = await readSchemas(options);
  });
  yield await run("searches find the newest and the oldest post", async () => {
    facts = await readFacts(options);
  });
  for (const row of requestTable(facts))
    yield await run(
      `${row.method} ${row.path}`,
      () => checkRow(options, row, schemas),
      row.expected.meaning,
    );
}
