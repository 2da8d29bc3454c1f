import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../tests/support/support.ts";
import { parseCollection, suggestField, readCollectionFile } from "./collection-file.ts";

const refused = (value: unknown): string => {
  try {
    parseCollection(typeof value === "string" ? value : JSON.stringify(value), "c.json");
  } catch (error) {
    return (error as Error).message;
  }
  return "";
};

test("parseCollection reads a file with all members, and a byte order mark", () => {
  const all = {
    $schema: "./collection.schema.json",
    title: { ja: "題", en: "Title" },
    description: '<b>What</b> it\'s "about" \u2028 & more',
    language: "en-GB",
    publisher: { name: "P", url: "https://p.example" },
    contact: { name: "C", url: "https://c.example/", email: "a@b.example" },
    license: { name: "CC BY 4.0", identifier: "CC-BY-4.0" },
    postUrl: "{site}/p/{postId}",
  };
  expect(parseCollection(`\uFEFF${JSON.stringify(all)}`, "c.json")).toEqual(all);
});

test("readCollectionFile requires a named file, in UTF-8, but not the usual one", () => {
  const folder = temporaryFolder();
  expect(readCollectionFile(undefined, folder)).toEqual({});
  expect(() => readCollectionFile(join(folder, "none.json"))).toThrow(/none\.json cannot be read/);
  const file = join(folder, "own.json");
  writeFileSync(file, '{"title":"A"}');
  expect(readCollectionFile(file)).toEqual({ title: "A" });
  // 事例集 in Shift_JIS.
  writeFileSync(file, Buffer.from('{"title":"\x8e\x96\x97\xe1\x8f\x57"}', "latin1"));
  expect(() => readCollectionFile(file)).toThrow(/own\.json is not UTF-8/);
});

test.each(["jp", "CN-Hans"])(
  "readCollectionFile, but not parseCollection, refuses the country %s as language",
  (language) => {
    const file = join(temporaryFolder(), "own.json");
    writeFileSync(file, JSON.stringify({ language }));
    expect(() => readCollectionFile(file)).toThrow(
      `language: "${language}" is the code of no language. Japanese is "ja"`,
    );
    // A site that was read may say so: it is not the publisher's to correct.
    expect(parseCollection(JSON.stringify({ language }), "c.json")).toEqual({ language });
  },
);

test("parseCollection reports every problem at once, with place, value and advice", () => {
  const message = refused({
    titel: "x",
    description: 5,
    language: "german!",
    publisher: { url: "ftp://x" },
    license: { name: "L", url: "https://l.example", identifier: "MIT" },
    postUrl: "https://x.example/",
  });
  expect(message.split("\n").length).toBe(8);
  expect(message).toMatch(/^build stopped: c\.json cannot be used:\n/);
  for (const part of [
    "titel: this name is not known. Did you mean title?",
    "description: 5 cannot be used. What the posts are about",
    'language: "german!" cannot be used. Language of the posts (BCP 47)',
    "publisher.name: is missing. Name of the publisher.",
    'publisher.url: "ftp://x" cannot be used.',
    "license: has both identifier and url. Give one of them.",
    'postUrl: "https://x.example/" cannot be used. URL of a post\'s page, with {postId}',
  ])
    expect(message).toContain(part);
});

test.each([
  [
    "https://x.example/お問い合わせ",
    "https://x.example/%E3%81%8A%E5%95%8F%E3%81%84%E5%90%88%E3%82%8F%E3%81%9B",
  ],
  ["https://日本.example/", "https://xn--wgv71a.example/"],
  ['https://x.example/a b"', "https://x.example/a%20b%22"],
  ["https://x.example/%41?a=b", "https://x.example/%41?a=b"],
])("parseCollection encodes a URL as people write it: %s", (given, url) =>
  expect(parseCollection(JSON.stringify({ contact: { url: given } }), "c.json")).toEqual({
    contact: { url },
  }),
);

