/** Responses of the API: the body and the contract's headers, nothing else. */
import {
  cdnHeaders,
  contentSecurityPolicy,
  errorHeaders,
  errors,
  preflightHeaders,
  siteHeaders,
  successHeaders,
  allowedMethods,
  type ErrorKind,
} from "../contract/http.ts";
import type { ApiError } from "../contract/resources.ts";

const cached = { ...cdnHeaders.key, ...cdnHeaders.keep } as const;
const searchHeaders = (isKept: boolean) =>
  ({ ...successHeaders, ...cached, ...(isKept ? {} : cdnHeaders.doNotKeep) }) as const;

/**
 * A successful search.
 *
 * @param isKept whether the CDN keeps it
 */
export const searchResponse = (body: string, etag: string, isKept: boolean): Response =>
  // As bytes: a string would be checked for lone surrogates once more, which takes longer than encoding.
  new Response(Buffer.from(body), { headers: { ...searchHeaders(isKept), ETag: etag } });

/** A post without a file of its own, as if it had one: a file has the site's headers, too. */
export const postResponse = (document: Uint8Array, etag: string): Response =>
  new Response(Buffer.from(document), {
    headers: {
      ...siteHeaders,
      "Content-Security-Policy": contentSecurityPolicy(),
      ...successHeaders,
      ...cached,
      ETag: etag,
    },
  });

/**
 * The client has this answer already.
 *
 * @param isKept as for `searchResponse`
 */
export const notModified = (etag: string, isKept: boolean): Response => {
  const { "Content-Type": _, ...headers } = searchHeaders(isKept);
  return new Response(null, { status: 304, headers: { ...headers, ETag: etag } });
};

/** An error. Every error varies as a search does: what shares a URL must share the cache key. */
export const errorResponse = (kind: ErrorKind): Response =>
  new Response(JSON.stringify({ error: errors[kind].message } satisfies ApiError), {
    status: errors[kind].status,
    headers: {
      ...errorHeaders,
      ...cdnHeaders.key,
      ...(kind === "methodNotAllowed" ? { Allow: allowedMethods } : {}),
    },
  });

/** The answer to OPTIONS. */
export const preflightResponse = (): Response =>
  new Response(null, { status: 204, headers: preflightHeaders });
