/** Writes posts as jobs of a thread: each into its own file, and all of them into those for bulk download. */
import { postFile } from "../../functions/contract/http.ts";
import { BulkWriter, type BulkPart } from "../documents/bulk.ts";
import { FileWriter, type FileWriterOptions } from "./file-writer.ts";

/** A post's document. */
export interface PostDocument {
  readonly postId: number;
  /** JSON. */
  readonly content: string;
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
  /** SHA-256 of each post's file, in hexadecimal. */
  readonly digests: readonly string[];
}

/** The jobs. One thread does all of them, posts by ascending id: a bulk file is written from first to last. */
export type PostWriterJobs = {
  readonly write: (posts: readonly PostDocument[]) => WrittenPostFiles;
  /** Completes the files for bulk download. */
  readonly finish: (nothing: undefined) => readonly BulkPart[];
};

/** It runs in a thread, since making documents and writing them take about the same time. */
export default function createJobs(options: PostWriterOptions): PostWriterJobs {
  const writer = new FileWriter(options);
  const bulk = options.bulk ? new BulkWriter(options.folder) : undefined;
  return {
    write(posts) {
      const digests: string[] = [];
      let total = 0;
      for (const { postId, content } of posts) {
        const data = Buffer.from(content);
        const { bytes, digest } = writer.write({ path: postFile(postId), content: data });
        bulk?.add(postId, data);
        total += bytes;
        digests.push(digest);
      }
      return { bytes: total, digests };
    },
    finish: () => bulk?.finish() ?? [],
  };
}
