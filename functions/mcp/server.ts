/**
 * The MCP server at /mcp: two read-only tools, for clients of the 2026-07-28 protocol and of the ones
 * before it. No session, nothing kept between requests.
 *
 * The packages are imported inside the function: the bundler of the platform makes one module of the
 * project's code, and an import at the top of this file would then load them for every search.
 */
import { setTimeout } from "node:timers/promises";
import type { JsonSchemaType, McpServer } from "@modelcontextprotocol/server";
import { apiDescription, apiTitle, apiVersion, fairUse } from "../contract/api.ts";
import {
  errors,
  mcpHeaders,
  mcpPreflightHeaders,
  paths,
  type ErrorKind,
} from "../contract/http.ts";
import { searchParameters } from "../contract/parameters.ts";
import type { Post } from "../contract/resources.ts";
import { dataNotice, mostSnippets, tools, type Tool } from "../contract/tools.ts";
import { hasMoreValues } from "./count-values.ts";
import { fetchOutput, searchOutput, snippetOf, type RankedPage } from "./tool-results.ts";
import { plainText } from "../html/plain-text.ts";
import { postIdOf } from "../search/post-id.ts";

/** What the server asks for answers. */
export interface McpOptions {
  /**
   * Searches by words.
   *
   * @param parameters of the HTTP API, with `q` in words
   * @returns undefined where the index cannot be read at the moment
   */
  readonly ranked: (parameters: URLSearchParams) => Promise<RankedPage | undefined>;
  /** Reads a published file of this deploy. */
  readonly readFile: (url: URL) => Promise<Response>;
  /** Where faults are reported, with their cause. */
  readonly log: (message: string, cause: unknown) => void;
}

/** Time for all snippets of a page, which are read at once, in milliseconds. */
const snippetMilliseconds = 1000;
/** Characters of a body that a snippet is taken from. */
const snippetHtml = 100_000;

/** Bytes of a request: a query, of which the beginning counts, and tags. */
const longestRequest = 2 ** 20;
/** Values of a request: the package's answer names each wrong one, which takes 20 µs and 240 bytes. */
const mostValues = 5000;

/** Lists of tools change with a deploy only; clients may keep them for an hour. */
const cacheHint = { ttlMs: 3_600_000, cacheScope: "public" } as const;

/** What a tool says when it cannot answer. The message is for the agent. */
class ToolError extends Error {}

/** An error in the words of the HTTP API. */
const apiError = (kind: ErrorKind): ToolError => new ToolError(`${errors[kind].message}.`);

/** A tool call's arguments: whatever the client sent. */
type Arguments = Readonly<Record<string, unknown>>;

/** A text or a number that a client sent, as a text; empty for anything else. */
const single = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";

/**
 * Arguments as the query string of the HTTP API: its defaults, fallbacks and bounds hold here, too. Only known
 * names are read: a request may have 100,000 others.
 *
 * @throws ToolError for a list or an object: to ignore a filter would mislead
 */
function searchParametersFrom(given: Arguments): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const parameter of Object.keys(searchParameters)) {
    const name = parameter === "q" && (given["query"] ?? null) !== null ? "query" : parameter;
    const value = given[name] ?? null;
    if (typeof value === "object" && value !== null)
      throw new ToolError(`${name} must be a single value, such as a text.`);
    if (value !== null) parameters.set(parameter, String(value));
  }
  return parameters;
}

/** The tools' work, on one deploy. */
function createTools(
  { ranked, readFile }: McpOptions,
  site: URL,
  toPlainText: (html: string) => string,
) {
  async function readPost(postId: number): Promise<Post> {
    const url = new URL(`${paths.posts}${postId}.json`, site);
    try {
      const response = await readFile(url);
      if (response.ok) return (await response.json()) as Post;
      if (response.status === errors.postNotFound.status) throw apiError("postNotFound");
      throw new Error(`${url.href} answers ${response.status}`);
    } catch (cause) {
      if (cause instanceof ToolError) throw cause;
      throw new ToolError(
        `Post ${postId} cannot be read at the moment: ${url.pathname} is not available from this deploy. Try again later, or request ${paths.posts}${postId} over HTTP.`,
        { cause },
      );
    }
  }

  /** Text around the words that matched, of the first results; empty where a post is not read in time. */
  function snippetsOf({ hits }: RankedPage): Promise<string[]> {
    const late = setTimeout(snippetMilliseconds, "", { ref: false });
    return Promise.all(
      hits.slice(0, mostSnippets).map(({ hit, words }) => {
        const snippet = readPost(hit.postId).then(({ postContentHtml }) =>
          snippetOf(toPlainText(postContentHtml.slice(0, snippetHtml)), words),
        );
        return Promise.race([snippet.catch(() => ""), late]);
      }),
    );
  }

  async function search(given: Arguments) {
    const parameters = searchParametersFrom(given);
    const found = await ranked(parameters);
    if (found === undefined)
      throw new ToolError(`${errors.indexUnavailable.message}. Try again in a moment.`);
    return searchOutput(parameters.get("q") ?? "", found, await snippetsOf(found));
  }

  async function fetch({ id, offset }: Arguments) {
    const postId = postIdOf(single(id));
    if (postId === undefined) throw apiError("invalidPostId");
    if (Number.isNaN(postId)) throw apiError("postNotFound");
    const from = /^[0-9]+$/.test(single(offset)) ? Number(offset) : 0;
    return fetchOutput(await readPost(postId), toPlainText, from);
  }

  return { search, fetch } satisfies Record<keyof typeof tools, unknown>;
}