describe("parseCollection refuses", () => {
  const text = (title: unknown) => ({ title });
  test.each<[string, unknown, RegExp]>([
    ["what is no JSON", "{", /c\.json is not JSON/],
    ["an empty file", "", /c\.json is not JSON/],
    ["half a character", text("a\ud800b"), /holds half a character/],
    ["lists in lists", `{"title":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, /c\.json is not/],
    ["a list", [], /the file: \[\] cannot be used/],
    ["null", null, /the file: null cannot be used/],
    ["a number as title", text(1), /title: 1 cannot be used\. Name of the collection/],
    ["spaces", text(" \n "), /title: .* cannot be used/],
    ["what nobody sees", text("\u200B \u00AD\uFEFF\u3164"), /title: .* cannot be used/],
    [
      "a publisher that nobody sees",
      { publisher: { name: "\u2060" } },
      /publisher\.name: .* cannot be used/,
    ],
    ["null as title", text(null), /title: null cannot be used/],
    ["a file that is a text", '"title"', /the file: "title" cannot be used/],
    ["a license without a name", { license: {} }, /license\.name: is missing/],
    ["two licenses", { license: [{ name: "a" }, { name: "b" }] }, /license: \[.* cannot be used/],
    ["a URL without https://", { contact: { url: "x.example/お問い合わせ" } }, /contact\.url: "x/],
    ["a URL without a host", { contact: { url: "https://" } }, /contact\.url: "https/],
    ["a host of escapes", { contact: { url: "http://%00?a" } }, /contact\.url: "http/],
    [
      "a password",
      { publisher: { url: "https://user:pw@a.example/" } },
      /"https:\/\/a\.example\/" cannot/,
    ],
    ["a number as template", { postUrl: 7 }, /postUrl: 7 cannot be used/],
    ["no character", text(""), /title: "" cannot be used/],
    ["201 characters", text("a".repeat(201)), /title: "a+… cannot be used/],
    ["a NUL", text("a\0b"), /title: .* cannot be used/],
    ["a mark that turns the direction", text("a\u202Eb"), /title: .* cannot be used/],
    ["no language", text({}), /title: \{\} cannot be used/],
    ["another language", text({ jp: "x" }), /title: \{"jp":"x"\} cannot be used/],
    [
      "a script as URL",
      { publisher: { name: "a", url: "javascript:alert(1)" } },
      /publisher\.url: "javascript/,
    ],
    ["a mail address without a host", { contact: { email: "a" } }, /contact\.email: "a"/],
    [
      "an identifier with markup",
      { license: { name: "a", identifier: "<b>" } },
      /license\.identifier/,
    ],
    [
      "a member of contact that is not known",
      { contact: { mail: "a@b.example" } },
      /contact\.mail: this name is not known\. Did you mean email\?/,
    ],
    [
      "a member of nothing near",
      { zzzzzzzzzzzz: 1 },
      /zzzzzzzzzzzz: this name is not known\. Known are /,
    ],
    ["an isolate that turns the direction", text("a\u2067b"), /title: .* cannot be used/],
    ["one language without a character", text({ ja: "題", en: "" }), /title: .* cannot be used/],
    ["a title in a list", text(["a"]), /title: \["a"\] cannot be used/],
    ["2,001 characters", { description: "a".repeat(2001) }, /description: "a+… cannot be used/],
    ["a number as language", { language: 1 }, /language: 1 cannot be used/],
    ["a language with markup", { language: 'en"><b>' }, /language: "en/],
    ["a text as publisher", { publisher: "P" }, /publisher: "P" cannot be used/],
    ["a publisher of spaces", { publisher: { name: " " } }, /publisher\.name: " " cannot be used/],
    [
      "a text as license",
      { license: "MIT" },
      /^build stopped: .*\n  license: "MIT" cannot be used\. .* Write an object, with name, identifier, url\.$/,
    ],
    ["no license", { license: null }, /^build stopped: .*\n {2}license: null cannot be used\./],
    ["data as a URL", { contact: { url: "data:text/html,a" } }, /contact\.url: "data:text/],
    ["a long URL", { contact: { url: `https://${"a".repeat(2000)}` } }, /contact\.url: "https/],
    ["a header in a mail address", { contact: { email: "a@b.example\nBcc: c" } }, /contact\.email/],
    ["constructor", { constructor: 1 }, /constructor: this name is not known/],
    ["__proto__", '{"__proto__": {"title": "x"}}', /__proto__: this name is not known/],
  ])("%s", (_, value, message) => expect(refused(value)).toMatch(message));
});

test("suggestField gives the nearest of several names, or none", () => {
  expect(suggestField("Tilte", ["title", "contact"])).toBe("title");
  expect(suggestField("x", ["title"])).toBeUndefined();
});
