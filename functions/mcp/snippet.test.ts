/** Snippets: where in a text they are taken, and how long they are. */
import { expect, test } from "vitest";
import { snippetOf } from "./snippet.ts";

/** Columns on a terminal: two for a character of Japanese. */
const columns = (text: string): number => text.replace(/[ぁ-んァ-ヶ一-龠。、]/g, "xx").length;

test.each([
  ["of letters", "seat", "word ".repeat(100)],
  ["of Japanese, with half as many characters", "席", "電車の中、".repeat(100)],
  ["of both", "seat", "電車の train、".repeat(60)],
])("a snippet %s fills 120 columns around the word", (_, word, other) => {
  for (const text of [`${other}${word} ${other}`, `${word} ${other}`, `${other}${word}`]) {
    const snippet = snippetOf(text, [word]);
    expect(snippet).toContain(word);
    expect(columns(snippet)).toBeGreaterThan(115);
    expect(columns(snippet)).toBeLessThanOrEqual(120);
  }
});

test("a snippet is where the most words are near each other, without half a character", () => {
  const text = `${"席 ".repeat(3)}${"😀".repeat(300)}電車の席を譲る${"😀".repeat(300)}`;
  const snippet = snippetOf(text, ["席", "電車", "譲る"]);
  expect(snippet).toMatch(/^…😀+電車の席を譲る😀+…$/u);
});
