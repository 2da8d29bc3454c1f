import { expect, test } from "vitest";
import { failureReason, redactUrl } from "./http.ts";

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
])("failureReason gives %s", (_, cause, reason) =>
  expect(failureReason(new TypeError("fetch failed", { cause }))).toBe(reason),
);

test.each([
  "https://user:hidden@host/x",
  "https://hidden@host/x",
  "https:user:hidden@host/x",
  "HTTP:hidden:user@host/x",
  "https:/user:hidden@host/x",
  "https:\\\\user:hidden@host/x",
  "ht\ttps://user:hidden@host/x",
  "//user:hidden@host/x",
  "user:hidden@host/x",
  "https://user:a/hidden@host/x",
  "https://user:a?hidden#a@host/x",
  "https://user:hidden@a@host:x/x",
])("redactUrl removes user name and password: %j", (url) => {
  const shown = redactUrl(url);
  expect(shown).toContain("host");
  expect(shown).not.toMatch(/hidden|user/);
});

test.each(["https://host/@x/{postId}", "{site}/@x/{postId}", "/@x", "https://host?a=b@c", "x y"])(
  "redactUrl leaves %j as it is",
  (url) => expect(redactUrl(url)).toBe(url),
);

test("redactUrl takes no long time for a long run of slashes", () => {
  expect(redactUrl(`https:${"/".repeat(200_000)}`)).toHaveLength(200_006);
});
