import fc from "fast-check";
import { expect, test } from "vitest";
import { codePoints } from "../../tests/support/queries.ts";
import { normalizeKeyword, normalise, tagKey } from "./normalise.ts";

test.each([
  ["ＡＢＣ", "abc"],
  ["ﾊﾟｰﾃｨｰ", "パーティー"],
  ["か\u3099", "が"],
  ["①㍻㌔", "1平成キロ"],
  ["a\u3000\t\n b\u00a0c", "a b c"],
  ["a\0b", "ab"],
  ["co\u00adoperate", "cooperate"],
  ["a\u200bb\u200d\ufeffc\u2060", "abc"],
  ["葛\u{e0100}飾 ☺\ufe0f", "葛飾 ☺"],
  ["か\u200c\u3099", "が"],
  ["ΟΔΟΣ οδος ὁδός", "οδοσ οδοσ ὁδόσ"],
  ["STRASSE Straße", "strasse straße"],
  ["%_*\\'\"", "%_*\\'\""],
  ["𠮷😀", "𠮷😀"],
])("normalise turns %j into %j", (text, expected) => expect(normalise(text)).toBe(expected));

test("normalizeKeyword trims white space and makes a blank keyword empty", () => {
  expect(normalizeKeyword("　 あ い ")).toBe("あ い");
  expect(normalizeKeyword(" \u3000\0\n")).toBe("");
  expect(normalizeKeyword("\u00ad\u200b \u{e0100}\ufeff")).toBe("");
});

/** Any code points, and often those that combine, expand or are not seen. */
const texts = fc
  .array(
    fc.oneof(
      codePoints(4),
      fc.constantFrom(..."aがは漢\u0301\u0316\u0344\u3099ﾊﾟ\u0345ς\u00ad\u200d\0 \u3000\ud800"),
      fc
        .integer({ min: 29, max: 33 })
        .map((length) => "\u0301\u0316".repeat(length).slice(-length)),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(""));

test("normalise leaves no invisible character, ASCII capital or two spaces in a row", () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(normalise(text)).not.toMatch(/[\0\p{Default_Ignorable_Code_Point}A-Zς]|\s\s/u);
    }),
  );
});

test("normalise leaves a normalised text unchanged", () => {
  fc.assert(
    fc.property(texts, (text) => {
      // Of some capitals with a mark, such as J̌, only the small letter is composed: ǰ.
      fc.pre(normalise(text).normalize("NFKC") === normalise(text));
      expect(normalise(normalise(text))).toBe(normalise(text));
    }),
    { numRuns: 1000 },
  );
});

/** The rule as the decisions state it, without regard to time. */
const plainly = (text: string): string =>
  text
    .replace(/[\0\p{Default_Ignorable_Code_Point}]/gu, "")
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase()
    .replaceAll("ς", "σ")
    .replace(/\s+/g, " ");

test("normalise follows the plain rule for text without a long run of marks", () => {
  const seen = (text: string): string => text.replace(/[\0\p{Default_Ignorable_Code_Point}]/gu, "");
  fc.assert(
    fc.property(texts, (text) => {
      fc.pre(!/[\p{M}\uff9e\uff9f]{31}/u.test(seen(text)));
      expect(normalise(text)).toBe(plainly(text));
    }),
    { numRuns: 1000 },
  );
});

test("normalise follows the plain rule for every character", () => {
  const blocks = Array.from({ length: 0x110 }, (_, block) => block * 0x1000);
  const differing = blocks.filter((first) => {
    const text = Array.from({ length: 0x1000 }, (_, i) => String.fromCodePoint(first + i)).join(
      "x",
    );
    return normalise(text) !== plainly(text);
  });
  expect(differing).toEqual([]);
});

test("normalise sorts and combines 30 marks on a letter, and leaves 31 in place", () => {
  const run = (length: number): string => "\u0301".repeat(length - 1) + "\u0316";
  expect(normalise(`a${run(30)}`)).toBe(`á\u0316${"\u0301".repeat(28)}`.normalize("NFKC"));
  expect(normalise(`Ａ${run(31)}ς`)).toBe(`a${run(31)}σ`);
});

test("normalizeKeyword agrees with normalise on a long run of marks", () => {
  const marks = "\u0301\u0316\u0344\u3099".repeat(1000);
  expect(normalise(`x${marks}`)).toContain(normalizeKeyword(marks));
});

// Sorting them takes a minute, as its time grows with the square of their number.
test("normalise reads 200,000 marks in disorder in a moment", { timeout: 20_000 }, () => {
  const marks = "\u0301".repeat(100_000) + "\u0316".repeat(100_000);
  expect(normalise(`a${marks}`)).toBe(`a${marks}`);
});

test("tagKey composes tag names and keeps case and width", () => {
  expect(tagKey("か\u3099Ａ")).toBe("がＡ");
});

test("tagKey turns each run of white space into one underscore", () => {
  for (const [name, key] of [
    ["machine learning", "machine_learning"],
    ["machine_learning", "machine_learning"],
    [" a\u3000\n b\u2003", "_a_b_"],
    [" ", "_"],
    [`z${"\u0301".repeat(40)} a`, `z${"\u0301".repeat(40)}_a`],
  ] as const) {
    expect(tagKey(name)).toBe(key);
  }
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", " ", "_", "\u3000", "か", "\u3099") }),
      (name) => {
        expect(tagKey(name)).not.toMatch(/\s/u);
        expect(tagKey(tagKey(name))).toBe(tagKey(name));
      },
    ),
  );
});
