import { Parser } from "htmlparser2";
import { expect, test } from "vitest";
import { plainText } from "./plain-text.ts";

test.each([
  ["<p>a</p><p>b<br>c</p>", "a\n\nb\nc"],
  ["a<b>b</b>\n  c", "ab c"],
  ["<ul><li>a<li>b</ul>c", "- a\n- b\n\nc"],
  ["<ul><li>\n<div><p>a</p><p>b</p></div><li><p></p><li></ul><p>c", "- a\n\nb\n\n-\n-\n\nc"],
  ["<ul><li><div></div> <span>a</span><li><p></p><p>b</ul>", "- a\n- b"],
  ["<script>x</script>a<style>y</style><template>z<template>z</template>z</template>b", "ab"],
  ["<!-- x -->&lt;p&gt; &amp; &#x1F600;", "<p> & 😀"],
  ["<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</rt></ruby>だ", "漢(かん)字(じ)だ"],
  ["<ruby>漢<rp>(<rt>かん<rp>)</ruby>だ", "漢(かん)だ"],
  ["<div><div>a</div></div><div>b</div>", "a\nb"],
  ["</p></x>a<b", "a"],
  [
    "a <pre>\n\n  if x:\r\n    y  # z\n\n\n\n  w\n</pre>\n b  c",
    "a\n\n  if x:\n    y  # z\n\n\n\n  w\n\nb c",
  ],
  ["<pre>\n a\n  <b>b</b>\n\t<i> </i>c<br> d</pre>", " a\n  b\n\t c\n d"],
  ["<pre> <pre>a\n b</pre>\n  c</pre> d\n e", "a\n b\n\n  c\n\nd e"],
  ["<template><pre></template>a\n b<pre> </pre>", "a b"],
  ["<pre>a\n b", "a\n b"],
  ["<pre>a<br><br>b<br>\n c</pre>d<br><br>e", "a\n\nb\n\n c\n\nd\n\ne"],
  ["<p>a</p><![CDATA[ note ><p>b</p>", "a\n\nb"],
  ["<p>a<rp>(</p><p>b</p>", "a\n\nb"],
  ["<p>a</p><svg><style/></svg><p>b</p>", "a\n\nb"],
  ["<p>a</p><svg><![CDATA[b]]></svg>", "a\n\nb"],
  ["<svg><style><p>b</p>", "b"],
  ["<svg><style></svg>b", "b"],
  ["<math><script></math>b", "b"],
  ["", ""],
])("plainText turns %s into %j", (html, text) => {
  expect(plainText(html, Parser)).toBe(text);
});

test.each([
  ["<blockquote><p>you said<p>so</blockquote><p>I say", "> you said\n\n> so\n\nI say"],
  ["a<blockquote>b<blockquote>c<br>d</blockquote></blockquote>e", "a\n\n> b\n\n> c\n> d\n\ne"],
  ["<blockquote><pre>if a:\n  b</pre></blockquote>", "> if a:\n>   b"],
  ["He said <q>never</q>.", 'He said "never".'],
])("plainText marks quotations: %s becomes %j", (html, text) =>
  expect(plainText(html, Parser)).toBe(text),
);

test.each([
  ["<ol>\n  <li>a</li>\n  <li>b</li>\n</ol>", "1. a\n2. b"],
  ["<ol start=9><li>a<li>b</ol><ol start=x><li>c</ol>", "9. a\n10. b\n\n1. c"],
  ["<ul><li>a<ol><li>b<br>c<li><p>d</ol><li>e</ul>f", "- a\n1. b\nc\n2. d\n\n- e\n\nf"],
  ["<li>a<ul><li>b</ul><ol><li>c</ol>", "- a\n\n- b\n\n1. c"],
])("plainText marks list items: %s becomes %j", (html, text) =>
  expect(plainText(html, Parser)).toBe(text),
);

test.each([
  ["<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a | b\nc"],
  ["<table><tr><td>a<td>b<tr><td>c</table>", "a | b\nc"],
  ["<table><tr><th>Year<th>A<th>B<tr><td>2023<td><td>5</table>", "Year | A | B\n2023 | | 5"],
  [
    "<p>a</p><table><tr><th><p>Name</p></th><th><div>5</div>6</th></tr><tr><td><p></p><td>b<br>c</table><p>d",
    "a\n\nName | 5 6\n| b c\n\nd",
  ],
])("plainText writes tables as rows: %s becomes %j", (html, text) =>
  expect(plainText(html, Parser)).toBe(text),
);

