/** What a server answers, read without losing a character. */
import { isUtf8 } from "node:buffer";
import { Failure } from "../cli/command.ts";
import { printable } from "../lib/printable.ts";

/** A fault that may pass: the request is repeated. The message completes a sentence, such as "answers 503". */
export class Passing extends Error {}

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
export const charsetOf = (headers: Headers): string =>
  /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(headers.get("content-type") ?? "")?.[1] ?? "";

/** Whether bytes are UTF-8, and mean the same in the charset that is named for them, as ASCII does in most. */
function isTextUtf8(bytes: Uint8Array, text: string, charset: string): boolean {
  try {
    return isUtf8(bytes) && new TextDecoder(charset || "utf-8").decode(bytes) === text;
  } catch {
    return false; // No such charset.
  }
}

/** Reads an answer to its end. @param url that was asked */
export async function answerOf(response: Response, url: string): Promise<Answer> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const { status, headers } = response;
  const body = new TextDecoder().decode(bytes);
  const isReadable = isTextUtf8(bytes, body, charsetOf(headers));
  return { status, headers, url: response.url || url, body, isUtf8: isReadable };
}

/**
 * The value of an answer in JSON; undefined where it is none.
 *
 * @throws Failure for JSON that is not UTF-8: characters would be lost
 */
export function jsonOf({ body, headers, isUtf8: isReadable, url }: Answer): unknown {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    // Perhaps a page of HTML.
  }
  const isJson = value !== undefined || /json/i.test(headers.get("content-type") ?? "");
  if (isJson && !isReadable) throw notUtf8(url, headers);
  return value;
}

/** What an answer is, for a message: its status, its type, and how it begins. */
export const describeAnswer = ({ status, headers, body }: Answer): string =>
  `${status} ${printable(headers.get("content-type") ?? "without a type")}: ${printable(body.slice(0, 80))}`;

/**
 * Parses an answer of an API that answers JSON only, errors included.
 *
 * @throws Passing for anything else, such as a challenge or an error page of what is in front of the API; as `jsonOf`
 */
export function parseApiJson(answer: Answer): unknown {
  const value = jsonOf(answer);
  if (value === undefined) throw new Passing(`answered ${describeAnswer(answer)}`);
  return value;
}

/** What to say of an answer that is not UTF-8. @param remedy gets the charset that it names */
export function notUtf8(
  url: string,
  headers: Headers,
  remedy = (_charset: string) => "Characters would be lost: have the server send UTF-8.",
): Failure {
  const charset = printable(charsetOf(headers));
  return new Failure(
    `${new URL(url).host} answers text that is not UTF-8 (charset: ${charset || "not named"}). ${remedy(charset)}`,
  );
}
