import { expect, test } from "vitest";
import { PostingBlock, type Match } from "./posting-block.ts";

test("PostingBlock reads the example at the top of posting-block.ts as described", () => {
  const bytes = Buffer.from(
    "01000000 0c000000 19000000 02 01 61006200 03 04 6300 01 117d 0000000000000000".replaceAll(
      " ",
      "",
    ),
    "hex",
  );
  const block = new PostingBlock(bytes, 20);
  const numbers = (gram: string, match: Match): number[][] =>
    block.lists(gram, match).map((list) => [...list.decodeAll()]);
  expect(numbers("ab", "exact")).toEqual([[0, 5, 12]]);
  expect(numbers("ac", "exact")).toEqual([[7]]);
  expect(numbers("a", "prefix")).toEqual([[0, 5, 12], [7]]);
  expect([...numbers("a", "exact"), ...numbers("b", "prefix")]).toEqual([]);
});