test("plainText reads a hundred thousand paragraphs in a moment", () => {
  const html = "<p>a b </p> <ruby>c<rt>d</rt></ruby>".repeat(100_000);
  expect(plainText(html, Parser).split("\n\n")).toHaveLength(200_000);
});

test("plainText reads a hundred thousand spaces of code in a moment", () => {
  const html = `<pre>${"<b> </b>".repeat(100_000)}a${" ".repeat(100_000)}b`;
  expect(plainText(html, Parser)).toHaveLength(200_002);
});

test("plainText reads a hundred thousand nested elements in a moment", () => {
  const html = "<div>".repeat(100_000) + "a" + "</div>".repeat(100_000);
  expect(plainText(html, Parser)).toBe("a");
});

test.each([
  [
    "<p>See <a href='https://law.example/12?a=1&amp;b=2' rel=ugc>this</a>.</p>",
    "See this (https://law.example/12?a=1&b=2).",
  ],
  ['<a href="https://x.example/">https://x.example/</a>', "https://x.example/"],
  ['<a href="http://www.x.example/">www.x.example</a>', "www.x.example"],
  [
    'a\n <a href="https://x.example/%E6%97%A5"> https://x.example/日 </a>',
    "a https://x.example/日",
  ],
  [
    '<a href="https://x.example/2x3"><b>https://x.example/2×3</b></a>',
    "https://x.example/2×3 (https://x.example/2x3)",
  ],
  ['<a href="https://x.example/&lt;b>">a</a>', "a (https://x.example/<b>)"],
  ['<a href="https://x.example/a b\nc">a</a>', "a (https://x.example/a%20bc)"],
  ['<a href="mailto:a@x.example">a</a> <a href="javascript:x">b</a> <a name="c">d</a>', "a b d"],
  ['<a href="https://me:pass@x.example/">a</a> <a href="">b</a> <a href="#note">c</a>', "a b c"],
  [
    '<a href="/about">a</a> <a href="//y.example">b</a>',
    "a (https://x.example/about) b (https://y.example/)",
  ],
  [
    '<a href="/1">a <a href="/2">b</a> c</a> d',
    "a (https://x.example/1) b (https://x.example/2) c d",
  ],
  ['<template><a href="/1">a</template>b <a title="</a>" href="/2">c', "b c (https://x.example/2)"],
  ['<pre>a\n  <a href="/1">b</a>\n</pre>c', "a\n  b (https://x.example/1)\n\nc"],
  [
    ':<img src="x.png" alt=":mrgreen: &lt;3" class="wp-smiley" />: <img src="y.png">',
    "::mrgreen: <3:",
  ],
  ['<link href="/1">a<area href="/2" alt="b">', "a"],
  ['<a href="/1">a </a>b<a href="/2">c</a>d', "a (https://x.example/1) bc (https://x.example/2)d"],
  [`<a href="//${"日".repeat(101)}/">a</a> <a href="https:\\\\${"日".repeat(101)}">b</a>`, "a b"],
  [
    `<a href="/\n/${"日".repeat(101)}/">a</a> <a href="//日本.example/${"a".repeat(101)}">b</a>`,
    `a b (https://xn--wgv71a.example/${"a".repeat(101)})`,
  ],
  [
    `<a href="https://x.example/">https://${"日".repeat(101)}</a>`,
    `https://${"日".repeat(101)} (https://x.example/)`,
  ],
  [`<a href="&#1; //${"日".repeat(101)}">a</a> <a href="//${"%E6%97%A5".repeat(30)}">b</a>`, "a b"],
  ["<a href=/1 href=/2>a</a>", "a (https://x.example/1)"],
  [
    "<blockquote><a href='https://x.example/a'>https://x.example/a</a></blockquote>",
    "> https://x.example/a",
  ],
])("plainText with URLs reads %s", (html, text) => {
  const base = "https://x.example/posts/1";
  expect(plainText(html, Parser, { hasUrls: true, base })).toBe(text);
});

test("plainText leaves out the URLs of relative links without a base", () => {
  const html = '<a href="/about">a</a> <a href="https://y.example/">b</a>';
  expect(plainText(html, Parser, { hasUrls: true })).toBe("a b (https://y.example/)");
});

test("plainText reads many links in one pass", () => {
  const count = 150_000;
  const text = plainText('<a href="/x">t</a>'.repeat(count), Parser, {
    hasUrls: true,
    base: "https://x.example/",
  });
  expect(text).toHaveLength(count * "t (https://x.example/x)".length);
});
