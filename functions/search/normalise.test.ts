import fc from "fast-check";
import { expect, test } from "vitest";
import { needleOf, normalise, tagKey } from "./normalise.ts";

test.each([
  ["ＡＢＣ", "abc"],
  ["ﾊﾟｰﾃｨｰ", "パーティー"],
  ["か\u3099", "が"],
  ["①㍻㌔", "1平成キロ"],
  ["a\u3000\t\n b\u00a0c", "a b c"],
  ["a\0b", "ab"],
  ["STRASSE Straße", "strasse straße"],
  ["%_*\\'\"", "%_*\\'\""],
  ["𠮷😀", "𠮷😀"],
])("%j becomes %j", (text, expected) => expect(normalise(text)).toBe(expected));

test("a needle has no white space around it, and a blank one is empty", () => {
  expect(needleOf("　 あ い ")).toBe("あ い");
  expect(needleOf(" \u3000\0\n")).toBe("");
});

test("no text keeps a NUL, an upper-case letter of ASCII or two spaces in a row", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(normalise(text)).not.toMatch(/\0|[A-Z]|\s\s/);
    }),
  );
});

test("tag names are compared composed, and keep case and width", () => {
  expect(tagKey("か\u3099Ａ")).toBe("がＡ");
});
