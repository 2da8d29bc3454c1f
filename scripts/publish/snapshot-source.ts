/**
 * Which export a folder's snapshot was built from. This is noted beside the folder, since the snapshot itself
 * is published, and says nothing of the machine that made it.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, relative, resolve } from "node:path";
import type { ComparedSnapshot } from "./compared-snapshot.ts";
import { beside, realPath } from "../lib/paths.ts";

/**
 * The note: the export's path as it was given, and the snapshot that was built from it. Exports with the same
 * file name count as one: a link may lead to the newest of several, and a project may be moved.
 */
interface SourceNote {
  readonly snapshot: string;
  readonly export: string;
}

const noteOf = (out: string): string => beside(realPath(out), "source");

/** Notes what a snapshot was built from. A note that cannot be written is as good as none. */
export function recordSource(out: string, snapshot: string, exportFile: string): void {
  const note: SourceNote = { snapshot, export: resolve(exportFile) };
  try {
    writeFileSync(noteOf(out), `${JSON.stringify(note)}\n`);
  } catch {
    rmSync(noteOf(out), { force: true });
  }
}

/** The export that a snapshot was built from, where that is known to be another one. */
export function otherSource(
  { manifest }: ComparedSnapshot,
  out: string,
  exportFile: string,
): string | undefined {
  try {
    const note = JSON.parse(readFileSync(noteOf(out), "utf8")) as SourceNote;
    const isOfThis = note.snapshot === manifest.id;
    return isOfThis && basename(note.export) !== basename(exportFile)
      ? relative(process.cwd(), note.export)
      : undefined;
  } catch {
    return undefined;
  }
}
