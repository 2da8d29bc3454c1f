/** A visitor goes back and forth: the URL is the state, the place and the keyboard follow. */
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import {
  api,
  complaints,
  focused,
  hits,
  links,
  open,
  openPost,
  parameters,
  postTitle,
  search,
  shown,
  url,
  useSite,
} from "./site.ts";

useSite();

/** Waits until the page is scrolled to a place, and stays there. */
async function isAt(page: Page, y: number): Promise<void> {
  await page.waitForFunction((wanted) => scrollY === wanted, y);
  await page.waitForTimeout(200);
  expect(await page.evaluate(() => scrollY)).toBe(y);
}

/** Scrolls, until the history knows the place. */
async function scrollTo(page: Page, y: number): Promise<void> {
  await page.evaluate((place) => window.scrollTo(0, place), y);
  await page.waitForFunction((place) => (history.state as { y: number } | null)?.y === place, y);
}

const back = "#back";
const long = { postContentHtml: "<p>一段落の文章。</p>".repeat(200) };
const phone = { viewport: { width: 390, height: 700 } };

describe("the URL", () => {
  test("keeps a post through Back, Forward, reload, language and a new tab", async () => {
    const page = await open("/");
    await search(page, "電車");
    const title = await page.locator(links).first().innerText();
    await page.locator(links).first().click();
    await page.locator(postTitle).waitFor();
    const postId = parameters(page).get("post");
    await expect
      .poll(() => page.title())
      .toBe(`${title} – ${await page.locator("h1").innerText()}`);
    await page.goBack();
    await page.locator(links).first().waitFor();
    expect(await page.locator("#q").inputValue()).toBe("電車");
    await page.goForward();
    await page.locator(postTitle, { hasText: title }).waitFor();
    await page.reload();
    await page.locator(postTitle, { hasText: title }).waitFor();
    await page.locator("a[hreflang=en]").click();
    await page.waitForURL(`${url}/en/?post=${postId}`);
    await page.locator(postTitle, { hasText: title }).waitFor();
    const [tab] = await Promise.all([
      page.context().waitForEvent("page"),
      page
        .locator(".neighbours a")
        .first()
        .click({ modifiers: ["ControlOrMeta"] }),
    ]);
    await tab.locator(postTitle).waitFor();
    expect(parameters(page).get("post")).toBe(postId);
  });

  test("gets a history step for a search's first word, not further typing", async () => {
    const page = await open("/");
    await search(page, "電");
    await search(page, "電車");
    await page.goBack();
    await page.locator(hits).nth(9).waitFor();
    expect(page.url()).toBe(`${url}/`);
    expect(await page.locator("#q").inputValue()).toBe("");
  });

  test("gets a history step for a page of the list", async () => {
    const page = await open("/");
    const { results } = await api<{ results: { postTitle: string }[] }>("/api/search?page=2");
    await page.getByText("次のページ").click();
    await page.locator(links, { hasText: results[0]?.postTitle ?? "" }).waitFor();
    expect(await page.locator(links).allInnerTexts()).toEqual(results.map((one) => one.postTitle));
    await isAt(page, 0);
    expect(await focused(page)).toBe("40 件 · ページ 2 / 4");
    await page.getByText("前のページ").click();
    await page.waitForURL(`${url}/`);
    await page.goBack();
    await page.locator(links, { hasText: results[0]?.postTitle ?? "" }).waitFor();
  });

  test("redirects from /en/#errors to the documentation, which has the other parts", async () => {
    const page = await open("/en/#errors");
    await page.waitForURL(`${url}/en/docs/#errors`);
    expect(await page.locator("#errors h2").innerText()).toBe("Errors");
    for (const id of ["api", "search", "post", "SearchResult", "tool-fetch"])
      expect(await page.locator(`[id="${id}"]`).count(), id).toBe(1);
  });
});

describe("the scroll position", () => {
  test("is kept at a reload, and on the way back to a post", async () => {
    const page = await openPost(long, phone);
    await scrollTo(page, 6000);
    await page.reload();
    await isAt(page, 6000);
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await page.waitForTimeout(200);
    const end = await page.evaluate(() => scrollY);
    await page.locator(".neighbours a").first().click();
    await isAt(page, 0);
    await page.goBack();
    await isAt(page, end);
  });

  test("returns to the hit in the list, with the focus, after a post", async () => {
    const page = await open("/", phone);
    const hit = page.locator(links).nth(6);
    const title = await hit.innerText();
    await hit.scrollIntoViewIfNeeded();
    const y = await page.evaluate(() => scrollY);
    expect(y).toBeGreaterThan(300);
    await hit.click();
    await page.locator(postTitle, { hasText: title }).waitFor();
    await isAt(page, 0);
    await expect.poll(() => focused(page)).toBe(title);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H2");
    await page.goBack();
    await isAt(page, y);
    expect(await focused(page)).toBe(title);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("A");
    await hit.click();
    await page.locator(postTitle).waitFor();
    await page.locator(back).click();
    await isAt(page, y);
    expect(await focused(page)).toBe(title);
    expect(page.url()).toBe(`${url}/`);
  });

  test("is the top of a list that is searched for from a post", async () => {
    const page = await openPost(long, phone);
    await scrollTo(page, 600);
    await page.locator("#q").focus();
    await search(page, "電車");
    await isAt(page, 0);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("q");
    await page.goBack();
    await page.locator(postTitle).waitFor();
    await page.locator(back).click();
    await page.locator(links).first().waitFor();
    await isAt(page, 0);
  });
});

