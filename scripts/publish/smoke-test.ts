/** Asks a site what the contract promises: every kind of request, a search walked through all its pages, a sample of posts. */
import { createHash } from "node:crypto";
import {
  documents,
  downloadHeaders,
  downloads,
  paths,
  siteHeaders,
  contentSecurityPolicy,
  successHeaders,
} from "../../functions/contract/http.ts";
import { searchParameters } from "../../functions/contract/parameters.ts";
import { syncDigits, syncFile, type SyncFile } from "../../functions/contract/sync.ts";
import type { Post, SearchMetadata, SearchResult } from "../../functions/contract/resources.ts";
import { tagKey } from "../../functions/search/normalise.ts";
import { ask, askForDownload, reasonOf } from "../lib/site-request.ts";
import { contractRules, publishedRules, type Description } from "../lib/json-schema.ts";
import { askedTag } from "./asked-tag.ts";
import { requestTable, type RequestRow } from "./request-table.ts";

/** A site to ask, and how much to ask it. */
export interface SmokeTestOptions {
  /** Base URL, without a trailing slash. */
  readonly site: string;
  /** Number of posts to read, spread over all. At least 1. */
  readonly posts: number;
  /** A stand-in for the site's server. */
  readonly fetch?: (url: string, init?: RequestInit) => Promise<Response>;
  /** Pauses between posts. */
  readonly wait: (milliseconds: number) => Promise<unknown>;
  /** Ends the test early: it then throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called after each check. `failure` is unset where it passed. */
  readonly report: (check: string, failure?: string) => void;
}

/** Clients are asked to pause between posts. */
const pauseMilliseconds = 30;
/** Collections up to this many posts are walked through completely, larger ones by one tag. */
const walkedCompletely = 2000;

function expectEqual(what: string, found: unknown, expected: unknown): void {
  if (JSON.stringify(found) !== JSON.stringify(expected))
    throw new Error(`${what} is ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`);
}

function expectHeaders(response: Response, expected: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(expected))
    expectEqual(name, response.headers.get(name), value);
}

/** A site as the checks ask it. */
class AskedSite {
  readonly #options: SmokeTestOptions;
  /** Checks that failed so far. */
  failures = 0;

  constructor(options: SmokeTestOptions) {
    this.#options = options;
  }

  /** Runs a check and reports it. What `run` throws is what is wrong. @returns what it gives; undefined where it fails */
  async check<T>(name: string, run: () => Promise<T>, meaning?: string): Promise<T | undefined> {
    const { report, signal } = this.#options;
    try {
      const found = await run();
      report(name);
      return found;
    } catch (error) {
      signal?.throwIfAborted();
      this.failures++;
      const reason = reasonOf(error as Error);
      report(name, meaning === undefined ? reason : `${reason} (${meaning})`);
      return undefined;
    }
  }

  get(path: string, init: RequestInit = {}, usual = ask): Promise<Response> {
    const { site, fetch = usual, signal = null } = this.#options;
    return fetch(site + path, { ...init, signal });
  }

  /** The body of a success. */
  async read<T>(path: string): Promise<T> {
    const response = await this.get(path);
    expectEqual("status", response.status, 200);
    expectHeaders(response, successHeaders);
    return (await response.json()) as T;
  }

  search(query: string): Promise<SearchResult> {
    return this.read(`${paths.search}?${query}`);
  }
}

/** A body and its headers, as MCP clients send them. */
const jsonBody = (body: object): RequestInit => ({
  body: JSON.stringify(body),
  headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
});

/** Asks one row of the table. */
async function askRow(
  site: AskedSite,
  { method, path, expected, body: sent }: RequestRow,
): Promise<void> {
  const response = await site.get(path, { method, ...(sent === undefined ? {} : jsonBody(sent)) });
  expectEqual("status", response.status, expected.status);
  expectHeaders(response, expected.headers);
  if (expected.mediaType !== undefined) {
    const [mediaType] = response.headers.get("Content-Type")?.split(";") ?? [];
    expectEqual("media type", mediaType, expected.mediaType);
  }
  const body = await response.text();
  if (method === "HEAD") return expectEqual("body", body, "");
  const isJson = expected.headers["Content-Type"]?.startsWith("application/json");
  const value: unknown = isJson ? JSON.parse(body) : body;
  if (expected.body !== undefined) expectEqual("body", value, expected.body);
  if (expected.firstField !== undefined)
    expectEqual("body", Object.keys(value as object)[0], expected.firstField);
  for (const part of expected.holds ?? [])
    if (!body.includes(part)) throw new Error(`the body does not hold ${part}`);
}

/** A tag that no post has. Anyone may know how it is made, and choose it. */
function unknownTag(tagCounts: SearchResult["tagCounts"]): string {
  const keys = new Set(tagCounts.map(({ tagName }) => tagKey(tagName)));
  let name = "no-such-tag";
  for (let number = 1; keys.has(tagKey(name)); number++) name = `no-such-tag-${number}`;
  return name;
}

