/** JSON in whatever charset: read without losing a character, or refused with the charset named. */
import { expect, test } from "vitest";
import { readAnswer, parseJson, webUrl } from "./answer.ts";

const value = [{ name: "Zoë", text: "寿司" }];
const json = JSON.stringify(value);
const encoded = {
  "UTF-8": Buffer.from(json),
  "UTF-8 with a byte order mark": Buffer.from(`\uFEFF${json}`),
  "UTF-16": Buffer.from(json, "utf16le"),
  "ISO 8859-1": Buffer.from('[{"name":"Zoë"}]', "latin1"),
  ASCII: Buffer.from('[{"name":"Zo\\u00eb","text":"\\u5bff\\u53f8"}]'),
};
type Encoding = keyof typeof encoded;

const answerIn = (encoding: Encoding, type: string | undefined) =>
  readAnswer(
    new Response(encoded[encoding], {
      headers: type === undefined ? {} : { "Content-Type": type },
    }),
    "https://blog.example/wp-json/",
  );

test.each<[Encoding, type: string | undefined, charset: string]>([
  ["ISO 8859-1", "application/json; charset=ISO-8859-1", "ISO-8859-1"],
  ["ISO 8859-1", "application/json; charset=utf-8", "utf-8"],
  ["ISO 8859-1", "application/json", "not named"],
  ["ISO 8859-1", undefined, "not named"],
  ["UTF-8", "application/json; charset=ISO-8859-1", "ISO-8859-1"],
  ["UTF-8", 'text/html;Charset="Shift_JIS"', "Shift_JIS"],
  ["UTF-16", "application/json; charset=utf-16le", "utf-16le"],
])("parseJson refuses %s with the Content-Type %s", async (encoding, type, charset) => {
  const answer = await answerIn(encoding, type);
  expect(() => parseJson(answer)).toThrow(
    `blog.example answers text that is not UTF-8 (charset: ${charset}). `,
  );
});

test.each<[Encoding, type: string | undefined]>([
  ["UTF-8", undefined],
  ["UTF-8", 'application/json;charset="UTF8"'],
  ["UTF-8", "application/json; charset="],
  ["UTF-8 with a byte order mark", "application/json; charset=utf-8"],
  ["ASCII", "application/json; charset=ISO-8859-1"],
])("parseJson reads %s with the Content-Type %s", async (encoding, type) => {
  expect(parseJson(await answerIn(encoding, type))).toEqual(value);
});

test("parseJson finds no JSON in HTML of another charset, which can be quoted", async () => {
  const page = new Response(Buffer.from("<h1>Zoë</h1>", "latin1"), {
    headers: { "Content-Type": "text/html; charset=ISO-8859-1" },
  });
  const answer = await readAnswer(page, "https://blog.example/");
  expect(parseJson(answer)).toBeUndefined();
  expect(answer.body).toBe("<h1>Zo\uFFFD</h1>");
});

test.each([
  ["HTTP://Blog.example", undefined, "http://blog.example/"],
  ["/x?y", "https://blog.example/a/b", "https://blog.example/x?y"],
  ["//other.example", "https://blog.example", "https://other.example/"],
  ["mailto:a@blog.example", undefined, undefined],
  ["https:user@blog.example", undefined, undefined],
  ["https://[", undefined, undefined],
  ["", undefined, undefined],
])("webUrl resolves %j against %j to %j", (text, base, url) => {
  expect(webUrl(text, base)?.href).toBe(url);
});
