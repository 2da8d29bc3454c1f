/**
 * The documentation page in Chromium, on the server of `npm run dev`: used as people use it.
 * The browser is /usr/bin/chromium, or what the environment's CHROMIUM names.
 */
import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import { createRequire } from "node:module";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { serveSnapshot } from "../../scripts/local/site-server.ts";
import { freePort } from "../support/ports.ts";
import { built, sample } from "../support/support.ts";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core"), "utf8");
let browser: Browser;
let server: Server;
const port = await freePort();
const site = { url: `http://127.0.0.1:${port}` };

beforeAll(async () => {
  server = await serveSnapshot(await built(sample), port, (message) => console.error(message));
  browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    // The sandbox needs rights that a container seldom gives; the only pages visited are the project's own.
    args: [
      "--no-sandbox",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
  });
});
afterAll(async () => {
  await browser?.close();
  server?.close();
});

/** Every request of all pages, and everything that a page complained of. */
const requests: string[] = [];
const complaints: string[] = [];

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ locale: "ja-JP", ...options });
  const page = await context.newPage();
  page.on("request", (request) => requests.push(request.url()));
  page.on("requestfailed", (request) => {
    // The page's policy stopped it before it was sent.
    if (request.failure()?.errorText === "csp") requests.splice(requests.indexOf(request.url()), 1);
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    // An answer of 404 appears on the console, too; those are asked for on purpose.
    if (message.type() === "error" && !message.text().includes("status of 4"))
      complaints.push(message.text());
  });
  await page.goto(site.url + path);
  return page;
}
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
  expect(complaints.splice(0)).toEqual([]);
});

const searchForm = 'form[data-operation="searchPosts"]';
const postForm = 'form[data-operation="getPost"]';
const status = (page: Page, form: string): Promise<string> =>
  page.locator(`${form} [data-part="status"][data-kind]`).innerText();
const body = async (page: Page, form: string): Promise<unknown> =>
  JSON.parse((await page.locator(`${form} [data-part="body"]`).textContent()) ?? "");

async function search(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(values))
    await page.locator(`${searchForm} [name="${name}"]`).fill(value);
  const answered = page.waitForResponse((response) => response.url().includes("/api/search"));
  await page.locator(`${searchForm} button[type="submit"]`).click();
  await answered;
  await page.locator(`${searchForm} [data-kind]`).waitFor();
}

describe("using the page", () => {
  test("search, open a result, go on to a neighbour", async () => {
    const page = await open("/");
    await search(page, { q: "電車", pageSize: "1" });
    expect(await status(page, searchForm)).toMatch(/^200 · \d+ ms$/);
    const found = (await body(page, searchForm)) as {
      metadata: { query: string };
      results: { postId: number; postTitle: string }[];
    };
    expect(found.metadata.query).toBe("電車");
    const url = `${site.url}/api/search?q=%E9%9B%BB%E8%BB%8A&pageSize=1`;
    expect(await page.locator(`${searchForm} [data-part="curl"]`).innerText()).toBe(
      `curl '${url}'`,
    );
    expect(await page.locator(`${searchForm} [data-part="url"]`).getAttribute("href")).toBe(url);
    expect(await (await fetch(url)).json()).toEqual(found);

    await page.locator(`${searchForm} .posts button`).first().click();
    expect(await status(page, postForm)).toMatch(/^200/);
    const post = (await body(page, postForm)) as {
      postId: number;
      nextPost: { postId: number } | null;
      previousPost: { postId: number } | null;
    };
    expect(post.postId).toBe(found.results[0]?.postId);
    await page.locator(`${postForm} .posts button`).first().click();
    const neighbour = post.previousPost ?? post.nextPost;
    await page.waitForFunction(
      ([selector, text]) =>
        document.querySelector(selector ?? "")?.textContent?.includes(text ?? "") === true,
      [`${postForm} [data-part="body"]`, `"postId": ${neighbour?.postId},`],
    );
  });

  test("walk to the next page, and narrow by a tag", async () => {
    const page = await open("/");
    await search(page, { q: "", pageSize: "5" });
    const answered = page.waitForResponse(/page=2/);
    await page.locator(`${searchForm} .pages button`).last().click();
    await answered;
    const tag = page.locator(`${searchForm} .tags button:enabled`).first();
    const name = (await tag.innerText()).replace(/\s*\d+$/, "");
    const narrowed = page.waitForResponse(
      (response) => new URL(response.url()).searchParams.get("tags") === name,
    );
    await tag.click();
    const { results, metadata } = (await (await narrowed).json()) as {
      metadata: { page: number };
      results: { tagNames: string[] }[];
    };
    expect(metadata.page).toBe(1);
    expect(results.length).toBeGreaterThan(0);
    for (const { tagNames } of results) expect(tagNames).toContain(name);
  });

  test("see what is missing, and what is no id", async () => {
    const page = await open("/en/", { locale: "en-US" });
    for (const [id, code, message] of [
      ["999999", "404", "Post not found"],
      ["abc", "400", "postId must be a positive integer"],
    ] as const) {
      await page.locator(`${postForm} [name="postId"]`).fill(id);
      const answered = page.waitForResponse(new RegExp(`posts/${id}$`));
      await page.locator(`${postForm} button[type="submit"]`).click();
      await answered;
      await page.locator(`${postForm} [data-part="body"]`, { hasText: message }).waitFor();
      expect(await status(page, postForm)).toContain(code);
      expect(await body(page, postForm)).toEqual({ error: message });
    }
    // An error is JSON, but nobody asked for JSON: the next post is shown to read.
    await page.locator(`${postForm} [name="postId"]`).fill("1");
    await page.locator(`${postForm} button[type="submit"]`).click();
    await page.locator(`${postForm} iframe`).waitFor();
    expect(await page.locator(`${postForm} [data-part="body"]`).isVisible()).toBe(false);
  });

  test("what users wrote is shown as text", async () => {
    const page = await open("/");
    await search(page, { q: "閉じ忘れ" });
    await page.locator(`${searchForm} .posts button`).first().click();
    await page.locator(`${postForm} [data-kind]`).waitFor();
    expect(await page.locator(`${postForm} [data-part="body"]`).textContent()).toContain(
      "<b>太字<p>",
    );
    expect(await page.locator(`${postForm} [data-part="body"] b`).count()).toBe(0);
    // The body itself is shown as HTML, in a frame of its own.
    await page.frameLocator(`${postForm} iframe`).locator("b").first().waitFor();
  });
});

