import { expect, test } from "vitest";
import { ListBlock } from "./list-block.ts";

test("the example at the top of the file reads as it says", () => {
  const bytes = Buffer.from(
    "01000000 0c000000 19000000 02 01 61006200 03 04 6300 01 117d 0000000000000000".replaceAll(
      " ",
      "",
    ),
    "hex",
  );
  const block = new ListBlock(bytes, 20);
  expect([...block.list("ab", "whole")]).toEqual([0, 5, 12]);
  expect([...block.list("ac", "whole")]).toEqual([7]);
  expect([...block.list("a", "beginning")]).toEqual([0, 5, 7, 12]);
  expect([...block.list("a", "whole"), ...block.list("b", "beginning")]).toEqual([]);
});
