/** Paths, headers and error messages of the API, declared once. The build writes the headers of files into `_headers`. */

import { languageNames } from "./collection.ts";
import { searchParameters } from "./parameters.ts";

/** Where the API's resources live. */
export const paths = {
  search: "/api/search",
  posts: "/api/posts/",
  openapi: "/api/openapi.json",
} as const;

/** Files for those who copy or follow the collection. */
export const downloads = {
  /** Every post in one file; a large collection has parts instead, which the sync file lists. */
  bulk: "/bulk/posts.jsonl.gz",
  /** Every post's id with the digest of its document. */
  sync: "/sync.json",
  /** The newest posts. */
  feed: "/feed.atom",
  /** Programs that keep a copy, by the sync file. */
  syncJavaScript: "/sync.js",
  syncPython: "/sync.py",
} as const;

/**
 * A part's file, relative to the site's root.
 *
 * @param rangeStart its smallest possible id; undefined for all posts
 */
export const bulkFile = (rangeStart?: number): string =>
  rangeStart === undefined ? downloads.bulk.slice(1) : `bulk/posts-${rangeStart}.jsonl.gz`;

/** Where agents that speak MCP connect. */
export const mcpPath = "/mcp";

/**
 * The prefix to which netlify.toml rewrites paths below /api/ that name no file. No rule matches a path with
 * this prefix, so the request reaches the function under every reading of the platform's request chain.
 */
export const functionPrefix = "/_api/";

/** The file that answers `/api/posts/{postId}`, relative to a snapshot's folder. */
export const postFile = (postId: number): string => `${paths.posts.slice(1)}${postId}.json`;

/** Where the pages live: for people in Japanese and English, and for agents. */
export const documents = {
  /** The posts, in their language; `pagePath` gives the other one. */
  page: "/",
  /** The documentation; `docsPath` gives the other language. */
  docs: "/docs/",
  llms: "/llms.txt",
  catalog: "/.well-known/api-catalog",
  robots: "/robots.txt",
  /** The build's own record. */
  snapshot: "/snapshot.json",
} as const;

/** Browsers take a response for what it says it is. */
const nosniff = { "X-Content-Type-Options": "nosniff" } as const;
const contentType = { "Content-Type": "application/json; charset=utf-8", ...nosniff } as const;
/** Any origin may read a response, and its entity tag. */
const allowOrigin = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "ETag",
  // Of a file, the CDN answers a browser's preflight with the file's own headers.
  "Access-Control-Allow-Headers": "*",
} as const;

/** Headers of every successful response. */
export const successHeaders = {
  ...contentType,
  ...allowOrigin,
  "Cache-Control": "public, max-age=60, s-maxage=300",
} as const;

/**
 * What the CDN is asked of the function's answers: to key its cache by the search parameters alone, and to keep
 * a success until the next deploy. A deploy empties the cache, and nothing else can change an answer. It keeps none whose
 * parameters it may read otherwise than the function does.
 */
export const cdnHeaders = {
  key: { "Netlify-Vary": `query=${Object.keys(searchParameters).join("|")}` },
  keep: { "Netlify-CDN-Cache-Control": "public, durable, max-age=31536000" },
  notCacheable: { "Netlify-CDN-Cache-Control": "no-store" },
} as const;

/** Headers of every error. A post that is missing now may exist in the next snapshot, so nothing keeps an error. */
export const errorHeaders = {
  ...contentType,
  ...allowOrigin,
  "Cache-Control": "no-store",
} as const;

/** Headers of the downloads. The gzip format is the media type, not a content encoding. */
export const downloadHeaders = {
  bulk: { "Content-Type": "application/gzip", ...allowOrigin },
  sync: { "Content-Type": "application/json; charset=utf-8", ...allowOrigin },
  feed: { "Content-Type": "application/atom+xml; charset=utf-8", ...allowOrigin },
  syncJavaScript: { "Content-Type": "text/javascript; charset=utf-8", ...allowOrigin },
  syncPython: { "Content-Type": "text/x-python; charset=utf-8", ...allowOrigin },
} as const satisfies Readonly<Record<keyof typeof downloads, object>>;

