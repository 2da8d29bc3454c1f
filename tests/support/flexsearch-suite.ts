/** Compares the published lists of an export with those that FlexSearch makes of its posts. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { separator } from "../../functions/engine/grams.ts";
import { indexFiles, indexFolder } from "../../functions/engine/index-format.ts";
import { normalize } from "../../functions/engine/normalize.ts";
import { newestFirst } from "../../functions/engine/sort-orders.ts";
import { visibleText } from "../../scripts/documents/visible-text.ts";
import { publishedLayout } from "../../scripts/search-index/write-segments.ts";
import { committedLists } from "./committing-storage.ts";
import { built, publishedPosts } from "./support.ts";

/** Expects that both are the same bytes. */
export async function expectCommitted(exportFile: string): Promise<void> {
  const folder = await built(exportFile, "--index", "bundle");
  const texts = publishedPosts(folder)
    .toSorted(newestFirst)
    .map(({ postTitle, postContentHtml }) =>
      [postTitle, visibleText(postContentHtml)]
        .map((text) => ` ${normalize(text)} ${separator}`)
        .join(""),
    );
  const { posts, positions } = await committedLists(texts, publishedLayout);
  const published = (name: string): Buffer => readFileSync(join(folder, indexFolder, name));
  expect(posts.equals(published(indexFiles.posts))).toBe(true);
  expect(positions.equals(published(indexFiles.positions))).toBe(true);
}
