/**
 * What every kind of path must answer, however the platform leads it to the function: one row for each
 * request. The smoke test sends these requests to a site; the tests send them to a model of the platform.
 */
import {
  downloads,
  errors,
  mcpPath,
  paths,
  type ErrorKind,
} from "../../functions/contract/http.ts";

/** What a request must be answered with. */
export type Expectation =
  | { readonly kind: "search" }
  | { readonly kind: "post" }
  | { readonly kind: "openapi" }
  | { readonly kind: "error"; readonly error: ErrorKind }
  | { readonly kind: "download"; readonly file: keyof typeof downloads }
  | { readonly kind: "preflight" }
  | { readonly kind: "mcp" }
  | { readonly kind: "mcpPreflight" }
  | { readonly kind: "mcpRefusal" }
  | { readonly kind: "page"; readonly status: 200 | 404; readonly mediaType: string };

/** A request, and what it must be answered with. */
export interface RequestRow {
  readonly method: "GET" | "HEAD" | "OPTIONS" | "POST";
  /** Path and query. */
  readonly path: string;
  readonly expected: Expectation;
  /** Sent as JSON. */
  readonly body?: object;
}

/** What a failure of a row means, by what the row expects: the first thing to look at. */
export const meaningOfFailure: Readonly<Record<Expectation["kind"], string>> = {
  search: "the platform does not lead this path to the function: no search works on this site",
  post: "the rewrite of netlify.toml does not find the post's file, or its headers are not set",
  openapi: "the description is not published, or the headers of netlify.toml are not set",
  error: "the platform answers instead of the function: clients get a page where they expect JSON",
  download: "the file is not published, or the headers of netlify.toml are not set",
  preflight: "browsers on other sites cannot send this request",
  mcp: "the platform does not lead this path to the function: no agent can connect over MCP",
  mcpPreflight: "agents that run in a browser cannot connect over MCP",
  mcpRefusal: "the platform answers /mcp instead of the function",
  page: "a file of the documentation is missing, or a file that must stay private is public",
};

const error = (kind: ErrorKind): Expectation => ({ kind: "error", error: kind });
const html = "text/html";

/** Paths that the function answers, which it must do for every method. */
const answeredByFunction = (missingId: number): readonly (readonly [string, Expectation])[] => [
  [paths.search, { kind: "search" }],
  [`${paths.search}?q=a&pageSize=1`, { kind: "search" }],
  [`${paths.search}/`, { kind: "search" }],
  [`${paths.search}/?q=a`, { kind: "search" }],
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

/** What an MCP client of either kind asks, with a header of neither: the oldest way, which all answer. */
const mcpRows: readonly RequestRow[] = [
  {
    method: "POST",
    path: mcpPath,
    body: { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} },
    expected: { kind: "mcp" },
  },
  { method: "OPTIONS", path: mcpPath, expected: { kind: "mcpPreflight" } },
  { method: "GET", path: mcpPath, expected: { kind: "mcpRefusal" } },
  { method: "HEAD", path: mcpPath, expected: { kind: "mcpRefusal" } },
];

/**
 * All rows.
 *
 * @param postId a post that is published
 * @param missingId an id that no post has
 */
export function requestTable(postId: number, missingId: number): RequestRow[] {
  const files: readonly (readonly [string, Expectation])[] = [
    [`${paths.posts}${postId}`, { kind: "post" }],
    [`${paths.posts}${postId}.json`, { kind: "post" }],
    [paths.openapi, { kind: "openapi" }],
    [downloads.sync, { kind: "download", file: "sync" }],
    [downloads.feed, { kind: "download", file: "feed" }],
    ["/", { kind: "page", status: 200, mediaType: html }],
    ["/en/", { kind: "page", status: 200, mediaType: html }],
    ["/llms.txt", { kind: "page", status: 200, mediaType: "text/plain" }],
    ["/no-such-page", { kind: "page", status: 404, mediaType: html }],
    // The index is the function's own: neither its old folder nor its new one is published.
    ["/search-index/manifest.json", { kind: "page", status: 404, mediaType: html }],
    ["/.search-index/manifest.json", { kind: "page", status: 404, mediaType: html }],
  ];
  const read = [...answeredByFunction(missingId), ...files].flatMap(([path, expected]) =>
    (["GET", "HEAD"] as const).map((method): RequestRow => ({ method, path, expected })),
  );
  const others = answeredByFunction(missingId).flatMap(([path]): RequestRow[] => [
    { method: "OPTIONS", path, expected: { kind: "preflight" } },
    { method: "POST", path, expected: error("methodNotAllowed") },
  ]);
  return [...read, ...others, ...mcpRows];
}

/** The status of what is expected. */
export function statusOf(expected: Expectation): number {
  switch (expected.kind) {
    case "error":
      return errors[expected.error].status;
    case "page":
      return expected.status;
    case "preflight":
    case "mcpPreflight":
      return 204;
    case "mcpRefusal":
      return 405;
    default:
      return 200;
  }
}
