import { describe, expect, test } from "vitest";
import {
  asSentence,
  completeCollection,
  factsSentence,
  mainLanguage,
  pagePath,
  describeYears,
} from "./collection.ts";

test("completeCollection uses a text given once for both languages", () => {
  expect(completeCollection({ title: " A  name\n", description: { ja: "説明" } })).toEqual({
    title: { ja: "A name", en: "A name" },
    description: { ja: "説明", en: "説明" },
    pictures: [],
  });
  expect(completeCollection({}).title).toBeUndefined();
});

test("completeCollection puts names on one line", () => {
  const name = " A\n## name\u2028";
  const { publisher, contact, license } = completeCollection({
    publisher: { name },
    contact: { name, email: "a@b.example" },
    license: { name, identifier: "MIT" },
  });
  expect([publisher, contact, license]).toEqual([
    { name: "A ## name" },
    { name: "A ## name", email: "a@b.example" },
    { name: "A ## name", identifier: "MIT" },
  ]);
});

test.each([
  [undefined, "ja", "/", "/en/"],
  ["ja", "ja", "/", "/en/"],
  ["ja-JP", "ja", "/", "/en/"],
  ["jpn", "ja", "/", "/en/"],
  ["en", "en", "/ja/", "/"],
  ["en-GB", "en", "/ja/", "/"],
  ["fr", "en", "/ja/", "/"],
  ["jam", "en", "/ja/", "/"],
])(
  "mainLanguage for posts in %s is %s, which pagePath puts at /",
  (language, main, japanese, english) => {
    const found = mainLanguage(language === undefined ? {} : { language });
    expect([found, pagePath("ja", found), pagePath("en", found)]).toEqual([
      main,
      japanese,
      english,
    ]);
  },
);

describe("describeYears and factsSentence", () => {
  const facts = (posts: number, firstDate: string, lastDate: string) => ({
    posts,
    firstDate,
    lastDate,
  });
  test.each([
    [facts(0, "", ""), "", "0 posts."],
    [facts(1, "2024-05-31T00:00:00.000Z", "2024-05-31T00:00:00.000Z"), "2024", "1 post, 2024."],
    [
      facts(1487, "2010-01-01T00:00:00.000Z", "2024-12-31T00:00:00.000Z"),
      "2010–2024",
      "1,487 posts, 2010–2024.",
    ],
  ])("describe %j", (given, years, sentence) => {
    expect([describeYears(given), factsSentence(given)]).toEqual([years, sentence]);
  });
});

test.each([
  ["Just another site", "Just another site."],
  ["事例集", "事例集."],
  ["What helped?", "What helped?"],
  ["事例です。", "事例です。"],
  ['They say "yes."', 'They say "yes."'],
  ["事例です。（見本）", "事例です。（見本）."],
  ["（見本です。）", "（見本です。）"],
])("asSentence turns %j into %j", (text, sentence) => expect(asSentence(text)).toBe(sentence));
