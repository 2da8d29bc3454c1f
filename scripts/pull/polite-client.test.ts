/** The client on a clock of its own: how many requests begin, and when. */
import { expect, test } from "vitest";
import { PoliteClient } from "./polite-client.ts";

test("in any five minutes, no more requests begin than are allowed, however fast the server is", async () => {
  let now = 0;
  const begun: number[] = [];
  const client = new PoliteClient(
    {
      fetch: async () => {
        begun.push(now);
        now += 1000;
        return new Response("");
      },
      wait: async (milliseconds) => void (now += milliseconds),
      now: () => now,
      say: () => {},
    },
    { inFiveMinutes: 7, apart: 2000, timeout: 30_000 },
  );
  for (let i = 0; i < 40; i++)
    await client.ask(
      "Asking",
      () => ["https://blog.example", {}],
      () => {},
    );
  const within = begun.map(
    (from) => begun.filter((at) => at >= from && at < from + 300_000).length,
  );
  expect(Math.max(...within)).toBe(7);
  expect(begun.every((at, i) => i === 0 || at - begun[i - 1]! >= 2000)).toBe(true);
  // No slower than that either: seven in each five minutes.
  expect(begun.at(-1)).toBe(5 * 300_000 + 4 * 2000);
});
