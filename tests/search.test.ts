/** The function against the oracle, on the sample and on real exports. */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createOracle } from "./support/oracle.ts";
import { searches } from "./support/queries.ts";
import {
  built,
  publishedPosts,
  realExports,
  sample,
  searchOn,
  temporaryFolder,
} from "./support/support.ts";

const queriesPerExport = 2000;

describe.each([sample, ...realExports])("search on %s", (file) => {
  const folder = built(file);
  const posts = publishedPosts(folder);
  const oracle = createOracle(posts);
  const { search, faults } = searchOn(folder);

  test(`${queriesPerExport} random queries answer as the oracle does`, async () => {
    await fc.assert(
      fc.asyncProperty(searches(posts), async (parameters) => {
        expect(await search(parameters)).toEqual(oracle(parameters));
      }),
      { numRuns: queriesPerExport, seed: basename(file).length },
    );
    expect(faults).toEqual([]);
  });

  test("all pages joined are all hits, each once", async () => {
    await fc.assert(
      fc.asyncProperty(
        searches(posts),
        fc.integer({ min: 20, max: 50 }),
        async (parameters, pageSize) => {
          const ids: number[] = [];
          let count = 0;
          for (let page = 1, more = true; more && page <= 60; page++) {
            const result = (await search({
              ...parameters,
              page: String(page),
              pageSize: String(pageSize),
            })) as {
              metadata: { count: number; hasMore: boolean };
              results: { postId: number }[];
            };
            ids.push(...result.results.map((hit) => hit.postId));
            count = result.metadata.count;
            more = result.metadata.hasMore;
          }
          expect(new Set(ids).size).toBe(ids.length);
          expect(ids.length).toBe(Math.min(count, 60 * pageSize));
        },
      ),
      { numRuns: 50 },
    );
  });

  test("a cache that holds next to nothing changes no answer", async () => {
    const starved = searchOn(folder, 0.01);
    await fc.assert(
      fc.asyncProperty(searches(posts), async (parameters) => {
        expect(await starved.search(parameters)).toEqual(await search(parameters));
      }),
      { numRuns: 200 },
    );
  });
});

test("needles within a passage that many posts share, whatever their length", async () => {
  const file = join(temporaryFolder(), "export.sqlite");
  new Database(file)
    .exec(readFileSync(sample, "utf8"))
    .exec(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120)
       INSERT INTO posts (post_id, post_title, post_content_html, post_date_gmt)
         SELECT 300000 + i, 'title ' || i,
           (SELECT group_concat(post_title || char(33 + i % 3), '') FROM posts WHERE post_id < 40),
           '2024-01-01 00:00:00' FROM n`,
    )
    .close();
  const folder = built(file);
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
