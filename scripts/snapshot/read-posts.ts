/** Reads the posts of a snapshot, wherever they are: in files of their own, or in packs. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { postFile } from "../../functions/contract/http.ts";
import { blockFolder, files, indexFolder } from "../../functions/search/index-format.ts";
import {
  documentsIn,
  packFor,
  type PostPack,
  type PostPacks,
} from "../../functions/search/post-packs.ts";

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
    this.packs = existsSync(list)
      ? (JSON.parse(readFileSync(list, "utf8")) as PostPacks).packs
      : [];
  }

  /** The document of a post. @throws where there is none, or it cannot be read */
  read(postId: number): Buffer {
    const pack = packFor(this.packs, postId);
    const place = pack?.ids.indexOf(postId) ?? -1;
    if (pack === undefined || place < 0) return readFileSync(join(this.#folder, postFile(postId)));
    if (this.#pack !== pack) {
      this.#documents = documentsIn(pack, readFileSync(join(this.#folder, blockFolder, pack.file)));
      this.#pack = pack;
    }
    return Buffer.from(this.#documents[place]!);
  }
}
