/** GET /api/search, and every path below /api/ that is no file. Answers from the index files alone; never opens SQLite. */
import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Config } from "@netlify/functions";
import { IndexUnavailable, openIndexFiles, type IndexFiles } from "./index-files.ts";
import { digestOf, files, indexFolder } from "./index-format.ts";
import { postsContaining } from "./matching.ts";
import { needleOf } from "./normalise.ts";
import { searchQueryFrom, type SearchQuery } from "./parameters.ts";
import { folderSource } from "./part-source.ts";
import { errorResponse, notModified, preflightResponse, searchResponse } from "./responses.ts";
import { searchResultJson } from "./results.ts";
import { routeOf } from "./routes.ts";

/** Where a search function finds its snapshot, and what it may hold in memory. */
export interface SearchOptions {
  /** Folder of a snapshot: the one that holds `.search-index/`. Asked at each request. */
  readonly snapshotFolder: () => string;
  /** Megabytes of index blocks to keep in memory. */
  readonly cacheMegabytes: number;
  /** Where faults are told, with their cause. */
  readonly log: (message: string, cause: unknown) => void;
}

/** Memory for index blocks where the environment sets none. A function has 1,024 MB for everything. */
export const defaultCacheMegabytes = 384;

/**
 * A strong entity tag: the snapshot and the query. Equal for requests with equal answers; for one
 * address, different in every snapshot.
 */
const etagOf = (snapshot: string, { q, tags, orderby, page, pageSize }: SearchQuery): string =>
  `"${snapshot.slice(0, 16)}-${digestOf(JSON.stringify([q, tags, orderby, page, pageSize])).toString(16)}"`;

/** Whether an If-None-Match header names the tag (RFC 9110, 13.1.2: weak comparison). */
const names = (header: string | null, etag: string): boolean =>
  header !== null &&
  header.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === etag);

/**
 * The answer for a post that is no file. Its id is valid when it is ASCII digits, not all zero; then
 * there is no such post.
 *
 * @param encoded the id as in the URL
 */
function missingPost(encoded: string): Response {
  let id: string;
  try {
    id = decodeURIComponent(encoded);
  } catch {
    return errorResponse("invalidPostId");
  }
  return errorResponse(/^0*[1-9][0-9]*$/.test(id) ? "postNotFound" : "invalidPostId");
}

/** Creates the function: a request in, a response out, never an exception. */
export function createSearch({
  snapshotFolder,
  cacheMegabytes,
  log,
}: SearchOptions): (request: Request) => Promise<Response> {
  // The opened index and what its manifest was when it was opened: a snapshot that was replaced, or
  // put right after a fault, is opened anew at the next request.
  let opened: { readonly version: string; readonly index: Promise<IndexFiles> } | undefined;

  async function currentIndex(): Promise<IndexFiles> {
    const folder = join(
      resolve(process.env["LAMBDA_TASK_ROOT"] ?? process.cwd(), snapshotFolder()),
      indexFolder,
    );
    const manifest = statSync(join(folder, files.manifest), { throwIfNoEntry: false });
    if (manifest === undefined)
      throw new IndexUnavailable(join(folder, files.manifest), "is not there");
    const version = `${folder} ${manifest.ino} ${manifest.mtimeMs} ${manifest.size}`;
    if (opened?.version !== version)
      opened = { version, index: openIndexFiles(folderSource(folder), cacheMegabytes * 2 ** 20) };
    return opened.index;
  }

  async function search(request: Request, url: URL): Promise<Response> {
    const query = searchQueryFrom(url.searchParams);
    try {
      const index = await currentIndex();
      const etag = etagOf(index.manifest.snapshot, query);
      if (names(request.headers.get("If-None-Match"), etag)) return notModified(etag);
      const hits = await postsContaining(index, needleOf(query.q));
      return searchResponse(await searchResultJson(index, query, hits), etag);
    } catch (cause) {
      opened = undefined;
      if (!(cause instanceof IndexUnavailable) && !isFileError(cause)) throw cause;
      log(cause.message, cause);
      return errorResponse("indexUnavailable");
    }
  }

  async function answer(request: Request): Promise<Response> {
    if (request.method === "OPTIONS") return preflightResponse();
    if (request.method !== "GET" && request.method !== "HEAD")
      return errorResponse("methodNotAllowed");
    const url = new URL(request.url);
    const route = routeOf(url.pathname);
    switch (route.to) {
      case "search":
        return search(request, url);
      case "post":
        return missingPost(route.postId);
      case "nothing":
        return errorResponse("notFound");
    }
  }

  return async (request) => {
    let response: Response;
    try {
      response = await answer(request);
    } catch (cause) {
      log("unexpected fault", cause);
      response = errorResponse("internal");
    }
    return request.method === "HEAD" ? new Response(null, response) : response;
  };
}

/** Whether an error comes from the file system: it names the call that failed. */
const isFileError = (cause: unknown): cause is NodeJS.ErrnoException =>
  cause instanceof Error && "syscall" in cause;

export default createSearch({
  snapshotFolder: () => process.env["SNAPSHOT_DIR"] ?? "dist",
  cacheMegabytes: Number(process.env["SEARCH_CACHE_MB"]) || defaultCacheMegabytes,
  log: (message, cause) => console.error(message, cause),
});

export const config: Config = {
  // Literals: the bundler reads this object without running it. See netlify.toml and routes.ts.
  path: ["/api/search", "/api/posts/*.json", "/_api", "/_api/*"],
  // Files win: a post that exists is served without this function.
  preferStatic: true,
};
