/** The sync file: what a client that keeps a copy must fetch again, and what it must delete. */
import { syncDigits, type SyncFile } from "../../functions/contract/sync.ts";
import type { BulkPart } from "./bulk.ts";

/** What is published. */
export interface SyncContent {
  /** Origin of the API, without a trailing slash. */
  readonly siteUrl: string;
  /** Id of the snapshot. */
  readonly snapshot: string;
  readonly bulk: readonly BulkPart[];
  /** Every post by ascending id, with the SHA-256 of its document in hexadecimal. */
  readonly posts: Iterable<readonly [postId: number, digest: string]>;
}

/** The text of the sync file: JSON with a post a line, so that two of them can be compared line by line. */
export function syncText({ siteUrl, snapshot, bulk, posts }: SyncContent): string {
  const files: SyncFile["bulk"] = bulk.map(({ path, digest, ...part }) => ({
    url: `${siteUrl}/${path}`,
    ...part,
    sha256: digest,
  }));
  const lines = Array.from(posts, ([id, digest]) => `"${id}":"${digest.slice(0, syncDigits)}"`);
  return `{"snapshot":${JSON.stringify(snapshot)},\n"bulk":${JSON.stringify(files)},\n"posts":{\n${lines.join(",\n")}\n}}\n`;
}
