/** The client on a clock of its own: how many requests begin, and when. */
import { expect, test } from "vitest";
import { Passing } from "./answer.ts";
import { PoliteClient } from "./polite-client.ts";

test("a server that is busy for ten minutes, as WordPress says while it updates itself, is asked again after one", async () => {
  let now = 0;
  const answers = [503, 200];
  const client = new PoliteClient(
    {
      fetch: async () =>
        new Response("", { status: answers.shift() ?? 200, headers: { "Retry-After": "600" } }),
      wait: async (milliseconds) => void (now += milliseconds),
      now: () => now,
      say: () => {},
    },
    { inFiveMinutes: 100, apart: 0, timeout: 30_000, reserve: 0 },
  );
  const status = await client.ask(
    "Asking",
    () => ["https://blog.example", {}],
    (answer) => {
      if (answer.status === 503) throw new Passing("answered 503");
      return answer.status;
    },
  );
  expect([status, now]).toEqual([200, 60_000]);
});

test.each([
  [0, "r=40;t=600", "Retry-After", "0", 0],
  [0, "r=0;t=45", "Retry-After", "0", 45_000],
  [50, "r=40;t=45", "Retry-After", "0", 45_000],
  [50, "r=900;t=45", "Retry-After", "7", 7000],
])(
  "with a reserve of %i, a server that says %s and %s: %s has the next request wait %i ms",
  async (reserve, limit, name, value, expected) => {
    const headers = { RateLimit: `"default";${limit}`, [name]: value };
    let now = 0;
    const client = new PoliteClient(
      {
        fetch: async () => new Response("", { headers }),
        wait: async (milliseconds) => void (now += milliseconds),
        now: () => now,
        say: () => {},
      },
      { inFiveMinutes: 100, apart: 0, timeout: 30_000, reserve },
    );
    for (let i = 0; i < 2; i++)
      await client.ask(
        "Asking",
        () => ["https://blog.example", {}],
        () => {},
      );
    expect(now).toBe(expected);
  },
);

test("an answer counts, also where the server asks to wait for long; the next request is refused", async () => {
  const client = new PoliteClient(
    {
      fetch: async () => new Response("", { headers: { RateLimit: '"default";r=0;t=600' } }),
      wait: async () => {},
      now: () => 0,
      say: () => {},
    },
    { inFiveMinutes: 100, apart: 0, timeout: 30_000, reserve: 0 },
  );
  const asked = () =>
    client.ask(
      "Asking",
      () => ["https://blog.example", {}],
      ({ status }) => status,
    );
  expect(await asked()).toBe(200);
  await expect(asked()).rejects.toThrow("blog.example asks to wait for 10 minutes.");
});

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
    { inFiveMinutes: 7, apart: 2000, timeout: 30_000, reserve: 0 },
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

test.each([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "CERT_HAS_EXPIRED",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "ERR_TLS_CERT_ALTNAME_INVALID",
])("a certificate that is not trusted (%s) is asked for once", async (code) => {
  let asked = 0;
  const client = new PoliteClient(
    {
      fetch: () => {
        asked++;
        throw new TypeError("fetch failed", {
          cause: Object.assign(new Error("no trust"), { code }),
        });
      },
      wait: async () => {},
      now: () => 0,
      say: () => {},
    },
    { inFiveMinutes: 100, apart: 0, timeout: 30_000, reserve: 0 },
  );
  const answer = client.ask(
    "Asking",
    () => ["https://blog.example", {}],
    () => {},
  );
  await expect(answer).rejects.toThrow(/does not answer \(no trust\)\. Is its certificate valid/);
  expect(asked).toBe(1);
});