describe("looking at the collection", () => {
  const hits = `${searchForm} ol.posts > li`;

  test("find by a word, narrow by a tag, sort by likes, read, go to a similar one, share", async () => {
    const page = await open("/");
    await page.locator('a[href="#searchPosts-try"]').first().click();
    // Typing is enough.
    await page.locator(`${searchForm} [name="q"]`).fill("電車");
    await page.waitForURL(/\?q=%E9%9B%BB%E8%BB%8A/);
    await page.locator(hits).first().waitFor();
    expect(await page.locator(`${searchForm} .found`).innerText()).toMatch(/^\d+ 件$/);
    await page.locator(`${searchForm} [name="orderby"]`).selectOption("like");
    await page.waitForURL(/orderby=like/);
    const tag = page.locator(`${searchForm} .tags button:enabled`).first();
    const name = (await tag.innerText()).replace(/\s*\d+\s*$/, "");
    await tag.click();
    await page.waitForURL((url) => url.searchParams.get("tags") === name.trim());
    await page.locator(`${searchForm} [data-kind]`).waitFor();

    const shared = await open(new URL(page.url()).pathname + new URL(page.url()).search);
    await shared.locator(hits).first().waitFor();
    expect(await shared.locator(hits).allInnerTexts()).toEqual(
      await page.locator(hits).allInnerTexts(),
    );

    await page.goBack();
    await page.waitForURL((url) => !url.searchParams.has("tags"));
    expect(await page.locator(`${searchForm} [name="tags"]`).inputValue()).toBe("");

    await page.locator(`${hits} button`).first().click();
    await page.locator(`${postForm} .post-title`).waitFor();
    const title = await page.locator(`${postForm} .post-title`).innerText();
    await page.locator(`${postForm} .posts button`).first().click();
    await page.waitForFunction(
      ([selector, before]) => document.querySelector(selector ?? "")?.textContent !== before,
      [`${postForm} .post-title`, title],
    );
  });

  test("JSON is one switch away, and stays chosen", async () => {
    const page = await open("/");
    await search(page, { q: "電車" });
    const json = page.locator(`${searchForm} pre`);
    expect(await json.isVisible()).toBe(false);
    await page.locator(`${searchForm} [data-part="switch"]`).click();
    expect([await json.isVisible(), await page.locator(hits).first().isVisible()]).toEqual([
      true,
      false,
    ]);
    await search(page, { q: "席" });
    expect(await json.isVisible()).toBe(true);
  });

  test("nothing found, and no answer, say what to try", async () => {
    const page = await open("/en/", { locale: "en-US" });
    await search(page, { q: "zzqx" });
    expect(await page.locator(`${searchForm} .leads`).innerText()).toMatch(
      /^0 hits\s+Nothing was found\. Try fewer/,
    );
    await page.route("**/api/search*", (route) =>
      route.fulfill({ status: 503, json: { error: "Search is temporarily unavailable" } }),
    );
    await search(page, { q: "a" });
    expect(await status(page, searchForm)).toMatch(/^503/);
    await page.route("**/api/search*", (route) =>
      route.fulfill({ body: "<p>A captive portal</p>" }),
    );
    await search(page, { q: "b" });
    expect(await status(page, searchForm)).toMatch(/^The request failed/);
    expect(await page.locator(`${searchForm} [data-kind="failure"]`).isVisible()).toBe(true);
    await page.route("**/api/search*", (route) => route.abort());
    await page.locator(`${searchForm} .leads button`, { hasText: "Try again" }).click();
    await page.locator(`${searchForm} [data-kind]`, { hasText: "The request failed" }).waitFor();
    await page.unroute("**/api/search*");
    await page.locator(`${searchForm} .leads button`, { hasText: "Try again" }).click();
    await page.locator(hits).first().waitFor();
    complaints.splice(0);
  });

  test("an answer that is outdated is dropped", async () => {
    const page = await open("/");
    await page.route("**/api/search?q=slow*", async (route) => {
      await new Promise((wait) => setTimeout(wait, 1500));
      await route.continue();
    });
    await page.locator(`${searchForm} [name="q"]`).fill("slow");
    await page.waitForURL(/q=slow/);
    await search(page, { q: "電車" });
    const shown = await page.locator(hits).allInnerTexts();
    await page.waitForTimeout(2000);
    expect(await page.locator(hits).allInnerTexts()).toEqual(shown);
  });

  test("a stranger's HTML runs nothing, loads nothing, and leaves the frame nowhere", async () => {
    const page = await open("/");
    const [evil, outside] = ["<img src=x onerror=top.document.title='x'>", "https://evil.example/"];
    const html = `<p>text</p>${evil}<script>top.document.title='x'</script>
      <img src="${outside}a.png" alt="a picture"><iframe src="${outside}"></iframe>
      <meta http-equiv="refresh" content="0;url=${outside}"><form action="${outside}"><button>send</button></form>
      <a href="javascript:top.document.title='x'">script</a><a href="${outside}">link</a>
      <style>body{display:none}</style><div style="position:fixed;inset:0">over</div></body></html>`;
    const title = "長".repeat(300);
    await page.route("**/api/posts/1", async (route) => {
      const post = (await (await route.fetch()).json()) as Record<string, unknown>;
      const reply = (commentId: number, commentParent: number) => ({
        commentId,
        commentParent,
        commentAuthor: evil,
        commentContent: evil,
        commentDateGmt: "2024-01-01T00:00:00.000Z",
        likesCount: 0,
        dislikesCount: 0,
      });
      const comments = [reply(3, 2), reply(2, 1), reply(1, 0)];
      const tags = [{ tagId: 1, tagName: "t".repeat(100) }];
      await route.fulfill({
        json: { ...post, postTitle: title, postContentHtml: html, comments, tags },
      });
    });
    await page.setViewportSize({ width: 320, height: 700 });
    await page.locator(`${postForm} [name="postId"]`).fill("1");
    await page.locator(`${postForm} button[type="submit"]`).click();
    const frame = page.frameLocator(`${postForm} > div iframe`);
    await frame.locator("p", { hasText: "text" }).waitFor();
    await frame.locator("a", { hasText: "script" }).click({ force: true });
    await page.waitForTimeout(500);
    expect(await page.title()).not.toBe("x");
    expect(page.url()).toContain(site.url);
    expect(await page.locator(`${postForm} .comments li li li`).count()).toBe(1);
    expect(await page.locator(`${postForm} .comments img`).count()).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    expect(requests.filter((url) => url.startsWith(outside))).toEqual([]);
    // What the policy refused is on the console; nothing else is.
    expect(
      complaints.splice(0).filter((text) => !/Content Security Policy|sandbox/i.test(text)),
    ).toEqual([]);
  });
});

