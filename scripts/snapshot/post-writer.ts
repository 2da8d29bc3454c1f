/** Writes posts as jobs of a thread: each into its own file or into a pack, and all into files for bulk download. */
import { postFile } from "../../functions/contract/http.ts";
import { blockFolder } from "../../functions/engine/index-format.ts";
import type { PostPack } from "../../functions/engine/post-packs.ts";
import { BulkWriter, type BulkPart } from "../documents/bulk.ts";
import { largestDocument, PackWriter } from "../documents/packs.ts";
import { FileWriter, type WrittenFile, type FileWriterOptions } from "./file-writer.ts";
import { sha256 } from "./manifest.ts";

/** A post's document. */
export interface PostDocument {
  readonly postId: number;
  /** JSON. */
  readonly content: string;
  /** Whether it goes into a pack instead of a file of its own, unless it is too large. */
  readonly mayBePacked: boolean;
}

/** Where posts go. */
export interface PostWriterOptions extends FileWriterOptions {
  /** Whether files for bulk download are wanted. */
  readonly bulk: boolean;
}

/** What was written of some posts, in their order. */
interface WrittenPostFiles {
  /** Of the posts' own files. */
  readonly bytes: number;
  /** SHA-256 of each post's document, in hexadecimal. */
  readonly digests: readonly string[];
}

/** Files that hold many posts each. */
export interface SharedPostFiles {
  /** For bulk download. */
  readonly bulk: readonly BulkPart[];
  /** For posts without files of their own. */
  readonly packs: readonly PostPack[];
  /** The packs' files. */
  readonly packFiles: readonly (WrittenFile & { readonly path: string })[];
}

/** The jobs. One thread does all of them, posts by ascending id: a bulk file is written from first to last. */
export type PostWriterJobs = {
  readonly write: (posts: readonly PostDocument[]) => WrittenPostFiles;
  /** Completes the files that hold many posts. */
  readonly finish: () => SharedPostFiles;
};

/** It runs in a thread, since making documents and writing them take about the same time. */
export default function createJobs(options: PostWriterOptions): PostWriterJobs {
  const writer = new FileWriter(options);
  const bulk = options.bulk ? new BulkWriter(options.folder) : undefined;
  const packFiles: (WrittenFile & { readonly path: string })[] = [];
  const packs = new PackWriter((file, content) => {
    const path = `${blockFolder}/${file}`;
    packFiles.push({ path, ...writer.write({ path, content }) });
  });
  return {
    write(posts) {
      const digests: string[] = [];
      let total = 0;
      for (const { postId, content, mayBePacked } of posts) {
        const data = Buffer.from(content);
        bulk?.add(postId, data);
        if (mayBePacked && data.length <= largestDocument) {
          packs.add(postId, data);
          digests.push(sha256(data));
        } else {
          const { bytes, digest } = writer.write({ path: postFile(postId), content: data });
          total += bytes;
          digests.push(digest);
        }
      }
      return { bytes: total, digests };
    },
    finish: () => ({ bulk: bulk?.finish() ?? [], packs: packs.finish(), packFiles }),
  };
}
