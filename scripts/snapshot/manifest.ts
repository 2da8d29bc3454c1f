/** snapshot.json: names every file of a snapshot with its digest. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../cli/command.ts";
import { postFile } from "../../functions/contract/http.ts";
import {
  array,
  integer,
  dictionary,
  nullable,
  oneOf,
  withOpenObjects,
  object,
  string,
  type Static,
} from "../../functions/contract/schema.ts";
import { contractRules } from "../lib/json-schema.ts";
import { snapshotFiles } from "./published-files.ts";
import { totalNames, type Totals } from "./totals.ts";

/** Name and version of the snapshot's layout. */
export const snapshotFormat = { name: "case-collection-snapshot", version: 5 } as const;

/**
 * Version of what this program publishes for the same inputs. Raise it with any change of published bytes, of answers of
 * the function, or of netlify.toml: the id of a snapshot follows from its inputs and from this, not from the program's
 * source, so a release may take the old files for the new ones otherwise. `tests/published-bytes.test.ts` says when.
 */
export const outputVersion = 1;

const count = integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: "A number." });
const digest = string({
  pattern: "^[0-9a-f]{12,64}$",
  description: "The first digits of a SHA-256, in hexadecimal: see `shortDigest`.",
});
const text = string({ description: "A text." });

/** Of a file or folder: neither "." nor "..". */
const name = "(?!\\.{1,2}(?:/|$))[^/]+";
const fileEntry = object("FileEntry", "Length and digest of a file.", { bytes: count, digest });
export type FileEntry = Static<typeof fileEntry>;

const manifestFields = object("Snapshot", "Contents of snapshot.json.", {
  format: text,
  version: integer({ description: "Of the snapshot's layout." }),
  id: string({
    ...digest,
    description: "Changes whenever an answer of the API may change: see `snapshotId`.",
  }),
  apiVersion: text,
  // Another version of this program may count more. What is counted from now on is not required: older snapshots lack it.
  counts: withOpenObjects(
    object(
      "Totals",
      "Totals for all posts.",
      Object.fromEntries(totalNames.map((name) => [name, count])) as Record<
        keyof Totals,
        typeof count
      >,
      ["posts", "comments", "tags", "characters"],
    ),
  ),
  similarPosts: object("SimilarPosts", "Where similar posts are from.", {
    source: oneOf(["export", "computed"], { description: "Who says which posts are similar." }),
    method: nullable(text, { description: "How they are computed, where they are." }),
  }),
  inputDigest: string({
    ...digest,
    description: "Digest of what the snapshot was made from: export, options and versions.",
  }),
  posts: dictionary(digest, {
    propertyNames: { type: "string", pattern: "^[1-9]\\d*$" },
    description: "Every post by its id, with the digest of its document: see `postDigests`.",
  }),
  tags: dictionary(count, { description: "Number of posts by tag name." }),
  files: dictionary(fileEntry, {
    propertyNames: { type: "string", pattern: `^${name}(?:/${name})*$` },
    description: "Every other file by its path, except snapshot.json itself.",
  }),
});
const packed = array(count, {
  description:
    "Ids of the posts that are in packs, where any are; all others have files of their own.",
});

const manifestSchema = {
  ...manifestFields,
  properties: { ...manifestFields.properties, packed },
};

/** Contents of snapshot.json. */
export type SnapshotManifest = Static<typeof manifestFields> & {
  readonly packed?: Static<typeof packed>;
};

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
 * The id of a snapshot, on which the entity tags of all answers rest: the same inputs and versions give the same id. It
 * covers the posts as they were written, too, should an input be missing in the digest.
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

/**
 * Reads a manifest, whoever wrote it.
 *
 * @throws ManifestError when it is none of the version that this program writes: others cannot be compared with
 */
export function parseManifest(json: string): SnapshotManifest {
  let value: Partial<SnapshotManifest> | null;
  try {
    value = JSON.parse(json) as typeof value;
  } catch {
    throw new ManifestError("is not JSON");
  }
  if (value?.format !== snapshotFormat.name)
    throw new ManifestError(`is not a ${snapshotFormat.name}`);
  if (value.version !== snapshotFormat.version)
    throw new ManifestError(
      `has another format version than ${snapshotFormat.version}, which this program reads and writes`,
    );
  const [problem] = contractRules(manifestSchema)(value);
  if (problem !== undefined) throw new ManifestError(`is not usable: ${problem}`);
  return value as SnapshotManifest;
}

/**
 * Refuses a folder without a snapshot.
 *
 * @throws Failure that says what to do
 */
export function assertSnapshot(folder: string): void {
  if (!existsSync(join(folder, snapshotFiles.manifest)))
    throw new Failure(`${folder}: no snapshot is there. Build one with npm run build.`);
}

/**
 * The manifest in a folder.
 *
 * @throws ManifestError, or the file system's error where there is no such file
 */
export const readManifest = (folder: string): SnapshotManifest =>
  parseManifest(readFileSync(join(folder, snapshotFiles.manifest), "utf8"));
