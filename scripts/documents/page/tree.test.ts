import * as fc from "fast-check";
import { expect, test } from "vitest";
import { codePoints } from "../../../tests/support/queries.ts";
import { longestBlock, newBlock, partsOf, piecesOf, tree } from "./client/tree.js";
import { markupOf } from "./html.ts";

/** Texts of some pieces, with and without places to divide them at. */
const longTexts = fc
  .tuple(codePoints(20), fc.constantFrom("", " ", "\n", "。"), fc.integer({ min: 0, max: 2000 }))
  .map(([some, last, times]) => `${some}${last}`.repeat(times));

test("a text is in its pieces, which end soon enough and within no character", () => {
  fc.assert(
    fc.property(longTexts, fc.integer({ min: 0, max: longestBlock }), (text, room) => {
      const block = { ...newBlock(), units: longestBlock - room };
      const pieces = piecesOf(text, block);
      if (pieces.length > 1) expect(block.units).toBe(pieces.at(-1)!.length);
      expect(pieces.join("")).toBe(text);
      expect(pieces[0]!.length).toBeLessThanOrEqual(room);
      for (const [i, piece] of pieces.slice(1).entries()) {
        expect(piece.length).toBeLessThanOrEqual(longestBlock);
        expect(`${pieces[i]!.slice(-1)}${piece.slice(0, 1)}`).not.toMatch(
          /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/,
        );
      }
    }),
  );
});

test.each([
  ["lines", `${"x".repeat(99)}\n`.repeat(100), 5000],
  ["lines rather than words", `${"x ".repeat(1500)}\n`.repeat(100), 3001],
  ["sentences", `${"字".repeat(2999)}。`.repeat(4), 3000],
  ["words", "word after word ".repeat(1000), 4997],
  ["no ends", "字".repeat(20_000), 5000],
  ["marks in a row", `a${"\u1088".repeat(200)}`, 65],
  ["skin tones in a row", "🏽".repeat(200), 128],
  ["skin tones and marks in a row", "ﾞ🏽".repeat(200), 96],
  ["brackets in a row", "」。".repeat(100), 64],
  ["a word", "ก".repeat(5000), 1000],
  ["a word of joined letters", "ݨ".repeat(5000), 64],
  ["a word of joined letters with joiners", "ⴰ\u2d7f".repeat(5000), 64],
  ["a word of clusters", "क्षि".repeat(2000), 64],
  ["changes of direction", "א1,".repeat(2000), 96],
  ["changes of direction by digits", "س١".repeat(2000), 64],
  ["changes of direction by symbols", "א⠁س٫".repeat(1000), 64],
  ["changes of direction by digits of N'Ko", "߀1".repeat(2000), 64],
  ["marks of direction", "a\u202e.\u202c".repeat(2000), 129],
  ["words of two directions", "hello שלום ".repeat(1000), 5000],
  ["faces", "(*´ڡ`*) ٩(ˊᗜˋ*)و ".repeat(1000), 4998],
  ["a URL", "a=%20".repeat(1500), 5000],
])("a long text of %s is divided there", (_, text, length) => {
  expect(piecesOf(text)[0]).toHaveLength(length);
});

test.each([
  ["AV".repeat(600), true],
  [`see https://a.example/${"x".repeat(80)}? `.repeat(20), true],
  [`see https://a.example/${"x".repeat(80)}?`, false],
  ["words of a usual length, ".repeat(50), false],
  ["日本語の文章には空白がない。".repeat(50), false],
])("letters of a long word are not kerned: %s", (text, expected) => {
  const parts = partsOf(text) ?? [{ className: "" }];
  expect(parts.every(({ className }) => className.includes("unkerned"))).toBe(expected);
});

test("the build writes a long text in blocks", () => {
  const written = markupOf(tree("a", {}, "字".repeat(longestBlock + 1))).text;
  expect(written).toBe(
    `<a><span class="piece">${"字".repeat(longestBlock)}</span><span class="piece">字</span></a>`,
  );
});

test.each([
  ["Tai Le", "ᥐ"],
  ["New Tai Lue", "ᦀ"],
  ["Tai Tham", "ᨠ"],
  ["Tai Viet", "ꪀ"],
  ["Ahom", "𑜀"],
])("words in %s, of which browsers know none, may be broken anywhere", (_, letter) => {
  const written = (text: string) => markupOf(tree("a", {}, "x", text)).text;
  expect(written(`y z${letter}, y`)).toBe(`<a>xy <span class="breakable">z${letter},</span> y</a>`);
  const many = `${letter} y `.repeat(5);
  expect(written(many)).toBe(`<a>x<span class="breakable">${many}</span></a>`);
  const long = `${letter} `.repeat(longestBlock);
  expect(written(long)).toMatch(/^<a>x(?:<span class="piece breakable">[^<]+<\/span>){2,4}<\/a>$/);
});

test("a word of many directions may be broken anywhere, a face may not", () => {
  const written = (text: string) => markupOf(tree("a", {}, text)).text;
  const word = "א1".repeat(5);
  expect(written(`x ${word} y`)).toBe(`<a>x <span class="breakable">${word}</span> y</a>`);
  expect(written(`ש ${word}`)).toBe(`<a>ש <span class="breakable">${word}</span></a>`);
  expect(written(`${"א1".repeat(4)} (*´ڡ*)`)).not.toContain("breakable");
});

test.each(["กขค", "ກຂ", "ကခ", "កខ", "字", "word"])("%s is broken as usual", (text) => {
  expect(markupOf(tree("a", {}, text)).text).toBe(`<a>${text}</a>`);
});