describe("the post view", () => {
  test("says whether its back link leads to all posts or results", async () => {
    const page = await open("/en/");
    await page.locator(links).first().click();
    await page.locator(back, { hasText: "← All posts" }).waitFor();
    await page.locator(back).click();
    await search(page, "電車");
    await page.locator(links).first().click();
    await page.locator(back, { hasText: "← Results" }).waitFor();
    await page.locator("#reader .similar a").first().click();
    await page.locator(back).click();
    await page.waitForURL(/q=/);
    expect(await page.locator("#q").inputValue()).toBe("電車");
  });

  test("moves the focus to the list's head when a tag is clicked", async () => {
    const page = await open("/?post=1");
    await page.locator("#reader .tags a").first().click();
    await page.locator('[data-part="chosen"] a').waitFor();
    await expect.poll(() => focused(page)).toMatch(/^\d+ 件$/);
  });
});

describe("the post view, when it cannot show a post,", () => {
  test.each([
    ["999999", "404 Post not found"],
    ["abc", "400"],
  ])("offers no retry for the id %s: %s", async (id, message) => {
    const page = await open(`/?post=${id}`);
    await page.locator("#reader .failure[role=alert]", { hasText: message }).waitFor();
    expect(await page.locator("#reader button").count()).toBe(0);
    await page.locator(back).click();
    await page.locator(links).first().waitFor();
  });

  test.each([
    ["there was no network", "**/api/posts/*", undefined],
    ["its program is of an earlier release", "**/site/post-*.js", 404],
  ])("shows it after a retry when %s", async (_, path, status) => {
    const page = await open("/");
    await page.route(path, (route) =>
      status === undefined ? route.abort() : route.fulfill({ status }),
    );
    await page.locator(links).nth(3).click();
    const again = page.locator("#reader button", { hasText: "もう一度試す" });
    await again.waitFor();
    await page.unroute(path);
    await again.click();
    await page.locator(postTitle).waitFor();
    complaints.splice(0);
  });

  test("shows the next post asked for while the first never comes", async () => {
    const page = await open("/");
    await page.route("**/api/posts/1", () => {});
    await page.evaluate(() => history.pushState(null, "", "/?post=1"));
    await page.locator(links).first().dispatchEvent("click");
    await page.locator(postTitle).waitFor();
    expect(parameters(page).get("post")).not.toBe("1");
  });
});

describe("the language", () => {
  const crawler =
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1; +http://www.google.com/bot.html) Chrome/140.0.0.0 Safari/537.36";
  const phoneByCubot =
    "Mozilla/5.0 (Linux; Android 11; CUBOT X50) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile";

  test.each([
    ["that of the browser", {}, "/en/?post=1"],
    ["that of the URL for a crawler that asks for English", { userAgent: crawler }, "/?post=1"],
    [
      "that of the browser on a phone whose brand ends with bot",
      { userAgent: phoneByCubot },
      "/en/?post=1",
    ],
  ])("is %s", async (_, options, expected) => {
    const page = await open("/?post=1", { locale: "en-US", ...options });
    await page.waitForURL(url + expected);
    await page.locator(postTitle).waitFor();
  });

  test("stays as it was chosen, with the search, in the documentation too", async () => {
    const page = await open("/");
    await search(page, "電車");
    await page.locator("a[hreflang=en]").click();
    await page.waitForURL(`${url}/en/?q=%E9%9B%BB%E8%BB%8A`);
    await page.goto(`${url}/docs/`);
    await page.waitForURL(`${url}/en/docs/`);
    await page.locator("a[hreflang=ja]").click();
    await page.waitForURL(`${url}/docs/`);
    await page.goto(`${url}/`);
    await page.locator(`${shown}, ${hits} >> nth=0`).first().waitFor();
    expect(page.url()).toBe(`${url}/`);
  });

  test("can be changed when storage is blocked", async () => {
    const page = await open("/en/");
    await page.addInitScript("delete window.localStorage");
    await page.reload();
    await page.locator("a[hreflang=ja]").click();
    await page.waitForURL(`${url}/`);
    expect(await page.locator("html").getAttribute("lang")).toBe("ja");
  });
});
