import { expect, test, vi } from "vitest";
import { Yielder } from "./yielder.ts";

test("Yielder is due after 100 ms, and take lets waiting work run", async () => {
  const now = vi.spyOn(performance, "now").mockReturnValue(0);
  const yielder = new Yielder();
  let waited = false;
  setImmediate(() => (waited = true));
  now.mockReturnValue(100);
  expect(yielder.shouldYield).toBe(false);
  now.mockReturnValue(101);
  expect([yielder.shouldYield, waited]).toEqual([true, false]);
  await yielder.yieldNow();
  expect([yielder.shouldYield, waited]).toEqual([false, true]);
});
