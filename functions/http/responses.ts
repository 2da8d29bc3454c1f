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
const searchHeaders = (isCacheable: boolean) =>
  ({ ...successHeaders, ...cached, ...(isCacheable ? {} : cdnHeaders.notCacheable) }) as const;

/**
 * A successful search.
 *
 * @param isCacheable whether the CDN keeps it
 */
export const searchResponse = (body: string, etag: string, isCacheable: boolean): Response =>
  // As bytes: a string would be checked for lone surrogates once more, which takes longer than encoding.
  new Response(Buffer.from(body), { headers: { ...searchHeaders(isCacheable), ETag: etag } });

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
 * @param isCacheable as for `searchResponse`
 */
export const notModified = (etag: string, isCacheable: boolean): Response => {
  const { "Content-Type": _, ...headers } = searchHeaders(isCacheable);
  return new Response(null, { status: 304, headers: { ...headers, ETag: etag } });
};

/** An error. It has the `Netlify-Vary` of a search, since all answers at one URL must have the same cache key. */
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
