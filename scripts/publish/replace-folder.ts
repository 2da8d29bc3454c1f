/** Puts a finished snapshot in place of the one before: all of it, or nothing. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { exchange } from "./rename-exchange.ts";
import { snapshotFiles, snapshotFormat, type SnapshotManifest } from "../snapshot/write.ts";

/** A target that cannot be written, or must not. */
export class TargetError extends Error {}

/** The manifest of the snapshot in a folder, or undefined where there is none. */
export function snapshotIn(folder: string): SnapshotManifest | undefined {
  try {
    const manifest = JSON.parse(
      readFileSync(join(folder, snapshotFiles.manifest), "utf8"),
    ) as SnapshotManifest;
    return manifest.format === snapshotFormat.name ? manifest : undefined;
  } catch {
    return undefined;
  }
}

/** The folder that a target names: where a link leads, so that the link stays. */
const placeOf = (target: string): string =>
  existsSync(target) ? realpathSync(target) : resolve(target);

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

/** Whether a process runs, of this user or another. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Clears up beside a target after builds that were killed: removes what they had staged. Where one was killed
 * between taking the old snapshot away and putting the new one in its place, takes the old one back.
 */
export function recoverTarget(target: string): void {
  const place = placeOf(target);
  const folder = dirname(place);
  if (!existsSync(folder)) return;
  const leftover = new RegExp(
    `^\\.${basename(place).replace(/[^\w-]/g, "\\$&")}\\.(staging|previous)-(\\d+)$`,
  );
  for (const name of readdirSync(folder)) {
    const [, kind, pid] = leftover.exec(name) ?? [];
    // This process has left nothing yet: what bears its number is an older one's.
    if (kind === undefined || (Number(pid) !== process.pid && isRunning(Number(pid)))) continue;
    const path = join(folder, name);
    if (kind === "previous" && !existsSync(place)) renameSync(path, place);
    else rmSync(path, { recursive: true, force: true });
  }
}

/** Puts `staging` in the place of `place`; what was there is then at `staging`, or gone. */
function swap(staging: string, place: string, previous: string): void {
  if (!existsSync(place)) {
    renameSync(staging, place);
    return;
  }
  if (exchange(staging, place)) return;
  // Without a call that exchanges: between these two renames the target is missing. A kill there is
  // put right by `recoverTarget` in the next build.
  renameSync(place, previous);
  try {
    renameSync(staging, place);
  } catch (cause) {
    renameSync(previous, place);
    throw cause;
  }
  rmSync(previous, { recursive: true, force: true });
}

/**
 * Writes a snapshot beside its target, and swaps it in when all of it is there.
 *
 * At every moment the target is one whole snapshot, the old or the new one; so it stays when this
 * process is killed, the disk is full, or two builds run at once (the last to finish wins).
 *
 * @param target folder of the snapshot
 * @param write writes all files into the folder that it is given; when it throws, the target stays as it was
 * @throws TargetError when the target holds something else, or what `write` throws
 */
export async function replaceSnapshot<T>(
  target: string,
  write: (folder: string) => Promise<T>,
): Promise<T> {
  const place = placeOf(target);
  // Staged beside the target: renaming is atomic only within one file system.
  const beside = (kind: string): string =>
    join(dirname(place), `.${basename(place)}.${kind}-${process.pid}`);
  mkdirSync(dirname(place), { recursive: true });
  assertReplaceable(place);
  const staging = beside("staging");
  const previous = beside("previous");
  mkdirSync(staging);
  try {
    const result = await write(staging);
    swap(staging, place, previous);
    return result;
  } finally {
    try {
      rmSync(staging, { recursive: true, force: true });
    } catch {
      // What stopped the build is what must be told; `recoverTarget` clears up at the next one.
    }
  }
}
