/** Reads the posts of a snapshot, wherever they are: in files of their own, or in packs. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { postFile } from "../../functions/contract/http.ts";
import type { Post } from "../../functions/contract/resources.ts";
import { blockFolder, files, indexFolder } from "../../functions/search/index-format.ts";
import { assertIntact } from "../../functions/search/part-source.ts";
import {
  documentsIn,
  packedPostIn,
  type PostPack,
  type PostPacks,
} from "../../functions/search/post-packs.ts";

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const isPack = (value: unknown): value is PostPack => {
  const { file, bytes, digest, ids, lengths } = (value ?? {}) as Partial<PostPack>;
  return (
    /^[0-9a-f]{24}\.bin$/.test(String(file)) &&
    [bytes, digest].every(isCount) &&
    [ids, lengths].every((list) => Array.isArray(list) && list.every(isCount)) &&
    ids!.length > 0
  );
};

/** The packs that a list names. @throws where it is none */
function packsFrom(text: string): readonly PostPack[] {
  const { packs } = (JSON.parse(text) ?? {}) as Partial<PostPacks>;
  if (!Array.isArray(packs) || !packs.every(isPack))
    throw new Error(`${files.packs} is not a list of packs`);
  return packs;
}

/** Reads posts one by one; fastest by ascending id. */
export class PostReader {
  readonly #folder: string;
  readonly packs: readonly PostPack[];
  #pack: PostPack | undefined;
  #documents: readonly Uint8Array[] = [];

  /** @param folder of the snapshot @throws where its list of packs cannot be read */
  constructor(folder: string) {
    this.#folder = folder;
    const list = join(folder, indexFolder, files.packs);
    this.packs = existsSync(list) ? packsFrom(readFileSync(list, "utf8")) : [];
  }

  /** The document of a post. @throws where there is none, or it cannot be read */
  read(postId: number): Buffer {
    const packed = packedPostIn(this.packs, postId);
    if (packed === undefined) return readFileSync(join(this.#folder, postFile(postId)));
    const { pack, position } = packed;
    if (this.#pack !== pack) {
      const content = readFileSync(join(this.#folder, blockFolder, pack.file));
      assertIntact(content, { ...pack, start: 0 });
      this.#documents = documentsIn(pack, content);
      this.#pack = pack;
    }
    return Buffer.from(this.#documents[position]!);
  }

  /** A post. @throws where there is none, or it cannot be read */
  post(postId: number): Post {
    return JSON.parse(this.read(postId).toString()) as Post;
  }
}
