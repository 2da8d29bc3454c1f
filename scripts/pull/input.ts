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
import { escapeControlChars } from "../lib/text.ts";
import { readRange } from "../lib/fs.ts";
import { redactUrl } from "../lib/http.ts";
import { isNamedUtf8, notUtf8, readCharset, RetryableError, webUrl } from "./answer.ts";
import { RateLimitedClient, type RateLimits } from "./rate-limited-client.ts";
import type { PullTools } from "./source.ts";

/** Whoever serves a file serves others, too. A file may be large, so it has ten minutes. */
const downloadLimits: RateLimits = {
  perFiveMinutes: 600,
  minIntervalMs: 100,
  timeoutMs: 600_000,
  reserve: 0,
};
/** Bytes at the beginning that show what a file is. */
const headBytes = 4096;
const gunzipChunkBytes = 1 << 18;

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

  /**
   * @param encoding the charset of what is read; where it is UTF-8, a server that names another one is refused
   */
  constructor(tools: PullTools, encoding = "utf-8") {
    this.#tools = tools;
    this.#encoding = encoding;
    this.#client = new RateLimitedClient(tools, downloadLimits);
  }

  /**
   * Reads a file, a URL, or standard input for "-".
   *
   * @param take reads it to its end
   * @throws Failure where it is not there, cannot be read, is damaged, or the download goes on failing
   */
  async read(place: string, take: (input: Input) => Promise<void>): Promise<void> {
    const isUrl = /^https?:/i.test(place);
    try {
      if (isUrl) return await this.#readUrl(place, take);
      if (place === "-") return await readStream("standard input", this.#tools.stdin(), take);
      const stat = statSync(place, { throwIfNoEntry: false });
      if (stat === undefined || stat.isDirectory())
        throw new Failure(
          `${escapeControlChars(redactUrl(place))}: ${stat === undefined ? "there is no such file" : "this is no file"}. Name a file, a URL, or - for standard input.`,
        );
      await readStream(escapeControlChars(basename(place)), createReadStream(place), take);
    } catch (error) {
      const { syscall, message } = error as NodeJS.ErrnoException;
      // What `take` writes goes through SQLite, whose errors name no system call.
      if (syscall === undefined) throw error;
      const name = isUrl
        ? "The download"
        : place === "-"
          ? "standard input"
          : escapeControlChars(place);
      throw new Failure(
        `${name} cannot be ${isUrl ? "kept in the folder for temporary files, TMPDIR" : "read"} (${escapeControlChars(message)}). Nothing was changed.`,
      );
    }
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

  /**
   * Writes an answer to a file.
   *
   * @returns its bytes.
   * @throws RetryableError where it is a page of HTML, or cut off; Failure for other errors
   */
  async #keep(response: Response, name: string, file: string): Promise<number> {
    const { status, headers, body } = response;
    const isRefused = status !== 200 || body === null;
    if (isRefused || (this.#encoding === "utf-8" && !isNamedUtf8(headers))) {
      await body?.cancel();
      if (!isRefused)
        throw notUtf8(
          response.url || name,
          headers,
          `If that is right, and it is CSV, add --encoding ${escapeControlChars(readCharset(headers))}. If it is UTF-8 all the same, download it, and give the file.`,
        );
      const said = `answered ${status} for ${name}`;
      throw status >= 500 || status === 200
        ? new RetryableError(said)
        : new Failure(`The server ${said}. Is the URL right, and may everyone read it?`);
    }
    await writeBody(body, file);
    const { size } = statSync(file);
    const textAt = (offset: number): string =>
      readRange(file, offset, headBytes).toString("latin1");
    const begin = textAt(0).trimStart();
    if (begin.startsWith("<")) throw new RetryableError(`answered a page of HTML for ${name}`);
    const closing = begin.startsWith("{") ? "}" : begin.startsWith("[") ? "]" : "";
    if (
      !textAt(Math.max(0, size - headBytes))
        .trimEnd()
        .endsWith(closing)
    )
      throw new RetryableError(`answered half of ${name}`);
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
  stream: Readable,
  take: (input: Input) => Promise<void>,
): Promise<void> {
  try {
    let begun = await readHead(stream);
    if (begun.head[0] === 0x1f && begun.head[1] === 0x8b) {
      const unpacked = through(begun.bytes, createGunzip({ chunkSize: gunzipChunkBytes }));
      begun = await readHead(Readable.from(unpacked));
    }
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

/**
 * Reads the beginning of a stream.
 *
 * @returns it, and all bytes, the beginning included
 */
async function readHead(stream: Readable): Promise<Omit<Input, "name">> {
  let read = Buffer.alloc(0);
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    read = Buffer.concat([read, chunk as Buffer]);
    if (read.length >= headBytes) break;
  }
  async function* all(): AsyncGenerator<Buffer> {
    yield read;
    if (!stream.readableEnded) yield* stream as AsyncIterable<Buffer>;
  }
  return { head: read.subarray(0, headBytes), bytes: all() };
}

/**
 * What a transform makes of a stream.
 *
 * @throws what either throws
 */
export async function* through<T>(
  stream: AsyncIterable<unknown>,
  transform: Duplex,
): AsyncGenerator<T> {
  const fed = pipeline(stream, transform);
  // An error reaches the reader below, too.
  fed.catch(() => {});
  yield* transform as AsyncIterable<T>;
  await fed;
}

/**
 * Refuses what is of another kind than the ones that are read here.
 *
 * @param kinds those, as `fileKind` names them
 */
export function assertKind({ name, head }: Input, kinds: readonly string[]): void {
  const found = fileKind(head);
  if (found !== undefined && !kinds.includes(found.kind))
    throw new Failure(`${name} seems to be ${found.kind}. ${found.remedy}`);
}
