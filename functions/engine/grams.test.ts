/** How a keyword is covered, for any set of frequent grams that texts can have. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { tokenizeKeyword } from "./tokenizer.ts";
import { minimalCover, longestFrequent } from "./grams.ts";

const text = fc.string({ unit: fc.constantFrom(..."abc"), maxLength: 30 });
const keywords = fc.string({ unit: fc.constantFrom(..."abc"), minLength: 1, maxLength: 60 });

test("minimalCover covers a keyword without gaps by few infrequent grams", () => {
  fc.assert(
    fc.property(
      fc.array(text, { maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      keywords,
      (texts, least, keyword) => {
        const isFrequent = (gram: string): boolean =>
          gram.length === 1 ||
          (gram.length <= longestFrequent &&
            texts.filter((one) => one.includes(gram)).length >= least);
        fc.pre(!isFrequent(keyword));
        const cover = minimalCover(tokenizeKeyword(keyword, isFrequent));
        let covered = 0;
        for (const { gram, offset: at } of cover) {
          expect(keyword.slice(at, at + gram.length)).toBe(gram);
          expect(at).toBeLessThanOrEqual(covered);
          expect(at + gram.length).toBeGreaterThan(covered);
          expect(isFrequent(gram)).toBe(false);
          covered = at + gram.length;
        }
        expect(covered).toBe(keyword.length);
        // So a keyword of 60 units needs one round of reads at most: see `phrase-search.ts`.
        const grams = new Set(cover.map(({ gram }) => gram));
        expect(grams.size).toBeLessThanOrEqual(Math.ceil(keyword.length / 2));
      },
    ),
    { numRuns: 500 },
  );
});

test("minimalCover covers the example at the top of grams.ts as described", () => {
  const isFrequent = (gram: string): boolean =>
    gram.length === 1 || ["朝の", "電車"].includes(gram);
  const terms = tokenizeKeyword("朝の電車", isFrequent);
  expect(terms).toEqual(["朝の電", "の電車", "電車", "車"]);
  expect(minimalCover(terms)).toEqual([
    { gram: "朝の電", offset: 0 },
    { gram: "の電車", offset: 1 },
  ]);
});
