import { expect, test } from "vitest";
import { matchRoute } from "./router.ts";

test.each([
  ["/api/posts/7", "7"],
  ["/api/posts/7.json", "7"],
  ["/api/posts/7.json.json/", "7"],
  ["/api/posts/.json", ""],
  ["/api/posts/7.jsonx", "7.jsonx"],
  ["/api/posts", ""],
])("matchRoute reads %s as the post %j", (path, postId) => {
  expect(matchRoute(path)).toEqual({ to: "post", postId });
});

// The time of a regular expression grows with the square of their number: it takes a minute.
test("matchRoute reads a path of 200,000 .json parts in a moment", { timeout: 20_000 }, () => {
  const path = `/api/posts/${".json".repeat(200_000)}x`;
  expect(matchRoute(path)).toEqual({ to: "post", postId: path.slice("/api/posts/".length) });
});
