import fc from "fast-check";
import { expect, test } from "vitest";
import { fold, textOf } from "../../tests/support/oracle.ts";
import { visibleText } from "./visible-text.ts";

/** White space is folded later, by `normalise`; here only words matter. */
const words = (html: string): string => visibleText(html).replace(/\s+/g, " ").trim();

test.each([
  ["a<b>b</b>c", "abc"],
  ["<p>a</p><p>b</p>", "a b"],
  ["a<br>b<hr>c", "a b c"],
  ["<ul><li>a<li>b</ul>", "a b"],
  ["<table><tr><td>a</td><td>b</td></tr></table>", "a b"],
  ["a<!-- hidden -->b", "ab"],
  ["a<![CDATA[ x > b ]]> c", "a b ]]> c"],
  ["a<![CDATA[ never closed", "a"],
  ["<svg><![CDATA[ x > b ]]></svg>c", "x > b c"],
  ["<textarea><![CDATA[ x</textarea>", "<![CDATA[ x"],
  ["a<script>if (x < y) alert('<p>')</script>b", "ab"],
  ["a<style>p { }</style><template><p>t</p></template>b", "ab"],
  ["<script>never closed", ""],
  ["a&amp;b &lt;p&gt; &#x1F600; &copy; &unknown;", "a&b <p> 😀 © &unknown;"],
  ["<ruby>薔薇<rp>（</rp><rt>ばら</rt><rp>）</rp></ruby>", "薔薇 ばら"],
  ["<ruby>薔<rt>ば</rt>薇<rt>ら</rt></ruby>が咲く", "薔薇が咲く ばら"],
  [
    "<ruby>漢<rp>(<rt>かん<rp>)<rb>字<rt>じ</ruby>を<ruby>書<rt>か</ruby>く",
    "漢字を書く かんじ か",
  ],
  ["<p><ruby>漢<rt>かん<p>字", "漢 字 かん"],
  ["<ul><li><ruby>漢<rt>かん<li>字</ul>", "漢 字 かん"],
  ["<table><tr><td><ruby>漢<rt>かん<td>字</table>", "漢 字 かん"],
  ["<ruby><ruby>漢<rt>か</rt></ruby><rt>ん</rt></ruby>字", "漢字 ん か"],
  ["漢<rt>かん</rt>字<rp>（</rp><rt>じ</rt>", "漢字 かん じ"],
  ["<ruby>漢<rt><p>か</p>ん</rt></ruby>字", "漢字 か ん"],
  ["<ruby>漢<rt><script>か</script></rt></ruby>字", "漢字"],
  ["<b><ruby>漢<rt>かん</b>字", "漢字 かん"],
  ["a<hr>b</hr>c", "a bc"],
  ["a</div>b</p>c</br>d", "ab c d"],
  ["<div><section>a</div>b</section>c", "a bc"],
  ["a<tr>b<td>c", "abc"],
  ["<svg><style/>a<title>b</title></svg>c<svg><![CDATA[d]]></svg><![CDATA[e]]>", "abcd"],
  ["重<b>要</b>事<i>項</i>", "重要事項"],
  ["a < b", "a < b"],
  ["<custom-element>a</custom-element>b", "ab"],
  ["<BR>a<P>b", "a b"],
  ["", ""],
])("%j reads %j", (html, expected) => expect(words(html)).toBe(expected));

const tags =
  "ruby rt rp rb rtc template script style p li ul td br hr div span dd dt h1 button".split(" ");
const snippets = fc
  .array(
    fc.oneof(
      fc.constantFrom(...tags).map((name) => `<${name}>`),
      fc.constantFrom(...tags).map((name) => `</${name}>`),
      fc.constantFrom(..."漢字かな&<"),
    ),
    { maxLength: 14 },
  )
  .map((pieces) => pieces.join(""));

test("markup in any disorder reads as a browser's parser reads it", () => {
  fc.assert(
    fc.property(snippets, (html) => {
      expect(words(html)).toBe(fold(textOf(html)).trim());
    }),
    { numRuns: 2000 },
  );
});

// With a cost per tag that grows with the depth, each takes more than a minute.
test.each([
  ["nested elements", "<div>".repeat(200_000) + "</div>".repeat(200_000)],
  ["end tags of nothing", "<div>".repeat(200_000) + "</b>".repeat(200_000)],
  ["end tags out of reach", `<p><object>${"<b>".repeat(200_000)}${"</p>".repeat(200_000)}`],
  ["cells", "<table><td>".repeat(200_000)],
])("200,000 %s are read in a moment", { timeout: 20_000 }, (_, html) =>
  expect(words(html)).toBe(""),
);
