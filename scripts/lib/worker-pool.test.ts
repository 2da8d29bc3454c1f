import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { createWorkerPool, type WorkerPool } from "./worker-pool.ts";

type NumberJobs = { readonly work: (n: number) => unknown };

/** A module with jobs, in a file of its own as a thread needs it. */
function moduleWith(code: string): URL {
  const folder = mkdtempSync(join(tmpdir(), "case-collection-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "jobs.mts");
  writeFileSync(file, code);
  return pathToFileURL(file);
}

async function started(
  code: string,
  options: unknown,
  threads: number,
): Promise<WorkerPool<NumberJobs>> {
  const runner = await createWorkerPool<NumberJobs>(moduleWith(code), options, threads);
  onTestFinished(() => runner.stop());
  return runner;
}

async function resultsOf(runner: WorkerPool<NumberJobs>, all: Iterable<number>) {
  const results: unknown[] = [];
  for await (const result of runner.run("work", all)) results.push(result);
  return results;
}

const numbers = Array.from({ length: 300 }, (_, i) => i);

test.each([0, 1, 3])(
  "WorkerPool.run gives results in the order of the arguments, from %i threads",
  async (count) => {
    const adding =
      "export default (options: { base: number }) => ({ work: (n: number) => { for (let i = (n % 7) * 1e5; i > 0; i--); return options.base + n; } });";
    const runner = await started(adding, { base: 5 }, count);
    expect(await resultsOf(runner, numbers)).toEqual(numbers.map((n) => n + 5));
  },
);

test("WorkerPool.run uses threads of its own, unless there are none", async () => {
  const where =
    'import { threadId } from "node:worker_threads"; export default () => ({ work: () => threadId });';
  const { threadId } = await import("node:worker_threads");
  const seen = async (count: number) =>
    new Set(await resultsOf(await started(where, undefined, count), numbers));
  expect(await seen(0)).toEqual(new Set([threadId]));
  expect([...(await seen(1))]).toHaveLength(1);
  expect([...(await seen(1))]).not.toContain(threadId);
});

test("WorkerPool.run does jobs in order, and keeps their state, in one thread", async () => {
  const joining =
    "export default () => { const all: number[] = []; return { work: (n: number) => all.push(n) && all.join() }; };";
  const results = await resultsOf(await started(joining, undefined, 1), numbers);
  expect(results.at(-1)).toBe(numbers.join());
});

test("WorkerPool.run takes arguments only as threads become idle", async () => {
  const slow =
    'import { existsSync } from "node:fs"; export default (options: { gate: string }) => ({ work(n: number) { while (!existsSync(options.gate)); return n; } });';
  const gate = join(tmpdir(), `case-collection-gate-${process.pid}`);
  onTestFinished(() => rmSync(gate, { force: true }));
  const runner = await started(slow, { gate }, 1);
  let taken = 0;
  function* counted(): Generator<number> {
    for (const n of numbers.slice(0, 20)) {
      taken++;
      yield n;
    }
  }
  const results = resultsOf(runner, counted());
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(taken).toBeLessThan(5);
  expect(existsSync(gate)).toBe(false);
  writeFileSync(gate, "");
  expect([(await results).length, taken]).toEqual([20, 20]);
});

test("WorkerPool.run throws what a job throws, with its code", async () => {
  const failing =
    'import { readFileSync } from "node:fs"; export default () => ({ work() { readFileSync("/no/such/file"); } });';
  await expect(resultsOf(await started(failing, undefined, 2), numbers)).rejects.toMatchObject({
    code: "ENOENT",
    syscall: "open",
  });
});

test("WorkerPool.run reports a thread that ends early", async () => {
  const leaving = "export default () => ({ work() { process.exit(0); } });";
  await expect(resultsOf(await started(leaving, undefined, 1), numbers)).rejects.toThrow(
    "ended early",
  );
});
