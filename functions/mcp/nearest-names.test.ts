import { distance } from "fastest-levenshtein";
import { expect, test } from "vitest";
import { nearestNames } from "./nearest-names.ts";

const known = ["Discussion", "train", "a", "bus", "bus stop"];

test.each([
  ["discusion", ["Discussion"]],
  ["buses", ["bus"]],
  ["the bus stop", ["bus stop", "bus"]],
  ["b", []],
  ["elephant", []],
  [`train${"x".repeat(196)}`, []],
])("near to %s are %j", (name, near) => expect(nearestNames(name, known, distance)).toEqual(near));

test("letters are compared only where the lengths may be near: of a long name with thousands, that takes seconds", () => {
  const compared: string[] = [];
  const counting = (one: string, other: string): number => {
    compared.push(one);
    return distance(one, other);
  };
  expect(nearestNames("discussions", known, counting)).toEqual(["Discussion"]);
  expect(nearestNames("x".repeat(1_000_000), known, counting)).toEqual([]);
  expect(compared).toEqual(["bus stop"]);
});
