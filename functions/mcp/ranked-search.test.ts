/** Search by words, compared with its definition on texts. */
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import {
  needlesOf,
  posts as anyPosts,
  postsWith,
  searched,
  smallIndex,
  smallLayout,
  type TitleAndText,
} from "../../tests/support/small-index.ts";
import { mountedIndex } from "../../tests/support/mounted-index.ts";
import { built, publishedPosts, sample } from "../../tests/support/support.ts";
import type { SearchHit, SortOrder } from "../contract/resources.ts";
import { normalizeKeyword, normalize } from "../engine/normalize.ts";
import { rankedSearch } from "./ranked-search.ts";
import { makeSnippet } from "./snippet.ts";
import { stemmer } from "stemmer";
import { parseQuery } from "./query-parser.ts";

const open = (folder: string) => mountedIndex(folder, 2 ** 22);
const query = (q: string, more: object = {}) => ({
  q,
  tags: [],
  orderby: undefined,
  page: 1,
  pageSize: 50,
  ...more,
});

/** The words of a query, as keywords. */
const wordsIn = (q: string): string[] => parseQuery(q, stemmer).words.map(({ word }) => word);

test.each([
  ["電車 席", ["電車", "席"]],
  ["電車で席を譲るとき", ["電車", "席", "譲る"]],
  ['"train seat" polite', ["train seat", "train", "seat", "polite"]],
  ['"train seat"', ["train seat"]],
  ["„Zug fahren“ und „Sitz“", ["zug fahren", "sitz", "zug", "fahren", "und"]],
  ["« place assise »", ["place assise"]],
  ["The C++ compiler, v1.2!", ["c++", "compiler", "v1.2"]],
  ["Q#", ["q#"]],
  ["C#とC++の違い", ["c#", "c++", "違い"]],
  ["(.NET) a*b, #99999?", [".net", "a*b", "99999"]],
  ["ＡＩ ｽﾊﾟﾑ", ["ai", "スパム"]],
  ["の は を", ["の", "は", "を"]],
  ["「 」", []],
  ["a b c", ["a", "b", "c"]],
  ["How can I fix a bike that doesn't brake?", ["fix", "bike", "brake"]],
  ["who are you?", ["who", "are", "you"]],
  ["IT jobs in the US", ["jobs", "us"]],
  ["ITツールを入れてもらうには", ["ツール", "入れ"]],
  ["どんな支援がありますか？", ["支援"]],
  ["Résumé, größte Gebäude; naïve_bayes", ["résumé", "größte", "gebäude", "naïve_bayes"]],
  ["Why aren’t bikes that can't or won’t brake sold?", ["bikes", "brake", "sold"]],
  ["привет, мир! x\u0323\u0301y", ["привет", "мир", "x\u0323\u0301y"]],
  ["Café東京とkölnへ", ["café", "東京", "köln"]],
  ["インターネットのメリット・デメリット", ["インターネット", "メリット", "デメリット"]],
  // A sign between two words belongs to none; nor is a sign alone a word.
  ...["、", "・", "：", "＆", "／", "〜", ",", "-", " & ", " + ", " | ", " AND ", " OR "].map(
    (sign): [string, string[]] => [`教育${sign}AI`, ["教育", "ai"]],
  ),
  ["AI（教育）", ["ai", "教育"]],
  ["（教育）AI", ["教育", "ai"]],
  ["・教育　――寓話――　＃教育", ["教育", "寓話"]],
  ["battery OR charging & <div>", ["battery", "charging", "div"]],
  ["UK/US and AI/DX", ["uk", "us", "ai", "dx"]],
  ["Who is 安野, and what does he want to do?", ["安野", "want"]],
  ["AI in 教育", ["ai", "教育"]],
  ["医療に関する支援", ["医療", "支援"]],
  ["What's 安野?", ["安野"]],
  ['"いどばた" 改善', ["いどばた", "改善"]],
  ['"X" gate', ["x", "gate"]],
  ["“only” 支援 “3”", ["only", "3", "支援"]],
  ["R&Dで100%の@userの.NET", ["r&d", "100%", "user", ".net"]],
  ["  ", []],
  ['""', []],
  ["🦑🦑", ["🦑🦑"]],
  [`${" ".repeat(2500)}電車`, ["電車"]],
])("parseQuery reads %j as the words %j", (text, words) => expect(wordsIn(text)).toEqual(words));

