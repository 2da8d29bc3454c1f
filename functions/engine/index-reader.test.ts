/** An index that is damaged is refused. */
import { appendFileSync, cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  built,
  exportWith,
  sample,
  searchOn,
  temporaryFolder,
} from "../../tests/support/support.ts";
import { openIndex } from "./flexsearch-index.ts";
import { indexFiles, indexFolder, type ByteRange } from "./index-format.ts";
import { FileStore, type BlockStore } from "./block-store.ts";

const packed = ["--post-files", "20"] as const;
const intact = await built(sample, ...packed);
/** A snapshot of which every index file differs. */
const foreign = await built(
  exportWith(`
    UPDATE posts SET post_title = post_title || ' x', post_content_html = post_content_html || ' y';
    UPDATE tags SET tag_name = tag_name || 'z'`),
  ...packed,
  "--post-url",
  "https://other.example/{postId}",
);

function copy(): { readonly snapshot: string; readonly index: string } {
  const snapshot = join(temporaryFolder(), "dist");
  cpSync(intact, snapshot, { recursive: true });
  return { snapshot, index: join(snapshot, indexFolder) };
}

/** Changes the bit in the middle of a file. */
function flip(file: string): void {
  const content = readFileSync(file);
  const middle = Math.floor(content.length / 2);
  content[middle] = (content[middle] ?? 0) ^ 1;
  writeFileSync(file, content);
}

const pathOf = (keyword: string): string => `/api/search?q=${encodeURIComponent(keyword)}`;
const longKeywordPath = pathOf("月曜の朝礼で司会を任され");
/** Searches that read most blocks of some files: every post, all posts with a unit, a long keyword. */
const paths: Readonly<Record<string, string>> = {
  [indexFiles.hits]: "/api/search?pageSize=50",
  [indexFiles.posts]: pathOf("の"),
  [indexFiles.packs]: "/api/posts/1",
};
const pathFor = (name: string): string => paths[name] ?? longKeywordPath;

const faults: [string, (file: string, name: string) => void][] = [
  ["missing", (file) => rmSync(file)],
  ["empty", (file) => truncateSync(file, 0)],
  ["cut short", (file) => truncateSync(file, readFileSync(file).length - 1)],
  ["longer", (file) => appendFileSync(file, "\0")],
  ["altered", flip],
  [
    "a folder",
    (file) => {
      rmSync(file);
      cpSync(intact, file, { recursive: true });
    },
  ],
  ["of another snapshot", (file, name) => cpSync(join(foreign, indexFolder, name), file)],
];

describe.each(Object.values(indexFiles))("the handler, reading %s", (name) => {
  test.each(faults)("answers 503 and logs the cause when it is %s", async (fault, damage) => {
    const { snapshot, index } = copy();
    const file = join(index, name);
    const original = readFileSync(file);
    damage(file, name);
    if (fault !== "missing" && fault !== "a folder")
      expect(readFileSync(file).equals(original)).toBe(false);
    const { get, faults: log } = searchOn(snapshot);
    const path = pathFor(name);

    const response = await get(path);
    expect(response.status).toBe(503);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("no-store");
    const error = name === indexFiles.packs ? "Post unavailable" : "Search index unavailable";
    expect(await response.json()).toEqual({ error });
    expect(log).toHaveLength(1);
    // A manifest of another snapshot is valid in itself: the log then names the first part that does not match it.
    const elsewhere = name === indexFiles.manifest && fault === "of another snapshot";
    if (fault !== "a folder" && !elsewhere) expect(log[0]).toContain(name);
    expect(log[0]).toMatch(/\.(bin|json)|EISDIR/);
  });
});

test.each([
  ["another version", { version: 999 }, /reads case-collection-search-index 4/],
  ["another format", { format: "something else" }, /has format something else/],
  ["another place", { placement: "cdn" }, /fingerprint/],
  ["another number of posts", { posts: 7 }, /fingerprint/],
  ["another snapshot", { snapshot: "0000" }, /fingerprint/],
])("/api/search refuses a manifest of %s", async (_, change, message) => {
  const { snapshot, index } = copy();
  const file = join(index, indexFiles.manifest);
  const manifest = JSON.parse(readFileSync(file, "utf8")) as object;
  writeFileSync(file, JSON.stringify({ ...manifest, ...change }));
  const { get, faults: log } = searchOn(snapshot);
  expect((await get(longKeywordPath)).status).toBe(503);
  expect(log[0]).toMatch(message);
});

/** A folder that counts what is read, and answers only after a turn of the event loop. */
class CountingFolder extends FileStore {
  readonly reads: string[] = [];

  override async read(part: ByteRange): Promise<Uint8Array> {
    this.reads.push(`${part.file} ${part.start}`);
    await new Promise((turn) => setImmediate(turn));
    return super.read(part);
  }
}

function countingFolder(): { readonly folder: FileStore; readonly reads: string[] } {
  const folder = new CountingFolder(join(intact, indexFolder));
  return { folder, reads: folder.reads };
}

/** No index here has public blocks. */
const nowhere: BlockStore = { read: () => Promise.reject(new Error("no public block is there")) };

test("find loads each part once when called concurrently", async () => {
  const { folder, reads } = countingFolder();
  const index = await openIndex(folder, nowhere, 2 ** 20);
  const keywords = ["朝礼", "朝礼で社長", "社長の名前を", "朝礼", "の"];
  await Promise.all(keywords.map((keyword) => index.find(keyword)));
  expect(reads.length).toBeGreaterThan(3);
  expect(new Set(reads).size).toBe(reads.length);
});

test("find drops blocks beyond the memory budget and loads them again", async () => {
  const { folder, reads } = countingFolder();
  const index = await openIndex(folder, nowhere, 1);
  const first = await index.find("朝礼");
  // A keyword of one unit and one of two are in different blocks.
  await index.find("の");
  expect(await index.find("朝礼")).toEqual(first);
  expect(new Set(reads).size).toBeLessThan(reads.length);
});

test("find counts empty lists towards the memory budget", async () => {
  const { folder, reads } = countingFolder();
  const index = await openIndex(folder, nowhere, 40_000);
  const ask = async (): Promise<number> => {
    const before = reads.length;
    await index.find("の");
    return reads.length - before;
  };
  expect(await ask()).toBeGreaterThan(0);
  expect(await ask()).toBe(0);
  for (let i = 0; i < 400; i++) await index.find(String.fromCharCode(0xac00 + i, 0xb000 + i));
  expect(await ask()).toBeGreaterThan(0);
});
