/** Puts a finished snapshot in place of the one before: all of it, or nothing. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { withCleanUp } from "../cli/clean-up.ts";
import { Failure } from "../cli/command.ts";
import { filesBelow } from "../lib/files-below.ts";
import { beside, realPath } from "../lib/paths.ts";
import { formatted } from "../lib/format-number.ts";
import { unlistedEntries } from "../snapshot/compare-files.ts";
import { snapshotFiles } from "../snapshot/published-files.ts";
import { takeLock } from "../lib/lock.ts";
import { printable } from "../lib/printable.ts";
import { manifestIn } from "./compared-snapshot.ts";

/** Strange files that a message names. */
const namedAtMost = 5;

/**
 * Refuses a target that holds anything but a snapshot: replacing it would delete that.
 *
 * @throws Failure that names the files
 */
export function assertReplaceable(target: string): void {
  const stat = statSync(target, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (!stat.isDirectory()) throw new Failure(`${target} is a file, not a folder.`);
  const manifest = manifestIn(target);
  // An empty folder is no loss.
  const strange =
    manifest === undefined
      ? readdirSync(target)
      : unlistedEntries(target, manifest).filter((path) => !path.endsWith("/"));
  if (strange.length === 0) return;
  const more =
    strange.length > namedAtMost ? ` and ${formatted(strange.length - namedAtMost)} more` : "";
  if (manifest === undefined && strange.includes(snapshotFiles.manifest))
    throw new Failure(
      `${target} holds a snapshot that is damaged or of another version, which a build would delete. Delete or move ${target} yourself, and try again.`,
    );
  throw new Failure(
    `${target} holds something other than a snapshot, and a build would delete it: ` +
      `${printable(strange.slice(0, namedAtMost).join(", "))}${more}. ` +
      `Name another folder with --out, or move ${strange.length === 1 ? "this" : "these"} away.`,
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
export async function withTarget<T>(
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
    assertRenamable(target, path);
    assertRemovable(target, path);
    return work(path);
  });
}

/**
 * Does some work while no build writes to a target.
 *
 * @throws Failure when another build or release is at work
 */
export async function withLock<T>(target: string, work: () => Promise<T>): Promise<T> {
  const file = beside(realPath(target), "lock");
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
  const [previous, staging] = [beside(path, "previous"), beside(path, "staging")];
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

/** Refuses a target that cannot be renamed at the end, before any work is done. */
function assertRenamable(target: string, path: string): void {
  if (!existsSync(path) || process.platform === "win32") return;
  const probe = beside(path, "staging");
  mkdirSync(probe);
  try {
    // Renaming over a folder with files always fails. The error shows the reason: a system checks for files
    // last, after everything else. An empty folder is replaced by another empty one.
    renameSync(probe, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOTEMPTY" || code === "EEXIST") return;
    if (code !== "EBUSY") throw error;
    throw new Failure(
      `${target} is a mount point, which cannot be replaced by another folder. ` +
        `Mount the folder above it, or name a folder inside it: --out ${join(target, "dist")}.`,
    );
  } finally {
    rmSync(probe, { recursive: true, force: true });
  }
}

/**
 * Refuses a target of another user, whose files could not be removed after the new ones have taken their place.
 *
 * @throws Failure that names the first folder that may not be changed
 */
function assertRemovable(target: string, path: string): void {
  if (!existsSync(path) || process.platform === "win32") return;
  const probed = new Set<string>();
  for (const file of filesBelow(path))
    for (let entry = file; entry !== "." && !probed.has(dirname(entry)); entry = dirname(entry)) {
      probed.add(dirname(entry));
      try {
        // Removing a file, or a folder with files, in this way always fails. The error shows the reason: the rights
        // are checked first.
        rmdirSync(join(path, entry));
      } catch (error) {
        const { code = "", message } = error as NodeJS.ErrnoException;
        if (!["EACCES", "EPERM", "EROFS"].includes(code)) continue;
        throw new Failure(
          `build stopped: ${join(target, dirname(entry))} may not be changed by this user (${message}), so the old files there could not be removed. ` +
            `Build as the user who owns ${target}, delete it, or name another folder with --out.`,
        );
      }
    }
}

/**
 * Where the snapshot of a target is: after a kill between the two renames, beside it, from where the next build
 * puts it back.
 */
export function snapshotFolderOf(target: string): string {
  const path = realPath(target);
  const previous = beside(path, "previous");
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
  const previous = beside(path, "previous");
  try {
    renameSync(path, previous);
  } catch (error) {
    if (process.platform !== "win32") throw error;
    throw new Failure(
      `build stopped: ${path} cannot be replaced (${(error as Error).message}). ` +
        "Windows replaces no folder while a program, such as npm run preview, has one of its files open. " +
        "End that program, and build again.",
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
 * @param path what `withTarget` gave
 * @param write writes all files into the folder that it is given; when it throws, the target stays as it was
 */
export async function replaceSnapshot<T>(
  path: string,
  write: (folder: string) => Promise<T>,
): Promise<T> {
  const staging = beside(path, "staging");
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
