/** Where an index goes by its size. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { blockFolder, indexFolder } from "../../functions/engine/index-format.ts";
import { mountedIndex } from "../../tests/support/mounted-index.ts";
import { smallIndex, type TitleAndText } from "../../tests/support/small-index.ts";
import { digestsIn } from "../../tests/support/support.ts";
import { expectedPlacement } from "./placement.ts";

test("expectedPlacement puts more texts than fit a function beside it, unless it is told otherwise", () => {
  expect(expectedPlacement("auto", 99, 220)).toBe("bundle");
  expect(expectedPlacement("auto", 101, 220)).toBe("cdn");
  expect(expectedPlacement("bundle", 1e9, 220)).toBe("bundle");
  expect(expectedPlacement("cdn", 1, 220)).toBe("cdn");
});

test("writeSearchIndex publishes an index that turns out too large for a function", async () => {
  const posts: TitleAndText[] = [["a title", "a text of some words"]];
  const snapshot = await smallIndex(posts, { bundledBytes: 200 });
  expect(digestsIn(snapshot)).toEqual(digestsIn(await smallIndex(posts, { placement: "cdn" })));
  expect(readdirSync(join(snapshot, indexFolder))).not.toContain("positions.bin");
  expect(existsSync(join(snapshot, blockFolder))).toBe(true);
  expect([...(await (await mountedIndex(snapshot)).find("some words"))]).toEqual([0]);
});
