/** What a new snapshot would change, compared with the one that is published. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { postFile } from "../../functions/contract/http.ts";
import { listedAtMost, pluralize } from "../lib/text.ts";
import { postDigests, postsInFiles, type SnapshotManifest } from "../snapshot/manifest.ts";
import type { Baseline } from "./baseline.ts";

/** What differs between two snapshots. */
export interface Changes {
  /** Ids of posts. */
  readonly added: readonly number[];
  readonly removed: readonly number[];
  readonly changed: readonly number[];
  /** Paths of new and changed files: what a deploy has to upload. */
  readonly uploads: readonly string[];
}

/** Compares two manifests; without an older one, everything is new. */
export function compareSnapshots(
  before: SnapshotManifest | undefined,
  after: SnapshotManifest,
): Changes {
  const old = before === undefined ? new Map<number, string>() : postDigests(before);
  const now = postDigests(after);
  const ids = [...now.keys()];
  const filesBefore = new Set(before === undefined ? [] : postsInFiles(before));
  return {
    added: ids.filter((id) => !old.has(id)),
    removed: [...old.keys()].filter((id) => !now.has(id)),
    changed: ids.filter((id) => old.has(id) && old.get(id) !== now.get(id)),
    uploads: [
      ...postsInFiles(after)
        .filter((id) => !filesBefore.has(id) || old.get(id) !== now.get(id))
        .map(postFile),
      ...Object.entries(after.files)
        .filter(([path, { digest }]) => before?.files[path]?.digest !== digest)
        .map(([path]) => path),
    ],
  };
}

const list = (ids: readonly number[]): string =>
  ids.length === 0
    ? ""
    : ` (${ids.slice(0, listedAtMost).join(", ")}${ids.length > listedAtMost ? ", …" : ""})`;

/**
 * The changes in words.
 *
 * @param published what the new snapshot is compared with, if anything is
 * @param folder where the new snapshot's files are
 */
export function changeLines(
  published: Baseline | undefined,
  after: SnapshotManifest,
  folder: string,
): string[] {
  const { uploads, ...posts } = compareSnapshots(published?.manifest, after);
  const uploadBytes = uploads.reduce((sum, path) => sum + statSync(join(folder, path)).size, 0);
  return [
    published === undefined ? "compared with nothing" : `compared with ${published.location}`,
    ...(["added", "removed", "changed"] as const).map(
      (name) => `${name}: ${pluralize(posts[name].length, "posts")}${list(posts[name])}`,
    ),
    `files that differ: ${pluralize(uploads.length, "files")}, ${pluralize(uploadBytes, "bytes")}`,
  ];
}
