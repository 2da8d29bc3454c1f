/** No user name and no password in a message, whatever the URL is like. */
import { expect, test } from "vitest";
import { withoutPassword } from "./without-password.ts";

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
  const shown = withoutPassword(url);
  expect(shown).toContain("host");
  expect(shown).not.toMatch(/hidden|user/);
});

test.each(["https://host/@x/{postId}", "{site}/@x/{postId}", "/@x", "https://host?a=b@c", "x y"])(
  "redactUrl leaves %j as it is",
  (url) => expect(withoutPassword(url)).toBe(url),
);

test("redactUrl takes no long time for a long run of slashes", () => {
  expect(withoutPassword(`https:${"/".repeat(200_000)}`)).toHaveLength(200_006);
});
