/** Files and folders: where a path leads, what is below a folder, parts and names of files. */
import {
  lstatSync,
  readlinkSync,
  realpathSync,
  statSync,
  readdirSync,
  closeSync,
  openSync,
  readSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { createHash } from "node:crypto";
import { nameWords } from "../../functions/engine/index-format.ts";

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

/**
 * What is kept beside a target, hidden: renaming is atomic only within one file system.
 *
 * @param target a real path
 */
export const siblingPath = (
  target: string,
  kind: "lock" | "server" | "staging" | "previous" | "source" | "part",
): string => join(dirname(target), `.${basename(target)}.${kind}`);

/** A text that changes when the file does; empty where none is there, and the error's where that cannot be said. */
export function fileFingerprint(file: string): string {
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    return stat === undefined ? "" : `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * Everything below a folder that is not a folder itself, by its path there with slashes, and each empty folder, with
 * a slash at the end. Links are listed and not followed, which Node's own recursive listing does: it would leave the
 * folder.
 */
export const entriesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return [entry.name];
    const below = entriesBelow(join(folder, entry.name));
    return below.length === 0 ? [`${entry.name}/`] : below.map((path) => `${entry.name}/${path}`);
  });

/** The files and links of `entriesBelow`. */
export const filesBelow = (folder: string): string[] =>
  entriesBelow(folder).filter((path) => !path.endsWith("/"));

/** Bytes of a file, from an offset on; fewer where it ends. */
export function readRange(file: string, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  const descriptor = openSync(file, "r");
  try {
    return bytes.subarray(0, readSync(descriptor, bytes, 0, length, offset));
  } finally {
    closeSync(descriptor);
  }
}

/** The words of a content's name, the first 96 bits of its SHA-256: `blockFileName` makes a file's name of them. */
export function blockName(content: Uint8Array): Uint32Array {
  const hash = createHash("sha256").update(content).digest();
  return Uint32Array.from({ length: nameWords }, (_, i) => hash.readUInt32BE(i * 4));
}
