/** A visitor reads a post: what strangers wrote is shown, and does nothing. */
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import {
  attributes,
  complaints,
  hits,
  links,
  open,
  openPost,
  openText,
  postText,
  postTitle,
  search,
  url,
  useSite,
} from "./site.ts";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../support/support.ts";

const collection = join(temporaryFolder(), "collection.json");
writeFileSync(collection, JSON.stringify({ language: "ja", pictures: ["https://img.example"] }));
useSite("--collection", collection);

const outside = "https://outside.example";

/** What a post did: whether something ran or led away, and elements of it that are more than text. */
const effects = (page: Page): Promise<unknown[]> =>
  page.evaluate((text) => {
    const elements = /^(?:a|b|dd|div|h\d|li|ol|p|pre|small|span|table|tbody|td|th|tr|ul)$/;
    const attributes = /^(?:href|target|rel|id|name|title|lang|dir|colspan|rowspan|start|value)$/;
    const isOdd = (one: Element): boolean =>
      !elements.test(one.localName) ||
      !one.getAttributeNames().every((name) => attributes.test(name)) ||
      !`${one.id}${one.getAttribute("name") ?? ""}`.match(/^(?:user-content-|$)/) ||
      (one instanceof HTMLAnchorElement && !/^(?:https?:|mailto:|$)/.test(one.href)) ||
      getComputedStyle(one).position !== "static";
    const all = [...document.querySelectorAll(`${text} *:not(.scrollable)`)];
    return ["ran" in window, document.baseURI, ...all.filter(isOdd).map((one) => one.outerHTML)];
  }, postText);

/** What strangers try, a line each. RUN is a program, OUT another site. */
const hostile = String.raw`
a script: <script>RUN</script>
a script from elsewhere: <script src=OUT/x.js></script>
a handler: <p onclick="RUN" onfocus="RUN" tabindex=0 autofocus>x</p>
a picture that fails: <img src=x onerror="RUN"><img src=OUT/a.png srcset="OUT/b.png 2x">
javascript in links: <a href="javascript:RUN">a</a><a href=" java&#10;script:RUN">b</a><area href="javascript:RUN">
other schemes: <a href="data:text/html,<script>RUN</script>">a</a><a href="vbscript:x">b</a><a href="blob:x">c</a><a href="file:///etc">d</a>
a form: <form action="OUT"><input name=q autofocus><button>x</button></form><button formaction="javascript:RUN">y</button>
a meta element: <meta http-equiv=refresh content="0;url=OUT"><meta name=referrer content=unsafe-url><meta http-equiv=Content-Security-Policy content="default-src 'none'">
a base: <base href="OUT" target=_self><a href="x">x</a>
frames: <iframe src="OUT" srcdoc="<script>RUN</script>"></iframe><object data="OUT"></object><embed src="OUT">
a frameset: <frameset onload="RUN"><frame src="OUT"></frameset><noframes>x</noframes>
styles: <style>body{display:none}@import url(OUT)</style><link rel=stylesheet href="OUT">
a style that covers the page: <div style="position:fixed;inset:0;background:url(OUT)">x</div>
classes and parts of the page: <div class="line copy" data-copy data-part=hits aria-live=assertive role=alert>x</div>
names of a document: <img name=body><a id=getElementById>x</a><form name=forms></form><p id=location></p>
names of a form: <form><input name=attributes><input name=childNodes><input name=parentNode><p>x</p></form>
names of the page: <p id=q>x</p><p id=hits></p><a name=reader></a><p id="user-content-x">y</p>
SVG: <svg onload="RUN"><script>RUN</script><a href="javascript:RUN"><text>x</text></a><use href="OUT#x"/></svg>
SVG that animates a link: <svg><a><animate attributeName=href values="javascript:RUN"/><text>x</text></a><set attributeName=onload to="RUN"/></svg>
MathML: <math href="javascript:RUN"><mi xlink:href="javascript:RUN">x</mi><maction actiontype="statusline#OUT">y</maction></math>
MathML that becomes HTML: <math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=RUN&gt;">
SVG that becomes HTML: <svg></p><style><a id="</style><img src=1 onerror=RUN>">
a title in SVG: <svg><title><style><img title="</style><img src=x onerror=RUN>">
forms in each other: <form><math><mtext></form><form><mglyph><style></math><img src onerror=RUN>
tables that move what is in them: <table><td><svg><desc><table><style></table><img src=x onerror=RUN></style>
noscript: <noscript><p title="</noscript><img src=x onerror=RUN>">
a template and a shadow: <template><img src=x onerror=RUN></template><div><template shadowrootmode=open><script>RUN</script></template></div>
raw text: <xmp><img src=x onerror=RUN></xmp><plaintext><img src=x onerror=RUN>
comments that end early: <!--><img src=x onerror=RUN>--><!--!><img src=x onerror=RUN>--!><?x ><img src=x onerror=RUN>?>
controls, media and pop-ups: <select><option>x</select><textarea>y</textarea><video src="OUT" autoplay></video><audio src="OUT"></audio><div popover>z</div><dialog open>d</dialog><my-element is=x>e</my-element>
`;

