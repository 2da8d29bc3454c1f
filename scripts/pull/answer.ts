/** What a server answers, read without losing a character. */
import { isAscii, isUtf8 } from "node:buffer";
import { Failure } from "../cli/command.ts";
import { escapeControlChars } from "../lib/text.ts";

/** A fault that may pass: the request is repeated. The message completes "The server …", such as "answered 503". */
export class RetryableError extends Error {}

/** An answer, read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly url: string;
  /** Its text; what is not UTF-8 in it is replaced, so that messages can quote it. */
  readonly body: string;
  /** Whether the text is UTF-8, by its bytes and by its header. */
  readonly isUtf8: boolean;
}

/** A URL that can be asked, relative to another one; undefined for another protocol, a user name or a password. */
export function webUrl(text: string, base?: string): URL | undefined {
  if (!URL.canParse(text, base)) return undefined;
  const url = new URL(text, base);
  const isWeb = url.protocol === "http:" || url.protocol === "https:";
  return isWeb && url.username === "" && url.password === "" ? url : undefined;
}

/** The charset that an answer names; empty where it names none. */
export const readCharset = (headers: Headers): string =>
  /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(headers.get("content-type") ?? "")?.[1] ?? "";

/** Whether an answer names UTF-8, or no charset. */
export const isNamedUtf8 = (headers: Headers): boolean =>
  /^(?:utf-?8|us-ascii|)$/i.test(readCharset(headers));

/**
 * Reads an answer to its end.
 *
 * @param url that was asked
 */
export async function readAnswer(response: Response, url: string): Promise<Answer> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const { status, headers } = response;
  const body = new TextDecoder().decode(bytes);
  // ASCII means the same in most charsets.
  const isReadable = isUtf8(bytes) && (isNamedUtf8(headers) || isAscii(bytes));
  return { status, headers, url: response.url || url, body, isUtf8: isReadable };
}

/**
 * Parses an answer.
 *
 * @returns its value in JSON; undefined where it is none
 * @throws Failure for JSON that is not UTF-8: characters would be lost
 */
export function parseJson({ body, headers, isUtf8: isReadable, url }: Answer): unknown {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    // Perhaps a page of HTML.
  }
  const isJson = value !== undefined || /json/i.test(headers.get("content-type") ?? "");
  if (isJson && !isReadable)
    throw notUtf8(url, headers, "Characters would be lost: have the server send UTF-8.");
  return value;
}

/** What an answer is, for a message: its status, its type, and how it begins. */
export const describeAnswer = ({ status, headers, body }: Answer): string =>
  `${status} ${escapeControlChars(headers.get("content-type") ?? "without a type")}: ${escapeControlChars(body.slice(0, 80))}`;

/**
 * Parses an answer of an API that answers JSON only, errors included.
 *
 * @throws RetryableError for anything else, such as a challenge or an error page of what is in front of the API; as `parseJson`
 */
export function parseApiJson(answer: Answer): unknown {
  const value = parseJson(answer);
  if (value === undefined) throw new RetryableError(`answered ${describeAnswer(answer)}`);
  return value;
}

/** The error for an answer that is not UTF-8. */
export const notUtf8 = (url: string, headers: Headers, remedy: string): Failure =>
  new Failure(
    `${new URL(url).host} answers text that is not UTF-8 (charset: ${escapeControlChars(readCharset(headers)) || "not named"}). ${remedy}`,
  );