/** Searches by parameter, with what their metadata must say. @param everything the answer without any */
function searchRows({
  metadata: { count: total },
  tagCounts,
}: SearchResult): (readonly [string, keyof SearchMetadata, unknown])[] {
  const { maximum, default: usual } = searchParameters.pageSize;
  return [
    ["q=%20a%20b%20", "query", " a b "],
    ["q=%25_%5C'%22", "query", "%_\\'\""],
    ["q=%E3%81%AE", "query", "の"],
    ["orderby=timeAsc", "orderby", "timeAsc"],
    ["orderby=like", "orderby", "like"],
    ["orderby=nonsense", "orderby", "timeDesc"],
    ["page=2", "page", 2],
    ["page=0", "page", 1],
    ["page=x", "page", 1],
    ["page=999999", "hasMore", false],
    [`pageSize=${maximum}`, "totalPages", Math.ceil(total / maximum)],
    [`pageSize=${maximum + 1}`, "totalPages", Math.ceil(total / maximum)],
    ["pageSize=0", "totalPages", Math.ceil(total / usual)],
    ["pageSize=-1", "totalPages", Math.ceil(total / usual)],
    [`tags=${unknownTag(tagCounts)}`, "count", 0],
  ];
}

/** The schemas of the published description. */
async function readRules(site: AskedSite): Promise<(schema: string, body: unknown) => void> {
  const rules = await site.check("the description is OpenAPI 3.1.0", async () => {
    const document = await site.read<Description & { openapi: string }>(paths.openapi);
    expectEqual("openapi", document.openapi, "3.1.0");
    const names = Object.keys(document.components.schemas);
    return new Map(names.map((name) => [name, publishedRules(document, name)]));
  });
  return (schema, body) => {
    // Without the description, that is the failure, not each answer.
    if (rules === undefined) return;
    const problems = rules.get(schema)?.(body) ?? [`the description has no ${schema}`];
    if (problems.length > 0) throw new Error(problems.join("; "));
  };
}

/** Checks the search, and gives the ids of posts that it found. */
async function checkSearch(
  site: AskedSite,
  follows: (schema: string, body: unknown) => void,
): Promise<number[]> {
  let everything: SearchResult | undefined;
  await site.check("a search without parameters gives the defaults", async () => {
    everything = await site.search("");
    follows("SearchResult", everything);
    const { query, page, orderby, count, totalPages } = everything.metadata;
    const { q, page: pages, orderby: orders, pageSize } = searchParameters;
    expectEqual("metadata", [query, page, orderby], [q.default, pages.default, orders.default]);
    expectEqual("totalPages", totalPages, Math.ceil(count / pageSize.default));
  });
  // The checks below need it; what is wrong was said.
  if (everything === undefined) return [];
  const total = everything.metadata.count;
  for (const [query, field, expected] of searchRows(everything))
    await site.check(`search ?${query}: ${field} is ${JSON.stringify(expected)}`, async () => {
      const result = await site.search(query);
      follows("SearchResult", result);
      expectEqual(field, result.metadata[field], expected);
    });

  // A tag that a URL can name, and that shares its `tagKey` with no other tag.
  const tag = everything?.tagCounts.find(
    ({ tagName }, _, all) =>
      askedTag(tagName) !== undefined &&
      all.filter((other) => tagKey(other.tagName) === tagKey(tagName)).length === 1,
  );
  const walked: number[] = [];
  await site.check("a search walked through all pages gives every hit once", async () => {
    const filter =
      tag === undefined || total <= walkedCompletely
        ? ""
        : `&tags=${encodeURIComponent(tagKey(tag.tagName))}`;
    let more = true;
    let count = 0;
    for (let page = 1; more; page++) {
      const { metadata, results } = await site.search(
        `pageSize=${searchParameters.pageSize.maximum}&page=${page}${filter}`,
      );
      walked.push(...results.map(({ postId }) => postId));
      ({ hasMore: more, count } = metadata);
      expectEqual("page", metadata.page, page);
      if (page > 10_000) throw new Error("does not end");
    }
    expectEqual("hits", [walked.length, new Set(walked).size], [count, count]);
  });
  if (tag !== undefined)
    await site.check("a tag's count is the number of hits with that tag", async () => {
      const { metadata } = await site.search(`tags=${encodeURIComponent(tagKey(tag.tagName))}`);
      expectEqual("count", metadata.count, tag.count);
    });
  await checkNotModified(site);
  return walked;
}

