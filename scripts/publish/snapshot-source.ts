/**
 * Which export a folder's snapshot was built from. This is noted beside the folder, since the snapshot itself
 * is published, and says nothing of the machine that made it.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { sha256, type SnapshotManifest } from "../snapshot/manifest.ts";
import { snapshotFiles } from "../snapshot/published-files.ts";
import { beside, realPath } from "../lib/paths.ts";

/**
 * The note: the export's path as it was given, and the snapshot that was built from it. Exports with the same
 * file name count as one: a link may lead to the newest of several, and a project may be moved.
 */
interface SourceNote {
  readonly snapshot: string;
  readonly export: string;
  /** SHA-256 of snapshot.json, which names the digests of all other files. */
  readonly manifest: string;
}

const noteOf = (out: string): string => beside(realPath(out), "source");

const manifestDigest = (out: string): string =>
  sha256(readFileSync(join(out, snapshotFiles.manifest)));

const readNote = (out: string): SourceNote =>
  JSON.parse(readFileSync(noteOf(out), "utf8")) as SourceNote;

/** Notes what a snapshot was built from. A note that cannot be written is as good as none. */
export function recordSource(out: string, snapshot: string, exportFile: string): void {
  try {
    const source = resolve(exportFile);
    const note: SourceNote = { snapshot, export: source, manifest: manifestDigest(out) };
    writeFileSync(noteOf(out), `${JSON.stringify(note)}\n`);
  } catch {
    rmSync(noteOf(out), { force: true });
  }
}

/** The path of the export that the snapshot in a folder was built from, where that is known. */
export function sourceOf({ id }: SnapshotManifest, out: string): string | undefined {
  try {
    const note = readNote(out);
    return note.snapshot === id ? note.export : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the snapshot.json in a folder is the one that a build wrote there. */
export function hasOwnManifest(out: string): boolean {
  try {
    return readNote(out).manifest === manifestDigest(out);
  } catch {
    return false;
  }
}

/** Whether two paths name the same export: see `SourceNote`. */
export const isSameExport = (one: string, other: string): boolean =>
  basename(one) === basename(other);
