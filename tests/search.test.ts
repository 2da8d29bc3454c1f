/** The function against the oracle, on the sample and on real exports. */
import { basename } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createOracle } from "./oracle.ts";
import { searches } from "./queries.ts";
import { built, publishedPosts, realExports, sample, searchOn } from "./support.ts";

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
