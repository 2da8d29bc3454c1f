import { expect, test } from "vitest";
import { reasonOf } from "./site-request.ts";

test.each([
  [
    "the cause of a failed fetch",
    new Error("connect ECONNREFUSED 127.0.0.1:9"),
    "connect ECONNREFUSED 127.0.0.1:9",
  ],
  ["its first line", new Error("bad certificate\nmore"), "bad certificate"],
  [
    "its code, where several addresses were tried",
    Object.assign(new AggregateError([]), { code: "ECONNREFUSED" }),
    "ECONNREFUSED",
  ],
  ["the error itself", undefined, "fetch failed"],
])("reasonOf gives %s", (_, cause, reason) =>
  expect(reasonOf(new TypeError("fetch failed", { cause }))).toBe(reason),
);
