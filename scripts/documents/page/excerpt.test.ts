import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normalize } from "../../../functions/engine/normalize.ts";
import { excerpt, findMatches } from "./client/excerpt.ts";
import { toHtml } from "./html.ts";

/** Texts of characters that normalisation changes, adds or removes. */
const texts = fc
  .array(
    fc.constantFrom(
      ..."aAＡßİΣς ｶﾞがか゛\u3099\u0301\u00AD\u200B\u3000\t한\u1112\u1161\u11AB㍿½😀\uD800ﬁ漢",
    ),
    { maxLength: 30 },
  )
  .map((characters) => characters.join(""));

test("findMatches finds only what contains the normalised keyword", () => {
  fc.assert(
    fc.property(texts, texts, (text, word) => {
      const keyword = normalize(word).trim();
      const matches = keyword === "" ? [] : findMatches(text, [keyword]);
      let last = 0;
      for (const { start, end } of matches) {
        expect(start).toBeGreaterThanOrEqual(last);
        expect(normalize(text.slice(start, end))).toContain(keyword);
        last = end;
      }
    }),
  );
});

describe("excerpt", () => {
  const snippet = (text: string, ...words: readonly string[]): string =>
    toHtml(excerpt(text, words.map(normalize))).text;

  test.each([
    ["全角のＡＢＣと半角", "abc", "全角の<mark>ＡＢＣ</mark>と半角"],
    ["ｶﾞｲﾄﾞの話", "ガイド", "<mark>ｶﾞｲﾄﾞ</mark>の話"],
    ["so\u00ADft hy\u00ADphen", "soft", "<mark>so\u00ADft</mark> hy\u00ADphen"],
    ["a <b> & c", "<B>", "a <mark>&lt;b&gt;</mark> &amp; c"],
    ["one two one", "one", "<mark>one</mark> two <mark>one</mark>"],
    ["nothing of it", "else", "nothing of it"],
  ])("turns %s with the word %s into %s", (text, word, shown) => {
    expect(snippet(text, word)).toBe(shown);
  });

  test("finds a word between two pieces of a text, and far beyond them", () => {
    for (const before of [...Array.from({ length: 12 }, (_, i) => 292 + i), 400_000]) {
      const shown = snippet(
        `${"a ".repeat(before / 2)}${"b".repeat(before % 2)}パーティー`,
        "ﾊﾟｰﾃｨｰ",
      );
      expect(shown, String(before)).toMatch(/^….*<mark>パーティー<\/mark>$/);
    }
  });

  test("cuts around the first word, wherever it is, and never within a character", () => {
    const text = `${"😀".repeat(3000)} needle ${"b".repeat(300)}`;
    expect(snippet(text, "needle")).toMatch(/^….*<mark>needle<\/mark> b+…$/);
    expect(snippet(text, "needle").isWellFormed()).toBe(true);
    expect(snippet("c".repeat(300))).toBe(`${"c".repeat(160)}…`);
    expect(snippet("remarkable ".repeat(30))).toMatch(/^(remarkable ){13}remarkable…$/);
    expect(snippet(`${"remarkable ".repeat(90)}needle end`, "needle")).toMatch(
      /^…remarkable .*<mark>needle<\/mark> end$/,
    );
  });
});
