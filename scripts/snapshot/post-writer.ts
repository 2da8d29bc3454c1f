/** Writes posts as a task: each into its own file, and all of them into those for bulk download. */
import { postFile } from "../../functions/contract/http.ts";
import { BulkWriter, type BulkPart } from "../documents/bulk.ts";
import type { Task } from "../lib/task-thread.ts";
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

/** What was written, in the order of the posts. */
export interface WrittenPostFiles {
  /** Of the posts' own files. */
  readonly bytes: number;
  /** SHA-256 of each post's file, in hexadecimal. */
  readonly digests: readonly string[];
  /** The files for bulk download. */
  readonly bulk: readonly BulkPart[];
}

/** The task. It runs in a thread, since making documents and writing them take about the same time. */
export default function createTask(
  options: PostWriterOptions,
): Task<PostDocument, WrittenPostFiles> {
  const writer = new FileWriter(options);
  const bulk = options.bulk ? new BulkWriter(options.folder) : undefined;
  const digests: string[] = [];
  let total = 0;
  return {
    take({ postId, content }) {
      const data = Buffer.from(content);
      const { bytes, digest } = writer.write({ path: postFile(postId), content: data });
      bulk?.add(postId, data);
      total += bytes;
      digests.push(digest);
    },
    finish: () => ({ bytes: total, digests, bulk: bulk?.finish() ?? [] }),
  };
}
