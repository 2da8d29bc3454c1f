/** A visitor looks for posts: the first screen, the search as one types, tags, orders, charts, failures. */
import { describe, expect, test } from "vitest";
import { snippetText } from "../../scripts/documents/visible-text.ts";
import {
  api,
  attributes,
  complaints,
  hits,
  links,
  open,
  parameters,
  search,
  shown,
  url,
  useSite,
} from "./site.ts";

useSite();

interface Result {
  readonly results: { postId: number; postTitle: string; tagNames: string[] }[];
  readonly tagCounts: { tagName: string; count: number }[];
}

describe("the first screen", () => {
  test.each([390, 1280])("is whole at %i pixels, without any request", async (width) => {
    const page = await open("/", { viewport: { width, height: 844 } });
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    for (const selector of ["#q", ".orders", `${hits} >> nth=0`]) {
      const box = await page.locator(selector).boundingBox();
      expect((box?.y ?? 844) + (box?.height ?? 0), selector).toBeLessThanOrEqual(844);
    }
    const { results } = await api<Result>("/api/search");
    const titles = results.map(({ postTitle }) => postTitle);
    expect(await page.locator(links).allInnerTexts()).toEqual(titles);
    expect(asked.filter((one) => one.includes("/api/"))).toEqual([]);
  });

  test("ends with the publisher, the license and the contact", async () => {
    const page = await open("/en/");
    const footer = await page.locator("main + footer").innerText();
    expect(footer).toMatch(/^Publisher\s+case-.*\s+License of the posts\s+Sample data.*\s+Contact/);
  });

  test("shows the posts and sends a search without scripts", async () => {
    const page = await open("/en/", { javaScriptEnabled: false });
    expect(await page.locator(links).count()).toBe(10);
    expect(await page.locator(".snippet").first().innerText()).not.toBe("");
    await page.locator("#q").fill("電車");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/api/search?q=*");
    expect(await page.locator("body").innerText()).toContain('"query":"電車"');
  });

  test.each(["?post=1", "?q=zzz"])("is shown at %s when the program cannot run", async (query) => {
    const page = await open("/");
    await page.route("**/site/chunk-*.js", (route) => route.abort());
    await page.goto(`${url}/${query}`);
    await page.locator(links).first().waitFor();
    complaints.splice(0);
  });
});

describe("charts", () => {
  const value = ".chart-time output";

  test("show a bar's value on hover and focus, and link to its posts", async () => {
    const page = await open("/");
    const bar = page.locator(".chart-time a").first();
    await bar.hover({ force: true });
    const label = (await bar.getAttribute("aria-label")) ?? "";
    expect(await page.locator(value).innerText()).toBe(label);
    const last = page.locator(".chart-time a").last();
    await last.focus();
    expect(await page.locator(value).innerText()).toBe(await last.getAttribute("aria-label"));
    await bar.focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/page=/);
    await page.locator(shown).waitFor({ state: "attached" });
    const dates = await page.locator(`${hits} time`).allInnerTexts();
    expect(dates.some((date) => date.startsWith(label.slice(0, 4)))).toBe(true);
  });

  test("show a bar's value at a tap, and follow its link at another", async () => {
    const page = await open("/", { hasTouch: true, viewport: { width: 390, height: 844 } });
    const bar = page.locator(".chart-time a").first();
    await bar.locator("rect").first().tap();
    expect(await page.locator(value).innerText()).toBe(await bar.getAttribute("aria-label"));
    expect(page.url()).toBe(`${url}/`);
    await bar.locator("rect").first().tap();
    await page.waitForURL(/page=/);
  });
});

