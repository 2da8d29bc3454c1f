/** Tests of the search on the snapshot of an export, against the oracle. */
import { basename } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { createOracle, type OraclePost } from "./oracle.ts";
import { searches } from "./queries.ts";
import { built, publishedPosts, searchOn } from "./support.ts";

const queriesPerExport = 2000;

/** The part of a SearchResult that paging needs. */
interface Page {
  readonly metadata: { readonly count: number; readonly hasMore: boolean };
  readonly results: readonly { readonly postId: number }[];
}

/** Defines the tests for one export. */
export function describeSearchOn(file: string): void {
  describe(`search on ${basename(file)}`, () => {
    let folder = "";
    let posts: readonly OraclePost[] = [];
    beforeAll(async () => {
      folder = await built(file);
      posts = publishedPosts(folder);
    });

    test(`answers ${queriesPerExport} random queries as the oracle does`, async () => {
      const oracle = createOracle(posts);
      const { search, faults } = searchOn(folder);
      await fc.assert(
        fc.asyncProperty(searches(posts), async (parameters) => {
          expect(await search(parameters)).toEqual(oracle(parameters));
        }),
        { numRuns: queriesPerExport, seed: basename(file).length },
      );
      expect(faults).toEqual([]);
    });

    test("returns each hit once across all pages", async () => {
      const { search } = searchOn(folder);
      await fc.assert(
        fc.asyncProperty(
          searches(posts),
          fc.integer({ min: 20, max: 50 }),
          async (parameters, pageSize) => {
            const ids: number[] = [];
            let count = 0;
            for (let page = 1, more = true; more && page <= 60; page++) {
              const { metadata, results } = (await search({
                ...parameters,
                page: String(page),
                pageSize: String(pageSize),
              })) as Page;
              ids.push(...results.map((hit) => hit.postId));
              count = metadata.count;
              more = metadata.hasMore;
            }
            expect(new Set(ids).size).toBe(ids.length);
            expect(ids.length).toBe(Math.min(count, 60 * pageSize));
          },
        ),
        { numRuns: 50 },
      );
    });

    test("answers the same with a cache that holds next to nothing", async () => {
      const { search } = searchOn(folder);
      const starved = searchOn(folder, 0.01);
      await fc.assert(
        fc.asyncProperty(searches(posts), async (parameters) => {
          expect(await starved.search(parameters)).toEqual(await search(parameters));
        }),
        { numRuns: 200 },
      );
    });
  });
}