test("parseQuery gives a Latin word one term beside Japanese, two alone", () => {
  const termsOf = (q: string) => parseQuery(q, stemmer).words[0]?.terms;
  expect(termsOf("studiesの役員")).toEqual([{ variants: ["studies"], weight: 1 }]);
  expect(termsOf("studies")).toHaveLength(2);
});

test("rankedSearch finds other forms of words at the ends of titles and texts", async () => {
  const all: TitleAndText[] = [
    ["Voting rules", "How the board decides."],
    ["On voting rules", "How the board decides."],
    ["Something", "Studies show that trains are late"],
    ["Other", "Many studies show that trains are late"],
    ["Ours", "They can put them to use"],
    ["Cities", "Moneys of two parties, making notes"],
    ["Citadel", "This month a part of them is not a partner, nor the categories"],
    ["AI", "Which jobs stay?"],
    ["Said", "Aid for all"],
  ];
  const index = await open(await smallIndex(all));
  const titles = async (q: string): Promise<string[]> =>
    (await rankedSearch(index, query(q))).hits.map(({ hit }) => hit.postTitle);
  expect((await titles("voting")).sort()).toEqual(["On voting rules", "Voting rules"]);
  expect((await titles("showing")).sort()).toEqual(["Other", "Something"]);
  for (const q of ["moneys", "noted", "cities"]) {
    const { hits } = await rankedSearch(index, query(q));
    expect([q, hits.map(({ hit }) => hit.postTitle)]).toEqual([q, ["Cities"]]);
    const text = `It is about this:\n${"x ".repeat(200)}${all[5]!.join(". ")}`;
    const shown = makeSnippet(text, hits[0]!.keywords);
    expect([q, shown]).toEqual([q, expect.stringMatching(/cities|moneys|notes/i)]);
  }
  for (const q of ["canned", "theme"]) expect([q, await titles(q)]).toEqual([q, []]);
  expect(await titles("cats")).toEqual([]);
});

test("rankedSearch reads Japanese quotation marks as a phrase", async () => {
  const others = Array.from({ length: 60 }, (_, i): TitleAndText => [`待つ人 ${i}`, "改善を待つ"]);
  const all: TitleAndText[] = [
    ["いどばた", "改善といどばた"],
    ["待つ", "ここには長い別の話が続く。".repeat(40)],
    ["改善", "電車の席"],
  ];
  const index = await open(await smallIndex([...others, ...all]));
  for (const [q, words, first] of [
    ["「いどばた」の改善", ["いどばた", "改善"], "いどばた"],
    ["『いどばた』 改善", ["いどばた", "改善"], "いどばた"],
  ] as const) {
    const found = await rankedSearch(index, query(q));
    expect([q, [...found.words].sort()]).toEqual([q, [...words].sort()]);
    expect([q, found.hits[0]?.hit.postTitle]).toEqual([q, first]);
  }
});

test("parseQuery counts the words beyond its limit and bounds the query", () => {
  const many = parseQuery(Array.from({ length: 50 }, (_, i) => `word${i}`).join(" "), stemmer);
  expect([many.words.length, many.ignored]).toEqual([32, 18]);
  const repeated = parseQuery("電車 ".repeat(100_000), stemmer);
  expect(repeated).toMatchObject({ words: [{ word: "電車" }], ignored: 1 });
  const long = parseQuery(Array.from({ length: 1000 }, (_, i) => `word${i}`).join(" "), stemmer);
  // What was cut off is not half a word.
  expect(long.words.every(({ word }) => /^word\d+$/.test(word))).toBe(true);
  expect(long.ignored).toBeGreaterThan(100);
  // A sentence that is cut off still counts.
  const sentence = parseQuery(`検索\n${"図書館の本と電車の駅を".repeat(300)}`, stemmer);
  expect(sentence.words.map(({ word }) => word)).toEqual(
    expect.arrayContaining(["図書館", "電車"]),
  );
});

/** What counts as a word, and its weight: a word of Latin letters also at its beginning. The words here are their stems. */
function termsByDefinition(
  word: string,
  isJapanese: boolean,
): { keywords: string[]; share: number }[] {
  if (isJapanese || !/^[a-z]+$/.test(word)) return [{ keywords: [word], share: 1 }];
  return [
    { keywords: [word], share: 0.6 },
    { keywords: Array.from(' ("-/', (start) => start + word), share: 0.4 },
  ];
}

/**
 * The scores of posts, by searching their texts.
 *
 * @param q the query that the words are of
 */