/**
 * What a page may do: run and load its own files, and be framed by nobody. Nothing comes from elsewhere but pictures of
 * the hosts that the publisher names.
 */
export const contentSecurityPolicy = (pictureHosts: readonly string[] = []): string =>
  [
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; img-src 'self'",
    ...pictureHosts,
  ].join(" ");

/** Headers of every file, beside the policy. */
export const siteHeaders = {
  ...nosniff,
  "Referrer-Policy": "no-referrer",
  "X-Frame-Options": "DENY",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
  "Cross-Origin-Opener-Policy": "same-origin",
} as const;

/** Media type of the API catalog (RFC 9727, 4). */
export const catalogType =
  'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/** Links from the pages to what describes the API (RFC 8631; RFC 9727 for the catalog). */
export const linkHeader = [
  `<${paths.openapi}>; rel="service-desc"; type="application/json"`,
  `<${documents.docs}>; rel="service-doc"; type="text/html"`,
  `<${documents.catalog}>; rel="api-catalog"`,
].join(", ");

/** Headers that API files have besides those of every file; the type of the content is set by a rule. */
const {
  "Cache-Control": cacheControl,
  "X-Content-Type-Options": _,
  ...apiHeaders
} = successHeaders;

/** The pages in each language. */
const pagePaths = ["/", ...Object.keys(languageNames).map((name) => `/${name}/`)].flatMap(
  (path) => [path, `${path}${documents.docs.slice(1)}`],
);

/** Headers of files by path, where `*` stands for anything: a file has those of every pattern that fits. */
export type HeaderRules = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * The headers of all files.
 *
 * @param pictureHosts whose pictures the page may show
 */
export const fileHeaders = (pictureHosts: readonly string[] = []): HeaderRules => ({
  "/*": { ...siteHeaders, "Content-Security-Policy": contentSecurityPolicy(pictureHosts) },
  "/api/*": apiHeaders,
  [`${paths.posts}*`]: { "Cache-Control": cacheControl },
  [paths.openapi]: { "Cache-Control": cacheControl },
  ...Object.fromEntries(pagePaths.map((path) => [path, { Link: linkHeader }])),
  [documents.catalog]: {
    "Content-Type": catalogType,
    ...allowOrigin,
    Link: linkHeader,
  },
  [documents.llms]: allowOrigin,
  [documents.snapshot]: downloadHeaders.sync,
  [downloads.bulk.replace(/[^/]*$/, "*")]: downloadHeaders.bulk,
  [downloads.sync]: downloadHeaders.sync,
  [downloads.feed]: downloadHeaders.feed,
  [downloads.syncJavaScript]: downloadHeaders.syncJavaScript,
  [downloads.syncPython]: downloadHeaders.syncPython,
});

/** What an answer to OPTIONS says of methods, also to a browser's preflight. */
const allowing = (methods: string) => ({
  Allow: methods,
  "Access-Control-Allow-Methods": methods,
  "Access-Control-Allow-Headers": "*",
  "Access-Control-Max-Age": "86400",
});

/** Methods that every path answers. */
export const allowedMethods = "GET, HEAD, OPTIONS";

/** Headers of the answer to OPTIONS. */
export const preflightHeaders = { ...allowOrigin, ...allowing(allowedMethods) } as const;

/** Headers of every answer to an MCP client. An answer belongs to one request; nothing keeps it. */
export const mcpHeaders = {
  ...nosniff,
  "Access-Control-Allow-Origin": "*",
  "Cache-Control": "no-store",
} as const;

/** Headers of the answer to OPTIONS for an MCP request. */
export const mcpPreflightHeaders = { ...mcpHeaders, ...allowing("POST, OPTIONS") } as const;

/** Every error that the API gives: its status and its message. */
export const errors = {
  invalidPostId: { status: 400, message: "postId must be a positive integer" },
  postNotFound: { status: 404, message: "Post not found" },
  notFound: { status: 404, message: "Not found" },
  methodNotAllowed: { status: 405, message: "Method not allowed" },
  internal: { status: 500, message: "Internal server error" },
  postUnavailable: { status: 503, message: "Post unavailable" },
  indexUnavailable: { status: 503, message: "Search index unavailable" },
} as const;

/** One of the API's errors. */
export type ErrorKind = keyof typeof errors;
