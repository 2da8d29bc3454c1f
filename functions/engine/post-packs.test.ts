/** Posts in packs: answered as files are, or not at all. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { PackWriter } from "../../scripts/documents/packs.ts";
import { allFaults, serveBlocks } from "../../tests/support/block-server.ts";
import { built, filesIn, publishedPosts, sample, searchOn } from "../../tests/support/support.ts";
import { blockFolder } from "./index-format.ts";
import { IndexUnavailable } from "./block-store.ts";
import { documentsIn, packedPostIn, type PostPack } from "./post-packs.ts";

const asFiles = await built(sample);
const posts = publishedPosts(asFiles);
const inPacks = await built(sample, "--post-files", "7");
const server = await serveBlocks(join(inPacks, blockFolder));
afterAll(() => server.close());

/** The function, with nothing in its memory. */
function started(snapshot = inPacks) {
  const { get, faults } = searchOn(snapshot, 1, () => [server.url]);
  return {
    log: faults,
    get: (id: string | number, init?: RequestInit) => get(`/api/posts/${id}`, init),
  };
}

const newest = posts
  .toSorted((a, b) =>
    a.postDateGmt === b.postDateGmt ? b.postId - a.postId : a.postDateGmt < b.postDateGmt ? 1 : -1,
  )
  .slice(0, 7)
  .map(({ postId }) => postId);
const packedIds = posts.map(({ postId }) => postId).filter((id) => !newest.includes(id));

test("the build with --post-files writes only the newest posts as files", () => {
  const files = readdirSync(join(inPacks, "api/posts"));
  expect(files.toSorted()).toEqual(newest.map((id) => `${id}.json`).toSorted());
  expect(packedIds.length).toBeGreaterThan(20);
});