describe("the post view, given hostile or slow markup,", () => {
  const lines = hostile.trim().replaceAll("RUN", "window.ran=1").replaceAll("OUT", outside);
  const rows = lines.split("\n").map((line) => line.split(/: (.*)/));

  test.each(rows)("makes %s harmless", async (_, html) => {
    const page = await openPost({ postContentHtml: `<p>before</p>${html}` });
    await page.locator(postText).getByText("before").waitFor();
    for (const link of await page.locator(`${postText} a:not([href^=http])`).all())
      await link.dispatchEvent("click");
    await page.waitForTimeout(100);
    expect(await effects(page)).toEqual([false, `${url}/?post=1`]);
    await search(page, "電車");
    expect(await page.locator(hits).count()).toBeGreaterThan(0);
    // A browser says so of what the policy refuses even in a document where nothing runs.
    const refused = /The action has been blocked\.$/;
    expect(complaints.splice(0).filter((one) => !refused.test(one))).toEqual([]);
  });

  const unclosed = Array.from({ length: 2500 }, (_, i) => `<font a=${i}><!--</font>--><p>x`).join(
    "",
  );
  const slowWords = ["\u0301", "（", "aא"].map((one) => `<p>${one.repeat(20_000)}`).join("");
  test.each([
    ["formatting that is never ended", unclosed],
    ["elements in each other", `${"<div>".repeat(5000)}x${"</div>".repeat(500)}`],
    ["marks, brackets and turns in a row", slowWords],
  ])("shows %s within two seconds, as text", async (_, postContentHtml) => {
    const page = await openPost({ postContentHtml }, {}, 2000);
    expect(await page.locator(`${postText} > .written`).count()).toBeGreaterThan(0);
    expect(await page.locator(`${postText} *`).count()).toBeLessThan(250);
  });
});

describe("pictures", () => {
  test("are shown from hosts that the publisher names, and linked from others", async () => {
    const html = `<p><img src="https://img.example/a.png" alt="a cat" width=9000 style="position:fixed">
      <img src="https://other.example/b.png" alt="a dog"> <a href="/c"><img src="https://other.example/c.png"></a>
      <img src="//img.example:444/d.png"> <img src="data:image/png;base64,x" alt="data"></p>`;
    const page = await openPost({ postContentHtml: html, postUrl: "https://cases.example/1" });
    const text = page.locator(postText);
    const image = text.locator("img");
    await expect.poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(1);
    expect(await image.evaluate((one) => one.outerHTML)).toBe(
      '<img loading="lazy" decoding="async" alt="a cat" src="https://img.example/a.png">',
    );
    expect(await text.locator("a").allInnerTexts()).toEqual(["🖼 a dog", "🖼 画像", "🖼 画像"]);
    expect(await attributes(text.locator("a"), "href")).toEqual([
      "https://other.example/b.png",
      "https://cases.example/c",
      "https://img.example:444/d.png",
    ]);
    expect(await text.innerText()).toMatch(/data$/);
    expect(complaints.splice(0)).toEqual(["https://img.example/a.png"]);
    // What is put there in another way is refused before it is asked for.
    await page.evaluate('new Image().src = "https://other.example/e.png"');
    const refusal = "Loading the image 'https://other.example/e.png' violates";
    await expect.poll(() => complaints.some((one) => one.startsWith(refusal))).toBe(true);
    complaints.splice(0);
  });
});

