/** Draws posts and searches of a snapshot at random, and compares the answers of a site with the snapshot's own. */
import { paths } from "../../functions/contract/http.ts";
import { createHandler } from "../../functions/http/handler.ts";
import { visibleText } from "../documents/visible-text.ts";
import { ask, failureReason } from "../lib/http.ts";
import { postDigests, sha256, type SnapshotManifest } from "../snapshot/manifest.ts";
import { PostReader } from "../snapshot/read-posts.ts";

/** Characters of a keyword, at most: from a gram to a phrase. */
const maxKeywordLength = 12;

/** Numbers from 0 up to 1 that follow from a seed: the same seed draws the same requests. */
function randomFrom(seed: string): () => number {
  let drawn = 0;
  return () => Number.parseInt(sha256(`${seed} ${drawn++}`).slice(0, 8), 16) / 2 ** 32;
}

/** Draws paths and queries: `count` posts, and as many searches for what these posts contain. */
export function drawRequests(
  folder: string,
  manifest: SnapshotManifest,
  count: number,
  seed: string,
): string[] {
  const random = randomFrom(seed);
  const below = (end: number): number => Math.floor(random() * end);
  const ids = [...postDigests(manifest).keys()];
  const reader = new PostReader(folder);
  if (ids.length === 0) return [];
  const drawn = Array.from({ length: count }, () => ids[below(ids.length)]!);
  return drawn.flatMap((id) => {
    const { postTitle, postContentHtml } = reader.post(id);
    const text = [...`${postTitle} ${visibleText(postContentHtml)}`];
    const start = below(text.length);
    const q = text.slice(start, start + 1 + below(maxKeywordLength)).join("");
    const query = new URLSearchParams({ q, orderby: "like", pageSize: "50" });
    return [`${paths.posts}${id}`, `${paths.search}?${query}`];
  });
}

/**
 * Compares the answers of a site with those of a snapshot, byte for byte.
 *
 * @param site origin of the site
 * @param folder of the snapshot
 * @param requests paths and queries of published posts and of searches
 * @param signal ends the comparison early: it then throws the signal's reason
 * @returns what differs, in words
 */
export async function compareAnswers(
  site: string,
  folder: string,
  requests: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> {
  const handler = createHandler({
    snapshotFolder: () => folder,
    cacheMegabytes: 64,
    log: (message) => {
      throw new Error(message);
    },
  });
  const reader = new PostReader(folder);
  const own = async (path: string): Promise<Buffer> =>
    path.startsWith(paths.posts)
      ? reader.read(Number(path.slice(paths.posts.length)))
      : Buffer.from(await (await handler(new Request(site + path))).arrayBuffer());
  const compare = async (path: string): Promise<string | undefined> => {
    const response = await ask(site + path, signal && { signal });
    const body = Buffer.from(await response.arrayBuffer());
    if (response.status !== 200) return `status is ${response.status}`;
    return body.equals(await own(path)) ? undefined : "the answer is not that of the snapshot";
  };
  const found: string[] = [];
  try {
    for (const path of requests) {
      const difference = await compare(path).catch(failureReason);
      signal?.throwIfAborted();
      if (difference !== undefined) found.push(`${path}: ${difference}`);
    }
  } finally {
    handler.close();
  }
  return found;
}
