/** The keyword that documentation shows: what a person would search for, found in some posts. */
import { expect, test } from "vitest";
import type { Post } from "../../functions/contract/resources.ts";
import { ExamplePost } from "./example-calls.ts";

const wordsOf = (postTitle: string): readonly string[] => {
  const example = new ExamplePost();
  example.consider({ postTitle, tags: [], comments: [], similarPosts: [] } as unknown as Post, 9);
  return example.words;
};

test.each([
  ["What should the others have done before this?", []],
  ["Why was the gate of my computer so slow?", ["computer", "gate", "slow"]],
  ["電車でコメントを書いた", ["コメント", "電車"]],
  ["それはいつもそうだった", []],
])("of the title %s, words of grammar are none", (title, words) => {
  expect(wordsOf(title)).toEqual(words);
});
