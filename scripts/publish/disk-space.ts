/** How much room on disk a build takes, estimated before it writes anything. */
import { statfsSync, statSync } from "node:fs";

/** Bytes of a snapshot for each byte of its export and for each post: measured on real exports, rounded up. */
const byExportByte = 3;
const byPost = 6000;
/** Less than this is not worth a word. */
const worthReporting = 500_000_000;

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

/**
 * What to say of the room that a new snapshot takes. It is written beside the old one, so both are there
 * for a moment.
 *
 * @param exportFile database or dump
 * @param posts number of posts
 * @param folder an existing folder on the disk that is written to
 * @returns a line where the snapshot is large, and a warning where the disk may be too small
 */
export function diskLines(
  exportFile: string,
  posts: number,
  folder: string,
): { readonly line: string | undefined; readonly warning: string | undefined } {
  const needed = byExportByte * statSync(exportFile).size + byPost * posts;
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const both = `about ${gigabytes(needed)} for the new snapshot; ${gigabytes(free)} are free`;
  if (needed > free)
    return {
      line: undefined,
      warning: `the disk may be too small: ${both}. Free some, or build into another folder with --out DIR.`,
    };
  return { line: needed < worthReporting ? undefined : `disk: ${both}`, warning: undefined };
}
