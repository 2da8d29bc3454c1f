/** Search by words, compared with its definition on texts. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  needlesOf,
  posts as anyPosts,
  postsWith,
  smallIndex,
} from "../../tests/support/small-index.ts";
import { mountedIndex } from "../../tests/support/mounted-index.ts";
import { built, publishedPosts, sample } from "../../tests/support/support.ts";
import { needleOf, normalise } from "../search/normalise.ts";
import { rankedSearch } from "./ranked-search.ts";
import { wordsOf } from "./query-words.ts";

const open = (folder: string) => mountedIndex(folder, 2 ** 22);
const query = (q: string, more: object = {}) => ({
  q,
  tags: [],
  orderby: undefined,
  page: 1,
  pageSize: 50,
  ...more,
});

test.each([
  ["電車 席", ["電車", "席"]],
  ["電車で席を譲るとき", ["電車", "席", "譲る", "とき"]],
  ['"train seat" polite', ["train seat", "polite"]],
  ["The C++ compiler, v1.2!", ["the", "c++", "compiler", "v1.2"]],
  ["の は を", ["の", "は", "を"]],
  ["a b c", ["a", "b", "c"]],
  ["  ", []],
  ['""', []],
  ["🦑🦑", ["🦑🦑"]],
  [`${" ".repeat(2500)}電車`, ["電車"]],
])("%j is read as the words %j", (text, words) => expect(wordsOf(text).words).toEqual(words));

test("words beyond the most are counted, and a query is bounded", () => {
  const many = wordsOf(Array.from({ length: 50 }, (_, i) => `word${i}`).join(" "));
  expect([many.words.length, many.ignored]).toEqual([32, 18]);
  expect(wordsOf("電車 ".repeat(100_000))).toMatchObject({ words: ["電車"], ignored: 1 });
  const long = wordsOf(Array.from({ length: 1000 }, (_, i) => `word${i}`).join(" "));
  // What was cut off is not half a word.
  expect(long.words.every((word) => /^word\d+$/.test(word))).toBe(true);
  expect(long.ignored).toBeGreaterThan(100);
});

test("posts are ranked by the rarity of the words that they contain", async () => {
  await fc.assert(
    fc.asyncProperty(
      anyPosts.chain((all) =>
        fc.tuple(fc.constant(all), fc.array(needlesOf(all), { minLength: 2, maxLength: 4 })),
      ),
      async ([all, needles]) => {
        const index = await open(await smallIndex(all));
        // Each in quotation marks, so that the words are these.
        const q = needles.map((needle) => `"${needle}"`).join(" ");
        const { words, phrase } = wordsOf(q);
        fc.pre(words.length > 1);
        const found = await rankedSearch(index, query(q));
        const having = words.map((word) => new Set(postsWith(all, word)));
        const whole = new Set(postsWith(all, phrase));
        const weights = having.map(({ size }) =>
          Math.log(1 + (all.length - size + 0.5) / (size + 0.5)),
        );
        const textsOf = (post: number): string[] => all[post]!.map(normalise);
        const lengthOf = (post: number): number =>
          textsOf(post).reduce((sum, text) => sum + text.length + 1, 0);
        const mean = [...all.keys()].reduce((sum, post) => sum + lengthOf(post), 0) / all.length;
        const timesIn = (post: number, word: string): number =>
          textsOf(post).flatMap((text) =>
            [...Array(text.length).keys()].filter((at) => text.startsWith(word, at)),
          ).length;
        const scoreOf = (post: number): number => {
          const title = normalise(all[post]![0]);
          let score = 0;
          let inTitle = 0;
          let units = 0;
          for (const [i, word] of words.entries()) {
            // Frequent from three posts on, as the small layout has it.
            const isFrequent = word.length === 1 || (word.length <= 12 && having[i]!.size >= 3);
            const times = isFrequent ? Math.sign(timesIn(post, word)) : timesIn(post, word);
            const norm = 0.5 * (0.1 + (0.9 * lengthOf(post)) / mean);
            score += (weights[i]! * times * 1.5) / (times + norm);
            if (whole.has(post)) score += 1.5 * weights[i]!;
            if (!title.includes(word)) continue;
            inTitle += weights[i]!;
            units += word.length;
          }
          if (units > 0) score += 1.5 * inTitle * Math.sqrt(Math.min(1, units / title.length));
          return score;
        };
        const expected = [...all.keys()].filter((post) => having.some((set) => set.has(post)));
        expect(found).toMatchObject({
          readAs: "words",
          count: expected.length,
          matchSome: expected.length,
          matchAll: expected.filter((post) => having.every((set) => set.has(post))).length,
        });
        const ranked = found.hits.map(({ hit }) => 1000 - hit.postId);
        expect(new Set(ranked)).toEqual(new Set(expected));
        for (const [i, post] of ranked.entries()) {
          expect(found.hits[i]?.words).toEqual(words.filter((_, word) => having[word]!.has(post)));
          if (i > 0) expect(scoreOf(ranked[i - 1]!) - scoreOf(post)).toBeGreaterThan(-1e-3);
        }
      },
    ),
    { numRuns: 80 },
  );
});

test("of two posts with the same words, the one with the whole query comes first", async () => {
  const rare = Array.from({ length: 8 }, (_, i): [string, string] => [`${i}`, "xxxx yyyy"]);
  // Without what the phrase adds, the shorter text wins.
  const posts: [string, string][] = [
    ["short", "seat train"],
    ["long", "train seat and some more that is not looked for"],
    ...rare,
  ];
  const index = await open(await smallIndex(posts));
  const { hits } = await rankedSearch(index, query("train seat"));
  expect(hits.map(({ hit }) => hit.postTitle)).toEqual(["long", "short"]);
});

describe("on the sample", async () => {
  const folder = await built(sample);
  const index = await open(folder);
  const texts = publishedPosts(folder).map(({ postTitle }) => postTitle);

  test("one keyword gives the posts of /api/search, all of them reachable", async () => {
    for (let i = 0; i < 2000; i++) {
      const title = texts[i % texts.length]!;
      const at = (i * 7) % Math.max(1, title.length - 4);
      const keyword = title
        .slice(at, at + 1 + (i % 8))
        .replace(/[\s"“”]/g, "")
        .toWellFormed();
      const exact = [...(await index.find(needleOf(keyword)))];
      if (exact.length === 0) continue;
      const pages = await Promise.all(
        [1, 2, 3, 4].map((page) => rankedSearch(index, query(keyword, { page, pageSize: 10 }))),
      );
      const hits = await index.files.hits(exact);
      expect(pages.flatMap((page) => page.hits.map(({ hit }) => hit))).toEqual(
        hits.map((hit) => JSON.parse(hit) as unknown),
      );
      expect(pages[0]).toMatchObject({ readAs: "keyword", count: exact.length });
    }
  });

  test("what is read as a keyword has the posts of that keyword, whatever the query", async () => {
    const pieces = fc.constantFrom(...'電車 の,。！$^\\"“”aI1🦑でうし', " ", "席を譲る");
    const anyQuery = fc.array(pieces, { maxLength: 6 }).map((parts) => parts.join(""));
    let keywords = 0;
    await fc.assert(
      fc.asyncProperty(anyQuery, async (q) => {
        const { readAs, count } = await rankedSearch(index, query(q));
        if (readAs !== "keyword") return;
        keywords++;
        const needle = needleOf(q.replace(/["“”]/g, ""));
        expect(count).toBe((await index.find(needle)).length);
      }),
      { numRuns: 400 },
    );
    expect(keywords).toBeGreaterThan(50);
  });

  test.each(["timeDesc", "timeAsc", "like"] as const)(
    "%s orders the posts with all words",
    async (orderby) => {
      const { hits, count, matchAll, matchSome } = await rankedSearch(
        index,
        query("電車 会話", { orderby }),
      );
      expect([count, hits.length]).toEqual([matchAll, matchAll]);
      expect(matchSome).toBeGreaterThan(matchAll);
    },
  );

  test("tags filter, and pages follow each other", async () => {
    const tagged = await rankedSearch(index, query("電車 会話", { tags: ["会話"] }));
    expect(tagged.hits.every(({ hit }) => hit.tagNames.includes("会話"))).toBe(true);
    const whole = await rankedSearch(index, query("電車 会話 職場"));
    const pages = await Promise.all(
      [1, 2, 3].map((page) => rankedSearch(index, query("電車 会話 職場", { page, pageSize: 5 }))),
    );
    expect(pages.flatMap(({ hits }) => hits)).toEqual(whole.hits.slice(0, 15));
  });
});

test("of words that a text repeats half a million times, only some are looked up, the rarest first", async () => {
  const index = await mountedIndex(
    await smallIndex([
      ["much", "a".repeat(500_000)],
      ["rare", "a zebra"],
    ]),
    2 ** 26,
  );
  const many = Array.from({ length: 31 }, (_, i) => "a".repeat(i + 2));
  const query = {
    q: ["zebra", ...many].join(" "),
    tags: [],
    orderby: undefined,
    page: 1,
    pageSize: 10,
  };
  const found = await rankedSearch(index, query);
  expect(found.words).toContain("zebra");
  expect(found.ignoredWords).toBeGreaterThan(10);
  expect(found.words.length + found.ignoredWords).toBe(32);
});