describe("/api/posts/{id} of a packed post", () => {
  const { get } = started();

  test.each(packedIds)("answers with the bytes of the post's file: %i", async (id) => {
    const file = readFileSync(join(asFiles, `api/posts/${id}.json`));
    for (const name of [id, `${id}.json`]) {
      const response = await get(name);
      expect(response.status).toBe(200);
      expect(Buffer.from(await response.arrayBuffer()).equals(file)).toBe(true);
    }
  });

  test("lets the CDN keep the answer until the next deploy", async () => {
    const { headers } = await get(packedIds[0]!);
    expect(headers.get("netlify-cdn-cache-control")).toBe("public, durable, max-age=31536000");
  });

  test("answers 304 to the post's own ETag and 200 to another's", async () => {
    const etag = (await get(packedIds[0]!)).headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]+"$/);
    const again = await get(packedIds[0]!, { headers: { "If-None-Match": etag } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    const other = await get(packedIds[1]!, { headers: { "If-None-Match": etag } });
    expect(other.status).toBe(200);
  });

  test("answers HEAD without a body", async () => {
    const response = await get(packedIds[0]!, { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([200, ""]);
  });

  test.each([`0${packedIds[0]}`, "999999", "9007199254740993", "1".repeat(40)])(
    "answers 404 to %s",
    async (id) => {
      const response = await get(id);
      expect([response.status, await response.json()]).toEqual([404, { error: "Post not found" }]);
    },
  );
});

describe.each(allFaults.filter((fault) => fault !== "slow"))(
  "/api/posts/{id} when the pack is %s",
  (fault) => {
    test("answers 503 and logs the cause until the pack is back", async () => {
      const { get, log } = started();
      server.faultOf = () => fault;
      const refused = await get(packedIds[0]!);
      expect([refused.status, await refused.json()]).toEqual([503, { error: "Post unavailable" }]);
      expect(refused.headers.get("cache-control")).toBe("no-store");
      expect(log).toHaveLength(1);
      expect(log[0]).toMatch(/[0-9a-f]{24}\.bin/);
      server.faultOf = () => undefined;
      expect((await get(packedIds[0]!)).status).toBe(200);
    });
  },
);

test("/api/posts/{id} answers 404 without a request when there are no packs", async () => {
  server.requests.length = 0;
  expect((await started(asFiles).get(999)).status).toBe(404);
  expect(server.requests).toEqual([]);
});

test("--post-files changes only posts, packs and the files that name the snapshot", () => {
  const [one, other] = [asFiles, inPacks].map(filesIn) as [
    Map<string, Buffer>,
    Map<string, Buffer>,
  ];
  const differing = new Set([...one.keys(), ...other.keys()]);
  for (const name of differing)
    if (one.get(name)?.equals(other.get(name) ?? Buffer.of()) === true) differing.delete(name);
  const expected = [
    /^api\/posts\/\d+\.json$/,
    /^search-blocks\/[0-9a-f]{24}\.bin$/,
    /^\.search-index\/(packs|manifest)\.json$/,
    // These name the snapshot.
    /^(sync|snapshot)\.json$/,
  ];
  for (const name of differing) expect(expected.some((rule) => rule.test(name))).toBe(true);
});

describe("PackWriter and documentsIn", () => {
  const sizes = (all: readonly number[]): number[] => {
    const writer = new PackWriter(() => {});
    for (const [i, size] of all.entries()) writer.add(i + 1, Buffer.alloc(size));
    return writer.finish().map(({ lengths }) => lengths.length);
  };

  test("PackWriter closes a pack once its documents reach a megabyte", () => {
    expect(sizes(Array.from({ length: 10 }, () => 400_000))).toEqual([3, 3, 3, 1]);
    expect(sizes([10, 3_900_000, 10])).toEqual([2, 1]);
  });

  test("documentsIn refuses a pack with more or less than its list says", () => {
    const pack = { file: "x.bin", bytes: 0, digest: 0, ids: [1, 2], lengths: [3, 4] };
    const content = (bytes: number): Buffer => deflateRawSync(Buffer.alloc(bytes));
    expect(documentsIn(pack, content(7)).map(({ length }) => length)).toEqual([3, 4]);
    for (const bytes of [0, 6, 8, 50_000_000])
      expect(() => documentsIn(pack, content(bytes))).toThrow(IndexUnavailable);
    expect(() => documentsIn(pack, Buffer.from("no deflate"))).toThrow(IndexUnavailable);
    expect(() => documentsIn({ ...pack, ids: [1] }, content(7))).toThrow(IndexUnavailable);
  });
});

describe("PackWriter", () => {
  const ids = fc
    .uniqueArray(
      fc.oneof(fc.integer({ min: 1, max: 900 }), fc.integer({ min: 1, max: 2 ** 53 - 1 })),
      {
        minLength: 1,
        maxLength: 600,
        size: "max",
      },
    )
    .map((all) => all.toSorted((a, b) => a - b));
  const documentOf = (id: number): Buffer => Buffer.from("x".repeat(id % 50) + id);

  function packed(all: readonly number[]): {
    packs: readonly PostPack[];
    files: Map<string, Buffer>;
  } {
    const files = new Map<string, Buffer>();
    const writer = new PackWriter((file, content) => files.set(file, content));
    for (const id of all) writer.add(id, documentOf(id));
    return { packs: writer.finish(), files };
  }

  test("packs each post once, where packedPostIn finds it", () => {
    fc.assert(
      fc.property(ids, fc.integer({ min: 1, max: 2 ** 53 - 1 }), (all, other) => {
        const { packs, files } = packed(all);
        expect(packs.flatMap((pack) => pack.ids)).toEqual(all);
        for (const pack of packs) {
          const documents = documentsIn(pack, files.get(pack.file) ?? Buffer.of());
          for (const [i, id] of pack.ids.entries()) {
            expect(packedPostIn(packs, id)).toEqual({ pack, position: i });
            expect(Buffer.from(documents[i]!).equals(documentOf(id))).toBe(true);
          }
        }
        expect(packedPostIn(packs, other) !== undefined).toBe(all.includes(other));
      }),
      { numRuns: 60 },
    );
  });

  test("changes few packs when a post is removed", () => {
    const all = Array.from({ length: 5000 }, (_, i) => i * 3 + 1);
    const before = new Set(packed(all).files.keys());
    for (const gone of [0, 1234, 4999]) {
      const after = [...packed(all.toSpliced(gone, 1)).files.keys()];
      expect(after.filter((file) => !before.has(file)).length).toBeLessThanOrEqual(3);
    }
    expect(before.size).toBeGreaterThan(40);
    expect(before.size).toBeLessThan(160);
  });
});
