/** Files, standard input and URLs as bytes: unpacked where they are gzip, of any size, in constant memory. */
import {
  closeSync,
  createReadStream,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Readable, type Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { withCleanUp } from "../cli/clean-up.ts";
import { Failure, UsageError } from "../cli/command.ts";
import { fileKind } from "../export/foreign-dump.ts";
import { printable } from "../lib/printable.ts";
import { readAt } from "../lib/read-at.ts";
import { withoutPassword } from "../lib/without-password.ts";
import { readCharset, notUtf8, RetryableError, webUrl } from "./answer.ts";
import { RateLimitedClient, type RateLimits } from "./rate-limited-client.ts";
import type { PullTools } from "./source.ts";

/** Whoever serves a file serves others, too. A file may be large, so it has ten minutes. */
const limits: RateLimits = {
  perFiveMinutes: 600,
  minIntervalMs: 100,
  timeoutMs: 600_000,
  reserve: 0,
};
/** Bytes at the beginning that show what a file is. */
const headBytes = 4096;
const unpackedAtOnce = 1 << 18;

/** What is read of a place. */
export interface Input {
  /** The place for messages: without a folder, a query or a password. */
  readonly name: string;
  /** How it begins, unpacked. */
  readonly head: Buffer;
  readonly bytes: AsyncIterable<Buffer>;
}

/** Reads the places of a pull, one after another. */
export class InputReader {
  readonly #tools: PullTools;
  readonly #client: RateLimitedClient;
  readonly #encoding: string;
  #hasAsked = false;

  /** @param encoding the charset of what is read; where it is UTF-8, a server that names another one is refused */
  constructor(tools: PullTools, encoding = "utf-8") {
    this.#tools = tools;
    this.#encoding = encoding;
    this.#client = new RateLimitedClient(tools, limits);
  }

  /**
   * Reads a file, a URL, or standard input for "-".
   *
   * @param take reads it to its end
   * @throws Failure where it is not there, cannot be read, is damaged, or the download goes on failing
   */
  async read(place: string, take: (input: Input) => Promise<void>): Promise<void> {
    try {
      await this.#read(place, take);
    } catch (error) {
      const { syscall, message } = error as NodeJS.ErrnoException;
      // What `take` writes goes through SQLite, whose errors name no system call.
      if (syscall === undefined) throw error;
      throw new Failure(
        /^https?:/i.test(place)
          ? `The download cannot be kept (${message}). Make room there, or name another folder in TMPDIR. Nothing was changed.`
          : `${place === "-" ? "standard input" : printable(place)} cannot be read (${printable(message)}). Let this user read it, or name another file. Nothing was changed.`,
      );
    }
  }

  async #read(place: string, take: (input: Input) => Promise<void>): Promise<void> {
    if (/^https?:/i.test(place)) return this.#readUrl(place, take);
    if (place === "-") return readStream("standard input", this.#tools.stdin(), take);
    const name = printable(basename(place));
    const stat = statSync(place, { throwIfNoEntry: false });
    if (stat === undefined || stat.isDirectory())
      throw new Failure(
        `${printable(withoutPassword(place))}: ${stat === undefined ? "there is no such file" : "this is no file"}. Name a file, a URL, or - for standard input.`,
      );
    await readStream(name, createReadStream(place), take);
  }

  /** Lines about what was asked of servers. */
  traffic(): readonly string[] {
    return this.#hasAsked ? [this.#client.traffic("bytes")] : [];
  }

  /** Keeps the answer in a file first: an attempt that fails in the middle has then added nothing. */
  async #readUrl(place: string, take: (input: Input) => Promise<void>): Promise<void> {
    const url = webUrl(place);
    // The value is not shown: it may hold a password.
    if (url === undefined)
      throw new UsageError(
        "A URL must begin with http:// or https://, and have no user name and no password.",
      );
    const name = url.origin + url.pathname;
    const folder = mkdtempSync(join(tmpdir(), "case-collection-pull-"));
    const file = join(folder, "download");
    await withCleanUp(
      () => rmSync(folder, { recursive: true, force: true }),
      async () => {
        this.#hasAsked = true;
        await this.#client.download(`Reading ${name}`, url.href, (response) =>
          this.#keep(response, name, file),
        );
        await readStream(name, createReadStream(file), take);
      },
    );
  }

  /** Writes an answer to a file. @returns its bytes. @throws RetryableError where it is none, a page of HTML, or cut off; Failure for other errors */
  async #keep(response: Response, name: string, file: string): Promise<number> {
    const { status, headers, body } = response;
    if (status !== 200 || body === null) {
      await body?.cancel();
      const said = `answered ${status} for ${name}`;
      throw status >= 500 || status === 200
        ? new RetryableError(said)
        : new Failure(`The server ${said}. Is the URL right, and may everyone read it?`);
    }
    if (this.#encoding === "utf-8" && !/^(?:utf-?8|us-ascii|)$/i.test(readCharset(headers))) {
      await body.cancel();
      throw notUtf8(
        response.url || name,
        headers,
        `If that is right, and it is CSV, add --encoding ${printable(readCharset(headers))}. If it is UTF-8 all the same, download it, and give the file.`,
      );
    }
    await writeBody(body, file);
    const size = statSync(file).size;
    const begin = readAt(file, 0, headBytes).toString("latin1").trimStart();
    const end = readAt(file, Math.max(0, size - headBytes), headBytes)
      .toString("latin1")
      .trimEnd();
    if (begin.startsWith("<")) throw new RetryableError(`answered a page of HTML for ${name}`);
    const closing = begin.startsWith("{") ? "}" : begin.startsWith("[") ? "]" : "";
    if (!end.endsWith(closing)) throw new RetryableError(`answered half of ${name}`);
    return size;
  }
}

