/**
 * What every kind of path must answer, however the platform leads it to the function: one row for each
 * request. The smoke test sends these requests to a site; the tests send them to a model of the platform.
 */
import {
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
import { tools } from "../../functions/contract/tools.ts";

/** What a request must be answered with. */
interface Expectation {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Of a file whose charset the platform writes as it likes. */
  readonly mediaType?: string;
  /** The name of the first field of the body, which is JSON. */
  readonly firstField?: string;
  /** The whole body, of JSON its value. */
  readonly body?: unknown;
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

const search: Expectation = {
  status: 200,
  headers: successHeaders,
  firstField: "metadata",
  meaning: "the platform does not lead this path to the function: no search works on this site",
};
const post: Expectation = {
  status: 200,
  headers: successHeaders,
  firstField: "postId",
  meaning: "the rewrite of netlify.toml does not find the post's file, or its headers are not set",
};
const openapi: Expectation = {
  status: 200,
  headers: successHeaders,
  firstField: "openapi",
  meaning: "the description is not published, or the headers of _headers are not set",
};
const error = (kind: ErrorKind): Expectation => ({
  status: errors[kind].status,
  headers: {
    ...errorHeaders,
    ...(kind === "methodNotAllowed" ? { Allow: preflightHeaders.Allow } : {}),
  },
  body: { error: errors[kind].message },
  meaning:
    "the platform answers instead of the function: clients get a page where they expect JSON",
});
const download = (file: keyof typeof downloads): Expectation => ({
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
const page = (status: 200 | 404, mediaType = "text/html"): Expectation => ({
  status,
  // What the platform sends with its page for missing files is its own affair.
  headers: status === 200 ? siteHeaders : {},
  mediaType,
  meaning: "a file of the documentation is missing, or a file that must stay private is public",
});

/** Paths that the function answers, which it must do for every method. */
const answeredByFunction = (missingId: number): readonly (readonly [string, Expectation])[] => [
  [paths.search, search],
  [`${paths.search}?q=a&pageSize=1`, search],
  [`${paths.search}/`, search],
  [`${paths.search}/?q=a`, search],
  [`${paths.search}.json`, error("notFound")],
  [`${paths.posts}${missingId}`, error("postNotFound")],
  [`${paths.posts}007`, error("postNotFound")],
  [paths.posts + "9".repeat(40), error("postNotFound")],
  ...["0", "-1", "abc", "1.5", "%EF%BC%91", "1/2", ""].map(
    (id) => [paths.posts + id, error("invalidPostId")] as const,
  ),
  ...["/api", "/api/", "/api/nope", "/api/nope/more"].map(
    (path) => [path, error("notFound")] as const,
  ),
];

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

/**
 * All rows.
 *
 * @param postId a post that is published; undefined where there is none
 * @param missingId an id that no post has
 */
export function requestTable(postId: number | undefined, missingId: number): RequestRow[] {
  const files: readonly (readonly [string, Expectation])[] = [
    ...(postId === undefined
      ? []
      : ([
          [`${paths.posts}${postId}`, post],
          [`${paths.posts}${postId}.json`, post],
        ] as const)),
    [paths.openapi, openapi],
    [downloads.sync, download("sync")],
    [downloads.feed, download("feed")],
    [downloads.syncJavaScript, download("syncJavaScript")],
    [downloads.syncPython, download("syncPython")],
    ["/", page(200)],
    [documents.docs, page(200)],
    [
      documents.llms,
      { ...page(200, "text/plain"), headers: { ...siteHeaders, ...fileHeaders()[documents.llms] } },
    ],
    [documents.snapshot, download("sync")],
    ["/no-such-page", page(404)],
    // The index is the function's own: neither its old folder nor its new one is published.
    ["/search-index/manifest.json", page(404)],
    ["/.search-index/manifest.json", page(404)],
  ];
  const read = [...answeredByFunction(missingId), ...files].flatMap(([path, expected]) =>
    (["GET", "HEAD"] as const).map((method): RequestRow => ({ method, path, expected })),
  );
  const others = answeredByFunction(missingId).flatMap(([path]): RequestRow[] => [
    { method: "OPTIONS", path, expected: preflight },
    { method: "POST", path, expected: error("methodNotAllowed") },
  ]);
  return [...read, ...others, ...mcpRows];
}
