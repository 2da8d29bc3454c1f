import { expect, test } from "vitest";
import { askedTag } from "./asked-tag.ts";

test.each([
  ["電車", "電車"],
  ["good question", "good_question"],
  ["a".repeat(500), "a".repeat(500)],
  // Nine characters of a URL each.
  ["あ".repeat(56), undefined],
  ["", undefined],
])("%.12s", (name, asked) => expect(askedTag(name)).toBe(asked));
