/** Compares the files in a folder with those that its manifest lists. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { entriesBelow } from "../lib/fs.ts";
import { listedFiles, sha256, type SnapshotManifest } from "./manifest.ts";
import { snapshotFiles } from "./published-files.ts";

/** Finds files in a folder that its manifest does not list, and empty folders (see `entriesBelow`), in alphabetical order. */
export function findUnexpectedFiles(folder: string, manifest: SnapshotManifest): string[] {
  const listed = new Set<string>([snapshotFiles.manifest]);
  for (const [path] of listedFiles(manifest)) listed.add(path);
  return entriesBelow(folder)
    .filter((path) => !listed.has(path))
    .sort();
}

/**
 * Finds listed files that are missing, or are not those that were built.
 *
 * @returns what is wrong, in words
 */
export function* findChangedFiles(folder: string, manifest: SnapshotManifest): Generator<string> {
  for (const [path, digest] of listedFiles(manifest))
    try {
      if (!sha256(readFileSync(join(folder, path))).startsWith(digest))
        yield `${path}: is not the file that was built`;
    } catch (error) {
      yield `${path}: ${(error as Error).message}`;
    }
}

/** Whether a folder holds exactly the files that its manifest lists. */
export const hasMatchingDigests = (folder: string, manifest: SnapshotManifest): boolean =>
  findChangedFiles(folder, manifest).next().done === true &&
  findUnexpectedFiles(folder, manifest).length === 0;
