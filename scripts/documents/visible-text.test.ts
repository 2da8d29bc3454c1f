import { expect, test } from "vitest";
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
  ["a<script>if (x < y) alert('<p>')</script>b", "ab"],
  ["a<style>p { }</style><template><p>t</p></template>b", "ab"],
  ["<script>never closed", ""],
  ["a&amp;b &lt;p&gt; &#x1F600; &copy; &unknown;", "a&b <p> 😀 © &unknown;"],
  ["<ruby>薔薇<rp>（</rp><rt>ばら</rt><rp>）</rp></ruby>", "薔薇（ばら）"],
  ["重<b>要</b>事<i>項</i>", "重要事項"],
  ["a < b", "a < b"],
  ["<custom-element>a</custom-element>b", "ab"],
  ["<BR>a<P>b", "a b"],
  ["", ""],
])("%j reads %j", (html, expected) => expect(words(html)).toBe(expected));
