import fc from "fast-check";
import { expect, test } from "vitest";
import { codePoints } from "../../tests/support/queries.ts";
import { normalizeKeyword, normalize, normalizeTagName } from "./normalize.ts";

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
])("normalize turns %j into %j", (text, expected) => expect(normalize(text)).toBe(expected));

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

test("normalize leaves no invisible character, ASCII capital or two spaces in a row", () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(normalize(text)).not.toMatch(/[\0\p{Default_Ignorable_Code_Point}A-Zς]|\s\s/u);
    }),
  );
});

test("normalize leaves a normalised text unchanged", () => {
  fc.assert(
    fc.property(texts, (text) => {
      // Of some capitals with a mark, such as J̌, only the small letter is composed: ǰ.
      fc.pre(normalize(text).normalize("NFKC") === normalize(text));
      expect(normalize(normalize(text))).toBe(normalize(text));
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

test("normalize follows the plain rule for text without a long run of marks", () => {
  const seen = (text: string): string => text.replace(/[\0\p{Default_Ignorable_Code_Point}]/gu, "");
  fc.assert(
    fc.property(texts, (text) => {
      fc.pre(!/[\p{M}\uff9e\uff9f]{31}/u.test(seen(text)));
      expect(normalize(text)).toBe(plainly(text));
    }),
    { numRuns: 1000 },
  );
});

test("normalize follows the plain rule for every character", () => {
  const blocks = Array.from({ length: 0x110 }, (_, block) => block * 0x1000);
  const differing = blocks.filter((first) => {
    const text = Array.from({ length: 0x1000 }, (_, i) => String.fromCodePoint(first + i)).join(
      "x",
    );
    return normalize(text) !== plainly(text);
  });
  expect(differing).toEqual([]);
});

test("normalize sorts and combines 30 marks on a letter, and leaves 31 in place", () => {
  const run = (length: number): string => "\u0301".repeat(length - 1) + "\u0316";
  expect(normalize(`a${run(30)}`)).toBe(`á\u0316${"\u0301".repeat(28)}`.normalize("NFKC"));
  expect(normalize(`Ａ${run(31)}ς`)).toBe(`a${run(31)}σ`);
});

test("normalizeKeyword agrees with normalize on a long run of marks", () => {
  const marks = "\u0301\u0316\u0344\u3099".repeat(1000);
  expect(normalize(`x${marks}`)).toContain(normalizeKeyword(marks));
});

// Sorting them takes a minute, as its time grows with the square of their number.
test("normalize reads 200,000 marks in disorder in a moment", { timeout: 20_000 }, () => {
  const marks = "\u0301".repeat(100_000) + "\u0316".repeat(100_000);
  expect(normalize(`a${marks}`)).toBe(`a${marks}`);
});

test("normalizeTagName composes tag names and keeps case and width", () => {
  expect(normalizeTagName("か\u3099Ａ")).toBe("がＡ");
});

test("normalizeTagName turns each run of white space into one underscore", () => {
  for (const [name, key] of [
    ["machine learning", "machine_learning"],
    ["machine_learning", "machine_learning"],
    [" a\u3000\n b\u2003", "_a_b_"],
    [" ", "_"],
    [`z${"\u0301".repeat(40)} a`, `z${"\u0301".repeat(40)}_a`],
  ] as const) {
    expect(normalizeTagName(name)).toBe(key);
  }
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", " ", "_", "\u3000", "か", "\u3099") }),
      (name) => {
        expect(normalizeTagName(name)).not.toMatch(/\s/u);
        expect(normalizeTagName(normalizeTagName(name))).toBe(normalizeTagName(name));
      },
    ),
  );
});
