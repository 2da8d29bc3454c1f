/** What a new snapshot would change, compared with the one that is published. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { postFile } from "../../functions/contract/http.ts";
import type { Post } from "../../functions/contract/resources.ts";
import { limited } from "../../functions/search/concurrency-limit.ts";
import { firstOf, listedAtMost } from "../lib/first-of.ts";
import { counted, formatted } from "../lib/format-number.ts";
import { printable } from "../lib/printable.ts";
import { postDigests, postsInFiles, type SnapshotManifest } from "../snapshot/manifest.ts";
import { PostReader } from "../snapshot/read-posts.ts";
import type { ComparedSnapshot } from "./compared-snapshot.ts";

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
  /** Paths of new and changed files: what a deploy has to upload. */
  readonly uploads: readonly string[];
}

/** Compares two manifests; without an older one, everything is new. */
export function changesBetween(
  before: SnapshotManifest | undefined,
  after: SnapshotManifest,
): Changes {
  const old = before === undefined ? new Map<number, string>() : postDigests(before);
  const now = postDigests(after);
  const filesBefore = new Set(before === undefined ? [] : postsInFiles(before));
  const added = [...now.keys()].filter((id) => !old.has(id));
  const changed = [...now.keys()].filter((id) => old.has(id) && old.get(id) !== now.get(id));
  const tagsBefore = new Map(Object.entries(before?.tags ?? {}));
  const tagsNow = new Map(Object.entries(after.tags));
  return {
    added,
    removed: [...old.keys()].filter((id) => !now.has(id)),
    changed,
    tags: [...new Map([...tagsBefore, ...tagsNow]).keys()]
      .map((name) => ({ name, before: tagsBefore.get(name) ?? 0, after: tagsNow.get(name) ?? 0 }))
      .filter((tag) => tag.before !== tag.after),
    uploads: [
      ...postsInFiles(after)
        .filter((id) => !filesBefore.has(id) || old.get(id) !== now.get(id))
        .map(postFile),
      ...Object.entries(after.files)
        .filter(([path, { digest }]) => before?.files[path]?.digest !== digest)
        .map(([path]) => path),
    ],
  };
}

/** Changed posts that are compared field by field: on a live site, each takes a request. */
const compared = 200;
/** Requests to a live site at the same time. */
const atOnce = 8;
/** Fields that change because another post did; posts with changes of their own are listed first. */
const fieldsOfOthers: ReadonlySet<string> = new Set([
  "similarPosts",
  "previousPost",
  "nextPost",
] satisfies (keyof Post)[]);

/**
 * The changes in words, with the fields that differ in each changed post.
 *
 * @param published what the new snapshot is compared with, if anything is
 * @param folder where the new snapshot's files are
 */
export async function changeLines(
  published: ComparedSnapshot | undefined,
  after: SnapshotManifest,
  folder: string,
): Promise<string[]> {
  const { added, removed, changed, tags, uploads } = changesBetween(published?.manifest, after);
  const uploadBytes = uploads.reduce((sum, path) => sum + statSync(join(folder, path)).size, 0);
  return [
    published === undefined ? "compared with nothing" : `compared with ${published.location}`,
    `added: ${counted(added.length, "posts")}${some(added)}`,
    `removed: ${counted(removed.length, "posts")}${some(removed)}`,
    `changed: ${counted(changed.length, "posts")}`,
    ...firstOf(await changedPostLines(published, changed, folder), "  ", changed.length),
    `tags with another number of posts: ${formatted(tags.length)}`,
    ...firstOf(tags.map(tagLine), "  "),
    `files that differ: ${counted(uploadBytes, "bytes")}`,
  ];
}

/** A tag that no post carries any more is not named: what was taken down must not stay in a public log. */
const tagLine = ({ name, before, after }: Changes["tags"][number]): string =>
  `${after === 0 ? "(a tag that is gone)" : printable(name)}: ${formatted(before)} → ${formatted(after)}`;

/** A line for each changed post with the fields that differ; those with changes of their own first. */
async function changedPostLines(
  published: ComparedSnapshot | undefined,
  changed: readonly number[],
  folder: string,
): Promise<string[]> {
  const reader = new PostReader(folder);
  const inTurn = limited(atOnce);
  const difference = async (id: number) => {
    const read = await published?.readPost(id).catch(() => undefined);
    const old = read as Record<string, unknown> | undefined;
    const fields = Object.entries(reader.post(id))
      .filter(([field, value]) => JSON.stringify(old?.[field]) !== JSON.stringify(value))
      .map(([field]) => field);
    return {
      line: `post ${id}: ${old === undefined ? "cannot be read there" : fields.join(", ")}`,
      isOwn: fields.some((field) => !fieldsOfOthers.has(field)),
    };
  };
  const differences = await Promise.all(
    changed.slice(0, compared).map((id) => inTurn(() => difference(id))),
  );
  return differences.toSorted((a, b) => Number(b.isOwn) - Number(a.isOwn)).map(({ line }) => line);
}

const some = (ids: readonly number[]): string =>
  ids.length === 0
    ? ""
    : ` (${ids.slice(0, listedAtMost).join(", ")}${ids.length > listedAtMost ? ", …" : ""})`;
