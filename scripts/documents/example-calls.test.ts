/** The keyword that documentation shows: what a person would search for. */
import { expect, test } from "vitest";
import type { Post } from "../../functions/contract/resources.ts";
import { ExamplePost } from "./example-calls.ts";

const post = (postId: number, postTitle: string, ...tagNames: readonly string[]): Post =>
  ({
    postId,
    postTitle,
    tags: tagNames.map((tagName, tagId) => ({ tagName, tagId })),
  }) as unknown as Post;

test.each([
  ["What should he do before this?", ""],
  ["Why was the gate of my computer so slow?", "computer"],
  ["電車でコメントを書いた", "コメント"],
  ["それはいつもそうだった", ""],
])("ExamplePost takes no word of grammar from %s", (title, q) => {
  const example = new ExamplePost();
  example.consider(post(1, title));
  expect(example.parameters.q).toBe(q);
});

test("ExamplePost takes the first post with a plain tag and a word, else the first", () => {
  const example = new ExamplePost();
  example.consider(post(1, "trains"));
  expect(example.parameters).toMatchObject({ postId: 1, tags: "" });
  for (const one of [post(2, "seats", "<b>"), post(3, "doors", "work"), post(4, "gates", "home")])
    example.consider(one);
  expect(example.parameters).toMatchObject({ postId: 3, q: "doors", tags: "work" });
});
