import { expect, test } from "vitest";
import { BlockCache } from "./block-cache.ts";

const block = (value: string, bytes: number) => async () => ({ value, bytes });

test("what was used least recently goes first", async () => {
  const cache = new BlockCache(30);
  await cache.load("1", block("a", 10));
  await cache.load("2", block("b", 10));
  await cache.load("3", block("c", 10));
  expect(cache.peek("1")).toBe("a");
  await cache.load("4", block("d", 10));
  expect(["1", "2", "3", "4"].map((key) => cache.peek(key))).toEqual(["a", undefined, "c", "d"]);
  expect(cache.bytes).toBe(30);
});

test("a block larger than the budget is given, and stays until the next one", async () => {
  const cache = new BlockCache(30);
  await cache.load("1", block("a", 10));
  expect(await cache.load("2", block("b", 100))).toBe("b");
  expect([cache.peek("1"), cache.peek("2")]).toEqual([undefined, "b"]);
  await cache.load("3", block("c", 10));
  expect(cache.bytes).toBe(10);
});

test("a load that fails is tried again", async () => {
  const cache = new BlockCache(30);
  const failing = cache.load("1", () => Promise.reject(new Error("no")));
  await expect(failing).rejects.toThrow("no");
  expect(await cache.load("1", block("a", 10))).toBe("a");
});
