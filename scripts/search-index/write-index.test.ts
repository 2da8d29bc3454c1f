/** What is written is what the definition says, in every layout, place and number of threads. */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openIndex } from "../../functions/engine/flexsearch-index.ts";
import { blockFolder, indexFiles, indexFolder } from "../../functions/engine/index-format.ts";
import { createWholeFileStore, FileStore } from "../../functions/engine/block-store.ts";
import {
  needlesOf,
  posts,
  postsWith,
  smallIndex,
  smallLayout,
  type TitleAndText,
} from "../../tests/support/small-index.ts";
import { mountedIndex } from "../../tests/support/mounted-index.ts";
import { digestsIn, filesIn } from "../../tests/support/support.ts";
import { publishedLayout } from "./write-segments.ts";
import type { SearchHit } from "../../functions/contract/resources.ts";
import { PostTexts } from "../lib/post-texts.ts";
import { writeSearchIndex } from "./write-index.ts";

const shared = "一つの長い文章が、すべての投稿に含まれていることがあります。";
/** Posts that share passages, and differ. */
const somePosts: TitleAndText[] = Array.from({ length: 40 }, (_, i) => [
  `title ${i}`,
  `${shared.slice(i % 5)}${"ab".repeat(i % 9)} ${shared.slice(0, 10 + (i % 20))} ${i * 7919}`,
]);

/** A post with an id of its own. */
interface DatedPost {
  readonly postId: number;
  readonly texts: TitleAndText;
}

describe.each([
  ["in the bundle", { placement: "bundle" }],
  ["in public files", { placement: "cdn" }],
  [
    "in a segment for each post",
    { placement: "cdn", layout: { ...smallLayout, largestSegment: () => 1 } },
  ],
  ["with nothing frequent", { layout: { ...smallLayout, frequentFrom: () => 1000 } }],
  ["with everything frequent", { layout: { ...smallLayout, frequentFrom: () => 1 } }],
  ["as published", { layout: publishedLayout }],
] as const)("writeSearchIndex %s", (_, options) => {
  test("writes an index that answers as searching the texts does", async () => {
    await fc.assert(
      fc.asyncProperty(
        posts.chain((all) =>
          fc.tuple(fc.constant(all), fc.array(needlesOf(all), { minLength: 12 })),
        ),
        async ([all, keywords]) => {
          const index = await mountedIndex(await smallIndex(all, options));
          for (const keyword of keywords)
            expect([...(await index.find(keyword))]).toEqual(postsWith(all, keyword));
        },
      ),
      { numRuns: 25 },
    );
  });
});

test("writeSearchIndex writes the same bytes with any number of threads", async () => {
  for (const placement of ["bundle", "cdn"] as const) {
    const one = digestsIn(await smallIndex(somePosts, { placement, threads: 1 }));
    const two = digestsIn(await smallIndex(somePosts, { placement, threads: 2 }));
    expect(two).toEqual(one);
    expect(Object.keys(one).length).toBeGreaterThan(3);
  }
});

test("openIndex finds a long quotation without the lists of all its grams", async () => {
  const quoted = Array.from({ length: 4500 }, (_, i) =>
    String.fromCharCode(0x4e00 + ((i * i) % 997)),
  ).join("");
  const all: TitleAndText[] = [...somePosts, ["quoted", quoted], ["almost", quoted.slice(0, 3000)]];
  const folder = await smallIndex(all, { placement: "cdn" });
  const blocks = createWholeFileStore(join(folder, blockFolder));
  let reads = 0;
  const index = await openIndex(
    new FileStore(join(folder, indexFolder)),
    { read: (part) => (reads++, blocks.read(part)) },
    2 ** 20,
  );
  for (const [from, to] of [
    [100, 4100],
    [0, 2990],
    [2000, 3001],
  ] as const)
    for (const changed of ["", "x"]) {
      const piece = quoted.slice(from, to);
      const keyword = piece.slice(0, 500) + changed + piece.slice(500 + changed.length);
      reads = 0;
      expect([...(await index.find(keyword))]).toEqual(postsWith(all, keyword));
      expect(reads).toBeLessThanOrEqual(64);
    }
  expect(postsWith(all, quoted.slice(0, 2990))).toEqual([40, 41]);
});

test("writeSearchIndex writes the same blocks in both placements", async () => {
  const layout = { ...smallLayout, largestSegment: () => 2 ** 20 };
  const bundle = await smallIndex(somePosts, { placement: "bundle", layout });
  const cdn = await smallIndex(somePosts, { placement: "cdn", layout });
  const bundled = filesIn(join(bundle, indexFolder));
  const size = (name: string): number => bundled.get(name)?.length ?? 0;
  const blocks = [...filesIn(join(cdn, blockFolder)).values()];
  expect(blocks.length).toBeGreaterThan(20);
  // Beside them, the public files hold one block of text.
  const texts = somePosts.flat().join("").length * 2;
  const lists = size(indexFiles.posts) + size(indexFiles.positions);
  const published = blocks.reduce((sum, block) => sum + block.length, 0);
  expect(published).toBeGreaterThan(lists);
  expect(published).toBeLessThan(lists + texts);
  expect(readdirSync(join(cdn, indexFolder)).sort()).toEqual(
    ["catalog.bin", "hits.bin", "manifest.json", "names.json"].sort(),
  );
});

