import fc from "fast-check";
import { expect, test } from "vitest";
import type { SearchHit } from "../contract/resources.ts";
import { parseSearchQuery } from "./search-query.ts";
import { mostLikedFirst, newestFirst, paginate } from "./sort-orders.ts";

/** Few distinct dates and likes, so that most orders are decided by the tie-break. */
const collections = fc.uniqueArray(
  fc.record({
    postId: fc.integer({ min: 1, max: 10_000 }),
    postDateGmt: fc.constantFrom("2024-01-01T00:00:00.000Z", "2024-01-01T00:00:00.001Z"),
    countLikes: fc.constantFrom(0, 3, 100_000_000_000),
  }),
  { selector: ({ postId }) => postId, maxLength: 60 },
) as fc.Arbitrary<Pick<SearchHit, "postId" | "postDateGmt" | "countLikes">[]>;

/** The contract's orders, word by word. */
const orders = {
  timeDesc: [
    ["postDateGmt", -1],
    ["postId", -1],
  ],
  timeAsc: [
    ["postDateGmt", 1],
    ["postId", 1],
  ],
  like: [
    ["countLikes", -1],
    ["postDateGmt", -1],
    ["postId", -1],
  ],
} as const;

test("paginate sorts as the contract says, on every page and for any hits", () => {
  fc.assert(
    fc.property(
      collections,
      fc.constantFrom("timeDesc" as const, "timeAsc" as const, "like" as const),
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: 1, max: 50 }),
      fc.func(fc.boolean()),
      (posts, orderby, page, pageSize, isHit) => {
        const hits = (posts as SearchHit[]).toSorted(newestFirst);
        const found = Uint32Array.from([...hits.keys()].filter((number) => isHit(number)));
        const query = parseSearchQuery(
          new URLSearchParams({ orderby, page: String(page), pageSize: String(pageSize) }),
        );
        const expected = [...found]
          .map((number) => hits[number]!)
          .toSorted((a, b) => {
            for (const [field, direction] of orders[orderby])
              if (a[field] !== b[field]) return a[field] < b[field] ? -direction : direction;
            return 0;
          })
          .slice((page - 1) * pageSize, page * pageSize);
        expect(
          paginate(found, query, mostLikedFirst(hits)).map((number) => hits[number]!.postId),
        ).toEqual(expected.map(({ postId }) => postId));
      },
    ),
    { numRuns: 500 },
  );
});

test("paginate skips posts missing from the given order", () => {
  const query = { ...parseSearchQuery(new URLSearchParams({ orderby: "like" })), pageSize: 3 };
  expect(paginate(Uint32Array.of(0, 1, 2), query, Uint32Array.of(2, 0, 9))).toEqual([2, 0]);
});
