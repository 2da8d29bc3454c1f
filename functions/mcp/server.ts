/**
 * The MCP server at /mcp: two read-only tools, for clients of the 2026-07-28 protocol and of the ones
 * before it. No session, nothing kept between requests.
 *
 * The packages are imported inside the function: the bundler of the platform makes one module of the
 * project's code, and an import at the top of this file would then load them for every search.
 */
import type { JsonSchemaType, McpServer } from "@modelcontextprotocol/server";
import { apiDescription, apiTitle, apiUse, apiVersion, fairUse } from "../contract/api.ts";
import { asSentence, factsSentence, type CollectionSummary } from "../contract/collection.ts";
import { errors, mcpHeaders, mcpPreflightHeaders } from "../contract/http.ts";
import { openedSchema } from "../contract/schema.ts";
import { dataNotice, longestDescription, longestInstructions, tools } from "../contract/tools.ts";
import { hasMoreValues } from "./count-values.ts";
import { bodyUpTo } from "../search/bounded-body.ts";
import { brief, type FetchOutput, type SearchOutput } from "./tool-results.ts";
import { ToolError, work, type Arguments, type Deploy, type Site } from "./tools.ts";

/** What the server answers from, and where it reports. */
export interface McpOptions extends Deploy {
  /** What the collection is called; undefined where the index cannot be read at the moment. */
  readonly collection: () => Promise<CollectionSummary | undefined>;
  /** Where faults are reported, with their cause. */
  readonly log: (message: string, cause: unknown) => void;
}

/** The server package, as far as it is needed. */
type Sdk = typeof import("@modelcontextprotocol/server");

/** Bytes of a request: a query, of which the beginning counts, and tags. */
const longestRequest = 2 ** 20;
/** Values of a request: the package's answer names each wrong one, which takes 20 µs and 240 bytes. */
const mostValues = 5000;

/** Lists of tools change with a deploy only; clients may keep them for an hour. */
const cacheHint = { ttlMs: 3_600_000, cacheScope: "public" } as const;

/**
 * Whether a page of another site tries to use a server on the reader's own machine. Elsewhere every
 * origin may read what is public (MCP specification, "Streamable HTTP", security warning).
 */
