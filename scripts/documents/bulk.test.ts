import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../tests/support/support.ts";
import { BulkWriter, type BulkPart } from "./bulk.ts";

type Posts = readonly (readonly [postId: number, document: string])[];

/** Writes posts into a new folder. */
function written(posts: Posts, bound?: number) {
  const folder = temporaryFolder();
  const writer = new BulkWriter(folder, bound);
  for (const [postId, document] of posts) writer.add(postId, Buffer.from(document));
  const parts = writer.finish();
  const contents = parts.map(({ path }) => readFileSync(join(folder, path)));
  return { folder, parts, contents };
}

const linesOf = (data: Buffer): string[] => gunzipSync(data).toString().split("\n").slice(0, -1);

/** Documents that do not compress, so that sizes are known; the same for the same id. */
const document = (postId: number, length: number): string => {
  let [text, state] = ["", postId * 2_654_435_761];
  while (text.length < length) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    text += String.fromCharCode(0x4e00 + (state % 20_000));
  }
  return text;
};
const posts = (ids: readonly number[], length = 400): Posts =>
  ids.map((id) => [id, document(id, length)]);
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, i) => from + i);

test("BulkWriter writes any documents unchanged, one a line", () => {
  fc.assert(
    fc.property(fc.array(fc.json()), (documents) => {
      const given = documents.map((text, i) => [i + 1, text] as const);
      const { contents, parts } = written(given);
      expect(contents.flatMap(linesOf)).toEqual(documents);
      expect(parts.map(({ path }) => path)).toEqual(["bulk/posts.jsonl.gz"]);
    }),
    { numRuns: 50 },
  );
});

test("BulkWriter writes one gzip member with a checksum that other programs accept", async () => {
  const many = posts(range(1, 1500), 500);
  const { contents } = written(many);
  const [content] = contents;
  if (content === undefined) throw new Error("there is no file");
  expect(linesOf(content)).toEqual(many.map(([, text]) => text));
  // Browsers refuse anything after the first member.
  const unpacked = new Response(content).body?.pipeThrough(new DecompressionStream("gzip"));
  expect((await new Response(unpacked).text()).length).toBe(gunzipSync(content).toString().length);
});

test("BulkWriter writes the same bytes for the same posts, without name or time", () => {
  const [one, other] = [written(posts([1, 2])), written(posts([1, 2]))];
  expect(one.contents).toEqual(other.contents);
  expect(one.contents[0]?.subarray(0, 10).toString("hex")).toBe("1f8b08000000000000ff");
});

describe("BulkWriter above the bound", () => {
  const bound = 500_000;
  const added = posts(range(1, 4503));
  const given = added.slice(0, -2);
  const before = written(given, bound);
  /** The files whose bytes are not those of before, by their names. */
  const changedIn = ({ parts, contents }: ReturnType<typeof written>): string[] =>
    parts
      .filter(({ path }, i) => {
        const same = before.parts.findIndex((one) => one.path === path);
        return same === -1 || !before.contents[same]?.equals(contents[i] ?? Buffer.alloc(0));
      })
      .map(({ path }) => path);

  test("divides all posts into parts by ranges of ids", () => {
    expect(before.parts.length).toBeGreaterThan(3);
    expect(before.contents.flatMap(linesOf)).toEqual(given.map(([, text]) => text));
    for (const [i, { path, firstId, lastId, posts: count, bytes }] of before.parts.entries()) {
      const lines = linesOf(before.contents[i] as Buffer);
      expect(lines[0]).toBe(document(firstId, 400));
      expect(lines.at(-1)).toBe(document(lastId, 400));
      expect([lines.length, before.contents[i]?.length]).toEqual([count, bytes]);
      expect(path).toBe(`bulk/posts-${i === 0 ? 0 : firstId}.jsonl.gz`);
    }
    expect(readdirSync(join(before.folder, "bulk")).map((name) => `bulk/${name}`)).toEqual(
      before.parts.map(({ path }: BulkPart) => path).toSorted(),
    );
  });

  test("changes one part for a changed post", () => {
    const changed = given.map(([id, text]) => [id, id === 2500 ? `${text}!` : text] as const);
    expect(changedIn(written(changed, bound))).toEqual(["bulk/posts-2000.jsonl.gz"]);
  });

  test("changes only the last part for a new post", () => {
    expect(changedIn(written(added, bound))).toEqual(["bulk/posts-4000.jsonl.gz"]);
  });
});

test("BulkWriter writes an empty file without posts", () => {
  const { parts, contents } = written([]);
  expect(parts).toMatchObject([{ path: "bulk/posts.jsonl.gz", posts: 0, firstId: 0, lastId: 0 }]);
  expect(linesOf(contents[0] as Buffer)).toEqual([]);
});
