import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { TaskThread } from "./task-thread.ts";

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
  const told: number[] = [];
  const thread = new TaskThread<number, string>(joining, { separator: "," }, (n) => told.push(n));
  const numbers = Array.from({ length: 3000 }, (_, i) => i);
  for (const n of numbers) await thread.send(n, n % 7 === 0 ? 1e6 : 1);
  expect(await thread.finish()).toBe(numbers.join(","));
  expect(told).toEqual([3000]);
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

test("a thread that ends early is told", async () => {
  const leaving = moduleWith(
    "export default () => ({ take() { process.exit(0); }, finish: () => 0 });",
  );
  const thread = new TaskThread<number, number>(leaving, {});
  await thread.send(1, 1e9);
  await expect(thread.finish()).rejects.toThrow("ended early");
});