function scoresByDefinition(
  all: readonly TitleAndText[],
  q: string,
  words: readonly string[],
): (post: number) => number {
  const textsOf = (post: number): string[] => all[post]!.map(searched);
  const lengths = [...all.keys()].map((post) =>
    textsOf(post).reduce((sum, text) => sum + text.length + 1, 0),
  );
  const mean = lengths.reduce((sum, length) => sum + length, 0) / all.length;
  const times = (post: number, keyword: string): number => {
    const found = textsOf(post).flatMap((text) =>
      [...Array(text.length).keys()].filter((at) => text.startsWith(keyword, at)),
    ).length;
    // Frequent from three posts on, as the small layout has it.
    const isFrequent =
      keyword.length === 1 || (keyword.length <= 12 && postsWith(all, keyword).length >= 3);
    return isFrequent ? Math.sign(found) : found;
  };
  const weightOf = (posts: number): number =>
    Math.log(1 + (all.length - posts + 0.5) / (posts + 0.5));
  const isJapanese = /[\u3040-\u9FFF\uAC00-\uD7A3\u{20000}-\u{3FFFF}]/u.test(q);
  const defined = words.flatMap((word) => termsByDefinition(word, isJapanese));
  const terms = defined.map(({ keywords, share }) => {
    const counts = [...all.keys()].map((post) =>
      keywords.reduce((sum, keyword) => sum + times(post, keyword), 0),
    );
    return { counts, weight: share * weightOf(counts.filter((count) => count > 0).length) };
  });
  return (post) => {
    const norm = 0.5 * (0.1 + (0.9 * lengths[post]!) / mean);
    let score = 0;
    for (const { counts, weight } of terms) {
      score += (weight * counts[post]! * 1.5) / (counts[post]! + norm);
    }
    const title = normalize(all[post]![0]);
    const inTitle = words.filter((word) => title.includes(word));
    const units = inTitle.reduce((sum, { length }) => sum + length, 0);
    const weight = inTitle.reduce((sum, word) => sum + weightOf(postsWith(all, word).length), 0);
    return units === 0
      ? score
      : score + 0.75 * weight * Math.sqrt(Math.min(1, units / title.length));
  };
}

test("rankedSearch ranks posts by the rarity of the words they contain", async () => {
  await fc.assert(
    fc.asyncProperty(
      anyPosts.chain((all) =>
        fc.tuple(fc.constant(all), fc.array(needlesOf(all), { minLength: 2, maxLength: 4 })),
      ),
      async ([all, keywords]) => {
        // Each in quotation marks, so that the words are these.
        const q = keywords.map((keyword) => `"${keyword}"`).join(" ");
        const read = parseQuery(q, stemmer);
        const words = read.words.map(({ word }) => word);
        fc.pre(words.length > 1 && read.boostTerms.length === 0);
        const index = await open(await smallIndex(all));
        const found = await rankedSearch(index, query(q));
        const having = words.map((word) => new Set(postsWith(all, word)));
        const expected = [...all.keys()].filter((post) => having.some((set) => set.has(post)));
        expect(found).toMatchObject({
          readAs: "words",
          count: expected.length,
          matchSome: expected.length,
          matchAll: expected.filter((post) => having.every((set) => set.has(post))).length,
        });
        const ranked = found.hits.map(({ hit }) => 1000 - hit.postId);
        expect(new Set(ranked)).toEqual(new Set(expected));
        const scoreOf = scoresByDefinition(all, q, words);
        for (const [i, post] of ranked.entries()) {
          const inPost = words.filter((_, i) => having[i]!.has(post));
          expect(found.hits[i]?.words).toEqual(inPost);
          if (i > 0) expect(scoreOf(ranked[i - 1]!) - scoreOf(post)).toBeGreaterThan(-1e-3);
        }
      },
    ),
    { numRuns: 40 },
  );
});

