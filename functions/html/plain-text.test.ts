import { Tokenizer } from "htmlparser2";
import { expect, test } from "vitest";
import { plainText } from "./plain-text.ts";

test.each([
  ["<p>a</p><p>b<br>c</p>", "a\n\nb\nc"],
  ["a<b>b</b>\n  c", "ab c"],
  ["<ul><li>a<li>b</ul>c", "- a\n- b\n\nc"],
  ["<ol>\n  <li>a</li>\n  <li>b</li>\n</ol>", "- a\n- b"],
  ["<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"],
  ["<table><tr><td>a<td>b<tr><td>c</table>", "a b\nc"],
  ["<script>x</script>a<style>y</style><template>z<template>z</template>z</template>b", "ab"],
  ["<!-- x -->&lt;p&gt; &amp; &#x1F600;", "<p> & 😀"],
  ["<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</rt></ruby>だ", "漢(かん)字(じ)だ"],
  ["<ruby>漢<rp>(<rt>かん<rp>)</ruby>だ", "漢(かん)だ"],
  ["<div><div>a</div></div><div>b</div>", "a\nb"],
  ["</p></x>a<b", "a"],
  ["<p>a</p><![CDATA[ note ><p>b</p>", "a\n\nb"],
  ["<p>a<rp>(</p><p>b</p>", "a\n\nb"],
  ["<p>a</p><svg><style/></svg><p>b</p>", "a\n\nb"],
  ["<p>a</p><svg><![CDATA[b]]></svg>", "a\n\nb"],
  ["<svg><style><p>b</p>", "b"],
  ["<svg><style></svg>b", "b"],
  ["<math><script></math>b", "b"],
  ["", ""],
])("%s reads %j", (html, text) => {
  expect(plainText(html, Tokenizer)).toBe(text);
});

test("a hundred thousand paragraphs take a moment, not minutes", () => {
  const html = "<p>a b </p> <ruby>c<rt>d</rt></ruby>".repeat(100_000);
  expect(plainText(html, Tokenizer).split("\n\n")).toHaveLength(200_000);
});

test("a hundred thousand nested elements take a moment, not minutes", () => {
  const html = "<div>".repeat(100_000) + "a" + "</div>".repeat(100_000);
  expect(plainText(html, Tokenizer)).toBe("a");
});
