/** Puts a finished snapshot in place of the one before: all of it, or nothing. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { snapshotFiles, snapshotFormat, type SnapshotManifest } from "./snapshot.ts";

/** A target that cannot be written, or must not. */
export class TargetError extends Error {}

/** The manifest of the snapshot in a folder, or undefined where there is none. */
function snapshotIn(folder: string): SnapshotManifest | undefined {
  try {
    const manifest = JSON.parse(
      readFileSync(join(folder, snapshotFiles.manifest), "utf8"),
    ) as SnapshotManifest;
    return manifest.format === snapshotFormat.name ? manifest : undefined;
  } catch {
    return undefined;
  }
}

/** Refuses a target whose content this program did not write: replacing it would delete it. */
function assertReplaceable(target: string): void {
  const stat = statSync(target, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (!stat.isDirectory()) throw new TargetError(`${target} is a file, not a folder.`);
  if (readdirSync(target).length > 0 && snapshotIn(target) === undefined)
    throw new TargetError(
      `${target} holds something other than a snapshot, and a build would replace it. Name another folder with --out, or empty this one.`,
    );
}

/**
 * Writes a snapshot beside its target, and swaps it in when all of it is there.
 *
 * @param target folder of the snapshot
 * @param write writes all files into the folder that it is given; when it throws, the target stays as it was
 * @throws TargetError when the target holds something else, or what `write` throws
 */
export function replaceSnapshot<T>(target: string, write: (folder: string) => T): T {
  const place = resolve(target);
  // Staged beside the target: renaming is atomic only within one file system.
  const beside = (name: string): string => join(dirname(place), `.${basename(place)}.${name}`);
  const staging = beside(`staging-${process.pid}`);
  const previous = beside("previous");
  mkdirSync(dirname(place), { recursive: true });
  // A build that was killed between the two renames below left no target: take the old one back.
  if (!existsSync(place) && existsSync(previous)) renameSync(previous, place);
  assertReplaceable(place);
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging);
  try {
    const result = write(staging);
    rmSync(previous, { recursive: true, force: true });
    if (existsSync(place)) renameSync(place, previous);
    renameSync(staging, place);
    rmSync(previous, { recursive: true, force: true });
    return result;
  } finally {
    rmSync(staging, { recursive: true, force: true });
    if (!existsSync(place) && existsSync(previous)) renameSync(previous, place);
  }
}
