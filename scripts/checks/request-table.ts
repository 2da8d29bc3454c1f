/**
 * What every kind of path must answer, however the platform leads it to the function: one row for each
 * request. The smoke test sends these requests to a site; the tests send them to a model of the platform.
 */
import {
  contentSecurityPolicy,
  documents,
  downloadHeaders,
  downloads,
  errorHeaders,
  errors,
  fileHeaders,
  mcpHeaders,
  mcpPath,
  mcpPreflightHeaders,
  paths,
  preflightHeaders,
  siteHeaders,
  successHeaders,
  type ErrorKind,
} from "../../functions/contract/http.ts";
import { searchParameters } from "../../functions/contract/parameters.ts";
import type { SearchMetadata } from "../../functions/contract/resources.ts";
import { tools } from "../../functions/contract/tools.ts";
import { normalizeTagName } from "../../functions/engine/normalize.ts";

/** What a request must be answered with. */
interface Expectation {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Of a file whose charset the platform writes as it likes. */
  readonly mediaType?: string;
  /** The schema of the published description that the body follows. */
  readonly schema?: "SearchResult" | "Post";
  /** Fields of a search's metadata. */
  readonly metadata?: Partial<SearchMetadata>;
  readonly postId?: number;
  /** The whole body, of JSON its value. */
  readonly body?: unknown;
  /** How the Content-Security-Policy begins. Behind it come hosts of pictures, which are the publisher's to choose. */
  readonly policy?: string;
  /** Parts of the body. */
  readonly holds?: readonly string[];
  /** What a failure means: the first thing to look at. */
  readonly meaning: string;
}

/** A request, and what it must be answered with. */
export interface RequestRow {
  readonly method: "GET" | "HEAD" | "OPTIONS" | "POST";
  /** Path and query. */
  readonly path: string;
  readonly expected: Expectation;
  /** Sent as JSON. */
  readonly body?: object;
}

const searchAnswer = (metadata: Partial<SearchMetadata> = {}): Expectation => ({
  status: 200,
  headers: successHeaders,
  schema: "SearchResult",
  metadata,
  meaning: "the platform does not lead this path to the function: no search works on this site",
});
const postAnswer: Expectation = {
  status: 200,
  headers: successHeaders,
  schema: "Post",
  meaning: "the rewrite of netlify.toml does not find the post's file, or its headers are not set",
};
const openapi: Expectation = {
  status: 200,
  headers: successHeaders,
  holds: ['"openapi":"3.1.0"'],
  meaning: "the description is not published, or the headers of _headers are not set",
};
const errorAnswer = (kind: ErrorKind): Expectation => ({
  status: errors[kind].status,
  headers: {
    ...errorHeaders,
    ...(kind === "methodNotAllowed" ? { Allow: preflightHeaders.Allow } : {}),
  },
  body: { error: errors[kind].message },
  meaning:
    "the platform answers instead of the function: clients get a page where they expect JSON",
});
const downloadAnswer = (file: keyof typeof downloads): Expectation => ({
  status: 200,
  headers: downloadHeaders[file],
  meaning: "the file is not published, or the headers of _headers are not set",
});
const preflight: Expectation = {
  status: 204,
  headers: preflightHeaders,
  body: "",
  meaning: "browsers on other sites cannot send this request",
};
const pageAnswer = (status: 200 | 404, mediaType = "text/html"): Expectation => ({
  status,
  // What the platform sends with its page for missing files is its own affair.
  headers: status === 200 ? siteHeaders : {},
  ...(status === 200 ? { policy: contentSecurityPolicy() } : {}),
  mediaType,
  meaning: "a file of the documentation is missing, or a file that must stay private is public",
});

/** Paths that the function answers, which it must do for every method. */
const answeredByFunction = (missingId: number): readonly (readonly [string, Expectation])[] => [
  [paths.search, searchAnswer()],
  [`${paths.search}?q=a&pageSize=1`, searchAnswer({ query: "a" })],
  [`${paths.search}/`, searchAnswer()],
  [`${paths.search}/?q=a`, searchAnswer({ query: "a" })],
  [`${paths.search}.json`, errorAnswer("notFound")],
  [`${paths.posts}${missingId}`, errorAnswer("postNotFound")],
  [`${paths.posts}007`, errorAnswer("postNotFound")],
  [paths.posts + "9".repeat(40), errorAnswer("postNotFound")],
  ...["0", "-1", "abc", "1.5", "%EF%BC%91", "1/2", ""].map(
    (id) => [paths.posts + id, errorAnswer("invalidPostId")] as const,
  ),
  ...["/api", "/api/", "/api/nope", "/api/nope/more"].map(
    (path) => [path, errorAnswer("notFound")] as const,
  ),
];

/** What is known of a site before the table is made. */
export interface SiteFacts {
  /** Number of posts; undefined where no search was answered. */
  readonly count: number | undefined;
  /** The newest post and the oldest; none where there is no post. */
  readonly postIds: readonly number[];
  readonly tagNames: readonly string[];
}

/** A tag that no post has. Anyone may know how it is made, and choose it. */
function unknownTag(tagNames: readonly string[]): string {
  const keys = new Set(tagNames.map(normalizeTagName));
  let name = "no-such-tag";
  for (let number = 1; keys.has(normalizeTagName(name)); number++) name = `no-such-tag-${number}`;
  return name;
}

