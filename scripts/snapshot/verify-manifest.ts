/** Compares each field of snapshot.json with the files of the snapshot, as far as they show what it must be. */
import { similarMethod } from "../similar/similar-posts.ts";
import { snapshotId, type SnapshotManifest } from "./manifest.ts";
import { snapshotFiles } from "./published-files.ts";
import { totalNames, type Totals } from "./totals.ts";

/** What the files of a snapshot show. */
export interface FoundInFiles {
  /** Version in the published description. */
  readonly apiVersion: string;
  readonly totals: Totals;
  /** Number of posts by tag name. */
  readonly tagCounts: ReadonlyMap<string, number>;
  /** SHA-256 of every post, by ascending id. */
  readonly digests: readonly string[];
}

/**
 * Fields of a manifest that are not as the files say. Its digests, and which posts are in packs, are compared
 * where these files are read.
 *
 * @returns what is wrong, in words
 */
export function* problemsOfManifest(
  manifest: SnapshotManifest,
  { apiVersion, totals, tagCounts, digests }: FoundInFiles,
): Generator<string> {
  const { id, inputDigest, counts, similarPosts, tags } = manifest;
  const file = snapshotFiles.manifest;
  if (manifest.apiVersion !== apiVersion)
    yield `${file} says API version ${manifest.apiVersion}, ${snapshotFiles.openapi} says ${apiVersion}`;
  if (id !== snapshotId(inputDigest, digests))
    yield `${file}: its id does not follow from its inputDigest and the posts`;
  // Whether similar posts are from the export or were computed shows in no file: an export may give the same ones.
  const method = similarPosts.source === "computed" ? similarMethod : null;
  if (similarPosts.method !== method)
    yield `${file} names the method ${JSON.stringify(similarPosts.method)} for similar posts instead of ${JSON.stringify(method)}`;
  const wrong = totalNames
    .filter((name) => counts[name] !== totals[name])
    .map((name) => `${counts[name]} ${name}, there are ${totals[name]}`);
  if (wrong.length > 0) yield `${file} counts ${wrong.join("; ")}`;
  for (const name of new Set([...Object.keys(tags), ...tagCounts.keys()])) {
    const [listed, found] = [Object.hasOwn(tags, name) ? tags[name] : 0, tagCounts.get(name) ?? 0];
    if (found === 0 && listed === 0)
      yield `${file} lists the tag ${JSON.stringify(name)}, which no post has`;
    if (listed !== found)
      yield `${file} counts ${listed} posts with the tag ${JSON.stringify(name)}, there are ${found}`;
  }
}
