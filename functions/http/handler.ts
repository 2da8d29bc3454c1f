/**
 * Request → response, for every path without a file. Answers from the index, from packs of posts and, for MCP, from
 * files of the deploy; never opens SQLite.
 */
import type { Context } from "@netlify/functions";
import { computeChecksum } from "../engine/index-format.ts";
import { normalizeKeyword } from "../engine/normalize.ts";
import { IndexAccess, type IndexOptions } from "../engine/index-access.ts";
import { hasUnambiguousQuery, parseSearchQuery, type SearchQuery } from "../engine/search-query.ts";
import { IndexUnavailable } from "../engine/block-store.ts";
import { parseEncodedPostId } from "../engine/post-id.ts";
import {
  errorResponse,
  notModified,
  postResponse,
  preflightResponse,
  searchResponse,
} from "./responses.ts";
import { renderSearchResult } from "../engine/results.ts";
import { matchRoute, type ApiRoute } from "./router.ts";

/** Reports a fault with its cause. */
type LogFault = (message: string, cause: unknown) => void;

/** Where the handler finds its snapshot, and where it reports faults. */
export interface HandlerOptions extends IndexOptions {
  readonly log: LogFault;
  /** Reads a path of this deploy; only the MCP server does. The default asks over HTTP. */
  readonly readFile?: (url: URL) => Promise<Response>;
}

/** Milliseconds after which the deploy counts as not answering. */
const fileTimeout = 10_000;

/**
 * A strong entity tag: the snapshot and the query. Equal for requests with equal answers; for one
 * URL, different in every snapshot.
 */
const makeEtag = (snapshot: string, { q, tags, orderby, page, pageSize }: SearchQuery): string =>
  `"${snapshot.slice(0, 16)}-${computeChecksum(JSON.stringify([q, tags, orderby, page, pageSize])).toString(16)}"`;

/** Whether an If-None-Match header names the tag (RFC 9110, 13.1.2: weak comparison). */
const etagMatches = (header: string | null, etag: string): boolean =>
  header !== null &&
  header.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === etag);

/** Whether an error comes from the file system: it names the call that failed. */
const isFileError = (cause: unknown): cause is NodeJS.ErrnoException =>
  cause instanceof Error && "syscall" in cause;

/** A request in, a response out, never an exception (unless the log throws). It serves one snapshot: another one needs another handler. */
export interface RequestHandler {
  (request: Request, context?: Context): Promise<Response>;
  /** Closes the files of the index, which no request may read from meanwhile; the next one opens them again. */
  close(): void;
}

/** A request, and what answers it. */
interface RequestContext {
  readonly request: Request;
  readonly url: URL;
  readonly context: Context | undefined;
  readonly index: IndexAccess;
}

const handleSearch = ({ request, url, context, index }: RequestContext): Promise<Response> =>
  index.use(context, async (mounted) => {
    const query = parseSearchQuery(url.searchParams);
    const etag = makeEtag(mounted.reader.manifest.snapshot, query);
    const isCacheable = hasUnambiguousQuery(url.search);
    if (etagMatches(request.headers.get("If-None-Match"), etag))
      return notModified(etag, isCacheable);
    const matching = await mounted.find(normalizeKeyword(query.q));
    const body = await renderSearchResult(mounted.reader, query, matching);
    return searchResponse(body, etag, isCacheable);
  });

/**
 * A post without a file of its own: it is in a pack, or nowhere.
 *
 * @param encoded its id as in the URL
 */
async function handlePost(
  { request, context, index }: RequestContext,
  encoded: string,
): Promise<Response> {
  const parsed = parseEncodedPostId(encoded);
  if (!parsed.ok) return errorResponse(parsed.error);
  const { postId } = parsed;
  return index.use(context, async ({ reader }) => {
    const packed = await reader.packedPost(postId);
    if (packed === undefined) return errorResponse("postNotFound");
    const etag = `"${reader.manifest.snapshot.slice(0, 16)}-post-${postId}"`;
    if (etagMatches(request.headers.get("If-None-Match"), etag)) return notModified(etag, true);
    return postResponse(await reader.document(packed), etag);
  });
}

/** What some work gives; undefined, and logged, where a part of the index cannot be read. */
async function ifAvailable<T>(work: Promise<T>, log: LogFault): Promise<T | undefined> {
  try {
    return await work;
  } catch (cause) {
    if (!(cause instanceof IndexUnavailable) && !isFileError(cause)) throw cause;
    log(cause.message, cause);
    return undefined;
  }
}

/** What a route of the HTTP API answers. */
async function handleApi(
  requestContext: RequestContext,
  route: ApiRoute,
  log: LogFault,
): Promise<Response> {
  const { method } = requestContext.request;
  if (method === "OPTIONS") return preflightResponse();
  if (method !== "GET" && method !== "HEAD") return errorResponse("methodNotAllowed");
  switch (route.to) {
    case "search":
      return (
        (await ifAvailable(handleSearch(requestContext), log)) ?? errorResponse("indexUnavailable")
      );
    case "post":
      return (
        (await ifAvailable(handlePost(requestContext, route.postId), log)) ??
        errorResponse("postUnavailable")
      );
    case "notFound":
      return errorResponse("notFound");
  }
}

/** Creates the function. */
export function createHandler({
  log,
  readFile = (url) => fetch(url, { redirect: "error", signal: AbortSignal.timeout(fileTimeout) }),
  ...options
}: HandlerOptions): RequestHandler {
  const index = new IndexAccess(options);

  /** Its packages take longer to load than a cold search takes in all, so only this path loads them. */
  async function handleMcp({ request, context }: RequestContext): Promise<Response> {
    const mcp = await import("../mcp/server.ts");
    return mcp.handleMcp(request, {
      withIndex: (work) => ifAvailable(index.use(context, work), log),
      // A fault is reported where a tool needs the index.
      collection: () =>
        index.use(context, async ({ reader }) => reader.manifest.collection).catch(() => undefined),
      readFile,
      log,
    });
  }

  async function handle(request: Request, context?: Context): Promise<Response> {
    let response: Response;
    try {
      const url = new URL(request.url);
      const requestContext = { request, url, context, index };
      const route = matchRoute(url.pathname);
      response = await (route.to === "mcp"
        ? handleMcp(requestContext)
        : handleApi(requestContext, route, log));
    } catch (cause) {
      log("unexpected fault", cause);
      response = errorResponse("internal");
    }
    return request.method === "HEAD" ? new Response(null, response) : response;
  }

  return Object.assign(handle, { close: () => index.close() });
}
