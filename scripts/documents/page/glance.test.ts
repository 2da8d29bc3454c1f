import { expect, test } from "vitest";
import type { SearchHit } from "../../../functions/contract/resources.ts";
import { glanceOf, timeChart } from "./glance.ts";
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
])("glanceOf shows posts of %j as %j", (dates, names) => {
  const { periods } = glanceOf(dates.map((date) => hit(date)));
  expect(periods.map(([name]) => name)).toEqual(names);
  expect(total(periods)).toBe(dates.length);
});

test("glanceOf gives no more bars than fit, and loses no post", () => {
  for (const [first, last] of [
    [1970, 2999],
    [0, 9999],
    [2020, 2023],
    [1990, 2037],
  ] as const) {
    const dates = [first, last, first, Math.floor((first + last) / 2)];
    const { periods } = glanceOf(
      dates.map((year) => hit(`${String(year).padStart(4, "0")}-07-01`)),
    );
    expect(periods.length).toBeLessThanOrEqual(100);
    expect(total(periods)).toBe(4);
  }
});

test("glanceOf spreads likes and comments in steps, up to the greatest", () => {
  const { likes, comments } = glanceOf(
    [0, 0, 1, 2, 3, 5, 10, 1000, 100_000_000].map((count) => hit("2024-01-01", count, count % 3)),
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

test("timeChart links the bar of a period to the page with its newest post", () => {
  const hits = ["2022-02-01", "2022-02-02", ...Array.from({ length: 12 }, () => "2022-04-01")];
  const { text = "" } = timeChart(translator("en"), glanceOf(hits.map((date) => hit(date)))) ?? {};
  // Twelve posts are newer than those of February: these begin on the second page of ten.
  const links = [...text.matchAll(/href="([^"]*)" aria-label="([^"]*)"/g)];
  expect(links.map(([, href, label]) => [label, href])).toEqual([
    ["2022-02: 2", "?page=2"],
    ["2022-04: 12", "?"],
  ]);
});

test("timeChart is absent without posts, and hardly larger for 100,000", () => {
  expect(timeChart(translator("en"), glanceOf([]))).toBeUndefined();
  const sizeOf = (posts: number): number => {
    const hits = Array.from({ length: posts }, (_, i) => hit(`20${10 + (i % 14)}-03-01`, i, i % 7));
    return timeChart(translator("en"), glanceOf(hits))?.text.length ?? 0;
  };
  expect(sizeOf(100_000)).toBeLessThan(sizeOf(1400) * 1.1);
});
