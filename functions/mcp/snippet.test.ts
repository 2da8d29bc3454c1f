/** Snippets: where in a text they are taken, and how long they are. */
import { expect, test } from "vitest";
import { makeSnippet } from "./snippet.ts";

/** Columns on a terminal: two for a character of Japanese. */
const columns = (text: string): number => text.replace(/[ぁ-んァ-ヶ一-龠。、]/g, "xx").length;

test.each([
  ["of letters", "seat", "word ".repeat(100)],
  ["of Japanese, with half as many characters", "席", "電車の中、".repeat(100)],
  ["of both", "seat", "電車の train、".repeat(60)],
])("makeSnippet fills 120 columns around the word in a text %s", (_, word, other) => {
  for (const text of [`${other}${word} ${other}`, `${word} ${other}`, `${other}${word}`]) {
    const snippet = makeSnippet(text, [word]);
    expect(snippet).toContain(word);
    expect(columns(snippet)).toBeGreaterThan(115);
    expect(columns(snippet)).toBeLessThanOrEqual(120);
  }
});

test("makeSnippet picks the passage with the most words and splits no character", () => {
  const text = `${"席 ".repeat(3)}${"😀".repeat(300)}電車の席を譲る${"😀".repeat(300)}`;
  const snippet = makeSnippet(text, ["席", "電車", "譲る"]);
  expect(snippet).toMatch(/^…😀+電車の席を譲る😀+…$/u);
});

test("makeSnippet finds a word after thousands of characters longer in lower case", () => {
  expect(makeSnippet(`${"İ".repeat(7001)} a Seat here`, ["a seat"])).toMatch(/ a seat here$/);
});

test("makeSnippet finds a word far behind the beginning", () => {
  expect(makeSnippet(`${"あ".repeat(250_000)} seat`, ["seat"])).toContain("seat");
});

test("makeSnippet shows a phrase rather than its words elsewhere", () => {
  const other = "その間の文。".repeat(50);
  const words = ["席を譲る若者", "席", "譲る", "若者", "理由"];
  for (const text of [
    `若者の席、譲る。${other}席を譲る若者${other}`,
    `${other}席を譲る若者${other}若者の席、譲る。`,
  ])
    expect(makeSnippet(text, words)).toContain("席を譲る若者");
});

test("makeSnippet shows a phrase to its end where it fits", () => {
  const text = `${"other ".repeat(50)}test ${"other ".repeat(15)}the public who has ${"other ".repeat(50)}`;
  expect(makeSnippet(text, ["test", "public who has"])).toContain("public who has");
  const long = "word ".repeat(60).trim();
  expect(makeSnippet(`${"other ".repeat(50)}${long} end`, [long, "other"])).toContain("word word");
});

test.each([
  ["10⁶ litres, m², ａ", "10^6 litres, m^2, a"],
  ["1½ cups, 5①", "1 1⁄2 cups, 5 1"],
  ["10⁻³", "10^−3"],
])("makeSnippet shows %s as %s, without changing a number", (text, shown) => {
  expect(makeSnippet(text, [])).toBe(shown);
});
