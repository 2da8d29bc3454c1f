import { expect, onTestFinished, test } from "vitest";
import { postFile } from "../../functions/contract/http.ts";
import { blockFolder } from "../../functions/engine/index-format.ts";
import { filesIn, temporaryFolder } from "../../tests/support/support.ts";
import { createWorkerPool } from "../lib/worker-pool.ts";
import type { PostDocument, PostWriterJobs, PostWriterOptions } from "./post-writer.ts";

const posts = Array.from({ length: 30 }, (_, i): PostDocument => ({
  postId: i + 1,
  content: JSON.stringify("あ".repeat(i)),
  mayBePacked: i % 3 === 0,
}));

/**
 * Writes posts into a new folder.
 *
 * @returns what was reported, and the files
 */
async function written(threads: number, bulk: boolean, all: readonly PostDocument[] = posts) {
  const folder = temporaryFolder();
  const writer = await createWorkerPool<PostWriterJobs>(
    new URL("post-writer.ts", import.meta.url),
    { folder, reuse: undefined, bulk } satisfies PostWriterOptions,
    threads,
  );
  onTestFinished(() => writer.stop());
  const reported: unknown[] = [];
  for await (const part of writer.run("write", [all.slice(0, 7), all.slice(7)]))
    reported.push(part);
  const shared = await writer.runOne("finish");
  return { reported, shared, files: filesIn(folder) };
}

test("createJobs writes the same in a thread as without one", async () => {
  expect(await written(1, true)).toEqual(await written(0, true));
});

test("createJobs writes posts and nothing else without bulk", async () => {
  const { shared, files } = await written(0, false);
  expect(shared.bulk).toEqual([]);
  expect(shared.packs.map(({ ids }) => ids)).toEqual([[1, 4, 7, 10, 13, 16, 19, 22, 25, 28]]);
  const inFiles = posts
    .filter(({ mayBePacked }) => !mayBePacked)
    .map(({ postId }) => postFile(postId));
  const packs = shared.packs.map(({ file }) => `${blockFolder}/${file}`);
  expect([...files.keys()].toSorted()).toEqual([...inFiles, ...packs].toSorted());
});

test("createJobs keeps a document of more than four megabytes out of packs", async () => {
  const large = { ...posts[0]!, content: JSON.stringify("x".repeat(4 * 2 ** 20)) };
  const { shared, files } = await written(0, false, [large, { ...posts[0]!, postId: 2 }]);
  expect(shared.packs.map(({ ids }) => ids)).toEqual([[2]]);
  expect(files.has(postFile(1))).toBe(true);
});
