import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { bulkFile, postFile } from "../../functions/contract/http.ts";
import { filesIn, temporaryFolder } from "../../tests/support/support.ts";
import { startTask } from "../lib/task-thread.ts";
import type { PostDocument, PostWriterOptions, WrittenPostFiles } from "./post-writer.ts";

const posts = Array.from({ length: 30 }, (_, i): PostDocument => ({
  postId: i + 1,
  content: JSON.stringify("あ".repeat(i)),
}));

/** Writes the posts into a new folder. @param items more of them make the task run in a thread */
async function written(
  items: number,
  bulk: boolean,
): Promise<[WrittenPostFiles, Map<string, Buffer>]> {
  const folder = temporaryFolder();
  for (const path of [postFile(1), bulkFile()])
    mkdirSync(join(folder, dirname(path)), { recursive: true });
  const task = await startTask<PostDocument, WrittenPostFiles>(
    new URL("post-writer.ts", import.meta.url),
    { folder, reuse: undefined, bulk } satisfies PostWriterOptions,
    items,
  );
  for (const post of posts) await task.send(post, post.content.length);
  return [await task.finish(), filesIn(folder)];
}

test("a thread writes what the same task writes inline", async () => {
  expect(await written(1e6, true)).toEqual(await written(posts.length, true));
});

test("without bulk, posts are written and nothing else", async () => {
  const [{ bulk }, files] = await written(posts.length, false);
  expect(bulk).toEqual([]);
  expect([...files.keys()].toSorted()).toEqual(
    posts.map(({ postId }) => postFile(postId)).toSorted(),
  );
});
