/** The sync file, declared once: its writer, its documentation and its verification read this. */
import { array, integer, dictionary, object, string, type Static } from "./schema.ts";

/** Digits of a document's SHA-256 that the sync file keeps: enough to find every change. */
export const syncDigits = 16;

const bulkPart = object("BulkFile", "A file with posts, one JSON document a line.", {
  url: string({
    format: "uri",
    description: "Where the file is.",
    examples: ["https://api.cases.example/bulk/posts.jsonl.gz"],
  }),
  firstId: integer({ description: "Smallest postId in the file; 0 without posts.", examples: [1] }),
  lastId: integer({ description: "Greatest postId in the file; 0 without posts.", examples: [40] }),
  posts: integer({ description: "Number of posts in the file.", examples: [40] }),
  bytes: integer({ description: "Size of the compressed file.", examples: [30720] }),
  sha256: string({ description: "SHA-256 of the compressed file, in hexadecimal." }),
});

const digestsByPost = dictionary(
  string({ pattern: `^[0-9a-f]{${syncDigits}}$`, description: "Digest of the document." }),
  {
    description: `Every post by its postId: the first ${syncDigits} hexadecimal digits of the SHA-256 of its document, the body of \`/api/posts/{postId}\`.`,
  },
);

export const syncFile = object("Sync", "What is published, for clients that keep a copy.", {
  snapshot: string({
    description: "Identifies what is published; another value when anything changed.",
  }),
  bulk: array(bulkPart, {
    description:
      "Files that together hold every post, by ascending postId; empty where none is published.",
  }),
  posts: digestsByPost,
});

/** The resources of the sync file, in the order in which documentation lists them. */
export const syncResources = [syncFile, bulkPart] as const;

export type SyncFile = Static<typeof syncFile>;
