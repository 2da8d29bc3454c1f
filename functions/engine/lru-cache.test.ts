import { expect, test } from "vitest";
import { LruCache } from "./lru-cache.ts";

const block = (value: string, bytes: number) => async () => ({ value, bytes });

test("LruCache evicts what was used least recently", async () => {
  const cache = new LruCache(30);
  await cache.getOrLoad("1", block("a", 10));
  await cache.getOrLoad("2", block("b", 10));
  await cache.getOrLoad("3", block("c", 10));
  expect(cache.get("1")).toBe("a");
  await cache.getOrLoad("4", block("d", 10));
  expect(["1", "2", "3", "4"].map((key) => cache.get(key))).toEqual(["a", undefined, "c", "d"]);
  expect(cache.bytes).toBe(30);
});

test("LruCache gives a block larger than its budget and keeps it until the next", async () => {
  const cache = new LruCache(30);
  await cache.getOrLoad("1", block("a", 10));
  expect(await cache.getOrLoad("2", block("b", 100))).toBe("b");
  expect([cache.get("1"), cache.get("2")]).toEqual([undefined, "b"]);
  await cache.getOrLoad("3", block("c", 10));
  expect(cache.bytes).toBe(10);
});

test("LruCache tries a failed load again", async () => {
  const cache = new LruCache(30);
  const failing = cache.getOrLoad("1", () => Promise.reject(new Error("no")));
  await expect(failing).rejects.toThrow("no");
  expect(await cache.getOrLoad("1", block("a", 10))).toBe("a");
});
