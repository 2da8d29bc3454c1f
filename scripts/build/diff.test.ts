import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { manifestWith } from "../../tests/support/manifest.ts";
import { temporaryFolder } from "../../tests/support/support.ts";
import { changeLines, compareSnapshots } from "./diff.ts";

const file = (digest: string) => ({ bytes: 1, digest });

const before = manifestWith({
  posts: { 1: "a", 2: "b", 3: "c" },
  files: { "index.html": file("1"), "robots.txt": file("1") },
});

test("compareSnapshots finds posts and files that are added, removed or changed", () => {
  const after = manifestWith({
    posts: { 1: "a", 3: "d", 10: "e" },
    files: { "index.html": file("2"), "robots.txt": file("1"), "llms.txt": file("1") },
  });
  expect(compareSnapshots(before, after)).toEqual({
    added: [10],
    removed: [2],
    changed: [3],
    uploads: ["api/posts/3.json", "api/posts/10.json", "index.html", "llms.txt"],
  });
  expect(compareSnapshots(undefined, after).added).toEqual([1, 3, 10]);
});

test("compareSnapshots uploads a post that was in a pack, though its document is the same", () => {
  const packed = { ...before, packed: [1, 2] };
  expect(compareSnapshots(packed, before)).toMatchObject({
    changed: [],
    uploads: ["api/posts/1.json", "api/posts/2.json"],
  });
});

test("changeLines names the first ids, and the bytes to upload", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "index.html"), "four");
  const posts = Object.fromEntries(Array.from({ length: 25 }, (_, i) => [i + 1, "x"]));
  const manifest = manifestWith({ posts, packed: Object.keys(posts).map(Number) });
  const after = { ...manifest, files: { "index.html": file("2") } };
  expect(changeLines({ location: "there", manifest: before }, after, folder)).toEqual([
    "compared with there",
    expect.stringMatching(/^added: 22 posts \(4, .*, 23, …\)$/),
    "removed: 0 posts",
    "changed: 3 posts (1, 2, 3)",
    "files that differ: 1 file, 4 bytes",
  ]);
});
