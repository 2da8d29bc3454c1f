/** Asks a server as one that serves others, too: never too fast, patient with faults, and not for ever. */
import { isUtf8 } from "node:buffer";
import { Failure, UsageError } from "../cli/command.ts";

/** What a client does outside its own process; tests give their own. */
export interface ClientEdges {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly wait: (milliseconds: number) => Promise<unknown>;
  /** Milliseconds since some moment. */
  readonly now: () => number;
  /** Says something in passing, in a line. */
  readonly say: (line: string) => void;
}

/** What a server allows. */
export interface Politeness {
  /** Requests that may begin in any five minutes. */
  readonly inFiveMinutes: number;
  /** Milliseconds between the beginnings of two requests. */
  readonly apart: number;
  /** Milliseconds for an answer, its body included. */
  readonly timeout: number;
}

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

/** A fault that may pass: the request is repeated. The message completes a sentence, such as "answers 503". */
export class Passing extends Error {}

const fiveMinutes = 300_000;
/** Waits before a request is repeated, in seconds: less than four minutes together. */
const waits = [1, 2, 4, 8, 15, 30, 60, 90] as const;
/** The longest wait, in seconds, that a server may ask for; beyond it, the client gives up. */
const longestWait = 360;
/** Waits of at least this long are announced, in seconds. */
const longWait = 4;
/** Errors of a name that does not exist, and of a machine on which nothing listens. */
const nobodyThere = new Set(["ENOTFOUND", "ECONNREFUSED"]);
/** Requests that others of the same account may still need. */
const reserve = 50;

/** Seconds that a `retry-after` asks for: a number, or a date (RFC 9110, 10.2.3). */
function secondsOf(value: string | null): number {
  if (value === null) return 0;
  const seconds = Number(value);
  const until = Number.isNaN(seconds) ? (Date.parse(value) - Date.now()) / 1000 : seconds;
  return Number.isFinite(until) ? Math.max(0, until) : 0;
}

/** Seconds until a used-up `Ratelimit` is full again: `"default";r=3;t=30` (IETF draft ratelimit-headers). */
function secondsOfLimit(headers: Headers): number {
  const limit = headers.get("ratelimit") ?? "";
  const [, left] = /\br=(\d+)/.exec(limit) ?? [];
  const [, seconds] = /\bt=(\d+)/.exec(limit) ?? [];
  return left !== undefined && Number(left) < reserve ? Number(seconds ?? 0) : 0;
}

/** A URL that can be asked, relative to another one; undefined for another protocol, a user name or a password. */
export function webUrl(text: string, base?: string): URL | undefined {
  if (!URL.canParse(text, base)) return undefined;
  const url = new URL(text, base);
  const isWeb = url.protocol === "http:" || url.protocol === "https:";
  return isWeb && url.username === "" && url.password === "" ? url : undefined;
}

/** The charset that an answer names; empty where it names none. */
const charsetOf = (headers: Headers): string =>
  /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(headers.get("content-type") ?? "")?.[1] ?? "";

/** Whether bytes are UTF-8, and mean the same in the charset that is named for them, as ASCII does in most. */
function isTextUtf8(bytes: Buffer, text: string, charset: string): boolean {
  try {
    return isUtf8(bytes) && new TextDecoder(charset || "utf-8").decode(bytes) === text;
  } catch {
    return false; // No such charset.
  }
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
  if (isJson && !isReadable)
    throw new Failure(
      `${new URL(url).host} answers text that is not UTF-8 (charset: ${charsetOf(headers) || "not named"}). Characters would be lost: have the server send UTF-8.`,
    );
  return value;
}

/** A client for one server. */
export class PoliteClient {
  readonly #edges: ClientEdges;
  readonly #politeness: Politeness;
  readonly #begun: number[] = [];
  /** Not before this moment. */
  #notBefore = 0;
  #isAnswered = false;
  requests = 0;
  /** UTF-16 units of all bodies. */
  received = 0;