describe("the text of a post", () => {
  test("resolves links against the post's URL, and opens them in new tabs", async () => {
    const postUrl = "https://cases.example/archives/1";
    const hrefs = {
      "/about": "https://cases.example/about",
      "?a=b#c": "https://cases.example/archives/1?a=b#c",
      "mailto:a@b.example": "mailto:a@b.example",
      "//other.example": "https://other.example/",
      "https://": null,
      "magnet:?xt=x": "magnet:?xt=x",
    };
    const html = Object.keys(hrefs).map((href) => `<a href="${href}">x</a>`);
    const postContentHtml = `${html.join("")}<a href="/empty"><b> </b></a><a>y</a>`;
    const page = await openPost({ postUrl, postContentHtml });
    const found = page.locator(`${postText} a`);
    expect(await attributes(found, "href")).toEqual([...Object.values(hrefs), null, null]);
    expect(await attributes(found.first(), "target")).toEqual(["_blank"]);
    expect(await attributes(found.first(), "rel")).toEqual(["noreferrer"]);
    expect(await page.locator("#reader .facts-line a").first().getAttribute("href")).toBe(postUrl);
  });

  test("follows links to its parts with the focus, also to folded ones", async () => {
    const far = "<p>long</p>".repeat(100);
    const text = await openText(
      `<a href="#fn%3A1">go</a> <a href=#none>nowhere</a> <a href=#answer>folded</a>${far}<p id="fn:1">note <a href=#top>up</a></p>
      <details><summary>q</summary>${far}<p id=answer>text</p></details>`,
    );
    const page = text.page();
    const y = () => page.evaluate(() => scrollY);
    await text.getByText("go", { exact: true }).click();
    await expect.poll(y).toBeGreaterThan(2000);
    expect(await text.locator(":focus").innerText()).toBe("note up");
    await text.getByText("up").click();
    await expect.poll(y).toBeLessThan(500);
    await text.getByText("nowhere").click();
    expect(page.url()).toBe(`${url}/?post=1`);
    await text.getByText("folded").click();
    await text.getByText("text").waitFor();
    await expect.poll(y).toBeGreaterThan(4000);
  });

  test("keeps ruby, list numbers, lang and dir, draws checkboxes, drops hidden parts", async () => {
    const text = await openText(
      `<ruby>薔<rt>ば</rt></ruby><ol start=5><li>a<li value=3>b</ol><ul><li><input type=checkbox checked>done<li><input type=checkbox>open<li><input value=x>c</ul>
      <p hidden>gone</p><p hidden=until-found>found</p><p lang=zh-TW dir=rtl>直</p>`,
    );
    expect(await text.locator("rt").count()).toBe(1);
    expect(await attributes(text.locator("ol"), "start")).toEqual(["5"]);
    expect(await attributes(text.locator("ol li"), "value")).toEqual([null, "3"]);
    expect(await text.locator("ul li").allInnerTexts()).toEqual(["☑ done", "☐ open", "c"]);
    expect(await text.textContent()).not.toContain("gone");
    expect(await text.textContent()).toContain("found");
    const fonts = text.locator("[lang=zh-TW]").evaluate((one) => getComputedStyle(one).fontFamily);
    expect(await fonts).not.toMatch(/JP|Meiryo/);
    expect(await text.locator("[lang=zh-TW]").getAttribute("dir")).toBe("rtl");
  });

  test("has headings smaller than the title, bordered blocks and code of one size", async () => {
    const text = await openText(
      "<h1>a</h1><h3>b</h3><blockquote>c</blockquote><table><tr><td>d</table><p><code>e</code></p><pre><code>e</code></pre>",
    );
    const sizeOf = (selector: string, property: "fontSize" | "borderLeftWidth"): Promise<number> =>
      text
        .page()
        .locator(selector)
        .evaluate((one, name) => Number.parseFloat(getComputedStyle(one)[name]), property);
    const title = await sizeOf(postTitle, "fontSize");
    for (const heading of ["h1", "h3"])
      expect(await sizeOf(`${postText} ${heading}`, "fontSize")).toBeLessThan(title);
    for (const block of ["blockquote", "td"])
      expect(await sizeOf(`${postText} ${block}`, "borderLeftWidth")).toBeGreaterThan(0);
    const inBlock = await sizeOf(`${postText} pre code`, "fontSize");
    expect(await sizeOf(`${postText} p code`, "fontSize")).toBe(inBlock);
  });

  test("scrolls a wide table by itself, also by keyboard, and shows that", async () => {
    const wide = `<table><tr>${"<td>supercalifragilistic".repeat(4)}</table>`;
    const text = await openText(wide, { viewport: { width: 390, height: 800 } });
    const table = text.locator(".scrollable");
    await expect.poll(() => table.getAttribute("tabindex")).toBe("0");
    const background = table.evaluate((one) => getComputedStyle(one).backgroundImage);
    expect(await background).toContain("gradient");
    await table.focus();
    await text.page().keyboard.press("ArrowRight");
    await expect.poll(() => table.evaluate((one) => one.scrollLeft)).toBeGreaterThan(0);
    expect(await text.page().evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await text.page().setViewportSize({ width: 1800, height: 800 });
    await expect.poll(() => table.getAttribute("tabindex")).toBe(null);
  });

  test("runs in its own direction, as the title and tags do", async () => {
    const page = await openPost({ postTitle: "عنوان", postContentHtml: "<p>مرحبا بالعالم</p>" });
    for (const [selector, expected] of [
      [postTitle, "rtl"],
      [postText, "rtl"],
      [".tags .tag", "ltr"],
    ] as const) {
      const shown = page.locator(selector).first();
      expect(await shown.evaluate((one) => getComputedStyle(one).direction)).toBe(expected);
    }
  });

  test("replaces the list by the hidden attribute, and sets og:title", async () => {
    const page = await openPost({ postTitle: "a title" });
    expect(await page.locator("#list").getAttribute("hidden")).toBe("");
    const title = page.locator('meta[property="og:title"]');
    await expect.poll(() => title.getAttribute("content")).toBe("a title");
    await page.locator("#back").click();
    await page.locator(links).first().waitFor();
    expect(await page.locator("#reader").getAttribute("hidden")).toBe("");
    expect(await title.getAttribute("content")).toBe(await page.title());
  });
});

describe("comments", () => {
  const comment = (commentId: number, commentParent: number, commentDateGmt: string) => ({
    commentId,
    commentParent,
    commentAuthor: `author ${commentId}`,
    commentContent: `text ${commentId}`,
    commentDateGmt,
    likesCount: 0,
    dislikesCount: 0,
  });
  const at = (day: number, time: string): string => `2024-01-0${day}T${time}:00.000Z`;

  test("run as threads, oldest first, with times where days are equal", async () => {
    const newestFirst = [
      comment(5, 1, at(3, "10:00")),
      comment(4, 0, at(2, "09:30")),
      comment(3, 1, at(2, "09:05")),
      comment(1, 0, at(1, "08:00")),
    ];
    const page = await openPost({ comments: newestFirst }, { timezoneId: "UTC" });
    expect(await page.locator(".comments .facts-line").allInnerTexts()).toEqual([
      "author 1 · 2024-01-01 · ♥ 0",
      "author 3 · 2024-01-02 09:05 · ♥ 0",
      "author 5 · 2024-01-03 · ♥ 0",
      "author 4 · 2024-01-02 09:30 · ♥ 0",
    ]);
    expect(await page.locator("#reader h3").first().innerText()).toBe("コメント 4 件");
    expect(await page.locator(".comments > ol > li").count()).toBe(2);
  });

  test("show 1,500 answers to each other, flat from some depth on", async () => {
    const ids = Array.from({ length: 1500 }, (_, i) => i + 1);
    const comments = ids.map((id) => comment(id, id - 1, at(1, "08:00"))).reverse();
    const page = await openPost({ comments });
    const texts = await page.locator(".comments .written").allInnerTexts();
    expect(texts).toEqual(ids.map((id) => `text ${id}`));
    expect(await page.locator(`.comments ${"ol ".repeat(6)}`).count()).toBe(1);
    expect(await page.locator(`.comments ${"ol ".repeat(7)}`).count()).toBe(0);
    // Where a comment stands no longer says whom it answers.
    const heads = await page.locator(".comments .facts-line").allInnerTexts();
    expect(heads[5]).toMatch(/^author 6 · /);
    expect(heads[6]).toMatch(/^author 7 ↳ author 6 · /);
  });

  test("are shown as text with their indentation", async () => {
    const commentContent = "<b>x</b>\nfor x in all:\n    stop";
    const comments = [{ ...comment(1, 0, at(1, "08:00")), commentContent }];
    const page = await openPost({ comments });
    expect(await page.locator(".comments .written").innerText()).toBe(commentContent);
  });
});

test("the post view cuts a long title and names, and splits comments", async () => {
  const slow = "（".repeat(20_000);
  const comment = {
    commentId: 1,
    commentParent: 0,
    commentAuthor: slow,
    commentContent: slow,
    commentDateGmt: "2024-01-01T00:00:00.000Z",
    likesCount: 0,
    dislikesCount: 0,
  };
  const page = await openPost({
    postTitle: slow,
    tags: [{ tagId: 1, tagName: slow }],
    comments: [comment],
  });
  for (const place of [postTitle, "#reader .tag", ".comments bdi"])
    expect(await page.locator(place).first().innerText()).toMatch(/^（{500}…$/);
  expect(await page.locator(".comments .written").allInnerTexts()).toEqual(
    Array(20).fill("（".repeat(1000)),
  );
});

test("the post view shows the text beside a frameset", async () => {
  const page = await openPost({ postContentHtml: "<div><frameset></frameset>hello</div>" });
  expect(await page.locator(postText).innerText()).toBe("hello");
});

test("the post view shows an invisible title as untitled", async () => {
  const page = await openPost({ postTitle: "\u3164 \u200b" });
  expect(await page.locator(postTitle).innerText()).toBe("（無題）");
});

test("similar posts show a date and a snippet, and link to the post", async () => {
  const page = await open("/?post=1");
  const similar = page.locator(".similar .hit").first();
  await similar.scrollIntoViewIfNeeded();
  await similar.locator("time").waitFor();
  await expect.poll(() => similar.locator(".snippet").innerText()).not.toBe("");
  const title = await similar.locator("h3").innerText();
  await similar.locator("h3 a").click();
  await page.locator(postTitle, { hasText: title }).waitFor();
});

test.each(["Asia/Tokyo", "America/Los_Angeles"])(
  "dates are shown in the visitor's time zone, %s",
  async (timezoneId) => {
    const page = await open("/", { timezoneId });
    const local = new Intl.DateTimeFormat("sv-SE", { timeZone: timezoneId });
    for (const [path, ready] of [
      ["/", links],
      ["/?q=の", `${hits} mark`],
      ["/?post=1", postTitle],
    ] as const) {
      await page.goto(url + path);
      await page.locator(ready).first().waitFor();
      const moments = await attributes(page.locator("time"), "datetime");
      const dates = await page.locator("time").allInnerTexts();
      expect(dates.length).toBeGreaterThan(3);
      const expected = moments.map((moment) => local.format(new Date(moment ?? "")));
      expect(dates.map((date) => date.slice(0, 10))).toEqual(expected);
    }
  },
);
