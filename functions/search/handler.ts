/** Request → response, for every path that is no file. Answers from the index alone; never opens SQLite. */
import type { Context } from "@netlify/functions";
import { sortOrders } from "../contract/resources.ts";
import { digestOf } from "./index-format.ts";
import { needleOf } from "./normalise.ts";
import { indexAccess, type IndexOptions } from "./open-index.ts";
import { searchQueryFrom, type SearchQuery } from "./search-query.ts";
import { IndexUnavailable } from "./part-source.ts";
import { postIdFrom } from "./post-id.ts";
import {
  errorResponse,
  notModified,
  postResponse,
  preflightResponse,
  searchResponse,
} from "./responses.ts";
import { searchResultJson } from "./results.ts";
import { routeOf } from "./routes.ts";

/** Where a search function finds its snapshot, and where it reports faults. */
export interface SearchOptions extends IndexOptions {
  /** Where faults are reported, with their cause. */
  readonly log: (message: string, cause: unknown) => void;
  /** Reads a published file of this deploy; only the MCP server does. The default asks over HTTP. */
  readonly readFile?: (url: URL) => Promise<Response>;
}

/** Milliseconds after which the deploy counts as not answering. */
const fileTimeout = 10_000;

/**
 * A strong entity tag: the snapshot and the query. Equal for requests with equal answers; for one
 * URL, different in every snapshot.
 */
const etagOf = (snapshot: string, { q, tags, orderby, page, pageSize }: SearchQuery): string =>
  `"${snapshot.slice(0, 16)}-${digestOf(JSON.stringify([q, tags, orderby, page, pageSize])).toString(16)}"`;

/** Whether an If-None-Match header names the tag (RFC 9110, 13.1.2: weak comparison). */
const matches = (header: string | null, etag: string): boolean =>
  header !== null &&
  header.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === etag);

/** Whether an error comes from the file system: it names the call that failed. */
const isFileError = (cause: unknown): cause is NodeJS.ErrnoException =>
  cause instanceof Error && "syscall" in cause;

/** A request in, a response out, never an exception. */
export interface SearchFunction {
  (request: Request, context?: Context): Promise<Response>;
  /** Closes the files of the index; the next request opens them again. */
  close(): void;
}

/** Creates the function. */
export function createSearch({
  log,
  readFile = (url) => fetch(url, { redirect: "error", signal: AbortSignal.timeout(fileTimeout) }),
  ...options
}: SearchOptions): SearchFunction {
  const index = indexAccess(options);

  /** What some work gives; undefined, and logged, where a part of the index cannot be read. */
  async function ifAvailable<T>(work: Promise<T>): Promise<T | undefined> {
    try {
      return await work;
    } catch (cause) {
      if (!(cause instanceof IndexUnavailable) && !isFileError(cause)) throw cause;
      log(cause.message, cause);
      return undefined;
    }
  }

  const search = (request: Request, url: URL, context: Context | undefined): Promise<Response> =>
    index.use(context, async (mounted) => {
      const query = searchQueryFrom(url.searchParams);
      const etag = etagOf(mounted.files.manifest.snapshot, query);
      if (matches(request.headers.get("If-None-Match"), etag)) return notModified(etag);
      const hits = await mounted.find(needleOf(query.q));
      return searchResponse(await searchResultJson(mounted.files, query, hits), etag);
    });

  /** A post that is no file: it is in a pack, or nowhere. @param encoded its id as in the URL */
  async function post(
    request: Request,
    encoded: string,
    context: Context | undefined,
  ): Promise<Response> {
    const postId = postIdFrom(encoded);
    if (postId === undefined) return errorResponse("invalidPostId");
    if (Number.isNaN(postId)) return errorResponse("postNotFound");
    return index.use(context, async ({ files }) => {
      const packed = await files.packedPost(postId);
      if (packed === undefined) return errorResponse("postNotFound");
      const etag = `"${files.manifest.snapshot.slice(0, 16)}-post-${postId}"`;
      if (matches(request.headers.get("If-None-Match"), etag)) return notModified(etag);
      return postResponse(await files.document(packed), etag);
    });
  }

  let mcp: Promise<(request: Request) => Promise<Response>> | undefined;

  /** Its packages take longer to load than a cold search takes in all, so only this path loads them. */
  async function answerMcp(request: Request, context: Context | undefined): Promise<Response> {
    mcp ??= Promise.all([import("../mcp/server.ts"), import("./ranked-search.ts")]).then(
      ([{ createMcp }, { rankedSearch }]) =>
        createMcp({
          ranked: (parameters) => {
            const query = searchQueryFrom(parameters);
            const isOrder = sortOrders.some((order) => order === parameters.get("orderby"));
            const ordered = { ...query, orderby: isOrder ? query.orderby : undefined };
            return ifAvailable(index.use(context, (mounted) => rankedSearch(mounted, ordered)));
          },
          readFile,
          log,
        }),
    );
    try {
      return await (
        await mcp
      )(request);
    } catch (cause) {
      mcp = undefined;
      throw cause;
    }
  }

  async function answer(request: Request, context: Context | undefined): Promise<Response> {
    const url = new URL(request.url);
    const route = routeOf(url.pathname);
    if (route.to === "mcp") return answerMcp(request, context);
    if (request.method === "OPTIONS") return preflightResponse();
    if (request.method !== "GET" && request.method !== "HEAD")
      return errorResponse("methodNotAllowed");
    switch (route.to) {
      case "search":
        return (
          (await ifAvailable(search(request, url, context))) ?? errorResponse("indexUnavailable")
        );
      case "post":
        return (
          (await ifAvailable(post(request, route.postId, context))) ??
          errorResponse("postUnavailable")
        );
      case "nothing":
        return errorResponse("notFound");
    }
  }

  async function respond(request: Request, context?: Context): Promise<Response> {
    let response: Response;
    try {
      response = await answer(request, context);
    } catch (cause) {
      log("unexpected fault", cause);
      response = errorResponse("internal");
    }
    return request.method === "HEAD" ? new Response(null, response) : response;
  }

  return Object.assign(respond, { close: index.close });
}
