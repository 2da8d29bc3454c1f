/** Reads public files over HTTP, each whole. Whatever comes is checked, so any server may answer. */
import { platform } from "../contract/platform.ts";
import { readBodyLimited } from "./bounded-body.ts";
import { createLimit } from "./concurrency-limit.ts";
import type { ByteRange } from "./index-format.ts";
import { assertIntact, IndexUnavailable, type BlockStore } from "./block-store.ts";

/** How files are fetched. */
export interface HttpLimits {
  /** Time for one attempt, in milliseconds, the body included. */
  readonly milliseconds: number;
  /** Requests at a time; further ones wait. */
  readonly parallel: number;
}

/** Two attempts take less than half of the time that a function has. */
export const httpLimits: HttpLimits = {
  milliseconds: (platform.functionSeconds * 1000) / 5,
  parallel: 64,
};

/**
 * The content at a URL.
 *
 * @throws where it is not there in time, or not as it must be
 */
async function fetched(url: string, part: ByteRange, milliseconds: number): Promise<Uint8Array> {
  const response = await fetch(url, { signal: AbortSignal.timeout(milliseconds) });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`status ${response.status}`);
  }
  const content = await readBodyLimited(response.body, part.bytes);
  if (content === undefined) throw new Error(`more than ${part.bytes} bytes`);
  assertIntact(content, part);
  return content;
}

/**
 * A source of whole files. `fetch` itself keeps connections.
 *
 * @param bases URLs that have the same files below them, without a trailing slash, the best first. A
 * read that fails is tried once more, with the next one where there is one.
 */
export function createHttpStore(
  bases: readonly string[],
  { milliseconds, parallel }: HttpLimits = httpLimits,
): BlockStore {
  const withSlot = createLimit(parallel);
  return {
    async read(part) {
      const [first, second = first] = bases;
      if (first === undefined || second === undefined)
        throw new IndexUnavailable(
          part.file,
          "is a public file, but nothing says where: set SEARCH_BLOCKS_URL",
        );
      const failures: string[] = [];
      for (const base of [first, second]) {
        const url = `${base}/${part.file}`;
        try {
          return await withSlot(() => fetched(url, part, milliseconds));
        } catch (failure) {
          failures.push(`${url}: ${String(failure)}`);
        }
      }
      throw new IndexUnavailable(part.file, failures.join("; "));
    },
  };
}