test("writeSearchIndex places a collection that fits in the bundle", async () => {
  const folder = await smallIndex(somePosts);
  expect(existsSync(join(folder, blockFolder))).toBe(false);
});

describe("writeSearchIndex", () => {
  const placements = ["bundle", "cdn"] as const;

  test.each(placements)("reuses an older index in %s, byte for byte", async (placement) => {
    const reuse = await smallIndex(somePosts, { placement });
    let written = 0;
    const progress = (lists: number): void => void (written = lists);
    const again = await smallIndex(somePosts, { placement, reuse, progress });
    expect(written).toBe(0);
    expect(digestsIn(again)).toEqual(digestsIn(reuse));
  });

  test.each(placements)(
    "does not reuse an older index in %s when a part is damaged",
    async (placement) => {
      const intact = await smallIndex(somePosts, { placement });
      const fresh = digestsIn(intact);
      const names = Object.keys(fresh).filter((name) => !name.endsWith(indexFiles.hits));
      const blocks = names.filter((name) => name.startsWith(blockFolder));
      for (const name of names.filter((one) => !blocks.slice(2).includes(one))) {
        const reuse = `${intact}-damaged`;
        rmSync(reuse, { recursive: true, force: true });
        cpSync(intact, reuse, { recursive: true });
        writeFileSync(join(reuse, name), readFileSync(join(intact, name)).fill(7, 5, 6));
        expect(digestsIn(await smallIndex(somePosts, { placement, reuse }))).toEqual(fresh);
      }
    },
  );

  test("does not reuse an older index when a text or the layout changed", async () => {
    const reuse = await smallIndex(somePosts);
    for (const [changed, layout] of [
      [somePosts.with(3, ["other", "text"]), smallLayout],
      [somePosts, { ...smallLayout, frequentFrom: () => 5 }],
    ] as const) {
      let written = 0;
      const progress = (lists: number): void => void (written = lists);
      await smallIndex(changed, { reuse, layout, progress });
      expect(written).toBeGreaterThan(0);
    }
  });
});

/** A change to a collection whose newest post is the first: a number says where, and the kind of the step. */
function changed(all: readonly DatedPost[], step: number): DatedPost[] {
  const at = Math.floor(step / 3) % Math.max(1, all.length);
  const texts: TitleAndText = [`title ${step}`, somePosts[step % somePosts.length]![1]];
  const next = 1 + Math.max(0, ...all.map(({ postId }) => postId));
  if (step % 3 === 0 || all.length === 0) return [{ postId: next, texts }, ...all];
  return step % 3 === 1 ? all.with(at, { postId: all[at]!.postId, texts }) : all.toSpliced(at, 1);
}

test.each(["bundle", "cdn"] as const)(
  "writeSearchIndex in %s writes from an older index what it writes from nothing",
  async (placement) => {
    let reused = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { minLength: 8, maxLength: 8 }), async (steps) => {
        let all = somePosts.map((texts, i): DatedPost => ({ postId: 40 - i, texts }));
        let older = await smallIndex(
          all.map(({ texts }) => texts),
          { placement, postIds: all.map(({ postId }) => postId) },
        );
        for (const step of steps) {
          all = changed(all, step);
          const options = { placement, postIds: all.map(({ postId }) => postId) };
          const texts = all.map((post) => post.texts);
          const next = await smallIndex(texts, { ...options, reuse: older });
          const clean = digestsIn(await smallIndex(texts, options));
          expect(digestsIn(next)).toEqual(clean);
          const before = digestsIn(older);
          reused += Object.keys(clean).filter(
            (path) => path.startsWith(blockFolder) && before[path] === clean[path],
          ).length;
          older = next;
        }
      }),
      { numRuns: 5 },
    );
    expect(reused > 0).toBe(placement === "cdn");
  },
);

test("writeSearchIndex forgets no text that a later segment needs", async () => {
  // Enough for several pieces of memory, in which the texts of posts lie by ascending id.
  const long = Array.from({ length: 60 }, (_, i): TitleAndText => [
    `title ${i}`,
    `${"filler ".repeat(700)}number ${i * 7919}`,
  ]);
  const layout = { ...publishedLayout, largestSegment: () => 16 };
  const mixed = long.map((_, i) => 1 + ((i * 37) % 60));
  for (const postIds of [undefined, mixed]) {
    const folder = await smallIndex(long, {
      placement: "cdn",
      layout,
      ...(postIds && { postIds }),
    });
    const { reader, find } = await mountedIndex(folder);
    expect(reader.segments.length).toBeGreaterThan(3);
    for (const [post] of long.entries())
      expect([...(await find(`number ${post * 7919}`))]).toEqual(
        postsWith(long, `number ${post * 7919}`),
      );
  }
});

test("writeSearchIndex refuses texts of other posts than the hits", async () => {
  const texts = (postIds: readonly number[]): PostTexts =>
    PostTexts.of(postIds.map((postId) => ({ postId, title: "", text: "", tags: [] })));
  const folder = await smallIndex([]);
  await expect(writeSearchIndex(folder, [], texts([5]), { snapshot: "0" })).rejects.toThrow(
    "1 posts have texts",
  );
  await expect(
    writeSearchIndex(folder, [{ postId: 5 } as SearchHit], texts([6]), { snapshot: "0" }),
  ).rejects.toThrow("post 5 has no text");
});