  constructor(edges: ClientEdges, politeness: Politeness) {
    this.#edges = edges;
    this.#politeness = politeness;
  }

  /**
   * Asks, and repeats what fails with growing waits.
   *
   * @param what completes "… failed": for messages
   * @param read makes something of an answer, of errors, too; throws Passing where it should be asked again
   * @throws Failure when it goes on failing, or when nobody is there; what `read` throws besides Passing
   */
  async ask<T>(
    what: string,
    request: () => readonly [url: string, init: RequestInit],
    read: (answer: Answer) => T,
  ): Promise<T> {
    let last = "";
    for (const seconds of [...waits, undefined]) {
      try {
        return read(await this.#once(...request()));
      } catch (error) {
        if (!(error instanceof Passing)) throw error;
        last = error.message;
      }
      if (seconds === undefined) break;
      if (seconds >= longWait)
        this.#edges.say(`The server ${last}. Asking again in ${seconds} seconds.`);
      await this.#edges.wait(seconds * 1000);
    }
    throw new Failure(
      `${what} failed ${waits.length + 1} times; the last time the server ${last}. Try again later.`,
    );
  }

  async #once(url: string, init: RequestInit): Promise<Answer> {
    await this.#turn();
    this.requests++;
    let response: Response;
    let bytes: Buffer;
    try {
      const signal = AbortSignal.timeout(this.#politeness.timeout);
      response = await this.#edges.fetch(url, { ...init, signal });
      bytes = Buffer.from(await response.arrayBuffer());
    } catch (error) {
      const { name, message, cause } = error as Error;
      const { code = "" } = (cause ?? {}) as { readonly code?: string };
      if ((cause as Error | undefined)?.message === "bad port") throw this.#blockedPort(url);
      // Before any answer, the name is more likely to be wrong than the server to be down.
      if (!this.#isAnswered && nobodyThere.has(code))
        throw new Failure(
          `${new URL(url).origin} does not answer (${(cause as Error).message}). Is the URL right, and is the network there?`,
        );
      throw new Passing(
        name === "TimeoutError"
          ? `did not answer within ${this.#politeness.timeout / 1000} seconds`
          : `could not be reached (${cause instanceof Error ? cause.message : message})`,
      );
    }
    this.#isAnswered = true;
    const body = new TextDecoder().decode(bytes);
    this.received += body.length;
    const { status, headers } = response;
    const seconds = Math.max(secondsOf(headers.get("retry-after")), secondsOfLimit(headers));
    if (seconds > longestWait)
      throw new Failure(
        `${new URL(url).host} asks to wait for ${Math.ceil(seconds / 60)} minutes. Try again after that.`,
      );
    if (seconds > 0) this.#notBefore = this.#edges.now() + seconds * 1000;
    if (status === 429) throw new Passing(`answered ${status}`);
    const isReadable = isTextUtf8(bytes, body, charsetOf(headers));
    return { status, headers, url: response.url || url, body, isUtf8: isReadable };
  }

  /** Why a port cannot be asked. Before any answer, the URL is the user's own. */
  #blockedPort(url: string): Error {
    const { host, port } = new URL(url);
    const Kind = this.#isAnswered ? Failure : UsageError;
    return new Kind(
      `${host} cannot be asked: port ${port} belongs to another protocol than HTTP, and is blocked (https://fetch.spec.whatwg.org/#port-blocking). Have the site listen on another port.`,
    );
  }

  /** Waits until the next request may begin. */
  async #turn(): Promise<void> {
    const { inFiveMinutes, apart } = this.#politeness;
    const now = this.#edges.now();
    const full = this.#begun.at(-inFiveMinutes);
    const at = Math.max(
      now,
      this.#notBefore,
      (this.#begun.at(-1) ?? Number.NEGATIVE_INFINITY) + apart,
      full === undefined ? 0 : full + fiveMinutes,
    );
    if (at > now) await this.#edges.wait(at - now);
    this.#begun.push(this.#edges.now());
    if (this.#begun.length > inFiveMinutes) this.#begun.shift();
  }
}
