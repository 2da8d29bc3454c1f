import { expect, test, vi } from "vitest";
import { Yielder } from "./yielder.ts";

test("Yielder is due after 100 ms, and take lets waiting work run", async () => {
  const now = vi.spyOn(performance, "now").mockReturnValue(0);
  const turns = new Yielder();
  let waited = false;
  setImmediate(() => (waited = true));
  now.mockReturnValue(100);
  expect(turns.isDue).toBe(false);
  now.mockReturnValue(101);
  expect([turns.isDue, waited]).toEqual([true, false]);
  await turns.take();
  expect([turns.isDue, waited]).toEqual([false, true]);
});
