/** What Netlify takes, and what to say when a snapshot is larger. */
import { deflateRawSync } from "node:zlib";

/** Limits of the platform. Sizes in bytes. */
const limits = {
  /** Files in one directory of a deploy. */
  filesInDirectory: 54_000,
  /** A function with all that it carries, as a zip archive. */
  functionZipped: 50_000_000,
  /** The same, unpacked. */
  functionUnzipped: 250_000_000,
} as const;

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
const number = (value: number): string => value.toLocaleString("en-US");

/** What to say of so many posts, each a file in one directory. */
export const postWarnings = (posts: number): string[] =>
  posts <= limits.filesInDirectory
    ? []
    : [
        `${number(posts)} posts are ${number(posts)} files in one directory; Netlify takes ${number(limits.filesInDirectory)}. ` +
          "Publish fewer posts there, or serve the files from a host without this limit.",
      ];

/** What to say of sizes of the search index. */
export const sizeWarnings = (zipped: number, unzipped: number): string[] =>
  zipped <= limits.functionZipped && unzipped <= limits.functionUnzipped
    ? []
    : [
        `the search index takes ${megabytes(zipped)} zipped and ${megabytes(unzipped)} unzipped; ` +
          `a function carries ${megabytes(limits.functionZipped)} and ${megabytes(limits.functionUnzipped)}. ` +
          "A deploy to Netlify would be refused; a server of your own can serve this snapshot.",
      ];

/** Bytes that a file takes in a function's archive. The fastest level comes within a few percent. */
export const zippedBytes = (content: Buffer): number =>
  deflateRawSync(content, { level: 1 }).length;