/**
 * Writes a body to a file, each piece as it comes. Reading it waits for nothing else, such as a disk: Node's client ends
 * the process where a connection ends while its answer waits to be read (https://github.com/nodejs/undici/issues/5360).
 */
async function writeBody(body: AsyncIterable<Uint8Array>, file: string): Promise<void> {
  const descriptor = openSync(file, "w");
  try {
    for await (const piece of body) writeFileSync(descriptor, piece);
  } finally {
    closeSync(descriptor);
  }
}

/** Reads a stream, unpacked where it is gzip. */
async function readStream(
  name: string,
  stream: AsyncIterable<Uint8Array>,
  take: (input: Input) => Promise<void>,
): Promise<void> {
  try {
    let begun = await begin(stream);
    if (begun.head[0] === 0x1f && begun.head[1] === 0x8b)
      begun = await begin(through(begun.bytes, createGunzip({ chunkSize: unpackedAtOnce })));
    if (begun.head.length === 0) throw new Failure(`${name} is empty. Nothing was changed.`);
    await take({ name, ...begun });
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    if (!code.startsWith("Z_")) throw error;
    throw new Failure(
      `${name}: the compressed file is damaged or cut off (${message}). Write or download it again.`,
    );
  }
}

/** Reads the beginning. @returns it, and all bytes, the beginning included */
async function begin(stream: AsyncIterable<Uint8Array>): Promise<Omit<Input, "name">> {
  const rest = stream[Symbol.asyncIterator]();
  let first = Buffer.alloc(0);
  while (first.length < headBytes) {
    const next = await rest.next();
    if (next.done === true) break;
    first = Buffer.concat([first, next.value]);
  }
  return { head: first.subarray(0, headBytes), bytes: chained(first, rest) };
}

async function* chained(first: Buffer, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Buffer> {
  try {
    yield first;
    for (let next = await rest.next(); next.done !== true; next = await rest.next())
      yield Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength);
  } finally {
    await rest.return?.();
  }
}

/** What a transform makes of a stream. @throws what either throws */
export async function* through<T>(
  stream: AsyncIterable<unknown>,
  transform: Duplex,
): AsyncGenerator<T> {
  const fed = pipeline(Readable.from(stream), transform);
  // An error reaches the reader below, too.
  fed.catch(() => {});
  yield* transform as AsyncIterable<T>;
  await fed;
}

/** Refuses what is of another kind than the ones that are read here. @param kinds those, as `fileKind` names them */
export function assertKind({ name, head }: Input, kinds: readonly string[]): void {
  const found = fileKind(head);
  if (found !== undefined && !kinds.includes(found.kind))
    throw new Failure(`${name} seems to be ${found.kind}. ${found.remedy}`);
}