/** Checks that a client need not read again what it has. */
async function checkNotModified(site: AskedSite): Promise<void> {
  await site.check("a search that the client has answers 304", async () => {
    const etag = (await site.get(`${paths.search}?q=a`)).headers.get("ETag");
    if (etag === null) throw new Error("there is no ETag");
    const again = await site.get(`${paths.search}?pageSize=10&q=a`, {
      headers: { "If-None-Match": etag },
    });
    expectEqual("status", again.status, 304);
  });
}

/** The oldest post, by id: where a collection has more posts than fit files, it is in a pack. */
async function oldestPost(site: AskedSite): Promise<number[]> {
  const oldest = await site.check("the oldest post is found", () =>
    site.search("orderby=timeAsc&pageSize=1"),
  );
  return oldest?.results.map(({ postId }) => postId) ?? [];
}

async function checkPosts(
  site: AskedSite,
  ids: readonly number[],
  { posts: wanted, wait }: SmokeTestOptions,
  follows: (schema: string, body: unknown) => void,
): Promise<void> {
  const step = Math.max(1, Math.floor(ids.length / wanted));
  for (const postId of ids.filter((_, i) => i % step === 0).slice(0, wanted))
    await site.check(`post ${postId}`, async () => {
      await wait(pauseMilliseconds);
      const post = await site.read<Post>(`${paths.posts}${postId}`);
      follows("Post", post);
      expectEqual("postId", post.postId, postId);
      if (post.nextPost === null) return;
      const next = await site.read<Post>(`${paths.posts}${post.nextPost.postId}`);
      expectEqual("the next post's previousPost", next.previousPost?.postId, postId);
    });
}

/** Checks that the page is there in each language that the one at / links to, and may load only what it should. */
async function checkPages(site: AskedSite): Promise<void> {
  await site.check("the page runs its own programs alone", async () => {
    const policy = (await site.get(documents.page)).headers.get("Content-Security-Policy");
    // Behind it come hosts of pictures, which are the publisher's to choose.
    if (policy?.startsWith(contentSecurityPolicy()) !== true)
      throw new Error(`its Content-Security-Policy is ${policy}`);
  });
  const links = await site.check("the page links to itself in other languages", async () => {
    const text = await (await site.get(documents.page)).text();
    const found = [...text.matchAll(/<link rel="alternate" hreflang="\w+" href="(\/\w+\/)"/g)];
    if (found.length === 0) throw new Error("there is no such link");
    return found;
  });
  for (const [, path = ""] of links ?? [])
    await site.check(`the page at ${path} is there`, async () => {
      const response = await site.get(path);
      // Read to its end: a server may close a connection whose answer nobody reads.
      await response.text();
      expectEqual("status", response.status, 200);
      expectHeaders(response, siteHeaders);
    });
}

/** Checks what clients that keep a copy read first, and that the files for bulk download are there. */
async function checkDownloads(
  site: AskedSite,
  ids: readonly number[],
  follows: (schema: string, body: unknown) => void,
): Promise<void> {
  let bulk: SyncFile["bulk"] = [];
  await site.check(
    "the sync file lists the posts, each with the digest of its document",
    async () => {
      const sync = (await (await site.get(downloads.sync)).json()) as SyncFile;
      const problems = contractRules(syncFile)(sync);
      if (problems.length > 0) throw new Error(problems.join("; "));
      ({ bulk } = sync);
      const [id] = ids;
      if (id === undefined) return;
      const document = await (await site.get(`${paths.posts}${id}`)).text();
      follows("Post", JSON.parse(document));
      const digest = createHash("sha256").update(document).digest("hex");
      expectEqual(`digest of post ${id}`, sync.posts[id], digest.slice(0, syncDigits));
    },
  );
  for (const { url, bytes } of bulk) {
    const { pathname } = new URL(url);
    await site.check(`${pathname} can be downloaded`, async () => {
      const response = await site.get(pathname, {}, askForDownload);
      expectEqual("status", response.status, 200);
      expectHeaders(response, downloadHeaders.bulk);
      expectEqual("bytes", (await response.arrayBuffer()).byteLength, bytes);
    });
  }
}

/**
 * Checks a published site.
 *
 * @returns the number of checks that failed
 */
export async function smokeTest(options: SmokeTestOptions): Promise<number> {
  const site = new AskedSite(options);
  const follows = await readRules(site);
  const ids = await checkSearch(site, follows);
  const oldest = await oldestPost(site);
  await checkPosts(site, [...new Set([...oldest, ...ids])], options, follows);
  await checkPages(site);
  await checkDownloads(site, ids, follows);
  // An id that no post has: beyond what collections reach, and not the newest, the oldest or any that was read.
  const known = new Set([...ids, ...oldest]);
  const missing = [999_999_999_999, 999_999_999_998].find((id) => !known.has(id)) ?? 0;
  for (const row of requestTable(ids[0], missing))
    await site.check(`${row.method} ${row.path}`, () => askRow(site, row), row.expected.meaning);
  return site.failures;
}
