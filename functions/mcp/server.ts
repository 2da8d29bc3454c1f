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
import { withOpenObjects } from "../contract/schema.ts";
import { dataNotice, longestDescription, longestInstructions, tools } from "../contract/tools.ts";
import { readMessage } from "./messages.ts";
import { toModelText, type FetchOutput, type SearchOutput } from "./tool-results.ts";
import {
  ToolError,
  toolHandlers,
  type Arguments,
  type McpDependencies,
  type McpContext,
} from "./tools.ts";

/** What one request is answered from, and where faults are reported. */
export interface McpOptions extends McpDependencies {
  /** What the collection is called; undefined where the index cannot be read at the moment. */
  readonly collection: () => Promise<CollectionSummary | undefined>;
  /** Where faults are reported, with their cause. */
  readonly log: (message: string, cause: unknown) => void;
}

/** The server package, as far as it is needed. */
type Sdk = typeof import("@modelcontextprotocol/server");

/** Lists of tools change with a deploy only; clients may keep them for an hour. */
const cacheHint = { ttlMs: 3_600_000, cacheScope: "public" } as const;

/** What a client gets of a tool call: its result, also as a text for a model, or why there is none. */
async function toResponse(
  name: keyof typeof tools,
  result: Promise<SearchOutput | FetchOutput>,
  log: McpOptions["log"],
) {
  try {
    const output = await result;
    const text = JSON.stringify("results" in output ? toModelText(output) : output);
    const structuredContent: Record<string, unknown> = { ...output };
    return { content: [{ type: "text" as const, text }], structuredContent };
  } catch (error) {
    if (!(error instanceof ToolError)) log(`tool ${name}`, error);
    else if (error.cause !== undefined) log(error.message, error.cause);
    const text = error instanceof ToolError ? error.message : errors.internal.message;
    return { content: [{ type: "text" as const, text }], isError: true };
  }
}

/** What results look like; they may have other fields, too. */
const outputs = {
  search: withOpenObjects(tools.search.output),
  fetch: withOpenObjects(tools.fetch.output),
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
async function serverFor(sdk: Sdk, site: McpContext & McpOptions): Promise<McpServer> {
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
      toResponse(name, toolHandlers[name](site, given), site.log),
    );
  return server;
}

/**
 * Answers a message of a protocol before 2026-07-28: as JSON, too, where the package's own handler sends an event stream.
 *
 * @param message as `readMessage` gives it
 */
async function serveLegacy(
  sdk: Sdk,
  server: McpServer,
  request: Request,
  message: unknown,
): Promise<Response> {
  const transport = new sdk.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const headers = new Headers(request.headers);
  // The transport asks for both media types, also where it answers with the first.
  headers.set("Accept", "application/json, text/event-stream");
  try {
    const forwarded = new Request(request.url, { method: "POST", headers });
    return await transport.handleRequest(forwarded, { parsedBody: message });
  } finally {
    await server.close();
  }
}

/**
 * Answers a request to /mcp.
 *
 * @param options belong to this request alone
 * @returns the answer, also for whatever a client may send wrong
 * @throws where the server's packages cannot be loaded
 */
export async function handleMcp(request: Request, options: McpOptions): Promise<Response> {
  if (request.method === "OPTIONS")
    return new Response(null, { status: 204, headers: mcpPreflightHeaders });
  const [sdk, { Parser }] = await Promise.all([
    import("@modelcontextprotocol/server"),
    import("htmlparser2"),
  ]);
  const read = await readMessage(request, sdk.localhostAllowedHostnames());
  if (!read.ok) return read.response;
  const { message } = read;
  const site = { ...options, url: new URL(request.url), Parser };
  // Nothing is ever announced between deploys, so no stream is held open for it.
  const noStreams = { maxSubscriptions: 0, keepAliveMs: 0 };
  const response = (await sdk.isLegacyRequest(request, message))
    ? await serveLegacy(sdk, await serverFor(sdk, site), request, message)
    : await sdk
        .createMcpHandler(() => serverFor(sdk, site), { legacy: "reject", ...noStreams })
        .fetch(request, { parsedBody: message });
  for (const [name, value] of Object.entries(mcpHeaders)) response.headers.set(name, value);
  return response;
}
