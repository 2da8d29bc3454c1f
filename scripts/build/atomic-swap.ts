/** Puts a finished snapshot in place of the one before: all of it, or nothing. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { withCleanUp } from "../cli/clean-up.ts";
import { Failure } from "../cli/command.ts";
import { truncateList, escapeControlChars } from "../lib/text.ts";
import { siblingPath, realPath } from "../lib/fs.ts";
import { findUnexpectedFiles } from "../snapshot/compare-files.ts";
import { snapshotFiles } from "../snapshot/published-files.ts";
import { takeLock } from "../lib/lock.ts";
import { readBaseline } from "./baseline.ts";

/**
 * Refuses a target that holds anything but a snapshot: replacing it would delete that.
 *
 * @throws Failure that names the files
 */
export function assertReplaceable(target: string): void {
  const stat = statSync(target, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (!stat.isDirectory()) throw new Failure(`${target} is a file, not a folder.`);
  const manifest = readBaseline(target)?.manifest;
  // An empty folder is no loss.
  const strange =
    manifest === undefined
      ? readdirSync(target)
      : findUnexpectedFiles(target, manifest).filter((path) => !path.endsWith("/"));
  if (strange.length === 0) return;
  if (manifest === undefined && strange.includes(snapshotFiles.manifest))
    throw new Failure(
      `${target} holds a snapshot that is damaged or of another version, which a build would delete. Delete or move ${target} yourself, and try again.`,
    );
  throw new Failure(
    `${target} holds something other than a snapshot, and a build would delete it: ` +
      `${truncateList(strange, "").map(escapeControlChars).join(", ")}. Name another folder with --out, or move this away.`,
  );
}

/**
 * Does some work while no other build writes to the same target. Before the work, it removes what is beside the target
 * of builds that were killed. If a build was killed between its two renames, the old snapshot is there,
 * too, and is put back.
 *
 * @param work gets the real path of the target
 * @throws Failure when another build is at work, or the target must not or cannot be replaced
 */
export async function withLockedTarget<T>(
  target: string,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const path = realPath(target);
  // Before anything is made beside it: a target that is a file may be in a system folder.
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new Failure(`${target} is a file, not a folder.`);
  mkdirSync(dirname(path), { recursive: true });
  return withLock(target, async () => {
    recover(path);
    assertReplaceable(path);
    return work(path);
  });
}

/**
 * Does some work while no build writes to a target.
 *
 * @throws Failure when another build or release is at work
 */
export async function withLock<T>(target: string, work: () => Promise<T>): Promise<T> {
  const file = siblingPath(realPath(target), "lock");
  let release;
  try {
    release = takeLock(file);
  } catch (error) {
    throw new Failure(
      `build stopped: ${file} cannot be locked (${(error as Error).message}). A build needs to write beside its folder.`,
    );
  }
  if (release === undefined)
    throw new Failure(
      `build stopped: another build is writing to ${target}, or a release uploads it. Wait until it has ended, or name another folder with --out.`,
    );
  // Also at Ctrl-C: the file of the lock goes.
  return withCleanUp(release, work);
}

/**
 * Clears up beside a target. While its lock is held, all that lies there is from builds that were killed.
 *
 * @throws Failure when a leftover cannot be moved or removed, such as one of another user
 */
function recover(path: string): void {
  const [previous, staging] = [siblingPath(path, "previous"), siblingPath(path, "staging")];
  try {
    rmSync(staging, { recursive: true, force: true });
    if (!existsSync(previous)) return;
    // Renamed first: if deleting were cut off, half a snapshot would have the name of one that is put back.
    renameSync(previous, existsSync(path) ? staging : path);
    rmSync(staging, { recursive: true, force: true });
  } catch (error) {
    throw new Failure(
      `build stopped: ${existsSync(staging) ? staging : previous} was left by an earlier build, and cannot be removed (${(error as Error).message}). ` +
        "Delete it as the user who owns it, or name another folder with --out.",
    );
  }
}

/**
 * Where the snapshot of a target is: after a kill between the two renames, beside it, from where the next build
 * puts it back.
 */
export function findSnapshotFolder(target: string): string {
  const path = realPath(target);
  const previous = siblingPath(path, "previous");
  return !existsSync(path) && existsSync(previous) ? previous : target;
}

/**
 * Puts `staging` in the place of `path`. Between the two renames, some 15 µs, nothing is at `path`. After a kill
 * there, the next build puts the old snapshot back.
 */
function swap(staging: string, path: string): void {
  if (!existsSync(path)) {
    renameSync(staging, path);
    return;
  }
  const previous = siblingPath(path, "previous");
  try {
    renameSync(path, previous);
  } catch (error) {
    throw new Failure(
      `build stopped: ${path} cannot be replaced (${(error as Error).message}); it is unchanged. ` +
        "A mount point cannot be: name a folder inside it with --out. Another user's folder cannot be: build as that user. " +
        "On Windows, end what has one of its files open, such as npm run preview.",
    );
  }
  try {
    renameSync(staging, path);
  } catch (cause) {
    renameSync(previous, path);
    throw cause;
  }
  // See `recover`.
  renameSync(previous, staging);
  removeFolder(staging);
}

/**
 * Writes a snapshot beside its target, and swaps it in when it is complete. The target is one complete snapshot, the
 * old or the new one, also when this process is killed or the disk is full. It is missing only for the moment between
 * two renames, and after a kill in this moment until the next build.
 *
 * @param path what `withLockedTarget` gave
 * @param write writes all files into the folder that it is given; when it throws, the target stays as it was
 */
export async function replaceSnapshot<T>(
  path: string,
  write: (folder: string) => Promise<T>,
): Promise<T> {
  const staging = siblingPath(path, "staging");
  mkdirSync(staging);
  return withCleanUp(
    () => removeFolder(staging),
    async () => {
      const result = await write(staging);
      swap(staging, path);
      return result;
    },
  );
}

/**
 * Removes a folder that a thread may still be writing to. Never throws: what stopped the work is what
 * must be reported, and the next build clears up again.
 */
export function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  } catch {
    // See above.
  }
}
