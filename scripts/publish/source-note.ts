/**
 * Which export a folder's snapshot was built from. This is noted beside the folder, since the snapshot itself
 * is published, and says nothing of the machine that made it.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { sha256, type SnapshotManifest } from "../snapshot/manifest.ts";
import { snapshotFiles } from "../snapshot/published-files.ts";
import { beside, realPath } from "../lib/paths.ts";
import { isSample } from "./options.ts";

/** The note: an export, and the snapshot that was built from it. */
interface SourceNote {
  readonly snapshot: string;
  /** The export's path as it was given. */
  readonly export: string;
  /** Whether that is the program's sample. */
  readonly isSample: boolean;
  /** SHA-256 of snapshot.json, which names the digests of all other files. */
  readonly manifest: string;
}

const noteOf = (out: string): string => beside(realPath(out), "source");

const manifestDigest = (out: string): string =>
  sha256(readFileSync(join(out, snapshotFiles.manifest)));

const readNote = (out: string): SourceNote =>
  JSON.parse(readFileSync(noteOf(out), "utf8")) as SourceNote;

/** An export of a snapshot. */
export interface KnownExport {
  readonly path: string;
  /** Whether it is the program's sample. */
  readonly isSample: boolean;
}

/** What is known of an export. @param file as it was given */
export function knownExport(file: string): KnownExport {
  const path = resolve(file);
  return { path, isSample: isSample(path) };
}

/** Notes what a snapshot was built from. A note that cannot be written is as good as none. */
export function recordSource(out: string, snapshot: string, exportFile: string): void {
  try {
    const { path, ...known } = knownExport(exportFile);
    const note: SourceNote = { snapshot, export: path, ...known, manifest: manifestDigest(out) };
    writeFileSync(noteOf(out), `${JSON.stringify(note)}\n`);
  } catch {
    rmSync(noteOf(out), { force: true });
  }
}

/** The export that the snapshot in a folder was built from, where that is known. */
export function sourceOf({ id }: SnapshotManifest, out: string): KnownExport | undefined {
  try {
    const { snapshot, export: path, isSample: isOfSample } = readNote(out);
    return snapshot === id ? { path, isSample: isOfSample } : undefined;
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

/**
 * Whether two exports count as one: those with the same file name do, since a link may lead to the newest of several,
 * and a project may be moved. But the sample and another file of its name do not.
 */
export const isSameExport = (one: KnownExport, other: KnownExport): boolean =>
  one.isSample === other.isSample && basename(one.path) === basename(other.path);
