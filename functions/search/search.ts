/** GET /api/search, every path below /api/ that is no file, packed posts among them, and /mcp. Answers from the index files alone; never opens SQLite. */
import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Config, Context } from "@netlify/functions";
import type { ErrorKind } from "../contract/http.ts";
import { httpSource } from "./http-source.ts";
import { openIndexFiles, type IndexFiles } from "./index-files.ts";
import { blockFolder, digestOf, files, indexFolder } from "./index-format.ts";
import { postsContaining } from "./matching.ts";
import { needleOf } from "./normalise.ts";
import { searchQueryFrom, type SearchQuery } from "./parameters.ts";
import {
  fileSource,
  folderSource,
  IndexUnavailable,
  type FolderSource,
  type PartSource,
} from "./part-source.ts";
import {
  errorResponse,
  notModified,
  postResponse,
  preflightResponse,
  searchResponse,
} from "./responses.ts";
import { searchResultJson } from "./results.ts";
import { routeOf } from "./routes.ts";

/** Where a search function finds its snapshot, and what it may hold in memory. */
export interface SearchOptions {
  /** Folder of a snapshot: the one that holds `.search-index/`. Asked at each request. */
  readonly snapshotFolder: () => string;
  /** Megabytes of index blocks to keep in memory. */
  readonly cacheMegabytes: number;
  /**
   * Where the public blocks of an index are: URLs without a trailing slash, the best first. Asked when
   * an index is opened. Where this is left out, they are read from the snapshot's folder.
   */
  readonly blockUrls?: (context: Context | undefined) => readonly string[];
  /** Where faults are reported, with their cause. */
  readonly log: (message: string, cause: unknown) => void;
  /** Reads a published file of this deploy; only the MCP server does. The default asks over HTTP. */
  readonly readFile?: (url: URL) => Promise<Response>;
}

/** Milliseconds after which the deploy counts as not answering. */
const fileTimeout = 10_000;

/** Memory for index blocks where the environment sets none. A function has 1,024 MB for everything. */
const defaultCacheMegabytes = 384;

/** Megabytes from the environment: a number of at least 0, where 0 keeps one block; else the default. */
export const cacheMegabytesFrom = (setting: string | undefined): number =>
  setting !== undefined && /^\d+(\.\d+)?$/.test(setting) ? Number(setting) : defaultCacheMegabytes;

/**
 * A strong entity tag: the snapshot and the query. Equal for requests with equal answers; for one
 * URL, different in every snapshot.
 */
const etagOf = (snapshot: string, { q, tags, orderby, page, pageSize }: SearchQuery): string =>
  `"${snapshot.slice(0, 16)}-${digestOf(JSON.stringify([q, tags, orderby, page, pageSize])).toString(16)}"`;

/** Whether an If-None-Match header names the tag (RFC 9110, 13.1.2: weak comparison). */
const names = (header: string | null, etag: string): boolean =>
  header !== null &&
  header.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === etag);

/**
 * The id of a post: ASCII digits, not all zero.
 *
 * @param encoded the id as in the URL
 * @returns undefined where it is not valid; NaN where it is, but no post can have it
 */