describe("a post with what strangers wrote", () => {
  const comment = (commentId: number, commentParent: number) => ({
    commentId,
    commentParent,
    commentAuthor: `author ${commentId}`,
    commentContent: `text ${commentId}`,
    commentDateGmt: "2024-01-01T00:00:00.000Z",
    likesCount: 0,
    dislikesCount: 0,
  });
  /** Shows post 1 with other fields. */
  async function openPost(fields: object): Promise<Page> {
    const page = await open("/");
    await page.route("**/api/posts/1", async (route) => {
      const post = (await (await route.fetch()).json()) as object;
      await route.fulfill({ json: { ...post, ...fields } });
    });
    await page.locator(`${postForm} [name="postId"]`).fill("1");
    await page.locator(`${postForm} button[type="submit"]`).click();
    await page.locator(`${postForm} .post-title`).waitFor();
    return page;
  }

  test("1,500 replies, each to the one before, are shown: flat from some depth on", async () => {
    const ids = Array.from({ length: 1500 }, (_, i) => i + 1);
    const comments = ids.map((id) => comment(id, id - 1)).reverse();
    const page = await openPost({ comments: [...comments, comment(2000, 0), comment(2001, 3)] });
    const texts = await page.locator(`${postForm} .comments .written`).allInnerTexts();
    expect(texts).toEqual(
      // Newest first, and below each comment those that answer it.
      [1, 2, 3, ...ids.slice(3), 2001, 2000].map((id) => `text ${id}`),
    );
    expect(await page.locator(`${postForm} .comments ${"ol ".repeat(5)}`).count()).toBe(1);
    expect(await page.locator(`${postForm} .comments ${"ol ".repeat(6)}`).count()).toBe(0);
    // Where a comment stands no longer says whom it answers.
    const heads = await page.locator(`${postForm} .comments .facts-line`).allInnerTexts();
    expect(heads[5]).toMatch(/^author 6 · /);
    expect(heads[6]).toMatch(/^author 7 ↳ author 6 · /);
  });

  test.each([
    '<meta name="referrer" content="unsafe-url"><a href="https://outside.example/">go</a>',
    '<a href="https://outside.example/" referrerpolicy="unsafe-url">go</a>',
    '<base href="https://outside.example/"><a href="https://outside.example/" ping="/api/search">go</a>',
    '</body></html><meta name="referrer" content="unsafe-url"><a href="https://outside.example/">go</a>',
  ])("%s tells the other site nothing of the page", async (postContentHtml) => {
    const page = await openPost({ postContentHtml });
    await page.evaluate(() => history.replaceState(null, "", "/?q=private"));
    const asked: Record<string, string>[] = [];
    await page.context().route("https://outside.example/**", async (route) => {
      asked.push(await route.request().allHeaders());
      await route.fulfill({ body: "outside" });
    });
    const opened = page.context().waitForEvent("page");
    await page.frameLocator(`${postForm} iframe`).getByText("go").click();
    await (await opened).waitForLoadState();
    expect(asked).toHaveLength(1);
    expect(asked[0]?.["referer"]).toBeUndefined();
    const frame = page.frameLocator(`${postForm} iframe`);
    expect(await frame.locator("meta[name=referrer], base[href], [ping]").count()).toBe(0);
    // A base that the policy has refused is on the console.
    expect(complaints.splice(0).filter((text) => !text.includes("base-uri"))).toEqual([]);
  });
});

