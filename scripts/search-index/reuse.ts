/** The segments of an older index, where they are intact. */
import { join } from "node:path";
import { createWholeFileStore, FileStore } from "../../functions/engine/block-store.ts";
import {
  blockFolder,
  blocksIn,
  indexFiles,
  indexFolder,
  listKinds,
  rangeAt,
  segmentBlockKinds,
  type Placement,
} from "../../functions/engine/index-format.ts";
import { readIndexHeader, type SegmentHeader } from "../../functions/engine/index-header.ts";
import { linkOrCopy, publicBlockPaths } from "./blocks.ts";

/** The segments of an older index, by their digests. */
export interface OlderSegments {
  /** Folder of its snapshot. */
  readonly snapshot: string;
  readonly placement: Placement;
  readonly byDigest: ReadonlyMap<string, SegmentHeader>;
}

/**
 * Reads what segments an older index has.
 *
 * @param snapshot folder of the older snapshot
 * @returns none where it has no index that can be read, or one whose blocks are in the other place
 */
export async function readOlderSegments(
  snapshot: string,
  placement: Placement,
): Promise<OlderSegments> {
  const folder = new FileStore(join(snapshot, indexFolder));
  try {
    const { manifest, segments } = await readIndexHeader(folder);
    const usable = manifest.placement === placement ? segments : [];
    return { snapshot, placement, byDigest: new Map(usable.map((one) => [one.digest, one])) };
  } catch {
    return { snapshot, placement, byDigest: new Map() };
  } finally {
    folder.close();
  }
}

/**
 * Checks all blocks of a segment.
 *
 * @returns the paths of its files, relative to the snapshot
 * @throws IndexUnavailable where a block is not as it must be
 */
async function intactFiles(
  { catalog }: SegmentHeader,
  { snapshot, placement }: OlderSegments,
): Promise<string[]> {
  const isPublic = placement === "cdn";
  const folder = new FileStore(join(snapshot, indexFolder));
  const store = isPublic ? createWholeFileStore(join(snapshot, blockFolder)) : folder;
  try {
    for (const kind of segmentBlockKinds) {
      const blocks = blocksIn(catalog, kind);
      const file = isPublic || kind === "texts" ? undefined : indexFiles[kind];
      for (let block = 0; block < blocks.digests.length; block++)
        await store.read(rangeAt(blocks, block, file));
    }
  } finally {
    folder.close();
  }
  return isPublic
    ? segmentBlockKinds.flatMap((kind) => publicBlockPaths(blocksIn(catalog, kind)))
    : listKinds.map((kind) => `${indexFolder}/${indexFiles[kind]}`);
}

/**
 * Links the blocks of an older segment into a snapshot.
 *
 * @param target folder of the snapshot
 * @returns undefined where there is no such segment, or part of it is missing or damaged
 */
export async function reuseSegment(
  older: OlderSegments | undefined,
  digest: string,
  target: string,
): Promise<SegmentHeader | undefined> {
  const segment = older?.byDigest.get(digest);
  if (older === undefined || segment === undefined) return undefined;
  const paths = await intactFiles(segment, older).catch(() => []);
  for (const path of paths) linkOrCopy(join(older.snapshot, path), join(target, path));
  return paths.length === 0 ? undefined : segment;
}
