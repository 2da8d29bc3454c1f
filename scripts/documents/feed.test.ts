import { completeCollection, type CollectionFile } from "../../functions/contract/collection.ts";
import { presentCollection } from "./presentation.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseFeed } from "htmlparser2";
import { describe, expect, test } from "vitest";
import { validateXML } from "xmllint-wasm";
import type { Post } from "../../functions/contract/resources.ts";
import { atomFeed } from "./feed.ts";

const grammar = readFileSync(join(import.meta.dirname, "../../tests/support/atom.rng"), "utf8");
const site = "https://api.example";

const post = (changes: Partial<Post> = {}): Post => ({
  postId: 7,
  postTitle: "A title",
  postUrl: "https://cases.example/archives/7",
  postDateGmt: "2024-05-06T07:08:09.000Z",
  postContentHtml: "<p>A body.</p>",
  commentStatus: "open",
  countLikes: 0,
  countDislikes: 0,
  countBookmarks: 0,
  countComments: 0,
  ogpImageUrl: null,
  isWelcomed: null,
  isWelcomedExplanation: null,
  tags: [],
  comments: [],
  similarPosts: [],
  previousPost: null,
  nextPost: null,
  ...changes,
});

/** What libxml2 says of a feed by the grammar of Atom. */
const problemsOf = async (xml: string): Promise<readonly string[]> =>
  (
    await validateXML({
      xml: [{ fileName: "feed.atom", contents: xml }],
      schema: [grammar],
      extension: "relaxng",
    })
  ).errors.map(({ message }) => message);

const facts = { posts: 1, firstDate: "", lastDate: "" };
const feedOf = (collection: CollectionFile, ...posts: readonly Post[]): string =>
  atomFeed(site, posts, "cases.example", presentCollection(completeCollection(collection), facts));
const feed = (...posts: readonly Post[]): string => feedOf({}, ...posts);

describe("the grammar of RFC 4287", () => {
  test.each([
    ["no post", []],
    ["a post", [post()]],
    ["two posts with tags", [post({ tags: [{ tagId: 1, tagName: "a" }] }), post()]],
    [
      "hostile texts",
      [
        post({
          postTitle: `</title><x> & ]]> <!-- \u0000\u0008\uFFFE\uD800 😀`,
          postContentHtml: "<script>x</script>&lt;/summary&gt;&#0;\u000B",
          postUrl: "https://cases.example/?a=1&b='\"<>",
          tags: [{ tagId: 1, tagName: `"/><y a='` }],
        }),
      ],
    ],
  ] as const)("accepts the feed of %s", async (_, posts) => {
    expect(await problemsOf(feed(...posts))).toEqual([]);
  });

  test.each([
    ["an id is missing", /<id>https:\/\/cases[^<]*<\/id>/],
    ["a title is missing", /<title>A title<\/title>/],
    ["a date is none", /(?<=<published>)2024/],
  ])("refuses a feed where %s", async (_, part) => {
    const broken = feed(post()).replace(part, "");
    expect(broken).not.toBe(feed(post()));
    expect(await problemsOf(broken)).not.toEqual([]);
  });
});

test("atomFeed shows a feed reader title, page, date and beginning of each post", () => {
  const long = `<p>${"あ".repeat(400)}</p>`;
  const posts = [post({ postTitle: "A & <b>" }), post({ postContentHtml: long })];
  const read = parseFeed(feed(...posts), { xmlMode: true });
  expect(read).toMatchObject({
    type: "atom",
    id: `${site}/feed.atom`,
    title: "Case collection API",
    updated: new Date("2024-05-06T07:08:09.000Z"),
  });
  expect(read?.items).toMatchObject([
    {
      id: "https://cases.example/archives/7",
      title: "A & <b>",
      link: "https://cases.example/archives/7",
      description: "A body.",
      pubDate: new Date("2024-05-06T07:08:09.000Z"),
    },
    { description: `${"あ".repeat(300)}…` },
  ]);
});

test("atomFeed writes a summary on one line, without the signs of quotations", () => {
  const body = "<p>The fee is 50 euro.</p><blockquote>So</blockquote>1,000 litres";
  expect(feed(post({ postContentHtml: body }))).toContain(
    "<summary>The fee is 50 euro. So 1,000 litres</summary>",
  );
});

test("atomFeed cuts a summary of surrogate pairs where it cuts any other", () => {
  const body = `${"😀".repeat(300)}${"TAIL".repeat(5000)}`;
  expect(feed(post({ postContentHtml: body }))).not.toContain("TAIL");
});
