/** HTTP request → one JSON-RPC message, or the answer that refuses it before any tool sees it. */
import { mcpHeaders } from "../contract/http.ts";
import { readBodyLimited } from "../engine/bounded-body.ts";

/**
 * Bytes of a request: of a query, at most 2,000 characters count. The package's answer names each wrong value, in 240
 * bytes: of the most that fit, 3.9 MB, where the platform takes 6.
 */
const maxRequestBytes = 2 ** 15;

/** Codes of JSON-RPC errors (JSON-RPC 2.0, section 5.1). */
const codes = { parseError: -32700, invalidRequest: -32600, invalidParams: -32602, server: -32000 };

/** A message to serve, or the answer where there is none to serve. */
export type ReadMessage =
  | { readonly ok: true; readonly message: unknown }
  | { readonly ok: false; readonly response: Response };

/**
 * An answer without a result.
 *
 * @param id of the message, where it has one
 */
function refuse(
  status: number,
  code: keyof typeof codes,
  message: string,
  id: unknown = null,
): { readonly ok: false; readonly response: Response } {
  const error = { code: codes[code], message };
  const headers = { ...mcpHeaders, ...(status === 405 && { Allow: "POST" }) };
  return {
    ok: false,
    response: Response.json({ jsonrpc: "2.0", error, id }, { status, headers }),
  };
}

/**
 * Whether a page of another site tries to use a server on the reader's own machine. Elsewhere every
 * origin may read what is public (MCP specification, "Streamable HTTP", security warning).
 */
function isForeign({ headers, url }: Request, localHosts: readonly string[]): boolean {
  const origin = headers.get("Origin");
  if (origin === null || !localHosts.includes(new URL(url).hostname)) return false;
  return !URL.canParse(origin) || !localHosts.includes(new URL(origin).hostname);
}

/** Whether a client reads JSON, by its Accept header; one without any reads everything (RFC 9110, 12.5.1). */
const acceptsJson = (accept: string | null): boolean =>
  /^\s*$|(?:^|,)\s*(?:\*\/\*|application\/(?:\*|json))\s*(?:[,;]|$)/i.test(accept ?? "");

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An object without its properties that are null: some clients write null for what they do not send. */
const withoutNulls = (object: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));

/** A message in which `params`, and what is directly in them, is absent where it was null. */
function normalizeMessage(given: unknown): unknown {
  if (!isObject(given)) return given;
  const { params, ...others } = given;
  if (params === undefined || params === null) return others;
  return { ...others, params: isObject(params) ? withoutNulls(params) : params };
}

/** Whether a message asks for another page of a list. No answer of this server names one. */
const hasCursor = (message: unknown): message is { readonly id?: unknown } =>
  isObject(message) &&
  String(message["method"]).endsWith("/list") &&
  isObject(message["params"]) &&
  "cursor" in message["params"];

/**
 * Reads the one message of a request.
 *
 * @param localHosts names of the reader's own machine
 * @returns the message as it was parsed, not checked by any schema; or the answer that refuses the request
 */
export async function readMessage(
  request: Request,
  localHosts: readonly string[],
): Promise<ReadMessage> {
  if (isForeign(request, localHosts)) return refuse(403, "server", "Forbidden origin");
  if (request.method !== "POST") return refuse(405, "server", "Method not allowed");
  if (!acceptsJson(request.headers.get("Accept")))
    return refuse(406, "server", "Answers are JSON: accept application/json");
  const body = await readBodyLimited(request.body, maxRequestBytes);
  if (body === undefined)
    return refuse(413, "server", `Request body exceeds ${maxRequestBytes} bytes`);
  const text = new TextDecoder().decode(body);
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return refuse(400, "parseError", "The request body is not JSON");
  }
  // Only protocols before 2025-06-18 know batches. One small request could ask for gigabytes of answers.
  if (Array.isArray(given)) return refuse(400, "invalidRequest", "Send one message a request");
  const message = normalizeMessage(given);
  return hasCursor(message)
    ? refuse(200, "invalidParams", "Unknown cursor: the list has one page", message.id)
    : { ok: true, message };
}
