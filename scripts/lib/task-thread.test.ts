import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import type { Comparable, SimilarPosts } from "../similar/similar-posts.ts";
import { startTask, TaskThread } from "./task-thread.ts";

/** A module with a task, in a file of its own as a thread needs it. */
function moduleWith(code: string): URL {
  const folder = mkdtempSync(join(tmpdir(), "case-collection-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "task.mts");
  writeFileSync(file, code);
  return pathToFileURL(file);
}

test("items arrive once and in order, whatever their weight", async () => {
  const joining = moduleWith(
    "export default (options: { separator: string }, progress: (n: number) => void) => { const all: number[] = []; return { take: (n: number) => all.push(n), finish: () => { progress(all.length); return all.join(options.separator); } }; };",
  );
  const reported: number[] = [];
  const thread = new TaskThread<number, string>(joining, { separator: "," }, (n) =>
    reported.push(n),
  );
  const numbers = Array.from({ length: 3000 }, (_, i) => i);
  for (const n of numbers) await thread.send(n, n % 7 === 0 ? 1e6 : 1);
  expect(await thread.finish()).toBe(numbers.join(","));
  expect(reported).toEqual([3000]);
});

test("a small task runs inline, a large one in a thread, with the same result", async () => {
  const where = moduleWith(
    'import { isMainThread } from "node:worker_threads"; export default (options: { base: number }, progress: (n: number) => void) => { let sum = options.base; return { take(n: number) { sum += n; }, finish() { progress(1); return { sum, isMainThread }; } }; };',
  );
  const run = async (items: number): Promise<unknown> => {
    const reported: number[] = [];
    const task = await startTask<number, object>(where, { base: 5 }, items, (n) =>
      reported.push(n),
    );
    for (const n of [1, 2, 3]) await task.send(n, 1);
    const result = await task.finish();
    await task.stop();
    return { ...result, reported };
  };
  expect(await run(1999)).toEqual({ sum: 11, isMainThread: true, reported: [1] });
  expect(await run(2000)).toEqual({ sum: 11, isMainThread: false, reported: [1] });
});

test("similar posts are the same from a thread", async () => {
  const posts = Array.from({ length: 40 }, (_, i) => ({
    postId: i + 1,
    title: `title ${i % 7}`,
    text: `words of post ${i % 5} and ${i % 3} and more of them ${"ab".repeat(i % 4)}`,
    tags: [`tag${i % 2}`],
  }));
  const run = async (items: number): Promise<SimilarPosts> => {
    const task = await startTask<Comparable, SimilarPosts>(
      new URL("../similar/similar-posts.ts", import.meta.url),
      { cacheFile: undefined },
      items,
    );
    for (const post of posts) await task.send(post, post.text.length);
    return task.finish();
  };
  const inline = await run(posts.length);
  expect(inline.ids.length).toBeGreaterThan(0);
  expect(await run(1e6)).toEqual(inline);
});

test("a sender waits for a thread that is slow", async () => {
  const slow = moduleWith(
    'import { existsSync } from "node:fs"; export default (options: { gate: string }) => ({ take() { while (!existsSync(options.gate)); }, finish: () => "done" });',
  );
  const gate = join(tmpdir(), `case-collection-gate-${process.pid}`);
  onTestFinished(() => rmSync(gate, { force: true }));
  const thread = new TaskThread<number, string>(slow, { gate });
  let sent = 0;
  const sending = (async () => {
    for (; sent < 20; sent++) await thread.send(sent, 1e9);
  })();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(sent).toBeLessThan(5);
  expect(existsSync(gate)).toBe(false);
  writeFileSync(gate, "");
  await sending;
  expect([sent, await thread.finish()]).toEqual([20, "done"]);
});

test("what a task throws is thrown to the sender, with its code", async () => {
  const failing = moduleWith(
    'import { readFileSync } from "node:fs"; export default () => ({ take() { readFileSync("/no/such/file"); }, finish: () => 0 });',
  );
  const thread = new TaskThread<number, number>(failing, {});
  onTestFinished(() => thread.stop());
  await expect(
    (async () => {
      for (let i = 0; i < 100; i++) await thread.send(i, 1e9);
    })(),
  ).rejects.toMatchObject({ code: "ENOENT", syscall: "open" });
});

test("a thread that ends early is reported", async () => {
  const leaving = moduleWith(
    "export default () => ({ take() { process.exit(0); }, finish: () => 0 });",
  );
  const thread = new TaskThread<number, number>(leaving, {});
  await thread.send(1, 1e9);
  await expect(thread.finish()).rejects.toThrow("ended early");
});
