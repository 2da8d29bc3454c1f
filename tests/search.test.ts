/** The search against the oracle, on the sample and on what is hard to find. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createOracle } from "./support/oracle.ts";
import { describeSearchOn } from "./support/search-suite.ts";
import { built, exportWith, publishedPosts, sample, searchOn } from "./support/support.ts";

describeSearchOn(sample);

test("needles within a passage that many posts share, whatever their length", async () => {
  const file = exportWith(`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120)
    INSERT INTO posts (post_id, post_title, post_content_html, post_date_gmt)
      SELECT 300000 + i, 'title ' || i,
        (SELECT group_concat(post_title || char(33 + i % 3), '') FROM posts WHERE post_id < 40),
        '2024-01-01 00:00:00' FROM n`);
  const folder = await built(file);
  const oracle = createOracle(publishedPosts(folder));
  const { search } = searchOn(folder);
  const passage =
    publishedPosts(folder).find(({ postId }) => postId === 300_001)?.postContentHtml ?? "";
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(3, 7, 8, 9, 10, 16, 40, 100, 300),
      fc.nat(passage.length),
      fc.boolean(),
      async (length, at, broken) => {
        const piece = passage.slice(at, at + length);
        // Broken: a needle whose parts all occur, but not together. A lone surrogate cannot come from a URL.
        const q = Buffer.from(broken ? piece + piece.slice(0, 4) : piece).toString();
        expect(await search({ q })).toEqual(oracle({ q }));
      },
    ),
    { numRuns: 300, examples: [[8, 238, true]] },
  );
});
