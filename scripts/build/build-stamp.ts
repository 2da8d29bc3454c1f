/**
 * What a build notes beside the folder of its snapshot: the snapshot itself is published, and says nothing of the
 * machine that made it.
 */
import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { filesBelow, siblingPath, realPath } from "../lib/fs.ts";
import { sha256 } from "../snapshot/manifest.ts";
import { snapshotFiles } from "../snapshot/published-files.ts";

/** The note of a build. */
export interface BuildStamp {
  /** SHA-256 of snapshot.json, which names the digests of all other files. */
  readonly manifest: string;
  /** Whether the snapshot is that of the program's sample. */
  readonly isSample: boolean;
  /** Digest of the program that built it: another one may write other files, under the same id where it is being changed. */
  readonly program: string;
}

const projectFolder = resolve(import.meta.dirname, "../..");

/** Digest of the files of this program, but for its tests, and of the packages that it is installed with. */
export function programDigest(): string {
  const hash = createHash("sha256").update(readFileSync(join(projectFolder, "package-lock.json")));
  for (const folder of ["functions", "scripts"])
    for (const path of filesBelow(join(projectFolder, folder)).sort())
      if (!path.endsWith(".test.ts"))
        hash.update(`${path}\0`).update(readFileSync(join(projectFolder, folder, path)));
  return hash.digest("hex");
}

const stampFile = (out: string): string => siblingPath(realPath(out), "source");

const manifestDigest = (out: string): string =>
  sha256(readFileSync(join(out, snapshotFiles.manifest)));

/** Writes the stamp of the snapshot in a folder. One that cannot be written is as good as none. */
export function writeStamp(out: string, isSample: boolean): void {
  try {
    const stamp: BuildStamp = { manifest: manifestDigest(out), isSample, program: programDigest() };
    writeFileSync(stampFile(out), `${JSON.stringify(stamp)}\n`);
  } catch {
    rmSync(stampFile(out), { force: true });
  }
}

/** Reads the stamp of the snapshot in a folder; undefined where there is none, or it is that of another snapshot. */
export function readStamp(out: string): BuildStamp | undefined {
  try {
    const stamp = JSON.parse(readFileSync(stampFile(out), "utf8")) as BuildStamp;
    return stamp.manifest === manifestDigest(out) ? stamp : undefined;
  } catch {
    return undefined;
  }
}
