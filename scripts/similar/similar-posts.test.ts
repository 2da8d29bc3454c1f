/** Similar posts: edge cases, and an oracle that shares no code. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mostSimilar } from "../../functions/contract/resources.ts";
import { PostTexts, type PostText } from "../lib/post-texts.ts";
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

describe("edge cases", () => {
  test("no post, one post", async () => {
    expect((await similarOf([])).found).toEqual([]);
    expect((await similarOf(drafted([{ text: "電車で席を譲る" }]))).found).toEqual([[]]);
  });

  test("empty bodies, titles and tags resemble nothing", async () => {
    const posts = drafted([{ text: "" }, { text: "" }, { text: " 。、！ " }, ...others]);
    expect((await similarOf(posts)).found.slice(0, 3)).toEqual([[], [], []]);
  });

  test("posts that are all the same resemble none: nothing sets them apart", async () => {
    const posts = drafted(
      Array.from({ length: 40 }, () => ({ text: "電車で席を譲る。thank you" })),
    );
    expect((await similarOf(posts)).found.every((found) => found.length === 0)).toBe(true);
  });

  test("of posts that are equally similar, the one with the smaller id comes first", async () => {
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

  test("a post is never its own, and at most fifteen are given", async () => {
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

  test("Japanese and spaced languages find their own, in one collection", async () => {
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

  test("tags count, and posts without them do not suffer", async () => {
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

  test("the title weighs more than the text", async () => {
    const posts = drafted([
      { title: "金魚", text: "紅茶" },
      { title: "紅茶", text: "会議" },
      { title: "金魚", text: "会議" },
      ...others,
    ]);
    expect((await similarOf(posts)).of(1).filter((id) => id <= 3)).toEqual([3, 2]);
  });

  test("equals are ordered by ascending id", async () => {
    const posts = drafted([
      { text: "金魚 甲甲" },
      ...others,
      { text: "金魚 乙乙" },
      { text: "金魚 丙丙" },
      { text: "金魚 丁丁" },
    ]);
    expect((await similarOf(posts)).of(1).slice(-3)).toEqual([10, 11, 12]);
  });

  test("copies, and posts of one template, do not crowd out the rest", async () => {
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
    expect(of(1).filter((id) => id >= 3 && id <= 32).length).toBe(1);
    expect(of(3).filter((id) => id >= 3 && id <= 32).length).toBe(1);
  });
});

test("however many copies there are, the rest keep their places", async () => {
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

/** The same method again, by definition: words and pairs as text, full matrices, no tables. */
function bySlowDefinition(texts: readonly string[]): number[][] {
  const terms = texts.map((text) => {
    const counts = new Map<string, number>();
    for (const [piece] of text.matchAll(/[\p{Script=Han}\p{Script=Hiragana}]+|[a-z]+/gu)) {
      const isWord = /[a-z]/.test(piece);
      if (isWord && piece.length > 1) counts.set(piece, (counts.get(piece) ?? 0) + 1);
      for (let i = 0; !isWord && i + 1 < piece.length; i++) {
        const pair = piece.slice(i, i + 2);
        counts.set(pair, (counts.get(pair) ?? 0) + 1);
      }
    }
    return counts;
  });
  const lengths = terms.map((counts) => [...counts.values()].reduce((a, b) => a + b, 0));
  const mean = lengths.reduce((a, b) => a + b, 0) / texts.length;
  const containing = (term: string): number => terms.filter((counts) => counts.has(term)).length;
  const vectors = terms.map((counts, i) => {
    const weights = [...counts].map(([term, count]): [string, number] => {
      const posts = containing(term);
      const useful = posts >= 2 && posts <= Math.max(8, texts.length / 4);
      const damping = 2 * (0.25 + (0.75 * (lengths[i] as number)) / mean);
      return [
        term,
        useful ? (count / (count + damping)) * Math.sqrt(Math.log(texts.length / posts)) : 0,
      ];
    });
    const norm = Math.hypot(...weights.map(([, weight]) => weight)) || 1;
    return new Map(weights.map(([term, weight]) => [term, weight / norm]));
  });
  return vectors.map((vector) =>
    vectors.map((other) =>
      [...vector].reduce((sum, [term, weight]) => sum + weight * (other.get(term) ?? 0), 0),
    ),
  );
}

test("the order is that of the definition", async () => {
  const piece = fc.constantFrom(
    "電車",
    "席を",
    "金魚",
    "駅前",
    "紅茶",
    "会議",
    "bus",
    "seat",
    "late",
    "鍵",
  );
  const text = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(" "));
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 2, maxLength: 30 }), async (texts) => {
      const cosines = bySlowDefinition(texts);
      const { found } = await similarOf(drafted(texts.map((one) => ({ text: one }))));
      for (const [i, ids] of found.entries()) {
        const row = cosines[i] as number[];
        const given = ids.map((id) => row[id - 1] as number);
        for (const [place, cosine] of given.entries()) {
          expect(cosine).toBeGreaterThan(0.03 - 1e-5);
          // Best first, up to what single precision can distinguish.
          if (place > 0) expect(given[place - 1]).toBeGreaterThan(cosine - 1e-5);
        }
        // The very best one is always given, or a post that says the same.
        const best = Math.max(...row.filter((_, other) => other !== i));
        if (best > 0.09 + 1e-5) expect(given[0]).toBeCloseTo(best, 4);
      }
    }),
    { numRuns: 200 },
  );
});

test("the result is the same for every number of threads", async () => {
  const posts = drafted(
    Array.from({ length: 1200 }, (_, i) => ({
      text: `${others[i % 8]?.text} ${others[(i * 5) % 8]?.text.slice(i % 11)}`,
      title: others[(i * 3) % 8]?.text.slice(0, i % 5) ?? "",
      tags: i % 3 === 0 ? ["接客"] : [],
    })),
  );
  const inline = await similarOf(posts);
  expect(inline.found.flat().length).toBeGreaterThan(1000);
  expect((await similarOf(posts, 2)).found).toEqual(inline.found);
});
