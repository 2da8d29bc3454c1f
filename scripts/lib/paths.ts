/** Where a path leads, what is kept beside it, and whether the file there is still the same. */
import { lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/**
 * The folder or file that a path leads to, without links, also where nothing is there yet. A link to a
 * target is followed, so that the link stays.
 */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    return isLink
      ? realPath(resolve(dirname(path), readlinkSync(path)))
      : join(realPath(dirname(resolve(path))), basename(path));
  }
}

/** What is kept beside a target, hidden: renaming is atomic only within one file system. @param target a real path */
export const beside = (
  target: string,
  kind: "lock" | "server" | "staging" | "previous" | "source" | "part",
): string => join(dirname(target), `.${basename(target)}.${kind}`);

/** A text that changes when the file does; empty where none is there, and the error's where that cannot be said. */
export function stateOf(file: string): string {
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    return stat === undefined ? "" : `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
  } catch (error) {
    return (error as Error).message;
  }
}
