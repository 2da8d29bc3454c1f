/** What the function holds on to: open files and memory. */
import { cpSync, readdirSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { built, sample, searchOn, temporaryFolder } from "../../tests/support/support.ts";
import { createHandler } from "../http/handler.ts";
import { indexFiles, indexFolder } from "./index-format.ts";
import { cacheMegabytesFrom } from "../http/environment.ts";

const openFiles = (): number => readdirSync("/proc/self/fd").length;

test.runIf(process.platform === "linux")(
  "/api/search leaves no files open on a damaged index, and recovers after repair",
  async () => {
    const whole = await built(sample);
    const snapshot = join(temporaryFolder(), "dist");
    cpSync(whole, snapshot, { recursive: true });
    const damaged = join(snapshot, indexFolder, indexFiles.hits);
    const { get } = searchOn(snapshot);
    truncateSync(damaged, 100);
    const before = openFiles();
    // At the same time and one after another.
    for (let round = 0; round < 20; round++) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, page) => get(`/api/search?page=${page + 1}`)),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    }
    expect(openFiles()).toBeLessThanOrEqual(before);
    cpSync(join(whole, indexFolder, indexFiles.hits), damaged);
    expect((await get("/api/search")).status).toBe(200);
  },
);

test.each([
  [undefined, 384],
  ["", 384],
  ["many", 384],
  ["-1", 384],
  ["0", 0],
  ["0.5", 0.5],
  ["64", 64],
])("cacheMegabytesFrom reads SEARCH_CACHE_MB=%s as %d MB", (setting, megabytes) => {
  expect(cacheMegabytesFrom(setting)).toBe(megabytes);
});

test.runIf(process.platform === "linux")(
  "the handler's close() releases its files, and the next search reopens them",
  async () => {
    const folder = await built(sample);
    const search = createHandler({
      snapshotFolder: () => folder,
      cacheMegabytes: 1,
      log: (message) => expect.unreachable(message),
    });
    const before = openFiles();
    for (let i = 0; i < 2; i++) {
      expect((await search(new Request("https://api.example/api/search?q=a"))).status).toBe(200);
      expect(openFiles()).toBeGreaterThan(before);
      search.close();
      expect(openFiles()).toBe(before);
    }
  },
);
