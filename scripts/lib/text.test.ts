import { expect, test } from "vitest";
import { escapeControlChars } from "./text.ts";

test.each([
  ["::error title=x::y", "\\u{3a}:error title=x::y"],
  [" \t::add-mask::e", " \\u{9}\\u{3a}:add-mask::e"],
  ["x ##[add-mask]e", "x \\u{23}#[add-mask]e"],
  ["a::b # ## [c]", "a::b # ## [c]"],
])("escapeControlChars leaves no log command in %j: %j", (text, expected) =>
  expect(escapeControlChars(text)).toBe(expected),
);

test("escapeControlChars leaves letters and pictures of any script", () =>
  expect(escapeControlChars("家族👨‍👩‍👧é")).toBe("家族👨‍👩‍👧é"));
