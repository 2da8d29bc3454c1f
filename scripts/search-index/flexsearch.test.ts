/** The lists of the build are the ones that FlexSearch's own `add` and `commit` make, byte for byte. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { separator } from "../../functions/engine/grams.ts";
import { indexFiles, indexFolder } from "../../functions/engine/index-format.ts";
import { normalize } from "../../functions/engine/normalize.ts";
import { committedLists } from "../../tests/support/committing-storage.ts";
import { expectCommitted } from "../../tests/support/flexsearch-suite.ts";
import { posts, smallLayout, type TitleAndText } from "../../tests/support/small-index.ts";
import { sample, temporaryFolder } from "../../tests/support/support.ts";
import { createWorkerPool } from "../lib/worker-pool.ts";
import type { BlockSizes } from "./posting-block-writer.ts";
import type { PostingJobs } from "./range-jobs.ts";
import { writeSegment } from "./write-segments.ts";

test("build writes the lists that FlexSearch makes of the sample", () => expectCommitted(sample));

/** What the build writes of some posts, in a layout. */
async function written(texts: readonly string[]) {
  const snapshot = temporaryFolder();
  const folder = join(snapshot, indexFolder);
  mkdirSync(folder);
  const all = texts.join("");
  const offsets = Uint32Array.from({ length: texts.length + 1 }, (_, i) =>
    texts.slice(0, i).reduce((sum, { length }) => sum + length, 0),
  );
  const units = Uint16Array.from({ length: all.length }, (_, i) => all.charCodeAt(i));
  const widths = new Uint8Array(units.length);
  const { blockBytes, pageBytes } = smallLayout;
  const sizes: BlockSizes = { blockBytes, pageBytes };
  const module = new URL("range-jobs.ts", import.meta.url);
  const pool = await createWorkerPool<PostingJobs>(module, sizes, 0);
  await writeSegment(
    { units, offsets, widths, longestText: 0 },
    { snapshot, placement: "bundle", digest: "", layout: smallLayout, pool, progress: () => {} },
  );
  return {
    posts: readFileSync(join(folder, indexFiles.posts)),
    positions: readFileSync(join(folder, indexFiles.positions)),
  };
}

test("writeSegment writes the lists that FlexSearch makes of small collections", async () => {
  let bytes = 0;
  await fc.assert(
    fc.asyncProperty(posts, async (all: readonly TitleAndText[]) => {
      const texts = all.map((both) => both.map((text) => normalize(text) + separator).join(""));
      const lists = await written(texts);
      expect(await committedLists(texts, smallLayout)).toEqual(lists);
      bytes += lists.posts.length + lists.positions.length;
    }),
    { numRuns: 60 },
  );
  expect(bytes).toBeGreaterThan(10_000);
});
