/** Compares the files in a folder with those that its manifest lists. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { entriesBelow } from "../lib/files-below.ts";
import { listedFiles, sha256, type SnapshotManifest } from "./manifest.ts";
import { snapshotFiles } from "./published-files.ts";

/** Files in a folder that its manifest does not list, and empty folders (see `entriesBelow`), in alphabetical order. */
export function unlistedEntries(folder: string, manifest: SnapshotManifest): string[] {
  const listed = new Set<string>([snapshotFiles.manifest]);
  for (const [path] of listedFiles(manifest)) listed.add(path);
  return entriesBelow(folder)
    .filter((path) => !listed.has(path))
    .sort();
}

/** Whether a file is the one that the manifest lists. @param digest the first digits of its SHA-256 */
export const isListed = (content: Uint8Array, digest: string): boolean =>
  sha256(content).startsWith(digest);

/** Whether a folder holds exactly the files that its manifest lists. */
export function isIntact(folder: string, manifest: SnapshotManifest): boolean {
  try {
    for (const [path, digest] of listedFiles(manifest))
      if (!isListed(readFileSync(join(folder, path)), digest)) return false;
    return unlistedEntries(folder, manifest).length === 0;
  } catch {
    // A file is missing.
    return false;
  }
}
