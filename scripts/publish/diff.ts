/** What a new snapshot would change: compared with the one in a folder, or on a live site. */
import { postFile } from "../documents/post.ts";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Post } from "../../functions/contract/resources.ts";
import { snapshotIn } from "./replace-folder.ts";
import {
  postDigests,
  snapshotFiles,
  snapshotFormat,
  type SnapshotManifest,
} from "../snapshot/write.ts";

/** A snapshot that is published: its manifest, and its posts on demand. */
export interface Published {
  /** Where it is, for messages. */
  readonly place: string;
  readonly manifest: SnapshotManifest;
  readonly readPost: (postId: number) => Promise<Post | undefined>;
}

/** A snapshot that cannot be compared with. */
export class ComparisonError extends Error {}

/** The snapshot in a folder, if there is one. */
export function localSnapshot(folder: string): Published | undefined {
  const manifest = snapshotIn(folder);
  // One of another version is replaced like any other, but cannot be compared with.
  if (manifest?.version !== snapshotFormat.version) return undefined;
  return {
    place: folder,
    manifest,
    readPost: async (postId) =>
      JSON.parse(readFileSync(join(folder, postFile(postId)), "utf8")) as Post,
  };
}

/**
 * The snapshot of a live site.
 *
 * @param url address of its snapshot.json
 * @throws ComparisonError when it does not answer with one
 */
export async function liveSnapshot(url: string): Promise<Published> {
  const get = async (address: string): Promise<unknown> => {
    const response = await fetch(address, { signal: AbortSignal.timeout(30_000) });
    if (!response.ok) throw new ComparisonError(`${address} answers ${response.status}`);
    return response.json();
  };
  let manifest: SnapshotManifest;
  try {
    manifest = (await get(url)) as SnapshotManifest;
  } catch (cause) {
    throw new ComparisonError(
      `${url}: no snapshot can be read there (${(cause as Error).message}). Name the address of a published ${snapshotFiles.manifest}.`,
    );
  }
  if (manifest?.format !== snapshotFormat.name || manifest.version !== snapshotFormat.version)
    throw new ComparisonError(
      `${url}: is not a ${snapshotFormat.name} of version ${snapshotFormat.version}.`,
    );
  return {
    place: url,
    manifest,
    readPost: async (postId) => {
      try {
        return (await get(new URL(postFile(postId), url).href)) as Post;
      } catch {
        return undefined;
      }
    },
  };
}

/** What differs between two snapshots. */
export interface Changes {
  readonly added: readonly number[];
  readonly removed: readonly number[];
  readonly changed: readonly number[];
  /** Tags whose number of posts differs: before and after. */
  readonly tags: readonly {
    readonly name: string;
    readonly before: number;
    readonly after: number;
  }[];
  /** Bytes of new and changed files: what a deploy has to upload. */
  readonly uploadBytes: number;
}

/**
 * Compares a new snapshot with a published one.
 *
 * @param folder where the new snapshot's files are
 */
export function changesSince(
  before: SnapshotManifest | undefined,
  after: SnapshotManifest,
  folder: string,
): Changes {
  const old = before === undefined ? new Map<number, string>() : postDigests(before.posts);
  const now = postDigests(after.posts);
  const added = [...now.keys()].filter((id) => !old.has(id));
  const changed = [...now.keys()].filter((id) => old.has(id) && old.get(id) !== now.get(id));
  const removed = [...old.keys()].filter((id) => !now.has(id));
  const names = new Set([...Object.keys(before?.tags ?? {}), ...Object.keys(after.tags)]);
  const count = (tags: Readonly<Record<string, number>> | undefined, name: string): number =>
    tags !== undefined && Object.hasOwn(tags, name) ? (tags[name] ?? 0) : 0;
  const size = (path: string): number => statSync(join(folder, path)).size;
  return {
    added,
    removed,
    changed,
    tags: [...names]
      .map((name) => ({ name, before: count(before?.tags, name), after: count(after.tags, name) }))
      .filter((tag) => tag.before !== tag.after),
    uploadBytes:
      [...added, ...changed].reduce((sum, id) => sum + size(postFile(id)), 0) +
      Object.entries(after.files)
        .filter(([path, { digest }]) => before?.files[path]?.digest !== digest)
        .reduce((sum, [, { bytes }]) => sum + bytes, 0),
  };
}

/** Posts and tags that are listed one by one. */
const listed = 20;
/** Changed posts that are compared field by field: on a live site, each takes a request. */
const compared = 200;
/** Fields that change because another post did; posts with changes of their own are listed first. */
const fieldsOfOthers: ReadonlySet<string> = new Set([
  "similarPosts",
  "previousPost",
  "nextPost",
] satisfies (keyof Post)[]);
const number = (value: number): string => value.toLocaleString("en-US");

/** The changes in words, with the fields that differ in each changed post. */
export async function changeLines(
  { added, removed, changed, tags, uploadBytes }: Changes,
  before: Published | undefined,
  folder: string,
): Promise<string[]> {
  const lines = [
    `compared with ${before?.place ?? "nothing: no snapshot is there yet"}`,
    `added: ${number(added.length)} posts${some(added)}`,
    `removed: ${number(removed.length)} posts${some(removed)}`,
    `changed: ${number(changed.length)} posts`,
  ];
  const differences: { readonly line: string; readonly isOwn: boolean }[] = [];
  for (const id of changed.slice(0, compared)) {
    const old = (await before?.readPost(id)) as Record<string, unknown> | undefined;
    const now = JSON.parse(readFileSync(join(folder, postFile(id)), "utf8")) as Record<
      string,
      unknown
    >;
    const fields = Object.keys(now).filter(
      (field) => JSON.stringify(old?.[field]) !== JSON.stringify(now[field]),
    );
    differences.push({
      line: `  post ${id}: ${old === undefined ? "cannot be read there" : fields.join(", ")}`,
      isOwn: fields.some((field) => !fieldsOfOthers.has(field)),
    });
  }
  const first = differences.toSorted((a, b) => Number(b.isOwn) - Number(a.isOwn));
  lines.push(...first.slice(0, listed).map(({ line }) => line));
  if (changed.length > listed) lines.push(`  and ${number(changed.length - listed)} more`);
  lines.push(`tags with another number of posts: ${number(tags.length)}`);
  for (const { name, before: from, after } of tags.slice(0, listed))
    lines.push(`  ${name}: ${number(from)} → ${number(after)}`);
  if (tags.length > listed) lines.push(`  and ${number(tags.length - listed)} more`);
  lines.push(`to upload: ${number(uploadBytes)} bytes`);
  return lines;
}

const some = (ids: readonly number[]): string =>
  ids.length === 0
    ? ""
    : ` (${ids.slice(0, listed).join(", ")}${ids.length > listed ? ", …" : ""})`;