function postIdFrom(encoded: string): number | undefined {
  let id: string;
  try {
    id = decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
  if (!/^0*[1-9][0-9]*$/.test(id)) return undefined;
  return id.startsWith("0") || !Number.isSafeInteger(Number(id)) ? Number.NaN : Number(id);
}

/** An index with its open files, which close when it was released and no request reads from it any more. */
class OpenIndex {
  /** What the manifest's file was when the index was opened. */
  readonly version: string;
  readonly #folder: FolderSource;
  readonly #index: Promise<IndexFiles>;
  // The one that opened it, and each request that reads from it.
  #holders = 1;

  /** @param budget bytes of blocks to keep in memory */
  constructor(version: string, folder: FolderSource, publicBlocks: PartSource, budget: number) {
    this.version = version;
    this.#folder = folder;
    this.#index = openIndexFiles(folder, publicBlocks, budget);
    // Each request that uses the index sees the failure itself.
    this.#index.catch(() => {});
  }

  /** Runs `work` on the index, whose files stay open meanwhile. */
  async use<T>(work: (index: IndexFiles) => Promise<T>): Promise<T> {
    this.#holders++;
    try {
      return await work(await this.#index);
    } finally {
      this.release();
    }
  }

  release(): void {
    if (--this.#holders === 0) this.#folder.close();
  }
}

/** Creates the function: a request in, a response out, never an exception. */
export function createSearch({
  snapshotFolder,
  cacheMegabytes,
  blockUrls,
  log,
  readFile = (url) => fetch(url, { redirect: "error", signal: AbortSignal.timeout(fileTimeout) }),
}: SearchOptions): (request: Request, context?: Context) => Promise<Response> {
  let current: OpenIndex | undefined;

  /** The index of the snapshot that is there now. One that was replaced, or failed, is opened again. */
  function currentIndex(context: Context | undefined): OpenIndex {
    const snapshot = resolve(process.env["LAMBDA_TASK_ROOT"] ?? process.cwd(), snapshotFolder());
    const folder = join(snapshot, indexFolder);
    const manifest = statSync(join(folder, files.manifest), { throwIfNoEntry: false });
    if (manifest === undefined)
      throw new IndexUnavailable(join(folder, files.manifest), "is not there");
    const version = `${folder} ${manifest.ino} ${manifest.mtimeMs} ${manifest.size}`;
    if (current?.version !== version) {
      current?.release();
      const publicBlocks =
        blockUrls === undefined
          ? fileSource(join(snapshot, blockFolder))
          : httpSource(blockUrls(context));
      const budget = cacheMegabytes * 2 ** 20;
      current = new OpenIndex(version, folderSource(folder), publicBlocks, budget);
    }
    return current;
  }

  /** Answers from the index. @param kind the error where a part of it cannot be read */
  async function fromIndex(
    context: Context | undefined,
    kind: ErrorKind,
    work: (index: IndexFiles) => Promise<Response>,
  ): Promise<Response> {
    let open: OpenIndex | undefined;
    try {
      open = currentIndex(context);
      return await open.use(work);
    } catch (cause) {
      if (open !== undefined && open === current) {
        current = undefined;
        open.release();
      }
      return unavailable(cause, kind);
    }
  }

  /** The answer where a part cannot be read. @throws the cause where it is something else */
  function unavailable(cause: unknown, kind: ErrorKind): Response {
    if (!(cause instanceof IndexUnavailable) && !isFileError(cause)) throw cause;
    log(cause.message, cause);
    return errorResponse(kind);
  }

  function search(request: Request, url: URL, context: Context | undefined): Promise<Response> {
    const query = searchQueryFrom(url.searchParams);
    return fromIndex(context, "indexUnavailable", async (index) => {
      const etag = etagOf(index.manifest.snapshot, query);
      if (names(request.headers.get("If-None-Match"), etag)) return notModified(etag);
      const hits = await postsContaining(index, needleOf(query.q));
      return searchResponse(await searchResultJson(index, query, hits), etag);
    });
  }

  /** A post that is no file: it is in a pack, or nowhere. @param encoded its id as in the URL */
  async function post(
    request: Request,
    encoded: string,
    context: Context | undefined,
  ): Promise<Response> {
    const postId = postIdFrom(encoded);
    if (postId === undefined) return errorResponse("invalidPostId");
    if (Number.isNaN(postId)) return errorResponse("postNotFound");
    return fromIndex(context, "postUnavailable", async (index) => {
      const packed = await index.packedPost(postId);
      if (packed === undefined) return errorResponse("postNotFound");
      const etag = `"${index.manifest.snapshot.slice(0, 16)}-post-${postId}"`;
      if (names(request.headers.get("If-None-Match"), etag)) return notModified(etag);
      try {
        return postResponse(await index.document(packed), etag);
      } catch (cause) {
        // One pack that is gone is no reason to open the index again.
        return unavailable(cause, "postUnavailable");
      }
    });
  }

  let mcp: Promise<(request: Request) => Promise<Response>> | undefined;

  /** Its packages take longer to load than a cold search takes in all, so only this path loads them. */
  async function answerMcp(request: Request, context: Context | undefined): Promise<Response> {
    mcp ??= import("../mcp/server.ts").then(({ createMcp }) =>
      createMcp({ api: (inner) => answer(inner, context), readFile, log }),
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
        return search(request, url, context);
      case "post":
        return post(request, route.postId, context);
      case "nothing":
        return errorResponse("notFound");
    }
  }

  return async (request, context) => {
    let response: Response;
    try {
      response = await answer(request, context);
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

/**
 * Where the public blocks of this very deploy are: at its permalink, then at the site; or at a URL of
 * their own. Blocks are named by their content, so the site has the right ones or none.
 */
export function deployedBlockUrls(
  context: Pick<Context, "deploy" | "site"> | undefined,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string[] {
  const own = env["SEARCH_BLOCKS_URL"];
  if (own) return [own.replace(/\/+$/, "")];
  const { deploy, site } = context ?? {};
  const permalink =
    deploy?.id && site?.name ? `https://${deploy.id}--${site.name}.netlify.app` : undefined;
  return [permalink, site?.url || env["URL"]]
    .filter((url) => url)
    .map((url) => `${url}/${blockFolder}`);
}

export default createSearch({
  snapshotFolder: () => process.env["SNAPSHOT_DIR"] ?? "dist",
  blockUrls: deployedBlockUrls,
  cacheMegabytes: cacheMegabytesFrom(process.env["SEARCH_CACHE_MB"]),
  log: (message, cause) => console.error(message, cause),
});

export const config: Config = {
  // Literals: the bundler reads this object without running it. See netlify.toml and routes.ts.
  path: ["/api/search", "/api/posts/*.json", "/_api", "/_api/*", "/mcp"],
  // Files win: a post that is a file is served without this function.
  preferStatic: true,
};
