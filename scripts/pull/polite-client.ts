/** Asks a server as one that serves others, too: never too fast, patient with faults, and not for ever. */
import { Failure, UsageError } from "../cli/command.ts";
import { counted } from "../lib/format-number.ts";
import { reasonOf } from "../lib/site-request.ts";
import { answerOf, Passing, type Answer } from "./answer.ts";

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
  /** Requests of those that the server still allows that are left to others of the same account. */
  readonly reserve: number;
}

/** The server answers nobody as often as it was asked: it says nothing of the request itself. */
class Limited extends Passing {}

const fiveMinutes = 300_000;
/** Waits before a request is repeated, in seconds: less than four minutes together. */
const waits = [1, 2, 4, 8, 15, 30, 60, 90] as const;
/** The longest wait, in seconds, that a server may ask for; beyond it, the client gives up. */
const longestWait = 360;
/** The same where it is busy: WordPress asks for ten minutes while it updates itself, which takes seconds. */
const longestBusyWait = 60;
/** Waits of at least this long are announced, in seconds. */
const longWait = 4;
/**
 * Errors that asking again does not change: of a name that does not exist, of a machine on which nothing listens, and of
 * certificates that are not trusted (https://nodejs.org/api/tls.html#x509-certificate-error-codes).
 */
const lasting =
  /^(?:ENOTFOUND|ECONNREFUSED|CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT\w*|ERR_TLS_CERT_ALTNAME_INVALID)$/;

/**
 * Headers that ask for a body as it is. Node's decompression takes a body that was cut off for a whole one, and lets a large
 * answer wait: where its connection ends meanwhile, the process does (https://github.com/nodejs/undici/issues/5360).
 */
function plainBody(given: RequestInit["headers"]): Headers {
  const headers = new Headers(given);
  headers.set("accept-encoding", "identity");
  return headers;
}

/** Seconds that a `retry-after` asks for: a number, or a date (RFC 9110, 10.2.3). */
function secondsOf(value: string | null): number {
  if (value === null) return 0;
  const seconds = Number(value);
  const until = Number.isNaN(seconds) ? (Date.parse(value) - Date.now()) / 1000 : seconds;
  return Number.isFinite(until) ? Math.max(0, until) : 0;
}

/** Seconds until a `Ratelimit` that is used up but for a reserve is full again: `"default";r=3;t=30` (IETF draft ratelimit-headers). */
function secondsOfLimit(headers: Headers, reserve: number): number {
  const limit = headers.get("ratelimit") ?? "";
  const [, left] = /\br=(\d+)/.exec(limit) ?? [];
  const [, seconds] = /\bt=(\d+)/.exec(limit) ?? [];
  return left !== undefined && Number(left) <= reserve ? Number(seconds ?? 0) : 0;
}

/** A client for one server. */
export class PoliteClient {
  readonly #edges: ClientEdges;
  readonly #politeness: Politeness;
  readonly #begun: number[] = [];
  /** Not before this moment. */
  #notBefore = 0;
  #isAnswered = false;
  #requests = 0;
  /** UTF-16 units of all answers that were asked for, bytes of downloads. */
  #received = 0;

  constructor(edges: ClientEdges, politeness: Politeness) {
    this.#edges = edges;
    this.#politeness = politeness;
  }

  /**
   * Asks, and repeats what fails with growing waits.
   *
   * @param what completes "… failed": for messages
   * @param request gets how often the server failed so far, other than by 429
   * @param read makes something of an answer, of errors, too; throws Passing where it should be asked again
   * @throws Failure when it goes on failing, or when nobody is there; what `read` throws besides Passing
   */
  async ask<T>(
    what: string,
    request: (failures: number) => readonly [url: string, init: RequestInit],
    read: (answer: Answer) => T,
  ): Promise<T> {
    return this.#repeated(what, async (failures) => {
      const answer = await this.#once(...request(failures), answerOf);
      this.#received += answer.body.length;
      return read(answer);
    });
  }

  /**
   * Asks for something large, as `ask` does.
   *
   * @param take takes the body from its beginning at each attempt; gives its bytes; throws Passing where it should
   *   be asked again
   */
  async download(
    what: string,
    url: string,
    take: (response: Response) => Promise<number>,
  ): Promise<void> {
    this.#received += await this.#repeated(what, () => this.#once(url, {}, take));
  }

  async #repeated<T>(what: string, once: (failures: number) => Promise<T>): Promise<T> {
    let last = "";
    let failures = 0;
    for (const seconds of [...waits, undefined]) {
      try {
        return await once(failures);
      } catch (error) {
        if (!(error instanceof Passing)) throw error;
        if (!(error instanceof Limited)) failures++;
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

  /** What was asked and received, for the end of a pull. */
  traffic(unit: "characters" | "bytes" = "characters"): string {
    return `${counted(this.#requests, "requests")}, ${(this.#received / 1e6).toFixed(1)} million ${unit}`;
  }

  async #once<T>(
    url: string,
    init: RequestInit,
    read: (response: Response, url: string) => Promise<T>,
  ): Promise<T> {
    await this.#turn(url);
    this.#requests++;
    try {
      const signal = AbortSignal.timeout(this.#politeness.timeout);
      const headers = plainBody(init.headers);
      const response = await this.#edges.fetch(url, { ...init, headers, signal });
      this.#isAnswered = true;
      this.#obey(response);
      if (response.status !== 429) return await read(response, url);
      await response.body?.cancel();
    } catch (error) {
      // The disk, where an answer is kept, has errors of its own.
      const isOwn = error instanceof Failure || error instanceof Passing;
      throw isOwn || "syscall" in (error as Error) ? error : this.#unanswered(url, error as Error);
    }
    throw new Limited("answered 429");
  }

  /** Has the next request wait as the server asks. */
  #obey({ status, headers }: Response): void {
    const limited = secondsOfLimit(headers, this.#politeness.reserve);
    const asked = secondsOf(headers.get("retry-after"));
    const seconds = Math.max(status === 503 ? Math.min(asked, longestBusyWait) : asked, limited);
    if (seconds > 0) this.#notBefore = this.#edges.now() + seconds * 1000;
  }

  /** What a request without an answer means. Before any answer, the URL is more likely to be wrong than the server. */
  #unanswered(url: string, error: Error): Error {
    const { host, port, origin } = new URL(url);
    const { code = "" } = (error.cause ?? {}) as { readonly code?: string };
    const reason = reasonOf(error);
    if (reason === "bad port")
      return new (this.#isAnswered ? Failure : UsageError)(
        `${host} cannot be asked: port ${port} belongs to another protocol than HTTP, and is blocked (https://fetch.spec.whatwg.org/#port-blocking). Have the site listen on another port.`,
      );
    if (!this.#isAnswered && lasting.test(code))
      return new Failure(
        `${origin} does not answer (${reason}). ${/CERT|SIGNATURE/.test(code) ? "Is its certificate valid, and does it send the whole chain?" : "Is the URL right, and is the network there?"}`,
      );
    return new Passing(
      error.name === "TimeoutError"
        ? `did not answer within ${this.#politeness.timeout / 1000} seconds`
        : `could not be reached (${reason})`,
    );
  }

  /** Waits until the next request may begin. @throws Failure where the server asks to wait too long */
  async #turn(url: string): Promise<void> {
    const { inFiveMinutes, apart } = this.#politeness;
    const now = this.#edges.now();
    const asked = (this.#notBefore - now) / 1000;
    if (asked > longestWait)
      throw new Failure(
        `${new URL(url).host} asks to wait for ${Math.ceil(asked / 60)} minutes. Try again after that.`,
      );
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