describe("a search", () => {
  test("finds a typed word, sorted and narrowed by tag, from its URL too", async () => {
    const page = await open("/");
    await search(page, "電車");
    const { results } = await api<Result>("/api/search?q=電車");
    const ids = results.map(({ postId }) => String(postId));
    expect(await attributes(page.locator(hits), "data-post")).toEqual(ids);
    await page.locator(".orders a", { hasText: "いいね順" }).click();
    await page.waitForURL(/orderby=like/);
    const tag = page.locator('[data-part="tags"] a.tag').first();
    const name = await tag.innerText();
    await tag.click();
    await page.locator('[data-part="chosen"] a', { hasText: name }).waitFor();
    // Its further tags are those of its posts, as often as they have them.
    const tagged = await api<Result>(`/api/search${new URL(page.url()).search}`);
    const others = tagged.results.flatMap(({ tagNames }) => tagNames.filter((one) => one !== name));
    const bars = page.locator('[data-part="tags"] li');
    const counted = others.map((one) => `${one}${others.filter((other) => other === one).length}`);
    const shownBars = await bars.evaluateAll((all) => all.map((one) => one.textContent));
    expect(new Set(shownBars)).toEqual(new Set(counted));
    const found = await page.locator(links).allInnerTexts();
    const shared = await open(`/${new URL(page.url()).search}`);
    await shared.locator('[data-part="chosen"] a').waitFor();
    expect(await shared.locator(links).allInnerTexts()).toEqual(found);
    expect(await shared.locator("#q").inputValue()).toBe("電車");
  });

  test("marks the words that it found", async () => {
    const page = await open("/");
    await search(page, "ばら");
    await page.locator(`${hits} mark`).first().waitFor();
    expect(new Set(await page.locator(`${hits} mark`).allInnerTexts())).toEqual(new Set(["ばら"]));
  });

  test("shows the snippet that snippetText makes, whatever the markup", async () => {
    const html = `<p>a</p><p>b<br>c &amp; &lt;d&gt; &notit; &#x1F600;&nbsp;<ruby>薔<rt>ば</rt></ruby> 10<sup>6</sup>
      <s>x</s></textarea><img src=x onerror="ran()"><svg><![CDATA[e]]></svg><!-- f -->`;
    const page = await open("/");
    await page.route("**/api/posts/*", async (route) => {
      const post = (await (await route.fetch()).json()) as object;
      await route.fulfill({ json: { ...post, postContentHtml: html } });
    });
    await search(page, "電車");
    const expected = snippetText(html).replace(/\s+/gu, " ").trim();
    const snippet = page.locator(".snippet").first();
    await expect.poll(() => snippet.textContent()).toBe(expected);
  });

  test("shows a tag by its name, and counts comments in words", async () => {
    const page = await open("/en/");
    await page.route("**/api/search?*tags=Kent*", async (route) => {
      const tagCounts = [{ tagName: "Kent, England", count: 2 }];
      const all = await api<Result>("/api/search");
      const results = all.results
        .slice(0, 3)
        .map((hit, countComments) => ({ ...hit, countComments }));
      await route.fulfill({ json: { ...all, tagCounts, results } });
    });
    await page.goto(`${url}/en/?tags=Kent,_England`);
    const chosen = page.locator('[data-part="chosen"] a');
    await chosen.waitFor();
    expect(await chosen.innerText()).toBe("✕ Kent, England");
    expect(await chosen.getAttribute("aria-label")).toBe("Without the tag Kent, England");
    const facts = await page.locator(`${hits} .facts-line`).allInnerTexts();
    expect(facts.map((one) => / · ([^·]*comments?)/.exec(one)?.[1])).toEqual([
      "no comments",
      "1 comment",
      "2 comments",
    ]);
    await chosen.click();
    await page.waitForURL(`${url}/en/`);
  });

  test("shows its API call below the list, for curl and with JSON", async () => {
    const page = await open("/");
    await search(page, "電車");
    const [call, json] = [page.locator("#list .call"), page.locator("#list .call pre")];
    expect(await call.locator(".line code").textContent()).toBe(
      `curl '${url}/api/search?q=%E9%9B%BB%E8%BB%8A'`,
    );
    await page.route("**/api/search?*", (route) => route.abort(), { times: 1 });
    await call.locator("summary").click();
    await json.getByText("TypeError").waitFor();
    // It is asked for again when it is unfolded again.
    for (let i = 0; i < 2; i++) await call.locator("summary").click();
    await json.locator(".key").first().waitFor();
    expect(JSON.parse((await json.textContent()) ?? "")).toEqual(await api("/api/search?q=電車"));
    complaints.splice(0);
  });

  test("falls back to ranked hits when no post has all its words", async () => {
    const page = await open("/");
    await search(page, "電車 席 譲る");
    const note = page.locator('[data-part="note"]');
    expect(await note.innerText()).toContain("そのまま含む投稿はありません");
    await page.locator(`${hits} time`).first().waitFor();
    await page.locator(`${hits} mark`).first().waitFor();
  });

  test("suggests the nearest tags for a tag that does not exist", async () => {
    const { tagCounts } = await api<Result>("/api/search");
    const { tagName = "" } = tagCounts.find((one) => /^\S{2,}$/.test(one.tagName)) ?? {};
    const page = await open(`/en/?tags=${encodeURIComponent(`${tagName}x`)}`, { locale: "en-US" });
    const near = page.locator('[data-part="note"] a', { hasText: tagName }).first();
    await near.waitFor();
    const note = await page.locator('[data-part="note"]').innerText();
    expect(note).toContain(`No post has this tag: ${tagName}x`);
    await near.click();
    await page.locator(hits).first().waitFor();
    expect(parameters(page).get("tags")).toBe(tagName);
  });

  test.each(["1e400", "99999999999999999999999", "2.7", "0x2"])(
    "reads page=%s as the API does",
    async (text) => {
      const page = await open(`/?page=${text}`);
      await page.locator(shown).waitFor({ state: "attached" });
      expect(await page.locator(links).count()).toBe(/^[0-9]+$/.test(text) ? 0 : 10);
    },
  );

  test("sends no request while an input method composes", async () => {
    const page = await open("/");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    const client = await page.context().newCDPSession(page);
    await page.locator("#q").focus();
    const composed = { text: "でん", selectionStart: 2, selectionEnd: 2 };
    await client.send("Input.imeSetComposition", composed);
    await page.waitForTimeout(600);
    expect(asked.filter((one) => one.includes("/api/search"))).toEqual([]);
    await client.send("Input.insertText", { text: "電車" });
    await page.waitForURL(/q=%E9%9B%BB%E8%BB%8A/);
  });

  test("runs for what was typed before the program loaded", async () => {
    const page = await open("/");
    const loading = Promise.withResolvers<void>();
    await page.route("**/site/page.js", async (route) => {
      await loading.promise;
      await route.continue();
    });
    await page.goto(`${url}/`, { waitUntil: "commit" });
    await page.locator("#q").pressSequentially("電車");
    loading.resolve();
    await page.waitForURL(/q=%E9%9B%BB%E8%BB%8A/);
    await page.locator(`${hits} mark`).first().waitFor();
  });

  test("drops answers that come late", async () => {
    const page = await open("/");
    const late = Promise.withResolvers<void>();
    await page.route("**/api/search?q=slow*", async (route) => {
      await late.promise;
      await route.continue().catch(() => undefined);
    });
    await page.locator("#q").fill("slow");
    await page.waitForURL(/q=slow/);
    await search(page, "電車");
    const found = await page.locator(links).allInnerTexts();
    late.resolve();
    await page.waitForLoadState("networkidle");
    expect(await page.locator(links).allInnerTexts()).toEqual(found);
  });

  test("keeps what was typed when an order is chosen before the answer", async () => {
    const page = await open("/");
    await page.route("**/api/search?q=*", () => {}, { times: 1 });
    await page.locator("#q").fill("電車");
    await page.locator(".orders a", { hasText: "古い順" }).click();
    await page.waitForURL(/q=%E9%9B%BB%E8%BB%8A&orderby=timeAsc/);
  });
});

