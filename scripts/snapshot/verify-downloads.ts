/** Reads the sync file and the files for bulk download back, as a client that copies the collection does. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { syncFile, type SyncFile } from "../../functions/contract/sync.ts";
import { contractRules } from "../lib/json-schema.ts";
import { isListed } from "./compare-files.ts";
import { postDigests, type SnapshotManifest } from "./manifest.ts";
import { snapshotFiles } from "./published-files.ts";

/**
 * Verifies that the sync file lists exactly the posts of the manifest, and that the files for bulk
 * download hold exactly these posts, a line each, by ascending id.
 *
 * @returns what is wrong, in words
 */
export async function problemsOfDownloads(
  folder: string,
  manifest: SnapshotManifest,
): Promise<string[]> {
  const path = snapshotFiles.sync;
  try {
    const sync = JSON.parse(readFileSync(join(folder, path), "utf8")) as SyncFile;
    const broken = contractRules(syncFile)(sync);
    if (broken.length > 0) return [`${path}: ${broken.join("; ")}`];
    const posts = postDigests(manifest);
    return [
      ...[...problemsOfSync(sync, posts, manifest.id)].map((problem) => `${path}: ${problem}`),
      ...(sync.bulk.length === 0 ? [] : await problemsOfBulk(folder, sync, posts)),
    ];
  } catch (error) {
    return [`${path} or what it lists cannot be read: ${(error as Error).message}`];
  }
}

function* problemsOfSync(
  sync: SyncFile,
  posts: ReadonlyMap<number, string>,
  snapshot: string,
): Generator<string> {
  if (sync.snapshot !== snapshot) yield `names snapshot ${sync.snapshot} instead of ${snapshot}`;
  const listed = Object.entries(sync.posts);
  if (listed.length !== posts.size) yield `lists ${listed.length} posts, there are ${posts.size}`;
  for (const [id, digest] of listed)
    if (posts.get(Number(id)) === undefined || !digest.startsWith(posts.get(Number(id)) ?? ""))
      yield `has another digest of post ${id} than ${snapshotFiles.manifest}`;
}

/** Where the lines of all parts, one after another, are not the posts by ascending id. */
async function problemsOfBulk(
  folder: string,
  { bulk }: SyncFile,
  posts: ReadonlyMap<number, string>,
): Promise<string[]> {
  const expected = posts.entries();
  const problems: string[] = [];
  for (const { url, firstId, lastId, posts: count } of bulk) {
    const path = new URL(url).pathname.slice(1);
    const ids: number[] = [];
    for (const line of linesOf(await promisify(gunzip)(readFileSync(join(folder, path))))) {
      const [id, digest] = expected.next().value ?? [];
      if (id === undefined || digest === undefined || !isListed(line, digest))
        return [...problems, `${path}: line ${ids.length + 1} is not post ${id ?? "of any id"}`];
      ids.push(id);
    }
    if (ids.length !== count || (ids[0] ?? 0) !== firstId || (ids.at(-1) ?? 0) !== lastId)
      problems.push(`${path}: holds other posts than ${snapshotFiles.sync} says`);
  }
  const { value: missing } = expected.next();
  if (missing !== undefined) problems.push(`no file for bulk download holds post ${missing[0]}`);
  return problems;
}

const newline = 0x0a;

/** The lines of a text, without their line breaks. */
function* linesOf(text: Buffer): Generator<Uint8Array> {
  let start = 0;
  for (let end = text.indexOf(newline); end !== -1; end = text.indexOf(newline, start)) {
    yield text.subarray(start, end);
    start = end + 1;
  }
  if (start < text.length) yield text.subarray(start);
}