describe("rankedSearch in an order, for a query without white space", async () => {
  const pieces =
    "on-topic I/O 1/2 n-1 f(x) /etc/passwd <div> 60° 2020–2024 e-ラーニング COVID-19対策";
  const lists =
    "医療・福祉 AI・IoT 教育/AI 会話(席) AI,IoT chain? 席：電車。 「電車」 #電車 電車＝席 A；B";
  const asWords = (piece: string): string => wordsIn(piece).join(" ");
  const index = await open(
    await smallIndex(
      `${pieces} ${lists}`
        .split(" ")
        .flatMap((piece): TitleAndText[] => [
          [piece, "As it is."],
          ...(asWords(piece) === piece.toLowerCase()
            ? []
            : [[asWords(piece), "Its words."] as const]),
        ]),
    ),
  );
  const titles = async (q: string): Promise<string[]> =>
    (await rankedSearch(index, query(q, { orderby: "timeDesc" }))).hits.map(
      ({ hit }) => hit.postTitle,
    );

  test.each(pieces.split(" "))("reads %s as a keyword", async (piece) => {
    expect(await titles(piece)).toEqual([piece]);
  });

  test("reads a query that no post contains as its words", async () => {
    expect(await titles("off-topic")).toEqual(["on-topic", "topic"]);
  });

  test.each(lists.split(" "))("reads %s as its words", async (piece) => {
    const found = await titles(piece);
    expect(found).toEqual(expect.arrayContaining([piece, asWords(piece)]));
    expect(found).toEqual(await titles(asWords(piece)));
  });
});

/** Posts in an order of the contract, of equal ones the newer first. */
function ordered(hits: readonly SearchHit[], orderby: SortOrder): SearchHit[] {
  if (orderby === "timeAsc") return hits.toReversed();
  return orderby === "like" ? hits.toSorted((a, b) => b.countLikes - a.countLikes) : [...hits];
}

