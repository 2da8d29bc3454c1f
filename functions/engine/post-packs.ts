/**
 * Posts that are no files of their own: the number of files in a directory of a deploy is limited, and older posts are
 * packed, many in one public file. `scripts/documents/packs.ts` writes what this file reads.
 */
import { inflateRawSync } from "node:zlib";
import { partitionPoint } from "./binary-search.ts";
import { IndexUnavailable } from "./block-store.ts";

/** A public file with posts: their documents one after the other, by ascending id, deflated. */
export interface PostPack {
  /** Its name in the public folder. */
  readonly file: string;
  readonly bytes: number;
  /** Its `computeChecksum`. */
  readonly digest: number;
  readonly ids: readonly number[];
  /** Bytes of each document. */
  readonly lengths: readonly number[];
}

/** Contents of packs.json: all packs, by ascending ids. A post is in one pack at most. */
export interface PostPacks {
  readonly packs: readonly PostPack[];
}

/** A post in a pack, and its position there. */
export interface PackedPost {
  readonly pack: PostPack;
  readonly position: number;
}

/** Where a post is among packs; undefined where it is in none. */
export function packedPostIn(packs: readonly PostPack[], postId: number): PackedPost | undefined {
  const pack = packs[partitionPoint(packs.length, (i) => packs[i]!.ids[0]! <= postId) - 1];
  const position = pack?.ids.indexOf(postId) ?? -1;
  return pack === undefined || position < 0 ? undefined : { pack, position };
}

/**
 * The documents of a pack, in the order of its ids.
 *
 * @param content of its file
 * @throws IndexUnavailable where it does not hold these documents and nothing else
 */
export function documentsIn({ file, ids, lengths }: PostPack, content: Uint8Array): Uint8Array[] {
  const bytes = lengths.reduce((sum, length) => sum + length, 0);
  let documents: Uint8Array;
  try {
    documents = inflateRawSync(content, { maxOutputLength: Math.max(bytes, 1) });
  } catch (cause) {
    throw new IndexUnavailable(file, "cannot be inflated to the posts that are listed", { cause });
  }
  if (documents.length !== bytes || ids.length !== lengths.length)
    throw new IndexUnavailable(
      file,
      `holds ${documents.length} bytes of posts instead of ${bytes}`,
    );
  let end = 0;
  return lengths.map((length) => documents.subarray(end, (end += length)));
}
