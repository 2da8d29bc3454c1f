import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { Post } from "../../functions/contract/resources.ts";
import { manifestWith } from "../../tests/support/manifest.ts";
import { temporaryFolder } from "../../tests/support/support.ts";
import type { SnapshotManifest } from "../snapshot/manifest.ts";
import { changeLines, changesBetween } from "./diff.ts";
import type { ComparedSnapshot } from "./compared-snapshot.ts";

type Parts = Partial<Pick<SnapshotManifest, "posts" | "tags" | "files">>;

const file = (digest: string) => ({ bytes: 1, digest });

/** A published snapshot whose posts are given by a function. */
const published = (
  parts: Parts,
  readPost: (postId: number) => Promise<object | undefined>,
): ComparedSnapshot => ({
  location: "there",
  manifest: manifestWith(parts),
  readPost: readPost as (postId: number) => Promise<Post | undefined>,
});

/** A folder with the files of a new snapshot, all of one byte or as given. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

test("posts, tags and files are added, removed or changed", () => {
  const before = manifestWith({
    posts: { 1: "a", 2: "b", 3: "c" },
    tags: { x: 1, y: 2, constructor: 1 },
    files: { "index.html": file("1"), "robots.txt": file("1") },
  });
  const after = manifestWith({
    posts: { 1: "a", 3: "d", 10: "e" },
    tags: { y: 2, z: 1, constructor: 2 },
    files: { "index.html": file("2"), "robots.txt": file("1"), "llms.txt": file("1") },
  });
  expect(changesBetween(before, after)).toEqual({
    added: [10],
    removed: [2],
    changed: [3],
    tags: [
      { name: "x", before: 1, after: 0 },
      { name: "constructor", before: 1, after: 2 },
      { name: "z", before: 0, after: 1 },
    ],
    uploads: ["api/posts/3.json", "api/posts/10.json", "index.html", "llms.txt"],
  });
});

test("a post in a pack is no file to upload, and becomes one when it leaves the pack", () => {
  const pack = { "search-blocks/p.bin": file("1") };
  const posts = { 1: "a", 2: "b", 3: "c" };
  const one = manifestWith({ posts, files: pack, packed: [1, 2] });
  const two = { ...one, packed: [1] };
  expect(changesBetween(undefined, one).uploads).toEqual([
    "api/posts/3.json",
    "search-blocks/p.bin",
  ]);
  expect(changesBetween(one, two)).toMatchObject({ changed: [], uploads: ["api/posts/2.json"] });
  expect(changesBetween(two, one)).toMatchObject({ changed: [], uploads: [] });
});

test("without an older snapshot everything is new", () => {
  const after = manifestWith({ posts: { 1: "a" }, files: { "index.html": file("1") } });
  expect(changesBetween(undefined, after)).toMatchObject({
    added: [1],
    removed: [],
    uploads: ["api/posts/1.json", "index.html"],
  });
});

test("posts with changes of their own come before those that follow another's change", async () => {
  const folder = folderWith({
    "api/posts/1.json": '{"postTitle":"a","nextPost":2}',
    "api/posts/2.json": '{"postTitle":"new","nextPost":null}',
    "api/posts/3.json": '{"postTitle":"c","nextPost":null}',
  });
  const old: Record<number, object | undefined> = {
    1: { postTitle: "a", nextPost: null },
    2: { postTitle: "b", nextPost: null },
  };
  const lines = await changeLines(
    published({ posts: { 1: "a", 2: "b", 3: "c" } }, async (id) => old[id]),
    manifestWith({ posts: { 1: "A", 2: "B", 3: "C" } }),
    folder,
  );
  expect(lines).toEqual([
    "compared with there",
    "added: 0 posts",
    "removed: 0 posts",
    "changed: 3 posts",
    "  post 2: postTitle",
    "  post 3: cannot be read there",
    "  post 1: nextPost",
    "tags with another number of posts: 0",
    "files that differ: 98 bytes",
  ]);
});

test("changed posts are read several at a time, at most eight, and at most 200", async () => {
  const posts = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [i + 1, "a"]));
  const changed = Object.fromEntries(Object.keys(posts).map((id) => [id, "b"]));
  const paths = Object.keys(posts).map((id) => [`api/posts/${id}.json`, "{}"]);
  let [reading, most, reads] = [0, 0, 0];
  const before = published({ posts }, async () => {
    most = Math.max(most, ++reading);
    reads++;
    await new Promise((done) => setImmediate(done));
    reading--;
    return {};
  });
  const folder = folderWith(Object.fromEntries(paths) as Record<string, string>);
  const lines = await changeLines(before, manifestWith({ posts: changed }), folder);
  expect([most, reads]).toEqual([8, 200]);
  expect(lines).toContain("changed: 300 posts");
  expect(lines.filter((line) => /^ {2}post/.test(line))).toHaveLength(20);
  expect(lines).toContain("  and 280 more");
});
