/** Reads the posts of a snapshot, wherever they are: in files of their own, or in packs. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { postFile } from "../../functions/contract/http.ts";
import type { Post } from "../../functions/contract/resources.ts";
import { array, integer, object, string } from "../../functions/contract/schema.ts";
import { blockFolder, indexFiles, indexFolder } from "../../functions/engine/index-format.ts";
import { assertIntact } from "../../functions/engine/block-store.ts";
import {
  documentsIn,
  packedPostIn,
  type PostPack,
  type PostPacks,
} from "../../functions/engine/post-packs.ts";
import { contractRules } from "../lib/json-schema.ts";

const count = integer({ minimum: 0, description: "A number." });
const pack = object("PostPack", "See `PostPack`.", {
  file: string({ pattern: "^[0-9a-f]{24}\\.bin$", description: "Its name." }),
  bytes: count,
  digest: count,
  ids: array(count, { minItems: 1, description: "Ids of its posts." }),
  lengths: array(count, { description: "Bytes of each document." }),
});
const packList = object("PostPacks", "See `PostPacks`.", {
  packs: array(pack, { description: "All packs." }),
});

/**
 * The packs that a list names.
 *
 * @throws where it is none
 */
function packsFrom(text: string): readonly PostPack[] {
  const list = JSON.parse(text) as PostPacks;
  const [problem] = contractRules(packList)(list);
  if (problem !== undefined)
    throw new Error(`${indexFiles.packs} is not a list of packs: ${problem}`);
  return list.packs;
}

/** Reads posts one by one; fastest by ascending id. */
export class PostReader {
  readonly #folder: string;
  readonly packs: readonly PostPack[];
  #pack: PostPack | undefined;
  #documents: readonly Uint8Array[] = [];

  /**
   * @param folder of the snapshot
   * @throws where its list of packs cannot be read
   */
  constructor(folder: string) {
    this.#folder = folder;
    const list = join(folder, indexFolder, indexFiles.packs);
    this.packs = existsSync(list) ? packsFrom(readFileSync(list, "utf8")) : [];
  }

  /**
   * The document of a post.
   *
   * @throws where there is none, or it cannot be read
   */
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

  /**
   * A post.
   *
   * @throws where there is none, or it cannot be read
   */
  post(postId: number): Post {
    return JSON.parse(this.read(postId).toString()) as Post;
  }
}
