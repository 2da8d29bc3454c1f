/** Segments hold every post once, and a change to the posts changes few of them. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { splitIntoSegments } from "./segments.ts";

const largest = 256;
/** Ids of posts in any order, as dates may have them. */
const someIds = fc.uniqueArray(fc.integer({ min: 1, max: 2 ** 53 - 2 }), {
  minLength: 1,
  maxLength: 400,
});

/** The ids of each segment, as text. */
const idsOf = (postIds: readonly number[]): string[] =>
  splitIntoSegments(postIds, largest).map((own) =>
    String(Array.from(own, (post) => postIds[post]!).sort((a, b) => a - b)),
  );

describe("splitIntoSegments", () => {
  test("puts every post into one segment, by ascending ids, and numbers within it ascend", () => {
    fc.assert(
      fc.property(someIds, (postIds) => {
        const segments = splitIntoSegments(postIds, largest);
        expect(segments.map(String)).toEqual(segments.map((own) => String(own.toSorted())));
        expect(idsOf(postIds).join()).toBe(String(postIds.toSorted((a, b) => a - b)));
      }),
    );
  });

  test("gives an empty segment where there is no post", () => {
    expect(splitIntoSegments([], largest)).toEqual([new Uint32Array(0)]);
  });

  test("keeps each segment that does not hold a post that was added", () => {
    fc.assert(
      fc.property(someIds, (postIds) => {
        const added = Math.max(...postIds) + 1;
        const before = new Set(idsOf(postIds));
        const changed = idsOf([...postIds, added]).filter((own) => !before.has(own));
        expect(changed).toHaveLength(1);
        expect(changed[0]!.split(",").at(-1)).toBe(String(added));
      }),
    );
  });

  test("keeps all other segments when a post is removed within one", () => {
    fc.assert(
      fc.property(someIds, fc.nat(), (postIds, at) => {
        const before = idsOf(postIds);
        const owner = before[at % before.length]!.split(",");
        if (owner.length === 1) return;
        const after = idsOf(postIds.filter((id) => String(id) !== owner[0]));
        expect(after).toEqual(
          before.map((own) => (own === owner.join() ? owner.slice(1).join() : own)),
        );
      }),
    );
  });

  test("makes large segments first, and few small ones", () => {
    const sizes = splitIntoSegments(
      Array.from({ length: 20_000 }, (_, i) => i + 1),
      4096,
    ).map(({ length }) => length);
    expect(sizes.length).toBeLessThan(20);
    expect(sizes.at(-1)!).toBeLessThan(1000);
  });
});
