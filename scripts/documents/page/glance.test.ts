import { expect, test } from "vitest";
import type { SearchHit } from "../../../functions/contract/resources.ts";
import { glanceOf, glanceParts } from "./glance.ts";
import { translator } from "./languages.ts";

const hit = (postDateGmt: string, countLikes = 0, countComments = 0): SearchHit => ({
  postId: 1,
  postTitle: "",
  postUrl: "https://cases.example/archives/1",
  postDateGmt: `${postDateGmt}T00:00:00.000Z`,
  countLikes,
  countDislikes: 0,
  countComments,
  tagNames: [],
});
const total = (bars: readonly (readonly [string, number])[]): number =>
  bars.reduce((sum, [, count]) => sum + count, 0);

test.each([
  [["2024-05-31"], ["2024-05"]],
  [
    ["2023-11-01", "2024-02-01"],
    ["2023-11", "2023-12", "2024-01", "2024-02"],
  ],
  [
    ["2019-12-31", "2024-01-01"],
    ["2019", "2020", "2021", "2022", "2023", "2024"],
  ],
  [
    ["1970-01-01", "2024-01-01"],
    ["1970–1979", "1980–1989", "1990–1999", "2000–2009", "2010–2019", "2020–2029"],
  ],
  [
    ["2450-01-01", "2999-12-31"],
    ["2400–2499", "2500–2599", "2600–2699", "2700–2799", "2800–2899", "2900–2999"],
  ],
])("posts of %j are shown as %j", (dates, names) => {
  const { periods } = glanceOf(
    dates.map((date) => hit(date)),
    new Map(),
  );
  expect(periods.map(([name]) => name)).toEqual(names);
  expect(total(periods)).toBe(dates.length);
});

test("no span has more bars than fit, and none loses a post", () => {
  for (const [first, last] of [
    [1970, 2999],
    [0, 9999],
    [2020, 2023],
    [1990, 2037],
  ] as const) {
    const dates = [first, last, first, Math.floor((first + last) / 2)];
    const { periods } = glanceOf(
      dates.map((year) => hit(`${String(year).padStart(4, "0")}-07-01`)),
      new Map(),
    );
    expect(periods.length).toBeLessThanOrEqual(100);
    expect(total(periods)).toBe(4);
  }
});

test("likes and comments are spread in steps, up to the greatest", () => {
  const { likes, comments } = glanceOf(
    [0, 0, 1, 2, 3, 5, 10, 1000, 100_000_000].map((count) => hit("2024-01-01", count, count % 3)),
    new Map(),
  );
  expect(likes).toEqual([
    ["0", 2],
    ["1–2", 2],
    ["3–5", 2],
    ["6–10", 1],
    ["11–20", 0],
    ["21–50", 0],
    ["51–100", 0],
    ["101–1000", 1],
    ["1001–", 1],
  ]);
  expect(comments.map(([name]) => name)).toEqual(["0", "1–2"]);
});

test("the twenty most used tags come first, equals by their names, with links where a search can name them", () => {
  const tags = new Map(
    Array.from({ length: 30 }, (_, i) => [`t${String(i).padStart(2, "0")}`, i % 5]),
  );
  tags.set(`"><script>alert(1)</script>`, 99).set("two words", 98).set("", 97);
  const glance = glanceOf([hit("2024-01-01")], tags);
  expect(glance.tags).toHaveLength(20);
  expect(glance.tags.slice(3, 6).map(([name]) => name)).toEqual(["t04", "t09", "t14"]);
  const { text = "" } = glanceParts(translator("ja"), glance) ?? {};
  expect(text).not.toContain("<script>");
  expect(text).toContain(`<span class="name"></span>`);
  expect(text).toContain(`href="?tags=two_words#searchPosts-try">two words</a>`);
  expect(text).toMatch(/href="\?tags=t04#searchPosts-try"/);
});

test("an empty collection shows nothing; a hundred thousand posts take no more room", () => {
  expect(glanceParts(translator("en"), glanceOf([], new Map()))).toBeUndefined();
  const sizeOf = (posts: number): number =>
    (
      glanceParts(
        translator("en"),
        glanceOf(
          Array.from({ length: posts }, (_, i) => hit(`20${10 + (i % 14)}-03-01`, i, i % 7)),
          new Map([["a", posts]]),
        ),
      )?.text ?? ""
    ).length;
  expect(sizeOf(100_000)).toBeLessThan(sizeOf(1400) * 1.1);
});