/**
 * Whether a page of another site tries to use a server on the reader's own machine. Elsewhere every
 * origin may read what is public (MCP specification, "Streamable HTTP", security warning).
 */
function isForeign(request: Request, isLocal: (host: string) => boolean): boolean {
  const origin = request.headers.get("Origin");
  if (origin === null || !isLocal(new URL(request.url).hostname)) return false;
  return !URL.canParse(origin) || !isLocal(new URL(origin).hostname);
}

/** The body of a request; undefined for one that is too long, of which the rest is not read. */
async function bodyOf(request: Request): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body?.getReader();
  for (let chunk = await reader?.read(); chunk?.value; chunk = await reader?.read()) {
    length += chunk.value.length;
    chunks.push(chunk.value);
    if (length <= longestRequest) continue;
    await reader?.cancel();
    return undefined;
  }
  return Buffer.concat(chunks);
}

/** An answer to a request that no tool sees. */
const refusal = (status: number, code: number, message: string): Response =>
  Response.json(
    { jsonrpc: "2.0", error: { code, message }, id: null },
    { status, headers: mcpHeaders },
  );

/** Why a message is not read, in words; undefined for one that is. */
function unfitMessage(text: string): string | undefined {
  // Only protocols before 2025-06-18 know batches. One small request could ask for gigabytes of answers.
  if (text.trimStart().startsWith("[")) return "Send one message a request";
  return hasMoreValues(text, mostValues) ? `A request has at most ${mostValues} values` : undefined;
}

/** Creates the server: a request in, a response out. Loads the packages that it needs. */
export async function createMcp(
  options: McpOptions,
): Promise<(request: Request) => Promise<Response>> {
  const [sdk, { Tokenizer }] = await Promise.all([
    import("@modelcontextprotocol/server"),
    import("htmlparser2"),
  ]);
  const { McpServer, createMcpHandler, fromJsonSchema, localhostAllowedHostnames } = sdk;
  const { log } = options;

  // The schemas are for clients. What a client sends wrong counts as the default, as in the HTTP API.
  const advertised = <T>(schema: object) =>
    fromJsonSchema<T>(schema as JsonSchemaType, {
      getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
    });

  function register(
    server: McpServer,
    { name, title, description, input, output }: Tool,
    run: (given: Arguments) => Promise<Readonly<Record<string, unknown>>>,
  ): void {
    const annotations = {
      title,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    };
    const schemas = {
      inputSchema: advertised<Arguments>(input),
      outputSchema: advertised<Record<string, unknown>>(output),
    };
    server.registerTool(name, { title, description, annotations, ...schemas }, async (given) => {
      try {
        const result = await run(given);
        return {
          content: [{ type: "text", text: JSON.stringify(result) }],
          structuredContent: { ...result },
        };
      } catch (error) {
        if (!(error instanceof ToolError)) log(`tool ${name}`, error);
        else if (error.cause !== undefined) log(error.message, error.cause);
        const text = error instanceof ToolError ? error.message : errors.internal.message;
        return { content: [{ type: "text", text }], isError: true };
      }
    });
  }

  function serverFor(site: URL): McpServer {
    const server = new McpServer(
      { name: "case-collection", title: apiTitle, version: apiVersion, websiteUrl: site.origin },
      {
        capabilities: { tools: { listChanged: false } },
        instructions: `${apiDescription} ${fairUse} ${dataNotice}`,
        cacheHints: { "server/discover": cacheHint, "tools/list": cacheHint },
      },
    );
    const work = createTools(options, site, (html) => plainText(html, Tokenizer));
    for (const [name, tool] of Object.entries(tools))
      register(server, tool, work[name as keyof typeof tools]);
    return server;
  }

  const handler = createMcpHandler(
    ({ requestInfo }) => serverFor(new URL(requestInfo?.url ?? "http://localhost")),
    {
      // Nothing is ever announced between deploys, so no stream is held open for it.
      maxSubscriptions: 0,
      keepAliveMs: 0,
    },
  );
  const isLocal = (host: string): boolean => localhostAllowedHostnames().includes(host);

  return async (request) => {
    if (request.method === "OPTIONS")
      return new Response(null, { status: 204, headers: mcpPreflightHeaders });
    if (isForeign(request, isLocal)) return refusal(403, -32000, "Forbidden origin");
    const body = await bodyOf(request);
    if (body === undefined)
      return refusal(413, -32000, `Request body exceeds ${longestRequest} bytes`);
    const unfit = unfitMessage(new TextDecoder().decode(body));
    if (unfit !== undefined) return refusal(400, -32600, unfit);
    const { method, headers, url } = request;
    const response = await handler.fetch(
      request.body === null ? request : new Request(url, { method, headers, body }),
    );
    for (const [name, value] of Object.entries(mcpHeaders)) response.headers.set(name, value);
    return response;
  };
}