describe("the search in the page's URL", () => {
  const asked = (page: Page): string[] => {
    const urls: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/api/search")) urls.push(request.url());
    });
    return urls;
  };

  /** Sends a search without typing, which would replace the entry of the history. */
  async function submit(page: Page, q: string): Promise<void> {
    await page.locator(`${searchForm} [name="q"]`).evaluate((input, text) => {
      (input as HTMLInputElement).value = text;
      (input as HTMLInputElement).form?.requestSubmit();
    }, q);
    await page.locator(`${searchForm} ol.posts > li`).first().waitFor();
  }

  test("is kept for a reader whose browser wants the other language", async () => {
    const page = await open("/?q=電車#searchPosts-try", { locale: "en-US" });
    await page.waitForURL(`${site.url}/en/?q=%E9%9B%BB%E8%BB%8A#searchPosts-try`);
    await page.locator(`${searchForm} ol.posts > li`).first().waitFor();
    expect(await page.locator(`${searchForm} [name="q"]`).inputValue()).toBe("電車");
  });

  test("is kept by the links between languages", async () => {
    const page = await open("/");
    await page.locator(`${searchForm} [name="q"]`).fill("席");
    await page.waitForURL(/\?q=%E5%B8%AD/);
    await page.locator('a[data-language="en"]').click();
    await page.waitForURL(`${site.url}/en/?q=%E5%B8%AD#searchPosts-try`);
    await page.locator(`${searchForm} ol.posts > li`).first().waitFor();
  });

  test("is not asked again by a link inside the page", async () => {
    const page = await open("/");
    await submit(page, "電車");
    const urls = asked(page);
    await page.locator('.contents a[href="#errors"]').click();
    await page.waitForURL(/#errors$/);
    await page.goBack();
    await page.waitForURL(/#searchPosts-try$/);
    await page.waitForTimeout(500);
    expect(urls).toEqual([]);
    expect(await page.locator(`${searchForm} ol.posts > li`).count()).toBeGreaterThan(0);
  });

  test("goes with its hits on the way back to the page before it", async () => {
    const page = await open("/");
    const q = page.locator(`${searchForm} [name="q"]`);
    const before = await q.inputValue();
    await submit(page, "電車");
    await page.goBack();
    await page.locator(`${searchForm} [data-part="result"]`).waitFor({ state: "hidden" });
    expect(await q.inputValue()).toBe(before);
    await page.goForward();
    await page.locator(`${searchForm} ol.posts > li`).first().waitFor();
    expect(await q.inputValue()).toBe("電車");
  });

  test("of everything is one, too", async () => {
    const page = await open("/?#searchPosts-try");
    await page.locator(`${searchForm} ol.posts > li`).first().waitFor();
    expect(await page.locator(`${searchForm} [name="q"]`).inputValue()).toBe("");
  });
});

