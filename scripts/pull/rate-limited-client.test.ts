/** The client on a clock of its own: how many requests begin, and when. */
import { expect, test } from "vitest";
import { RetryableError } from "./answer.ts";
import { RateLimitedClient, type ClientEdges, type RateLimits } from "./rate-limited-client.ts";

/**
 * A client whose waits move its clock.
 *
 * @returns how to ask, which gives a status, and to see the time
 */
function newClient(fetch: ClientEdges["fetch"], limits: Partial<RateLimits> = {}) {
  let now = 0;
  const client = new RateLimitedClient(
    { fetch, wait: async (milliseconds) => void (now += milliseconds), now: () => now, say() {} },
    { perFiveMinutes: 100, minIntervalMs: 0, timeoutMs: 30_000, reserve: 0, ...limits },
  );
  const ask = () =>
    client.ask(
      "Asking",
      () => ["https://blog.example", {}],
      ({ status }) => {
        if (status === 503) throw new RetryableError("answered 503");
        return status;
      },
    );
  return { ask, now: () => now, pass: (milliseconds: number) => void (now += milliseconds) };
}

test("RateLimitedClient waits one minute for a busy server that asks for ten", async () => {
  const answers = [503, 200];
  const { ask, now } = newClient(
    async () =>
      new Response("", { status: answers.shift() ?? 200, headers: { "Retry-After": "600" } }),
  );
  expect([await ask(), now()]).toEqual([200, 60_000]);
});

test.each([
  [0, "r=40;t=600", "0", 0],
  [0, "r=0;t=45", "0", 45_000],
  [50, "r=40;t=45", "0", 45_000],
  [50, "r=900;t=45", "7", 7000],
])(
  "RateLimitedClient, with a reserve of %i, a limit %s and Retry-After %s, waits %i ms",
  async (reserve, limit, seconds, expected) => {
    const headers = { RateLimit: `"default";${limit}`, "Retry-After": seconds };
    const { ask, now } = newClient(async () => new Response("", { headers }), { reserve });
    await ask();
    await ask();
    expect(now()).toBe(expected);
  },
);

test("RateLimitedClient gives an answer that asks to wait long, and refuses the next request", async () => {
  const headers = { RateLimit: '"default";r=0;t=600' };
  const { ask } = newClient(async () => new Response("", { headers }));
  expect(await ask()).toBe(200);
  await expect(ask()).rejects.toThrow("blog.example asks to wait for 10 minutes.");
});

test("RateLimitedClient begins no more requests in any five minutes than are allowed", async () => {
  const begun: number[] = [];
  const { ask, now, pass } = newClient(
    async () => {
      begun.push(now());
      pass(1000);
      return new Response("");
    },
    { perFiveMinutes: 7, minIntervalMs: 2000 },
  );
  for (let i = 0; i < 40; i++) await ask();
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
])("RateLimitedClient asks once when a certificate is not trusted (%s)", async (code) => {
  let asked = 0;
  const { ask } = newClient(() => {
    asked++;
    const cause = Object.assign(new Error("no trust"), { code });
    throw new TypeError("fetch failed", { cause });
  });
  await expect(ask()).rejects.toThrow(/does not answer \(no trust\)\. .*certificate/);
  expect(asked).toBe(1);
});