describe("the note of the list", () => {
  test.each<[string, { status: number; json?: object }, RegExp, boolean]>([
    [
      "an index",
      { status: 503, json: { error: "Search index unavailable" } },
      /^503 Search index unavailable/,
      true,
    ],
    ["a function", { status: 502, json: { errorMessage: "it broke" } }, /^502 it broke/, true],
    ["a page of another kind", { status: 200 }, /: 200/, true],
    ["too many requests", { status: 429 }, /: 429/, true],
    ["a query that is too long", { status: 431 }, /: 431/, false],
  ])(
    "explains a failure because of %s, and whether to try again",
    async (_, answer, message, canRetry) => {
      const page = await open("/en/");
      await page.route("**/api/search?*", (route) => route.fulfill(answer), { times: 1 });
      await search(page, "電車");
      const failure = page.locator('#list [data-part="note"]');
      expect(await failure.getByRole("alert").innerText()).toMatch(message);
      const again = failure.getByRole("button", { name: "Try again" });
      expect(await again.count()).toBe(canRetry ? 1 : 0);
      if (canRetry) await again.click();
      else await page.locator("#q").press("Enter");
      await page.locator(`${hits} mark`).first().waitFor();
      expect(await failure.innerText()).toBe("");
      complaints.splice(0);
    },
  );

  test("says what to do when nothing is found", async () => {
    const page = await open("/en/");
    await search(page, "zzqx");
    expect(await page.locator('[data-part="note"]').innerText()).toMatch(
      /^Nothing was found\. Try fewer/,
    );
  });
});