describe("languages", () => {
  test("the browser's own is followed", async () => {
    expect(await (await open("/", { locale: "ja-JP" })).locator("html").getAttribute("lang")).toBe(
      "ja",
    );
    const english = await open("/", { locale: "en-GB" });
    await english.waitForURL(`${site.url}/en/`);
    expect(await english.locator("html").getAttribute("lang")).toBe("en");
  });

  test("a choice is kept", async () => {
    const page = await open("/", { locale: "en-US" });
    await page.waitForURL(`${site.url}/en/`);
    await page.locator('a[data-language="ja"]').click();
    await page.waitForURL(`${site.url}/`);
    await page.reload();
    expect(await page.locator("html").getAttribute("lang")).toBe("ja");
    expect(page.url()).toBe(`${site.url}/`);
  });
});

test("the keyboard alone is enough", async () => {
  const page = await open("/");
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.className)).toBe("skip");
  await page.keyboard.press("Enter");
  const focus = async (wanted: string): Promise<void> => {
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press("Tab");
      if (await page.evaluate((selector) => document.activeElement?.matches(selector), wanted))
        return;
    }
    throw new Error(`Tab does not reach ${wanted}`);
  };
  await focus(`${searchForm} [name="q"]`);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("電車");
  await page.keyboard.press("Enter");
  await page.locator(`${searchForm} [data-kind]`).waitFor();
  await focus(`${searchForm} .posts button`);
  await page.keyboard.press("Enter");
  await page.locator(`${postForm} [data-kind]`).waitFor();
  // The reader is at the answer that was asked for.
  expect(await page.evaluate(() => document.activeElement?.getAttribute("data-part"))).toBe(
    "status",
  );
});

test("without scripts the documentation is whole, and a search can still be sent", async () => {
  const page = await open("/", { javaScriptEnabled: false });
  for (const text of ["/api/search", "/api/posts/{postId}", "pageSize", "postContentHtml", "404"])
    expect(await page.locator("main").innerText()).toContain(text);
  expect(await page.locator(postForm).isVisible()).toBe(false);
  await page.locator(`${searchForm} button[type="submit"]`).click();
  await page.waitForURL(/\/api\/search\?/);
  expect(JSON.parse(await page.locator("body").innerText())).toHaveProperty("metadata");
});

describe.each(["light", "dark"] as const)("in %s", (colorScheme) => {
  test.each([
    [320, "/"],
    [320, "/en/"],
    [1280, "/"],
    [1280, "/en/"],
  ])("at %i px, %s is accessible and nothing runs over the edge", async (width, path) => {
    const locale = path === "/" ? "ja-JP" : "en-US";
    const page = await open(path, {
      colorScheme,
      locale,
      viewport: { width, height: 800 },
      // axe is put into the page, which the page's policy forbids.
      bypassCSP: true,
    });
    await search(page, {});
    await page.locator(`${searchForm} .posts button`).first().click();
    await page.locator(`${postForm} [data-kind]`).waitFor();
    await page.evaluate(axeSource);
    const { violations, passes } = (await page.evaluate(
      "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })",
    )) as { violations: { id: string; nodes: { html: string }[] }[]; passes: unknown[] };
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    expect(passes.length).toBeGreaterThan(20);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });
});

test("no request left the site", () => {
  expect(requests.length).toBeGreaterThan(50);
  expect(requests.filter((url) => !url.startsWith(`${site.url}/`))).toEqual([]);
});
