/** Similar posts: edge cases, and an oracle that shares no code. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mostSimilar } from "../../functions/contract/resources.ts";
import { PostTexts, spanAt, type PostText } from "../lib/post-texts.ts";
import createLeftOutJobs, { isBoilerplate, boilerplateOptions } from "./boilerplate.ts";
import { similarPosts } from "./similar-posts.ts";

type Draft = Partial<PostText> & { readonly text: string };

const drafted = (drafts: readonly Draft[]): PostText[] =>
  drafts.map((draft, i) => ({ postId: i + 1, title: "", tags: [], ...draft }));

/** Similar posts of each post, by id. */
async function similarOf(posts: readonly PostText[], threads = 0) {
  const { ids, offsets } = await similarPosts(PostTexts.of(posts), { threads });
  const found = posts.map((_, i) => [...ids.subarray(offsets[i], offsets[i + 1])]);
  return { found, of: (postId: number) => found[postId - 1] ?? [] };
}

/** Posts on subjects of their own, so that the others have something to be unlike. */
const others: readonly Draft[] = [
  { text: "会議の資料を忘れて上司に謝った" },
  { text: "駅前の喫茶店で紅茶を頼んだ" },
  { text: "夏祭りの屋台で金魚をすくう" },
  { text: "the train was late again this morning" },
  { text: "a recipe for bread without any yeast" },
  { text: "新しい自転車の鍵をなくした" },
  { text: "図書館で隣の席の人が歌い出す" },
  { text: "my neighbour keeps painting his fence" },
];

