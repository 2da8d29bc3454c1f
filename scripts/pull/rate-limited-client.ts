/** An HTTP client for servers that serve others, too: it limits its rate, and repeats what fails, up to a bound. */
import { Failure } from "../cli/command.ts";
import { pluralize } from "../lib/text.ts";
import { failureReason } from "../lib/http.ts";
import { readAnswer, RetryableError, type Answer } from "./answer.ts";

/** What a client does outside its own process; tests give their own. */
export interface ClientEdges {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly wait: (milliseconds: number) => Promise<unknown>;
  /** Milliseconds since some moment. */
  readonly now: () => number;
  /** Says something in passing, in a line. */
  readonly say: (line: string) => void;
}

/** How often a server may be asked. */
export interface RateLimits {
  /** Requests that may begin in any five minutes. */
  readonly perFiveMinutes: number;
  /** Milliseconds between the beginnings of two requests. */
  readonly minIntervalMs: number;
  /** Milliseconds for an answer, its body included. */
  readonly timeoutMs: number;
  /** Requests of those that the server still allows that are left to others of the same account. */
  readonly reserve: number;
}

/** The server limits the rate: this says nothing about the request itself. */
class RateLimitedError extends RetryableError {}

const fiveMinutesMs = 300_000;
/** Waits before a request is repeated, in seconds: less than four minutes together. */
const backoff = [1, 2, 4, 8, 15, 30, 60, 90] as const;
/** Seconds that a server may ask to wait; where it asks for more, the client gives up. */
const maxRetryAfter = 360;
/** The same where it is busy: WordPress asks for ten minutes while it updates itself, which takes seconds. */
const maxBusyWait = 60;
/** Waits of at least so many seconds are announced. */
const announcedWait = 4;

/** Errors that asking again does not change: of an unknown name, a closed port, an untrusted certificate. */
const permanentErrors = /^(?:ENOTFOUND|ECONNREFUSED)$|CERT|SIGNATURE/;

/** Seconds that a `retry-after` asks for: a number, or a date (RFC 9110, 10.2.3). */
function parseRetryAfter(value: string | null): number {
  if (value === null) return 0;
  const seconds = Number(value);
  const until = Number.isNaN(seconds) ? (Date.parse(value) - Date.now()) / 1000 : seconds;
  return Number.isFinite(until) ? Math.max(0, until) : 0;
}

/** Seconds until a `Ratelimit` that is used up but for a reserve is full again: `"default";r=3;t=30` (IETF draft ratelimit-headers). */
function parseRateLimit(value: string | null, reserve: number): number {
  const [, remaining] = /\br=(\d+)/.exec(value ?? "") ?? [];
  const [, seconds] = /\bt=(\d+)/.exec(value ?? "") ?? [];
  return remaining !== undefined && Number(remaining) <= reserve ? Number(seconds ?? 0) : 0;
}

/** A client for one server. */
export class RateLimitedClient {
  readonly #edges: ClientEdges;
  readonly #limits: RateLimits;
  /** When the latest requests began. */
  readonly #begun: number[] = [];
  #notBefore = 0;
  #isAnswered = false;
  #requests = 0;
  /** UTF-16 units of all answers that were asked for, bytes of downloads. */
  #received = 0;

  constructor(edges: ClientEdges, limits: RateLimits) {
    this.#edges = edges;
    this.#limits = limits;
  }