/** Searches by parameter, with what their metadata must say. */
function searchRows({ count, tagNames }: SiteFacts): RequestRow[] {
  const { maximum, default: usual } = searchParameters.pageSize;
  const pages = (size: number): Partial<SearchMetadata> =>
    count === undefined ? {} : { count, totalPages: Math.ceil(count / size) };
  const rows: readonly (readonly [string, Partial<SearchMetadata>])[] = [
    ["", { query: "", page: 1, orderby: "timeDesc", ...pages(usual) }],
    ["q=%20a%20b%20", { query: " a b " }],
    ["q=%25_%5C'%22", { query: "%_\\'\"" }],
    ["q=%E3%81%AE", { query: "の" }],
    ["orderby=timeAsc", { orderby: "timeAsc" }],
    ["orderby=like", { orderby: "like" }],
    ["orderby=nonsense", { orderby: "timeDesc" }],
    ["page=2", { page: 2 }],
    ["page=0", { page: 1 }],
    ["page=x", { page: 1 }],
    ["page=999999", { hasMore: false }],
    [`pageSize=${maximum}`, pages(maximum)],
    [`pageSize=${maximum + 1}`, pages(maximum)],
    ["pageSize=0", pages(usual)],
    ["pageSize=-1", pages(usual)],
    [`tags=${unknownTag(tagNames)}`, { count: 0 }],
  ];
  return rows.map(([query, metadata]) => ({
    method: "GET",
    path: `${paths.search}?${query}`,
    expected: searchAnswer(metadata),
  }));
}

const mcpRefusal: Expectation = {
  status: 405,
  headers: { ...mcpHeaders, Allow: "POST" },
  meaning: "the platform answers /mcp instead of the function",
};

/** What an MCP client of either kind asks, with a header of neither: the oldest way, which all answer. */
const mcpRows: readonly RequestRow[] = [
  {
    method: "POST",
    path: mcpPath,
    body: { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} },
    expected: {
      status: 200,
      headers: mcpHeaders,
      holds: Object.values(tools).map(({ name }) => `"name":"${name}"`),
      meaning:
        "the platform does not lead this path to the function: no agent can connect over MCP, or finds a tool",
    },
  },
  {
    method: "POST",
    path: mcpPath,
    body: {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      // With a word and a tag that no post has, all that a search can need is loaded.
      params: {
        name: tools.search.name,
        arguments: { query: "posts no-such-word", tags: ["no-such-tag"] },
      },
    },
    expected: {
      status: 200,
      headers: mcpHeaders,
      holds: ['"structuredContent":{"results":['],
      meaning:
        "agents cannot search: a package is missing that only a call of a tool loads (npm ci), or the index cannot be read; the log of the function says which",
    },
  },
  {
    method: "OPTIONS",
    path: mcpPath,
    expected: {
      status: 204,
      headers: mcpPreflightHeaders,
      meaning: "agents that run in a browser cannot connect over MCP",
    },
  },
  { method: "GET", path: mcpPath, expected: mcpRefusal },
  { method: "HEAD", path: mcpPath, expected: mcpRefusal },
];

/** An id that no post has: beyond what collections reach, and neither the newest post nor the oldest. */
const missingPost = (postIds: readonly number[]): number =>
  [999_999_999_999, 999_999_999_998, 999_999_999_997].find((id) => !postIds.includes(id))!;

/** Makes all rows for a site. */
export function requestTable(facts: SiteFacts): RequestRow[] {
  const byFunction = answeredByFunction(missingPost(facts.postIds));
  const files: readonly (readonly [string, Expectation])[] = [
    ...[...new Set(facts.postIds)].flatMap((postId) => [
      [`${paths.posts}${postId}`, { ...postAnswer, postId }] as const,
      [`${paths.posts}${postId}.json`, { ...postAnswer, postId }] as const,
    ]),
    [paths.openapi, openapi],
    [downloads.sync, downloadAnswer("sync")],
    [downloads.feed, downloadAnswer("feed")],
    [downloads.syncJavaScript, downloadAnswer("syncJavaScript")],
    [downloads.syncPython, downloadAnswer("syncPython")],
    ["/", pageAnswer(200)],
    [documents.docs, pageAnswer(200)],
    [
      documents.llms,
      {
        ...pageAnswer(200, "text/plain"),
        headers: { ...siteHeaders, ...fileHeaders()[documents.llms] },
      },
    ],
    [documents.snapshot, downloadAnswer("sync")],
    ["/no-such-page", pageAnswer(404)],
    // The platform reads its rules, and serves them to nobody. The index is the function's own: neither its old folder nor its new one is published.
    ["/_headers", pageAnswer(404)],
    ["/search-index/manifest.json", pageAnswer(404)],
    ["/.search-index/manifest.json", pageAnswer(404)],
  ];
  const read = [...byFunction, ...files].flatMap(([path, expected]) =>
    (["GET", "HEAD"] as const).map((method): RequestRow => ({ method, path, expected })),
  );
  const others = byFunction.flatMap(([path]): RequestRow[] => [
    { method: "OPTIONS", path, expected: preflight },
    { method: "POST", path, expected: errorAnswer("methodNotAllowed") },
  ]);
  return [...searchRows(facts), ...read, ...others, ...mcpRows];
}
