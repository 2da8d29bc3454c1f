/** What the text of a comment keeps of its HTML. */
import { expect, test } from "vitest";
import { commentText } from "./comment-text.ts";

test.each([
  [
    "<p>See <a href='https://law.example/12?a=1&amp;b=2' rel=ugc>this</a>.</p>",
    "See this (https://law.example/12?a=1&b=2).",
  ],
  ['<a href="https://x.example/">https://x.example/</a>', "https://x.example/"],
  ['<a href="http://www.x.example/">www.x.example</a>', "www.x.example"],
  ['<a href="https://x.example/%E6%97%A5">https://x.example/日</a>', "https://x.example/日"],
  [
    '<a href="https://x.example/2x3"><b>https://x.example/2×3</b></a>',
    "https://x.example/2×3 (https://x.example/2x3)",
  ],
  ['<a href="https://x.example/&lt;b>">a</a>', "a (https://x.example/<b>)"],
  ['<a href="mailto:a@x.example">a</a> <a href="javascript:x">b</a> <a name="c">d</a>', "a b d"],
  ['<a href="https://x.example/1">a <b>c', "a c"],
  [
    ':<img src="x.png" alt=":mrgreen: &lt;3" class="wp-smiley" />: <img src="y.png">',
    "::mrgreen: <3:",
  ],
  ["a<br>b &lt;a href=x&gt;", "a\nb <a href=x>"],
])("%s", (html, text) => {
  expect(commentText(html)).toBe(text);
});