describe("similarPosts", () => {
  test("gives nothing for no post, and for one post", async () => {
    expect((await similarOf([])).found).toEqual([]);
    expect((await similarOf(drafted([{ text: "電車で席を譲る" }]))).found).toEqual([[]]);
  });

  test("gives nothing for posts with empty bodies, titles and tags", async () => {
    const posts = drafted([{ text: "" }, { text: "" }, { text: " 。、！ " }, ...others]);
    expect((await similarOf(posts)).found.slice(0, 3)).toEqual([[], [], []]);
  });

  test("gives nothing for posts that are all the same", async () => {
    const posts = drafted(
      Array.from({ length: 40 }, () => ({ text: "電車で席を譲る。thank you" })),
    );
    expect((await similarOf(posts)).found.every((found) => found.length === 0)).toBe(true);
  });

  test("puts the smaller id first among equally similar posts", async () => {
    const fillers = Array.from({ length: 400 }, (_, i) => ({
      text: `filler ${i} of number n${i}`,
    }));
    for (const text of ["alpha beta", "beta alpha"]) {
      const posts = drafted([
        { text: "beta gamma" },
        { text: "alpha delta" },
        { text },
        ...fillers,
      ]);
      expect((await similarOf(posts)).of(3)).toEqual([1, 2]);
    }
  });

  test("gives at most fifteen posts, and never the post itself", async () => {
    const posts = drafted([
      ...Array.from({ length: 40 }, (_, i) => ({
        text: `電車の座席と挨拶 ${"甲乙丙丁戊己庚辛壬癸".slice(i % 10)}${i}番地`,
      })),
      ...Array.from({ length: 20 }, () => others).flat(),
    ]);
    const { found } = await similarOf(posts);
    for (const [i, ids] of found.entries()) {
      expect(ids.length).toBeLessThanOrEqual(mostSimilar);
      expect(ids).not.toContain(i + 1);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  test("finds Japanese posts and those of spaced languages in one collection", async () => {
    const posts = drafted([
      { text: "電車で老人に席を譲ったら断られた" },
      { text: "I offered my seat to an elderly woman on the bus" },
      { text: "満員の電車で席を譲るべきか迷った" },
      { text: "An elderly woman refused the seat offered on a bus" },
      { text: "버스에서 자리를 양보했다" },
      { text: "어제 버스에서 자리를 양보했다가 거절당했다" },
      { text: "ผู้สูงอายุบนรถไฟฟ้า" },
      { text: "ลุกให้ผู้สูงอายุบนรถไฟฟ้านั่ง" },
      ...others,
    ]);
    const { of } = await similarOf(posts);
    expect([1, 2, 5, 7].map((id) => of(id)[0])).toEqual([3, 4, 6, 8]);
  });

  test("counts tags, without harm to posts that have none", async () => {
    const posts = drafted([
      { text: "甲の話", tags: ["接客", "失敗"] },
      { text: "乙の件", tags: ["接客", "失敗"] },
      { text: "駅前の喫茶店で珈琲を頼んだ" },
      ...others,
    ]);
    const { of } = await similarOf(posts);
    expect(of(1)).toContain(2);
    expect(of(3)).toContain(5);
    // A word is no tag.
    expect(
      (await similarOf(drafted([{ text: "接客" }, { text: "x", tags: ["接客"] }, ...others]))).of(
        1,
      ),
    ).toEqual([]);
  });

  test("weighs the title more than the text", async () => {
    const posts = drafted([
      { title: "金魚", text: "紅茶" },
      { title: "紅茶", text: "会議" },
      { title: "金魚", text: "会議" },
      ...others,
    ]);
    expect((await similarOf(posts)).of(1).filter((id) => id <= 3)[0]).toBe(3);
  });

  test("orders equals by ascending id", async () => {
    const posts = drafted([
      { text: "金魚 甲甲" },
      ...others,
      { text: "金魚 乙乙" },
      { text: "金魚 丙丙" },
      { text: "金魚 丁丁" },
    ]);
    expect((await similarOf(posts)).of(1).slice(-3)).toEqual([10, 11, 12]);
  });

  test("does not let copies, and posts of one template, crowd out the rest", async () => {
    const template = (n: number): Draft => ({
      text: `ご提案ありがとうございます。担当の部署に転送いたしました。受付番号は${n}です。今後の参考とさせていただきます。`,
    });
    const posts = drafted([
      { text: "ご提案の受付番号を忘れた。担当の部署に電話したら参考にならない返事だった" },
      { text: "担当の部署に電話しても返事がない" },
      ...Array.from({ length: 30 }, (_, i) => template(1000 + i)),
      ...Array.from({ length: 20 }, () => others).flat(),
    ]);
    const { of } = await similarOf(posts);
    expect(of(1)).toContain(2);
    expect(of(1).filter((id) => id >= 3 && id <= 32).length).toBeLessThan(2);
    expect(of(3).filter((id) => id >= 3 && id <= 32).length).toBe(1);
  });
});

test("similarPosts finds the only other short post about a subject among 3,000", async () => {
  const posts = drafted(
    Array.from({ length: 3000 }, (_, i) => ({
      text: Array.from({ length: 4 }, (_word, k) => `subject${i >> 1}word${k}`).join(" "),
    })),
  );
  const { of } = await similarOf(posts);
  expect(posts.filter(({ postId }) => of(postId).length === 0)).toEqual([]);
});

test("similarPosts keeps places for the rest, however many copies there are", async () => {
  const posts = drafted([
    ...Array.from({ length: 120 }, () => ({ text: "電車で老人に席を譲ったら断られた" })),
    { text: "満員電車で老人に席を譲る" },
    { text: "老人に席を断られた日" },
    ...Array.from({ length: 60 }, () => others).flat(),
  ]);
  const { of } = await similarOf(posts);
  expect(of(1)).toEqual(expect.arrayContaining([2, 121, 122]));
  expect(of(1).filter((id) => id <= 120).length).toBe(1);
});

/** A token, with where it begins, which shows whether two are neighbours. */
interface Token {
  readonly token: string;
  readonly index: number;
}

/** The tokens of each text without URLs. */
const tokensOf = (texts: readonly string[]): Token[][] =>
  texts.map((text) =>
    [
      ...text
        .replace(/https?:\/\/[\x21-\x7e]+/g, (url) => " ".repeat(url.length))
        .matchAll(/[\p{Script=Han}\p{Script=Hiragana}]|[a-z]+/gu),
    ].map(({ 0: token, index }) => ({ token, index })),
  );

/** What is kept of each text, by definition: no hashes, no counters that runs share. */
function keptByDefinition(texts: readonly string[]): Token[][] {
  const tokens = tokensOf(texts);
  const runsOf = (post: number): string[] =>
    tokens[post]!.slice(15).map((_, i) =>
      tokens[post]!.slice(i, i + 16)
        .map(({ token }) => token)
        .join(" "),
    );
  const havingRun = new Map<string, number>();
  for (let post = 0; post < texts.length; post++)
    for (const run of new Set(runsOf(post))) havingRun.set(run, (havingRun.get(run) ?? 0) + 1);
  const repeats = Math.max(3, Math.min(10, Math.floor(texts.length / 200)));
  return tokens.map((all, post) => {
    const runs = runsOf(post);
    const left = all.filter(
      (_, i) =>
        !runs.slice(Math.max(0, i - 15), i + 1).some((run) => havingRun.get(run)! >= repeats),
    );
    return left.length < 20 ? all : left;
  });
}

/** What the method keeps of each text. */
function keptByMethod(texts: readonly string[]): Token[][] {
  const posts = PostTexts.of(drafted(texts.map((text) => ({ text }))));
  const options = boilerplateOptions(posts.shared(), posts.count, posts.units);
  const jobs = createLeftOutJobs(options);
  jobs.count({ from: 0, to: posts.count });
  jobs.mark({ from: 0, to: posts.count });
  return tokensOf(texts).map((tokens, post) => {
    const marks = options.leftOut[options.texts.spans[4 * post]!]!;
    const { text } = spanAt(options.texts, post);
    return tokens.filter(({ index }) => !isBoilerplate(marks, text + index));
  });
}

/** The same method again, from what is kept of each text: sets and full matrices; no hashes, no tables, no sample. */
function bySlowDefinition(kept: readonly (readonly Token[])[]) {
  const count = kept.length;
  const terms = kept.map((all) => {
    const counts = new Map<string, number>();
    for (const [i, { token, index }] of all.entries()) {
      const next = all[i + 1];
      const isWord = /[a-z]/.test(token);
      const term = isWord
        ? token
        : next?.index === index + 1 && !/[a-z]/.test(next.token)
          ? token + next.token
          : "";
      if (term.length > 1) counts.set(term, (counts.get(term) ?? 0) + 1);
    }
    return counts;
  });
  const lengths = terms.map((counts) => [...counts.values()].reduce((a, b) => a + b, 0));
  const mean = lengths.reduce((a, b) => a + b, 0) / count;
  const containing = (term: string): number => terms.filter((counts) => counts.has(term)).length;
  const shares: number[] = [];
  const vectors = terms.map((counts, i) => {
    const damping = 2 * (0.25 + (0.75 * (lengths[i] as number)) / mean);
    const weights = [...counts].flatMap(([term, times]): [string, number, number][] => {
      const posts = containing(term);
      const weight = (times / (times + damping)) * Math.sqrt(Math.log(count / posts));
      return posts > Math.max(8, count / 4) ? [] : [[term, weight, posts]];
    });
    const joining = weights.filter(([, , posts]) => posts > 1);
    const norm = (list: typeof weights): number => Math.hypot(...list.map(([, weight]) => weight));
    shares.push(norm(joining) / (norm(weights) || 1));
    return new Map(joining.map(([term, weight]) => [term, weight / (norm(joining) || 1)]));
  });
  const cosines = vectors.map((vector) =>
    vectors.map((other) =>
      [...vector].reduce((sum, [term, weight]) => sum + weight * (other.get(term) ?? 0), 0),
    ),
  );
  const spreads = cosines.map((row, i) => {
    const all = row.filter((_, other) => other !== i);
    const average = all.reduce((a, b) => a + b, 0) / all.length;
    const variance = all.reduce((sum, one) => sum + (one - average) ** 2, 0) / all.length;
    return { average, deviation: Math.sqrt(variance) };
  });
  const inCommon = (a: number, b: number): number => {
    const cosine = cosines[a]![b]!;
    const score = ({ average, deviation }: (typeof spreads)[number]): number =>
      (cosine - average) / Math.max(0.005, deviation);
    return cosine * shares[a]! * shares[b]! * Math.min(score(spreads[a]!), score(spreads[b]!));
  };
  return { cosines, inCommon };
}

/** Passages that posts quote, of more than 16 tokens. */
const quotes = [
  "こどもの貧困をなくすための第一歩として給食を無償にすることを提案します",
  "the committee shall publish a report on the state of every bridge and every road in the country each year",
  "https://example.org/docs/page?x=1#part",
];

/** Collections of texts that quote, and share words. */
const collections = fc.array(
  fc
    .array(
      fc.constantFrom(
        ..."電車 席を 金魚 駅前 紅茶 会議 bus seat late 鍵".split(" "),
        ..."図書館で本を読む人 自転車の鍵をなくした 猫が屋根で眠る".split(" "),
        ...quotes,
      ),
      { minLength: 1, maxLength: 12 },
    )
    .map((pieces) => pieces.join(" ")),
  { minLength: 2, maxLength: 40 },
);

/** Two runs of these texts, each in two of them, had the same two of 2^20 counters, and so looked repeated. */
const sharingCounters = [
  `電車 bus ${quotes[0]} 電車`,
  `${quotes[1]} 図書館で本を読む人 ${quotes[0]}`,
  `${quotes[1]} 図書館で本を読む人 電車`,
  "電車",
];

test("createLeftOutJobs leaves out what the definition does, but for shared counters", () => {
  expect(keptByMethod(sharingCounters)).toEqual(keptByDefinition(sharingCounters));
  let posts = 0;
  let byChance = 0;
  fc.assert(
    fc.property(collections, (texts) => {
      const expected = keptByDefinition(texts);
      for (const [i, kept] of keptByMethod(texts).entries()) {
        posts++;
        if (kept.length !== expected[i]!.length) byChance++;
      }
    }),
    { numRuns: 100 },
  );
  expect(byChance).toBeLessThan(posts / 100);
});

test("similarPosts gives posts, and orders them, by the definition", async () => {
  let given = 0;
  const property = fc.asyncProperty(collections, async (texts) => {
    const { cosines, inCommon } = bySlowDefinition(keptByMethod(texts));
    const { found } = await similarOf(drafted(texts.map((one) => ({ text: one }))));
    for (const [i, ids] of found.entries()) {
      const others = ids.map((id) => id - 1);
      for (const [place, other] of others.entries()) {
        given++;
        expect(inCommon(i, other)).toBeGreaterThan(0.25 - 1e-3);
        // Best first, up to what single precision can distinguish.
        if (place > 0)
          expect(cosines[i]![others[place - 1]!]).toBeGreaterThan(cosines[i]![other]! - 1e-5);
      }
      // Of those with enough in common, the most similar is given, or a post that says the same.
      const best = Math.max(
        ...texts.map((_, other) =>
          other !== i && inCommon(i, other) > 0.25 + 1e-3 ? cosines[i]![other]! : 0,
        ),
      );
      if (best > 0) expect(cosines[i]![others[0]!]).toBeGreaterThan(best - 1e-4);
    }
  });
  await fc.assert(property, { numRuns: 100, examples: [[sharingCounters]] });
  expect(given).toBeGreaterThan(500);
});

describe("similarPosts, with what says nothing about a post,", () => {
  const about = (subject: string): string =>
    `${subject}について考える。${subject}は毎日の暮らしを支える。だから${subject}を大切にしたい`;
  const subjects = [
    "給食",
    "橋梁",
    "図書館",
    "自転車",
    "金魚",
    "紅茶",
    "喫茶店",
    "新聞",
    "温泉",
    "将棋",
  ];

  test("ignores a quoted passage, but not the posts' own words", async () => {
    const posts = drafted([
      ...subjects.map((subject) => ({ text: `${quotes[0]}。${about(subject)}` })),
      { text: about("給食") + "。献立の表を配る" },
      ...others,
    ]);
    const { of } = await similarOf(posts);
    expect(of(1)).toEqual([11]);
    expect(of(2)).toEqual([]);
  });

  test("ignores a URL", async () => {
    const linking = (link: (i: number) => string) =>
      drafted([
        ...subjects.map((subject, i) => ({ title: link(i), text: `${link(i)}${subject}` })),
        ...others,
      ]);
    const { found } = await similarOf(
      linking((i) => `https://example.org/archive/document-${i % 2}/page`),
    );
    expect(found).toEqual((await similarOf(linking(() => ""))).found);
  });

  test("takes a post whole when it says nothing else", async () => {
    const posts = drafted([
      ...Array.from({ length: 4 }, (_, i) => ({ text: `${quotes[0]} ${"甲乙丙丁"[i]}` })),
      ...Array.from({ length: 6 }, () => others).flat(),
    ]);
    expect((await similarOf(posts)).of(1)).toHaveLength(1);
  });
});

test("similarPosts gives the same result for every number of threads", async () => {
  const posts = drafted(
    Array.from({ length: 160 }, (_, i) => ({
      text: `${others[i % 8]?.text} ${others[(i * 5) % 8]?.text.slice(i % 11)}`,
      title: others[(i * 3) % 8]?.text.slice(0, i % 5) ?? "",
      tags: i % 3 === 0 ? ["接客"] : [],
    })),
  );
  const inline = await similarOf(posts);
  expect(inline.found.flat().length).toBeGreaterThan(160);
  expect((await similarOf(posts, 2)).found).toEqual(inline.found);
});
