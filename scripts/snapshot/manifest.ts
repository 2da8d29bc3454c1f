/** snapshot.json: names every file of a snapshot with its digest. Imports nothing heavy, so that any program can read one. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../cli/command.ts";
import { postFile } from "../../functions/contract/http.ts";
import { snapshotFiles } from "./published-files.ts";
import { totalNames, type Totals } from "./totals.ts";

/** Name and version of the snapshot's layout. */
export const snapshotFormat = { name: "case-collection-snapshot", version: 3 } as const;

/** Length and digest of a file: see `shortDigest`. */
export interface FileEntry {
  readonly bytes: number;
  readonly digest: string;
}

/** Contents of snapshot.json. */
export interface SnapshotManifest {
  readonly format: string;
  readonly version: number;
  /** Changes whenever an answer of the API may change: see `snapshotId`. */
  readonly id: string;
  readonly apiVersion: string;
  readonly counts: Totals;
  readonly similarPosts: { readonly source: "export" | "computed"; readonly method: string | null };
  /** Digest of what the snapshot was made from: export, options and program. */
  readonly inputDigest: string;
  /** Every post by its id, with the digest of its document, of 12 hexadecimal digits: see `postDigests`. */
  readonly posts: Readonly<Record<string, string>>;
  /** Ids of the posts that are in packs, where any are; all others have files of their own. */
  readonly packed?: readonly number[];
  /** Number of posts by tag name. */
  readonly tags: Readonly<Record<string, number>>;
  /** Every other file by its path, except snapshot.json itself. */
  readonly files: Readonly<Record<string, FileEntry>>;
}

/** SHA-256 in hexadecimal. */
export const sha256 = (content: string | Uint8Array): string =>
  createHash("sha256").update(content).digest("hex");

/**
 * Digests as snapshot.json holds them: the first digits of a SHA-256. They find changes and damage;
 * 12 digits (48 bits) keep the line of a post short, 100,000 of them take just under 3 MB.
 */
export const shortDigest = {
  post: (digest: string): string => digest.slice(0, 12),
  file: (digest: string): string => digest.slice(0, 16),
} as const;

/**
 * The id of a snapshot, on which the entity tags of all answers rest. Answers follow from the posts and
 * from the program: from its rules of text, its index, its headers. So the id covers the digest of all
 * inputs, the program among them, and, should an input be missing there, the posts as they were written.
 * The same export and program give the same id.
 *
 * @param digests SHA-256 of every post, by ascending id
 */
export const snapshotId = (inputDigest: string, digests: readonly string[]): string =>
  sha256([inputDigest, ...digests].join("\n"));

/** Ids of the posts that have files of their own. */
export function postsInFiles({ posts, packed = [] }: SnapshotManifest): number[] {
  const without = new Set(packed);
  return Object.keys(posts)
    .map(Number)
    .filter((id) => !without.has(id));
}

/** Every file of a snapshot by its path, except snapshot.json itself, with its digest. */
export function* listedFiles(
  manifest: SnapshotManifest,
): Generator<readonly [path: string, digest: string]> {
  for (const [path, { digest }] of Object.entries(manifest.files)) yield [path, digest];
  for (const id of postsInFiles(manifest)) yield [postFile(id), manifest.posts[id] ?? ""];
}

/** The posts of a snapshot by ascending id, each with the digest of its document. */
export const postDigests = ({ posts }: SnapshotManifest): Map<number, string> =>
  new Map(
    Object.entries(posts)
      .map(([id, digest]) => [Number(id), digest] as const)
      .sort(([a], [b]) => a - b),
  );

/** A manifest that cannot be used. The message completes "snapshot.json …". */
export class ManifestError extends Error {}

/** A manifest of another version: nothing can be compared with it. */
export class OtherVersionError extends ManifestError {}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;
const isDigest = (value: unknown): boolean =>
  typeof value === "string" && /^[0-9a-f]{12,64}$/.test(value);
const isPath = (path: string): boolean =>
  path !== "" && path.split("/").every((part) => part !== "" && part !== "." && part !== "..");

/** What a manifest of this version must hold, field by field. */
const rules: Readonly<Record<string, (value: unknown) => boolean>> = {
  id: isDigest,
  inputDigest: isDigest,
  apiVersion: (value) => typeof value === "string",
  counts: (value) => isRecord(value) && totalNames.every((name) => isCount(value[name])),
  posts: (value) =>
    isRecord(value) &&
    Object.entries(value).every(([id, digest]) => /^[1-9]\d*$/.test(id) && isDigest(digest)),
  packed: (value) => value === undefined || (Array.isArray(value) && value.every(isCount)),
  tags: (value) => isRecord(value) && Object.values(value).every(isCount),
  files: (value) =>
    isRecord(value) &&
    Object.entries(value).every(
      ([path, entry]) =>
        isPath(path) && isRecord(entry) && isCount(entry["bytes"]) && isDigest(entry["digest"]),
    ),
};

/**
 * Reads a manifest, whoever wrote it.
 *
 * @throws ManifestError when it is none; OtherVersionError when it is one of another version
 */
export function parseManifest(text: string): SnapshotManifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ManifestError("is not JSON");
  }
  if (!isRecord(value) || value["format"] !== snapshotFormat.name)
    throw new ManifestError(`is not a ${snapshotFormat.name}`);
  const { version } = value;
  if (version !== snapshotFormat.version)
    throw new OtherVersionError(
      `has format version ${String(version)}, and this program knows version ${snapshotFormat.version} only`,
    );
  for (const [name, isRight] of Object.entries(rules))
    if (!isRight(value[name])) throw new ManifestError(`has no usable "${name}"`);
  return value as unknown as SnapshotManifest;
}

/** Refuses a folder without a snapshot. @throws Failure that says what to do */
export function assertSnapshot(folder: string): void {
  if (!existsSync(join(folder, snapshotFiles.manifest)))
    throw new Failure(`${folder}: no snapshot is there. Build one with npm run build.`);
}

/** The manifest in a folder. @throws ManifestError, or the file system's error where there is no such file */
export const readManifest = (folder: string): SnapshotManifest =>
  parseManifest(readFileSync(join(folder, snapshotFiles.manifest), "utf8"));
