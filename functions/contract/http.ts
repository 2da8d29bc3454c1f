/** Paths, headers and error messages of the API, declared once. netlify.toml repeats the headers; a test holds it to these. */

/** Where the API's resources live. */
export const paths = {
  search: "/api/search",
  posts: "/api/posts/",
  openapi: "/api/openapi.json",
} as const;

const contentType = { "Content-Type": "application/json; charset=utf-8" } as const;
const allowOrigin = { "Access-Control-Allow-Origin": "*" } as const;

/** Headers of every successful response. */
export const successHeaders = {
  ...contentType,
  ...allowOrigin,
  "Cache-Control": "public, max-age=60, s-maxage=300",
} as const;

/** Headers of every error. A post that is missing now may exist in the next snapshot, so nothing keeps an error. */
export const errorHeaders = {
  ...contentType,
  ...allowOrigin,
  "Cache-Control": "no-store",
} as const;

/** Methods that every path answers. */
export const allowedMethods = "GET, HEAD, OPTIONS";

/** Headers of the answer to OPTIONS, a browser's preflight included. */
export const preflightHeaders = {
  ...allowOrigin,
  Allow: allowedMethods,
  "Access-Control-Allow-Methods": allowedMethods,
  "Access-Control-Allow-Headers": "*",
  "Access-Control-Max-Age": "86400",
} as const;

/** Every error that the API gives: its status and its message. */
export const errors = {
  invalidPostId: { status: 400, message: "postId must be a positive integer" },
  postNotFound: { status: 404, message: "Post not found" },
  notFound: { status: 404, message: "Not found" },
  methodNotAllowed: { status: 405, message: "Method not allowed" },
  internal: { status: 500, message: "Internal server error" },
  indexUnavailable: { status: 503, message: "Search index unavailable" },
} as const;

/** One of the API's errors. */
export type ErrorKind = keyof typeof errors;