describe("rankedSearch on the sample", async () => {
  const folder = await built(sample);
  const index = await open(folder);
  const texts = publishedPosts(folder).map(({ postTitle }) => postTitle);

  test.each(["timeDesc", "timeAsc", "like"] as const)(
    "gives one keyword all posts of /api/search, ordered by %s",
    async (orderby) => {
      for (let i = 0; i < 120; i++) {
        const title = texts[i % texts.length]!;
        const at = (i * 7) % Math.max(1, title.length - 4);
        const keyword = title
          .slice(at, at + 1 + (i % 8))
          .replace(/[^\p{L}\p{N}\p{M}]/gu, "")
          .toWellFormed();
        const newest = [...(await index.find(normalizeKeyword(keyword)))];
        if (newest.length === 0) continue;
        const all = { keyword, pageSize: 50, orderby };
        const { hits, count, readAs } = await rankedSearch(index, query(keyword, all));
        const ids = hits.map(({ hit }) => hit.postId);
        const expected = (await index.reader.hits(newest)).map(
          (json) => JSON.parse(json) as SearchHit,
        );
        expect([readAs, count]).toEqual(["keyword", newest.length]);
        expect(ids).toEqual(ordered(expected, orderby).map(({ postId }) => postId));
      }
    },
  );

  test("reads a sign between words as a space in an order", async () => {
    const orderby = "timeDesc";
    const ids = async (q: string): Promise<number[]> =>
      (await rankedSearch(index, query(q, { orderby }))).hits.map(({ hit }) => hit.postId);
    const expected = await ids("電車 席");
    expect(expected.length).toBeGreaterThan(0);
    for (const q of ["電車・席", "電車、席", "席：電車。"]) expect(await ids(q)).toEqual(expected);
  });

  test("counts the keyword's posts for any query read as a keyword", async () => {
    const pieces = fc.constantFrom(...'電車 の,。！$^\\"“”aI1🦑でうし-/・', " ", "席を譲る");
    const anyQuery = fc.array(pieces, { maxLength: 6 }).map((parts) => parts.join(""));
    let keywords = 0;
    await fc.assert(
      fc.asyncProperty(anyQuery, fc.constantFrom(undefined, "like"), async (q, orderby) => {
        const { readAs, count } = await rankedSearch(index, query(q, { orderby }));
        if (readAs !== "keyword") return;
        keywords++;
        const keyword = normalizeKeyword(q.replace(/["“”]/g, ""));
        expect(count).toBe((await index.find(keyword)).length);
      }),
      { numRuns: 400 },
    );
    expect(keywords).toBeGreaterThan(50);
  });

  test("ranks posts of several segments as those of one", async () => {
    const asked = anyPosts.chain((all) =>
      fc.tuple(fc.constant(all), fc.array(needlesOf(all), { minLength: 8 })),
    );
    await fc.assert(
      fc.asyncProperty(asked, async ([all, queries]) => {
        // Nothing is frequent anywhere, since that would count once in one segment, and each time in another.
        const layout = { ...smallLayout, frequentFrom: () => 1000 };
        const one = await open(await smallIndex(all, { layout }));
        const many = await open(await smallIndex(all, { layout, placement: "cdn" }));
        for (const q of queries)
          expect(await rankedSearch(many, query(q))).toEqual(await rankedSearch(one, query(q)));
      }),
      { numRuns: 15 },
    );
  });

  test("reads the same lists as /api/search for a keyword in an order", async () => {
    const other = await open(folder);
    const reads = vi.spyOn(other.reader.segments[0]!, "positions");
    const gramsRead = () => new Set(reads.mock.calls.flat(2));
    await other.find("席を譲る");
    const expected = gramsRead();
    reads.mockClear();
    await rankedSearch(other, query("席を譲る", { orderby: "timeDesc" }));
    expect(gramsRead()).toEqual(expected);
  });

  test.each(["timeDesc", "timeAsc", "like"] as const)(
    "gives only the posts with all words when ordered by %s",
    async (orderby) => {
      const { hits, count, matchAll, matchSome } = await rankedSearch(
        index,
        query("電車 会話", { orderby }),
      );
      expect([count, hits.length]).toEqual([matchAll, matchAll]);
      expect(matchSome).toBeGreaterThan(matchAll);
    },
  );

  test("filters by tags, and gives pages that follow each other", async () => {
    const tagged = await rankedSearch(index, query("電車 会話", { tags: ["会話"] }));
    expect(tagged.hits.every(({ hit }) => hit.tagNames.includes("会話"))).toBe(true);
    const whole = await rankedSearch(index, query("電車 会話 職場"));
    const pages = await Promise.all(
      [1, 2, 3].map((page) => rankedSearch(index, query("電車 会話 職場", { page, pageSize: 5 }))),
    );
    expect(pages.flatMap(({ hits }) => hits)).toEqual(whole.hits.slice(0, 15));
  });
});

test("rankedSearch looks up only the rarest of words repeated half a million times", async () => {
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

const cases: [string, string][] = [
  ["Blockchain for quantum computers", "A time entangled quantum blockchain, no more."],
  ["The chain of my bike", "It is loose, and the wheel is not."],
  ["Motorbike on the road", "A motorbike is loud."],
  ["First aid", "What is said of aid."],
  ["An ai that writes", "The posts of an ai are spam."],
  ["q", "A letter."],
  ["町内会", "町内会を退会したいときの自治会費の扱い"],
  ...Array.from({ length: 9 }, (_, i): [string, string] => [`other ${i}`, "nothing of it"]),
];

test.each([
  ["bike chain", "The chain of my bike"],
  ["motorbikes", "Motorbike on the road"],
  // Words are cut in another way, and share pairs of characters.
  ["自治会の脱退", "町内会"],
])("rankedSearch for %s finds %s first", async (q, title) => {
  const { hits } = await rankedSearch(await open(await smallIndex(cases)), query(q));
  expect(hits[0]?.hit.postTitle).toBe(title);
});

test("rankedSearch names each unknown tag with similar known ones", async () => {
  const index = await open(await built(sample));
  const known = index.reader.tags.find((tag) => tag.length > 1)!;
  const { unknownTags } = await rankedSearch(
    index,
    query("", { tags: [known, `${known}x`, "zzqx"] }),
  );
  expect(unknownTags).toEqual([
    { tag: `${known}x`, similar: [known] },
    { tag: "zzqx", similar: [] },
  ]);
});

test("rankedSearch counts the tags of the best posts, whatever tags are wanted", async () => {
  const index = await open(await built(sample));
  const all = await rankedSearch(index, query("電車で席を譲るときの会話"));
  expect(all.tagCounts.reduce((most, { count }) => Math.max(most, count), 0)).toBeLessThanOrEqual(
    50,
  );
  const { tagName } = all.tagCounts[0]!;
  const tagged = await rankedSearch(index, query("電車で席を譲るときの会話", { tags: [tagName] }));
  expect(tagged.tagCounts).toEqual(all.tagCounts);
  expect(tagged.count).toBeLessThan(all.count);
});

test("rankedSearch answers concurrent queries as it answers each alone", async () => {
  const index = await open(await built(sample));
  const queries = ["電車 席", "職場の上司", "子ども 公園", "の は を", "battery"].map((q) =>
    query(q),
  );
  const alone = [];
  for (const one of queries) alone.push(await rankedSearch(index, one));
  expect(await Promise.all(queries.map((one) => rankedSearch(index, one)))).toEqual(alone);
});
