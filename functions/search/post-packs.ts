/**
 * Posts that are no files of their own: a directory of a deploy takes so many files, and older posts are
 * packed, many in one public file. `scripts/documents/packs.ts` writes what this file reads.
 */
import { inflateRawSync } from "node:zlib";
import { IndexUnavailable } from "./part-source.ts";

/** A public file with posts: their documents one behind the other, by ascending id, deflated. */
export interface PostPack {
  /** Its name in the public folder. */
  readonly file: string;
  readonly bytes: number;
  /** Its `digestOf`. */
  readonly digest: number;
  readonly ids: readonly number[];
  /** Bytes of each document. */
  readonly lengths: readonly number[];
}

/** Contents of packs.json: all packs, by ascending ids. A post is in one pack at most. */
export interface PostPacks {
  readonly packs: readonly PostPack[];
}

/** The last pack that does not begin behind a post: if the post is packed, it is there. */
export function packFor(packs: readonly PostPack[], postId: number): PostPack | undefined {
  let low = 0;
  let high = packs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (packs[middle]!.ids[0]! <= postId) low = middle + 1;
    else high = middle;
  }
  return packs[low - 1];
}

/**
 * The documents of a pack, in the order of its ids.
 *
 * @param content of its file
 * @throws IndexUnavailable where the lengths do not add up
 */
export function documentsIn({ file, lengths }: PostPack, content: Uint8Array): Uint8Array[] {
  const documents = inflateRawSync(content);
  let end = 0;
  const cut = lengths.map((length) => documents.subarray(end, (end += length)));
  if (end !== documents.length)
    throw new IndexUnavailable(file, `holds ${documents.length} bytes of posts instead of ${end}`);
  return cut;
}