function isForeign({ headers, url }: Request, localHosts: readonly string[]): boolean {
  const origin = headers.get("Origin");
  if (origin === null || !localHosts.includes(new URL(url).hostname)) return false;
  return !URL.canParse(origin) || !localHosts.includes(new URL(origin).hostname);
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

/** What a client gets of a tool call: its result, also as a text for a model, or why there is none. */
async function answerOf(
  name: keyof typeof tools,
  result: Promise<SearchOutput | FetchOutput>,
  log: McpOptions["log"],
) {
  try {
    const output = await result;
    const text = JSON.stringify("results" in output ? brief(output) : output);
    const structuredContent: Record<string, unknown> = { ...output };
    return { content: [{ type: "text" as const, text }], structuredContent };
  } catch (error) {
    if (!(error instanceof ToolError)) log(`tool ${name}`, error);
    else if (error.cause !== undefined) log(error.message, error.cause);
    const text = error instanceof ToolError ? error.message : errors.internal.message;
    return { content: [{ type: "text" as const, text }], isError: true };
  }
}

/**
 * An answer in which signs that some clients take for the end of a line are escaped, as JSON may. Clients of older
 * protocols get their JSON in an event stream; where a parser splits it at these signs, such as that of Python's httpx-sse
 * before 0.4.2, the call would hang.
 */
async function withoutLineEnds(response: Response): Promise<Response> {
  const text = (await response.text()).replace(
    /[\u0085\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return new Response(response.body === null ? null : text, response);
}

/** What results look like; they may have other fields, too. */
const outputs = {
  search: openedSchema(tools.search.output),
  fetch: openedSchema(tools.fetch.output),
} as const;

/** How a tool is registered. */
function registrationOf(
  { fromJsonSchema }: Sdk,
  name: keyof typeof tools,
  collection: CollectionSummary | undefined,
) {
  const { title, description, input } = tools[name];
  // The schemas are for clients. What a client sends wrong counts as the default, as in the HTTP API.
  const advertised = <T>(schema: object) =>
    fromJsonSchema<T>(schema as JsonSchemaType, {
      getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
    });
  const annotations = {
    title,
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  };
  return {
    title,
    description: withSubject(collection, description, longestDescription),
    annotations,
    inputSchema: advertised<Arguments>(input),
    outputSchema: advertised<Record<string, unknown>>(outputs[name]),
  };
}

/**
 * A text after what the posts are about, by their publisher's words, and how many there are: for an agent that knows
 * several servers. What does not fit of the publisher's words is cut off.
 *
 * @param longest UTF-16 units of the whole
 */
function withSubject(
  collection: CollectionSummary | undefined,
  text: string,
  longest: number,
): string {
  if (collection === undefined) return text;
  const { title, description } = collection;
  const said = [title, description].filter((part) => part !== "").join(": ");
  const subject = said === "" ? "" : asSentence(said);
  const rest = `${factsSentence(collection)} ${text}`;
  const room = longest - rest.length - 1;
  // Not half a character at its end.
  const start = subject.slice(0, room - 1).replace(/[\uD800-\uDBFF]$/, "");
  const fitting = subject.length > room ? `${start.trimEnd()}…` : subject;
  return fitting === "" ? rest : `${fitting} ${rest}`;
}

/** A server for one request. */
async function serverFor(sdk: Sdk, site: Site & McpOptions): Promise<McpServer> {
  const collection = await site.collection();
  const isDescribed = (collection?.description ?? "") !== "";
  const use = `${isDescribed ? apiUse : apiDescription} ${fairUse} ${dataNotice}`;
  const server = new sdk.McpServer(
    {
      name: "case-collection",
      title: collection?.title || apiTitle,
      version: apiVersion,
      websiteUrl: site.url.origin,
    },
    {
      capabilities: { tools: { listChanged: false } },
      instructions: withSubject(collection, use, longestInstructions),
      cacheHints: { "server/discover": cacheHint, "tools/list": cacheHint },
    },
  );
  for (const name of ["search", "fetch"] as const)
    server.registerTool(name, registrationOf(sdk, name, collection), (given) =>
      answerOf(name, work[name](site, given), site.log),
    );
  return server;
}

/** Creates the server, which never throws for what a client sends. Loads the packages that it needs. */
export async function createMcp(
  options: McpOptions,
): Promise<(request: Request) => Promise<Response>> {
  const [sdk, { Tokenizer }] = await Promise.all([
    import("@modelcontextprotocol/server"),
    import("htmlparser2"),
  ]);
  const handler = sdk.createMcpHandler(
    async ({ requestInfo }) => {
      const url = new URL(requestInfo?.url ?? "http://localhost");
      return serverFor(sdk, { ...options, url, Tokenizer });
    },
    {
      // Nothing is ever announced between deploys, so no stream is held open for it.
      maxSubscriptions: 0,
      keepAliveMs: 0,
    },
  );
  const localHosts = sdk.localhostAllowedHostnames();

  return async (request) => {
    if (request.method === "OPTIONS")
      return new Response(null, { status: 204, headers: mcpPreflightHeaders });
    if (isForeign(request, localHosts)) return refusal(403, -32000, "Forbidden origin");
    const body = await bodyUpTo(request.body, longestRequest);
    if (body === undefined)
      return refusal(413, -32000, `Request body exceeds ${longestRequest} bytes`);
    const unfit = unfitMessage(new TextDecoder().decode(body));
    if (unfit !== undefined) return refusal(400, -32600, unfit);
    const { method, headers, url } = request;
    const response = await withoutLineEnds(
      await handler.fetch(
        request.body === null ? request : new Request(url, { method, headers, body }),
      ),
    );
    for (const [name, value] of Object.entries(mcpHeaders)) response.headers.set(name, value);
    return response;
  };
}