  /**
   * Asks, and repeats what fails with growing waits.
   *
   * @param what completes "… failed": for messages
   * @param request gets how often the server failed so far, other than by limiting the rate
   * @param read makes something of an answer, of errors, too; throws RetryableError where it should be asked again
   * @throws Failure when it goes on failing, or when nobody is there; what `read` throws besides RetryableError
   */
  async ask<T>(
    what: string,
    request: (failures: number) => readonly [url: string, init: RequestInit],
    read: (answer: Answer) => T,
  ): Promise<T> {
    return this.#retry(what, async (failures) => {
      const answer = await this.#fetch(...request(failures), readAnswer);
      this.#received += answer.body.length;
      return read(answer);
    });
  }

  /**
   * Asks for something large, as `ask` does.
   *
   * @param take takes the body from its beginning at each attempt; gives its bytes; throws RetryableError where it should
   *   be asked again
   */
  async download(
    what: string,
    url: string,
    take: (response: Response) => Promise<number>,
  ): Promise<void> {
    this.#received += await this.#retry(what, () => this.#fetch(url, {}, take));
  }

  /** What was asked and received, for the end of a pull. */
  traffic(unit: "characters" | "bytes" = "characters"): string {
    return `${pluralize(this.#requests, "requests")}, ${(this.#received / 1e6).toFixed(1)} million ${unit}`;
  }

  async #retry<T>(what: string, attempt: (failures: number) => Promise<T>): Promise<T> {
    let last = "";
    let failures = 0;
    for (const seconds of [...backoff, undefined]) {
      try {
        return await attempt(failures);
      } catch (error) {
        if (!(error instanceof RetryableError)) throw error;
        if (!(error instanceof RateLimitedError)) failures++;
        last = error.message;
      }
      if (seconds === undefined) break;
      if (seconds >= announcedWait)
        this.#edges.say(`The server ${last}. Asking again in ${seconds} seconds.`);
      await this.#edges.wait(seconds * 1000);
    }
    throw new Failure(
      `${what} failed ${backoff.length + 1} times; the last time the server ${last}. Try again later.`,
    );
  }

  async #fetch<T>(
    url: string,
    init: RequestInit,
    read: (response: Response, url: string) => Promise<T>,
  ): Promise<T> {
    await this.#throttle(url);
    this.#requests++;
    const headers = new Headers(init.headers);
    // Node's decompression takes a body that was cut off for a whole one (https://github.com/nodejs/undici/issues/5360).
    headers.set("accept-encoding", "identity");
    try {
      const signal = AbortSignal.timeout(this.#limits.timeoutMs);
      const response = await this.#edges.fetch(url, { ...init, headers, signal });
      this.#isAnswered = true;
      this.#applyRetryAfter(response);
      if (response.status !== 429) return await read(response, url);
      await response.body?.cancel();
    } catch (error) {
      // The disk, where an answer is kept, has errors of its own.
      const isOwn = error instanceof Failure || error instanceof RetryableError;
      throw isOwn || "syscall" in (error as Error)
        ? error
        : this.#networkError(url, error as Error);
    }
    throw new RateLimitedError("answered 429");
  }

  /**
   * Waits until the next request may begin.
   *
   * @throws Failure where the server asks to wait too long
   */
  async #throttle(url: string): Promise<void> {
    const { perFiveMinutes, minIntervalMs } = this.#limits;
    const now = this.#edges.now();
    const asked = (this.#notBefore - now) / 1000;
    if (asked > maxRetryAfter)
      throw new Failure(
        `${new URL(url).host} asks to wait for ${Math.ceil(asked / 60)} minutes. Try again after that.`,
      );
    const at = Math.max(
      now,
      this.#notBefore,
      (this.#begun.at(-1) ?? -Infinity) + minIntervalMs,
      (this.#begun.at(-perFiveMinutes) ?? -Infinity) + fiveMinutesMs,
    );
    if (at > now) await this.#edges.wait(at - now);
    this.#begun.push(this.#edges.now());
    if (this.#begun.length > perFiveMinutes) this.#begun.shift();
  }

  /** Has the next request wait as the server asks. */
  #applyRetryAfter({ status, headers }: Response): void {
    const asked = parseRetryAfter(headers.get("retry-after"));
    const seconds = Math.max(
      status === 503 ? Math.min(asked, maxBusyWait) : asked,
      parseRateLimit(headers.get("ratelimit"), this.#limits.reserve),
    );
    if (seconds > 0) this.#notBefore = this.#edges.now() + seconds * 1000;
  }

  /** What a request without an answer means. Before any answer, the URL is more likely to be wrong than the server. */
  #networkError(url: string, error: Error): Error {
    const reason = failureReason(error);
    const { code = "" } = (error.cause ?? {}) as { readonly code?: string };
    if (reason === "bad port" || (!this.#isAnswered && permanentErrors.test(code)))
      return new Failure(
        `${new URL(url).origin} does not answer (${reason}). Are the URL and its port right, is the network there, and is the certificate valid, with its whole chain?`,
      );
    return new RetryableError(
      error.name === "TimeoutError"
        ? `did not answer within ${this.#limits.timeoutMs / 1000} seconds`
        : `could not be reached (${reason})`,
    );
  }
}
