/**
 * The page in Chromium, on the server of `npm run dev`: used as people use it.
 * The browser is /usr/bin/chromium, or what the environment's CHROMIUM names.
 */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  chromium,
  type Browser,
  type Locator,
  type BrowserContextOptions,
  type Page,
  type Route,
} from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { snippetText } from "../../scripts/documents/visible-text.ts";
import { serveSnapshot } from "../../scripts/local/site-server.ts";
import { freePort } from "../support/ports.ts";
import { built, sample, temporaryFolder } from "../support/support.ts";

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

/** What an answer changed is on the page. */
const shown = '#hits[aria-busy="false"]';
const hits = "#hits > .hit";
const links = `${hits} h3 a`;
/** The text of the post that is shown. */
const postText = "#reader .post-text";
/** Waits until an element has the keyboard. */
const isFocused = (element: Locator): Promise<void> =>
  element.and(element.page().locator(":focus")).waitFor();
const parameters = (page: Page): URLSearchParams => new URL(page.url()).searchParams;

/** Types into the field, and waits for the list of it. */
async function search(page: Page, q: string): Promise<void> {
  const answered = page.waitForResponse(
    (response) => new URL(response.url()).searchParams.get("q") === q,
  );
  await page.locator("#q").fill(q);
  await answered;
  await page.locator(shown).waitFor({ state: "attached" });
}

/** What the API answers. */
const api = async <T>(path: string): Promise<T> =>
  (await (await fetch(site.url + path)).json()) as T;

/** The page with a post whose document has other fields. */
async function openPost(fields: object, options?: BrowserContextOptions): Promise<Page> {
  const page = await open("/", options);
  await page.route("**/api/posts/1", async (route) => {
    const post = (await (await route.fetch()).json()) as object;
    await route.fulfill({ json: { ...post, ...fields } });
  });
  await page.goto(`${site.url}/?post=1`);
  await page.locator(".post-title").waitFor();
  return page;
}

describe("the first screen", () => {
  test("does not begin with the newest posts where something else is asked for, in browsers of early 2023, too", async () => {
    const page = await open("/");
    await page.addInitScript(() => {
      Reflect.deleteProperty(URLSearchParams.prototype, "size");
      // The first thing that the page says of itself: its program has not run then.
      new MutationObserver((_, observer) => {
        const { view } = document.documentElement.dataset;
        if (view === undefined) return;
        window.name = view;
        observer.disconnect();
      }).observe(document, { attributes: true, childList: true, subtree: true });
    });
    const views = { "/": "start", "/?q=a": "loading" };
    for (const [path, view] of Object.entries(views)) {
      await page.goto(`${site.url}${path}`);
      expect(await page.evaluate(() => window.name), path).toBe(view);
    }
  });

  test.each([
    [390, 844],
    [1280, 800],
  ])(
    "at %i × %i has the field, the orders and the newest posts, without any request",
    async (width, height) => {
      const page = await open("/", { viewport: { width, height } });
      const asked: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      for (const selector of ["#q", ".orders", `${hits} >> nth=0`]) {
        const box = await page.locator(selector).boundingBox();
        expect((box?.y ?? height) + (box?.height ?? 0), selector).toBeLessThanOrEqual(height);
      }
      const { results } = await api<{ results: { postTitle: string }[] }>("/api/search");
      expect(await page.locator(links).allInnerTexts()).toEqual(
        results.map(({ postTitle }) => postTitle),
      );
      expect(asked.filter((url) => url.includes("/api/"))).toEqual([]);
    },
  );

  test("on a phone the orders are below the first posts, as the keyboard has them", async () => {
    const page = await open("/", { viewport: { width: 390, height: 844 } });
    const tops = await page
      .locator(`${hits}:first-child h3 a, .orders a, #list aside a`)
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    expect(tops).toEqual(tops.toSorted((a, b) => a - b));
  });

  test("bars say their value on hover and focus, and lead to the posts of their time", async () => {
    const page = await open("/");
    const bar = page.locator(".chart-time a").first();
    await bar.hover({ force: true });
    const label = (await bar.getAttribute("aria-label")) ?? "";
    expect(await page.locator(".chart-time output").innerText()).toBe(label);
    const last = page.locator(".chart-time a").last();
    await last.focus();
    expect(await page.locator(".chart-time output").innerText()).toBe(
      await last.getAttribute("aria-label"),
    );
    const [period = ""] = label.split(": ");
    await bar.focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/page=/);
    await page.locator(shown).waitFor({ state: "attached" });
    const dates = await page.locator(`${hits} time`).allInnerTexts();
    expect(dates.some((date) => date.startsWith(period.slice(0, 4)))).toBe(true);
  });
});

test("a tap on a bar shows its value, and the next one leads to its posts", async () => {
  const page = await open("/", { hasTouch: true, viewport: { width: 390, height: 844 } });
  const bars = page.locator(".chart-time a");
  for (const bar of [bars.first(), bars.last()]) {
    // The part of a bar that is pointed at is as high as the chart.
    await bar.locator("rect").first().tap();
    expect(await page.locator(".chart-time output").innerText()).toBe(
      await bar.getAttribute("aria-label"),
    );
  }
  expect(page.url()).toBe(`${site.url}/`);
  await bars.first().locator("rect").first().tap();
  await bars.first().locator("rect").first().tap();
  await page.waitForURL(/page=/);
});

describe("finding", () => {
  test("a word as it is typed, in the order of likes, narrowed by a tag; the list is its URL", async () => {
    const page = await open("/");
    await search(page, "電車");
    expect(parameters(page).get("q")).toBe("電車");
    const { results } = await api<{ results: { postId: number }[] }>(`/api/search?q=電車`);
    const ids = await page
      .locator(hits)
      .evaluateAll((all) => all.map((one) => one.getAttribute("data-post")));
    expect(ids).toEqual(results.map(({ postId }) => String(postId)));
    await page.locator(".orders a", { hasText: "いいね順" }).click();
    await page.waitForURL(/orderby=like/);
    const tag = page.locator('[data-part="tags"] a.tag').first();
    const name = await tag.innerText();
    await tag.click();
    await page.waitForURL((url) => url.searchParams.get("tags") === name);
    await page.locator('[data-part="chosen"] a').waitFor();
    const found = await page.locator(links).allInnerTexts();
    // Its further tags are those of its posts, as often as they have them.
    const tagged = await api<{ results: { tagNames: string[] }[] }>(
      `/api/search${new URL(page.url()).search}`,
    );
    const others = tagged.results.flatMap(({ tagNames }) => tagNames.filter((one) => one !== name));
    const shown = await page
      .locator('[data-part="tags"] li')
      .evaluateAll((all) => all.map((one) => one.textContent));
    expect(shown.length).toBeGreaterThan(0);
    for (const one of new Set(others))
      expect(shown).toContain(`${one}${others.filter((other) => other === one).length}`);
    const shared = await open(`/${new URL(page.url()).search}`);
    await shared.locator('[data-part="chosen"] a').waitFor();
    expect(await shared.locator(links).allInnerTexts()).toEqual(found);
    expect(await shared.locator("#q").inputValue()).toBe("電車");
    await page.goBack();
    await page.waitForURL((url) => !url.searchParams.has("tags"));
    await page.locator('[data-part="chosen"] a').waitFor({ state: "detached" });
  });

  test("shows the words that were found, marked", async () => {
    const page = await open("/");
    await search(page, "ばら");
    await page.locator(`${hits} mark`).first().waitFor();
    const marked = await page.locator(`${hits} mark`).allInnerTexts();
    expect(new Set(marked)).toEqual(new Set(["ばら"]));
    expect(await page.locator(".snippet b, .snippet ruby").count()).toBe(0);
  });

  test("more posts follow without losing the place, and come back with Back and after a reload", async () => {
    const page = await open("/");
    const { results, metadata } = await api<{ results: unknown[]; metadata: { count: number } }>(
      "/api/search",
    );
    await page.locator("[data-more]").click();
    await page.locator(hits).nth(results.length).waitFor();
    const count = Math.min(metadata.count, 20);
    expect(await page.locator(hits).count()).toBe(count);
    const chosen = page.locator(links).nth(15);
    await chosen.scrollIntoViewIfNeeded();
    await page.waitForTimeout(300);
    const y = await page.evaluate(() => scrollY);
    const title = await chosen.innerText();
    await chosen.click();
    await page.locator(".post-title", { hasText: title }).waitFor();
    expect(await page.evaluate(() => [scrollY, document.activeElement?.tagName])).toEqual([
      0,
      "H2",
    ]);
    await page.goBack();
    await chosen.waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(y);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(title);
    await page.reload();
    await page
      .locator(hits)
      .nth(count - 1)
      .waitFor();
    await page.waitForFunction((before) => Math.abs(scrollY - before) < 60, y);
  });

  test("the call is below the list: for curl, and with its JSON", async () => {
    const page = await open("/");
    await search(page, "電車");
    const url = `${site.url}/api/search?q=%E9%9B%BB%E8%BB%8A`;
    // Unfolded again before the answer arrives.
    const unfolded = Promise.withResolvers<void>();
    await page.route("**/api/search?*", async (route) => {
      await unfolded.promise;
      await route.continue();
    });
    for (let i = 0; i < 3; i++) await page.locator("#list .call summary").click();
    unfolded.resolve();
    expect(await page.locator("#list .call .line code").innerText()).toBe(`curl '${url}'`);
    await page.locator("#list .call pre .key").first().waitFor();
    await page.waitForLoadState("networkidle");
    expect(JSON.parse((await page.locator("#list .call pre").textContent()) ?? "")).toEqual(
      await api(`/api/search?q=電車`),
    );
  });

  test("the JSON of a call that failed is asked for again when it is unfolded again", async () => {
    const page = await open("/");
    await search(page, "電車");
    await page.route("**/api/search?*", (route) => route.abort());
    const [summary, json] = [page.locator("#list .call summary"), page.locator("#list .call pre")];
    await summary.click();
    await json.getByText("TypeError").waitFor();
    await page.unroute("**/api/search?*");
    for (let i = 0; i < 2; i++) await summary.click();
    await json.locator(".key").first().waitFor();
    complaints.splice(0);
  });

  test("the JSON that is shown stays when an earlier request for it fails", async () => {
    const page = await open("/");
    await search(page, "電車");
    const late = Promise.withResolvers<Route>();
    await page.route("**/api/search?*", late.resolve, { times: 1 });
    const [summary, json] = [page.locator("#list .call summary"), page.locator("#list .call pre")];
    for (let i = 0; i < 3; i++) await summary.click();
    await json.locator(".key").first().waitFor();
    await (await late.promise).abort();
    await page.waitForTimeout(300);
    expect(await json.locator(".key").count()).toBeGreaterThan(0);
    complaints.splice(0);
  });

  test("words that no post has together: the ranked search helps", async () => {
    const page = await open("/");
    await search(page, "電車 席 譲る");
    expect(await page.locator('[data-part="note"]').innerText()).toContain(
      "そのまま含む投稿はありません",
    );
    expect(await page.locator(hits).count()).toBeGreaterThan(0);
    await page.locator(`${hits} time`).first().waitFor();
    await page.locator(`${hits} mark`).first().waitFor();
  });

  test("a tag that does not exist is said to be unknown, with the nearest ones", async () => {
    const { tagCounts } = await api<{ tagCounts: { tagName: string }[] }>("/api/search");
    const { tagName = "" } = tagCounts.find((one) => /^\S{2,}$/.test(one.tagName)) ?? {};
    const page = await open(`/en/?tags=${encodeURIComponent(`${tagName}x`)}`, { locale: "en-US" });
    const note = page.locator('[data-part="note"]');
    await note.locator("a", { hasText: tagName }).first().waitFor();
    expect(await note.innerText()).toContain(`No post has this tag: ${tagName}x`);
    await note.locator("a", { hasText: tagName }).first().click();
    await page.locator(hits).first().waitFor();
    expect(parameters(page).get("tags")).toBe(tagName);
  });

  test("nothing found, 503, a captive portal and no network say what to do", async () => {
    const page = await open("/en/", { locale: "en-US" });
    const note = page.locator('#list [data-part="pages"]');
    await search(page, "zzqx");
    expect(await page.locator('[data-part="note"]').innerText()).toMatch(
      /^Nothing was found\. Try fewer/,
    );
    await page.route("**/api/search*", (route) =>
      route.fulfill({ status: 503, json: { error: "Search index unavailable" } }),
    );
    await search(page, "a");
    expect(await note.innerText()).toContain("503 Search index unavailable");
    await page.unroute("**/api/search*");
    await page.route("**/api/search*", (route) => route.fulfill({ body: "<p>portal</p>" }));
    await note.getByText("Try again").click();
    await note.getByText("The request failed: 200").waitFor();
    await page.unroute("**/api/search*");
    await page.route("**/api/search*", (route) => route.fulfill({ status: 431 }));
    await note.getByText("Try again").click();
    await note.getByText("The request failed: 431").waitFor();
    expect(await note.getByText("Try again").count()).toBe(0);
    await page.unroute("**/api/search*");
    await page.route("**/api/search*", (route) => route.fulfill({ status: 503 }));
    await search(page, "b");
    await page.unroute("**/api/search*");
    await page.context().setOffline(true);
    await note.getByText("Try again").click();
    await note.getByText(/The request failed: TypeError/).waitFor();
    await page.context().setOffline(false);
    await note.getByText("Try again").click();
    await page.locator(hits).first().waitFor();
    complaints.splice(0);
  });

  test("answers that come late, out of order, are dropped", async () => {
    const page = await open("/");
    await page.route("**/api/search?q=slow*", async (route) => {
      await new Promise((wait) => setTimeout(wait, 1500));
      await route.continue().catch(() => undefined);
    });
    await page.locator("#q").fill("slow");
    await page.waitForURL(/q=slow/);
    await search(page, "電車");
    const shown = await page.locator(links).allInnerTexts();
    await page.waitForTimeout(1800);
    expect(await page.locator(links).allInnerTexts()).toEqual(shown);
    expect(parameters(page).get("q")).toBe("電車");
  });

  test("what failed is asked for again after scrolling, and Back shows the list of its URL", async () => {
    const page = await open("/?pageSize=5");
    await page.locator("#hits").waitFor();
    await page.context().setOffline(true);
    await page.locator("[data-more]").click();
    await page.getByRole("button", { name: "もう一度" }).waitFor();
    await page.context().setOffline(false);
    await page.evaluate("scrollTo(0, 40); scrollTo(0, 0)");
    await page.waitForTimeout(300);
    const before = await page.locator(links).count();
    await page.getByRole("button", { name: "もう一度" }).click();
    await page.locator(`${hits} >> nth=${before}`).waitFor();

    await page.context().setOffline(true);
    await page.locator('.orders a[href*="like"]').click();
    await page.getByRole("button", { name: "もう一度" }).waitFor();
    await page.context().setOffline(false);
    await page.locator('.orders a[href*="timeAsc"]').click();
    await page.locator(shown).waitFor({ state: "attached" });
    await page.goBack();
    const { results } = await api<{ results: { postTitle: string }[] }>(
      "/api/search?orderby=like&pageSize=5",
    );
    await expect
      .poll(async () => (await page.locator(links).allInnerTexts()).slice(0, 5))
      .toEqual(results.map(({ postTitle }) => postTitle));
    complaints.length = 0;
  });

  test("a list that was given up leaves the one before in use", async () => {
    const page = await open("/?q=電車");
    await page.locator(links).first().waitFor();
    await page.route("**/api/search?*q=*x*", async (route) => {
      await new Promise((done) => setTimeout(done, 1500));
      await route.continue().catch(() => {});
    });
    await page.locator("#q").fill("電車x");
    await page.waitForTimeout(500);
    await page.locator("#q").fill("電車");
    await page.waitForTimeout(600);
    expect(await page.locator("#hits").getAttribute("aria-busy")).toBe("false");
  });

  test("a line separator in what a stranger wrote breaks no answer", async () => {
    const page = await open("/");
    await page.route("**/api/search?q=*", async (route) => {
      const json = (await (await route.fetch()).json()) as { results: { postTitle: string }[] };
      json.results[0]!.postTitle = "evil\u2028data: 1";
      await route.fulfill({ body: JSON.stringify(json), contentType: "application/json" });
    });
    await search(page, "電車");
    expect(await page.locator(links).first().innerText()).toContain("data: 1");
  });

  test("more posts at once after a key: what was typed is asked for", async () => {
    const page = await open("/");
    await page.locator("#q").pressSequentially("電車");
    await page.locator("[data-more]").click();
    await page.waitForFunction(() => new URLSearchParams(location.search).get("q") === "電車");
    await page.locator(`${hits} mark`).first().waitFor();
  });

  test("a post that is opened at once after a key stays", async () => {
    const page = await open("/?q=電車");
    await page.locator(links).first().waitFor();
    await page.locator("#q").pressSequentially("x");
    await page.locator(links).first().click();
    await page.locator(".post-title").waitFor();
    await page.waitForTimeout(500);
    expect(parameters(page).has("post")).toBe(true);
  });

  test.each(["1e400", "99999999999999999999999", "2.7", "0x2"])(
    "page=%s is read as the API reads it",
    async (text) => {
      const page = await open(`/?page=${text}`);
      await page.locator(shown).waitFor({ state: "attached" });
      const isNumber = /^[0-9]+$/.test(text);
      expect(await page.locator(links).count()).toBe(isNumber ? 0 : 10);
    },
  );

  test("a word that nobody sees is none, and the words beside it are found", async () => {
    const page = await open("/?q=%E3%85%A4%20電車%20会話zz");
    await page.locator(`${hits} mark`).first().waitFor();
  });

  test("nothing is asked while an input method composes", async () => {
    const page = await open("/");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    const client = await page.context().newCDPSession(page);
    await page.locator("#q").focus();
    await client.send("Input.imeSetComposition", {
      text: "でん",
      selectionStart: 2,
      selectionEnd: 2,
    });
    await page.waitForTimeout(600);
    expect(asked.filter((url) => url.includes("/api/search"))).toEqual([]);
    await client.send("Input.insertText", { text: "電車" });
    await page.waitForURL(/q=%E9%9B%BB%E8%BB%8A/);
  });

  test("Escape that ends a conversion in Safari, after its end, leaves the field as it is", async () => {
    const page = await open("/");
    await search(page, "電車");
    const press = (keyCode: number) =>
      page
        .locator("#q")
        .evaluate(
          (field, code) =>
            field.dispatchEvent(
              new KeyboardEvent("keydown", { key: "Escape", keyCode: code, bubbles: true }),
            ),
          keyCode,
        );
    await press(229);
    expect(await page.locator("#q").inputValue()).toBe("電車");
    await press(27);
    expect(await page.locator("#q").inputValue()).toBe("");
  });
});

describe("the address of a post", () => {
  test("is followed by Back, Forward, reload, a new tab and the other language", async () => {
    const page = await open("/");
    await search(page, "電車");
    const title = await page.locator(links).first().innerText();
    await page.locator(links).first().click();
    await page.locator(".post-title").waitFor();
    const postId = parameters(page).get("post");
    expect(await page.title()).toBe(`${title} – ${await page.locator("h1").innerText()}`);
    await page.goBack();
    await page.locator(links).first().waitFor();
    expect(await page.locator("#q").inputValue()).toBe("電車");
    await page.goForward();
    await page.locator(".post-title", { hasText: title }).waitFor();
    await page.reload();
    await page.locator(".post-title", { hasText: title }).waitFor();
    await page.locator('a[data-language="en"]').click();
    await page.waitForURL(`${site.url}/en/?post=${postId}`);
    await page.locator(".post-title", { hasText: title }).waitFor();
    const [tab] = await Promise.all([
      page.context().waitForEvent("page"),
      page
        .locator(".neighbours a")
        .first()
        .click({ modifiers: ["ControlOrMeta"] }),
    ]);
    await tab.locator(".post-title").waitFor();
    expect(new URL(tab.url()).pathname).toBe("/en/");
    expect(parameters(page).get("post")).toBe(postId);
  });

  test("is where it was left, after a reload, Back and in the other language", async () => {
    const text = "<p>一段落の文章。</p>".repeat(200);
    const viewport = { width: 390, height: 700 };
    const page = await openPost({ postContentHtml: text }, { viewport });
    const y = () => page.evaluate(() => scrollY);
    const isAt = (wanted: number) =>
      page.waitForFunction((at) => scrollY === at, wanted, { timeout: 5000 });
    await page.waitForFunction(() => document.documentElement.scrollHeight > 8000);
    await page.evaluate(() => scrollTo(0, 6000));
    await page.waitForFunction(() => (history.state as { y: number }).y === 6000);
    await page.reload();
    await isAt(6000);
    // What is kept after the pause without scrolling is this place, too.
    await page.waitForTimeout(300);
    expect(await y()).toBe(6000);
    expect(await page.evaluate(() => history.state as object)).toMatchObject({ y: 6000 });
    // Not by a pointer, which would scroll to the link.
    await page.locator('a[data-language="en"]').dispatchEvent("click");
    await page.waitForURL("**/en/?post=1");
    await isAt(6000);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await page.waitForTimeout(300);
    const end = await y();
    await page.locator(".neighbours a").first().click();
    await page.waitForFunction(() => scrollY === 0);
    await page.goBack();
    await isAt(end);
    // A list in its place hides the post; it is the same one after Back.
    await page.evaluate(() => scrollTo(0, 6000));
    await page.waitForFunction(() => (history.state as { y: number }).y === 6000);
    await page.locator("#back").dispatchEvent("click");
    await page.locator(".hit").first().waitFor();
    await page.waitForTimeout(300);
    await page.goBack();
    await page.locator(".post-title").waitFor();
    await page.waitForTimeout(300);
    expect(await y()).toBe(6000);
  });

  test("is what the API gives as postUrl", async () => {
    const { postUrl } = await api<{ postUrl: string }>("/api/posts/1");
    expect(new URL(postUrl).pathname + new URL(postUrl).search).toBe("/?post=1");
    const page = await open("/?post=1");
    await page.locator(".post-title").waitFor();
    expect(await page.locator("#reader .facts-line >> nth=0").locator("a[target]").count()).toBe(0);
  });

  test("of a post that is gone, of no post, and without a network", async () => {
    const page = await open("/?post=999999");
    await page.locator("#reader .failure[role=alert]", { hasText: "404 Post not found" }).waitFor();
    await page.goto(`${site.url}/?post=abc`);
    await page.locator("#reader .failure", { hasText: "400" }).waitFor();
    expect(await page.locator("#reader button").count()).toBe(0);
    await page.route("**/api/posts/*", (route) =>
      route.fulfill({ status: 429, json: { error: "Too many requests" } }),
    );
    await page.goto(`${site.url}/?post=1`);
    await page.locator("#reader button", { hasText: "もう一度試す" }).waitFor();
    expect(await page.locator("#reader").innerText()).not.toContain("この ID の投稿はありません");
    await page.unroute("**/api/posts/*");
    await page.locator("#back").click();
    await page.locator(links).first().waitFor();
    await page.route("**/api/posts/*", (route) => route.abort());
    await page.locator(links).nth(3).click();
    await page.locator("#reader button", { hasText: "もう一度試す" }).waitFor();
    await page.unroute("**/api/posts/*");
    await page.locator("#reader button", { hasText: "もう一度試す" }).click();
    await page.locator(".post-title").waitFor();
    complaints.splice(0);
  });

  test.each(["abort", "no such name"])(
    "shows the newest posts where the program cannot run: %s",
    async (fault) => {
      const page = await open("/");
      await page.route("**/site/tree.js", (route) =>
        fault === "abort"
          ? route.abort()
          : route.fulfill({ contentType: "text/javascript", body: "export {}" }),
      );
      for (const query of ["?post=1", "?q=zzz"]) {
        await page.goto(`${site.url}/${query}`);
        await page.locator(links).first().waitFor();
      }
      complaints.splice(0);
    },
  );

  test.each<[string, (route: Route) => Promise<void>]>([
    [
      "the page is of an earlier release",
      (route) =>
        route.fulfill({
          contentType: "text/javascript",
          body: 'import { gone } from "./tree.js"; export const viewOfPost = gone;',
        }),
    ],
    ["the connection was lost", (route) => route.abort("connectionreset")],
  ])("is shown after a second try where %s", async (_, answer) => {
    const page = await open("/");
    await page.route("**/site/post.js", answer);
    await page.locator(links).first().click();
    const again = page.locator("#reader button", { hasText: "もう一度試す" });
    await again.waitFor();
    await page.unroute("**/site/post.js");
    await again.click();
    await page.locator(".post-title").waitFor();
    complaints.splice(0);
  });

  test("is what a double click on its title shows, whatever link is at that place then", async () => {
    const page = await open("/");
    const title = page.locator(links).first();
    const url = await title.getAttribute("href");
    await title.click();
    await page.locator("#reader .post-title").waitFor();
    const secondOn = (link: HTMLElement): boolean =>
      link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 2 }));
    expect(await page.locator("#reader a[href^='?']").last().evaluate(secondOn)).toBe(false);
    await page.waitForTimeout(100);
    expect(new URL(page.url()).search).toBe(url);
    expect(page.context().pages()).toHaveLength(1);
  });

  test("does not lead on at the second of two clicks on a link in it", async () => {
    const page = await openPost({ postContentHtml: '<a href="https://outside.example/">go</a>' });
    await page.locator(postText).getByText("go").waitFor();
    const isFollowed = await page.evaluate(() =>
      document
        .querySelector(".post-text a")
        ?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 2 })),
    );
    expect([isFollowed, page.context().pages().length]).toEqual([false, 1]);
  });

  test("stays in a copy that a reader saves", async () => {
    const page = await open("/?post=1");
    await page.locator(".post-title").waitFor();
    const copy = await page.evaluate(() => document.documentElement.outerHTML);
    const folder = temporaryFolder();
    cpSync(join(await built(sample), "site"), join(folder, "site"), { recursive: true });
    writeFileSync(
      join(folder, "post.html"),
      `<!doctype html>${copy.replaceAll('"/site/', '"site/')}`,
    );
    await page.goto(pathToFileURL(join(folder, "post.html")).href, { waitUntil: "load" });
    expect(await page.locator(".post-title").isVisible()).toBe(true);
    expect(await page.locator("#list").isVisible()).toBe(false);
    // Its program is refused.
    complaints.splice(0);
  });

  test("leads on to similar posts with their dates, to the posts around it, and back to the list", async () => {
    const page = await open("/?post=1");
    const similar = page.locator(".similar .hit").first();
    await similar.scrollIntoViewIfNeeded();
    await similar.locator("time").waitFor();
    const title = await similar.locator("h3").innerText();
    await similar.locator("h3 a").click();
    await page.locator(".post-title", { hasText: title }).waitFor();
    await page.locator("#back").click();
    await page.locator(links).first().waitFor();
    expect(page.url()).toBe(`${site.url}/`);
  });
});

test("a list that was searched for from a post is shown from its beginning", async () => {
  const page = await open("/");
  await page.locator("[data-more]").click();
  await page.waitForFunction((one) => document.querySelectorAll(one).length > 10, hits);
  await page.evaluate(() => scrollTo({ top: 900, behavior: "instant" }));
  await page.locator(links).nth(12).click();
  await page.locator(".post-title").waitFor();
  await search(page, "電車");
  await page.goBack();
  await page.locator(".post-title").waitFor();
  await page.locator("#back").click();
  await page.waitForURL(/q=/);
  await page.locator(links).first().waitFor();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  expect(await page.locator(hits).count()).toBeLessThanOrEqual(10);
});

test.each(["Asia/Tokyo", "America/Los_Angeles"])(
  "dates are those of where the reader is, in %s: of the build's list, of a search, of comments",
  async (timeZone) => {
    const page = await open("/", { timezoneId: timeZone });
    const dates = (): Promise<[string, string][]> =>
      page
        .locator("time")
        .evaluateAll((all) =>
          all.map((one) => [(one as HTMLTimeElement).dateTime, one.textContent ?? ""]),
        );
    const local = new Intl.DateTimeFormat("sv-SE", { timeZone });
    for (const path of ["/", "/?q=の", "/?post=1"]) {
      await page.goto(site.url + path);
      await page
        .locator(path === "/?post=1" ? ".post-title" : links)
        .first()
        .waitFor();
      const shown = await dates();
      expect(shown.length).toBeGreaterThan(3);
      for (const [moment, date] of shown)
        expect(date).toBe(moment.includes("T") ? local.format(new Date(moment)) : moment);
    }
  },
);

/** Where characters of an element's first text are, in pixels from the left. */
const leftsOf = (element: Locator, ...places: number[]): Promise<number[]> =>
  element.evaluate(
    (one, all) =>
      all.map((at) => {
        const range = document.createRange();
        range.setStart(one.firstChild!, at);
        range.setEnd(one.firstChild!, at + 1);
        return range.getBoundingClientRect().left;
      }),
    places,
  );

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

  const distinct = (length: number, of: (i: number) => string): string =>
    Array.from({ length }, (_, i) => of(i)).join("");

  test("1,500 replies, each to the one before, are shown: flat from some depth on", async () => {
    const ids = Array.from({ length: 1500 }, (_, i) => i + 1);
    const comments = ids.map((id) => comment(id, id - 1)).reverse();
    const page = await openPost({ comments: [...comments, comment(2000, 0), comment(2001, 3)] });
    const texts = await page.locator(".comments .written").allInnerTexts();
    expect(texts).toEqual(
      // Newest first, and below each comment those that answer it.
      [1, 2, 3, ...ids.slice(3), 2001, 2000].map((id) => `text ${id}`),
    );
    expect(await page.locator(`.comments ${"ol ".repeat(6)}`).count()).toBe(1);
    expect(await page.locator(`.comments ${"ol ".repeat(7)}`).count()).toBe(0);
    // Where a comment stands no longer says whom it answers.
    const heads = await page.locator(".comments .facts-line").allInnerTexts();
    expect(heads[5]).toMatch(/^author 6 · /);
    expect(heads[6]).toMatch(/^author 7 ↳ author 6 · /);
  });

  test("HTML runs nothing, loads nothing, and covers nothing of the page; long titles and tags fit", async () => {
    const [evil, outside] = ["<img src=x onerror=top.document.title='x'>", "https://evil.example/"];
    const postContentHtml = `<p>text</p>${evil}<script>top.document.title='x'</script>
      <img src="${outside}a.png" alt="a picture"><iframe src="${outside}"></iframe>
      <meta http-equiv="refresh" content="0;url=${outside}"><form action="${outside}"><button>send</button></form>
      <a href="javascript:top.document.title='x'">script</a><a href="${outside}">link</a>
      <style>body{display:none}</style><div style="position:fixed;inset:0">over</div></body></html>`;
    const comments = [comment(3, 2), comment(2, 1), comment(1, 0)].map((one) => ({
      ...one,
      commentAuthor: evil,
      commentContent: evil,
    }));
    const tags = [{ tagId: 1, tagName: "t".repeat(100) }];
    const fields = { postTitle: "長".repeat(300), postContentHtml, comments, tags };
    const page = await openPost(fields, { viewport: { width: 320, height: 700 } });
    const body = page.locator(postText);
    await body.locator("p", { hasText: "text" }).waitFor();
    await body.locator("a", { hasText: "script" }).click({ force: true });
    await page.waitForTimeout(500);
    expect(await page.title()).toMatch(/^長{300} – /);
    expect(page.url()).toBe(`${site.url}/?post=1`);
    expect(await page.locator(".comments li li li").count()).toBe(1);
    expect(await page.locator(".comments img").count()).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    expect(requests.filter((url) => url.startsWith(outside))).toEqual([]);
    // What the policy refused is on the console; nothing else is.
    expect(
      complaints.splice(0).filter((text) => !/Content Security Policy|sandbox/i.test(text)),
    ).toEqual([]);
  });

  test.each([
    ["<object data='x'>instead</object>", "instead"],
    ["<marquee><font color=red>moving</font></marquee>", "moving"],
    ["<img src=/api/search alt='a picture'>", "a picture"],
    ["x<br>".repeat(130_000) + "<i>the end</i>", "the end"],
    ["<object>".repeat(20_000) + "inmost", "inmost"],
    ["<x>".repeat(510) + "<br>".repeat(100_000) + "<i>the last</i>", "the last"],
    [`<p ${distinct(100_000, (i) => ` a${i}`)}>one paragraph`, "one paragraph"],
    ["<form>one</form>two<fieldset>three</fieldset>", "two"],
    ["<a href=/><img></a>", "🖼"],
    [
      `<p><a href=/ aria-label="${"label".repeat(700)}">${"<p><svg></svg>".repeat(3000)}<p><b>after them</b>`,
      "after them",
    ],
    ["<ruby>a<rt>".repeat(400) + "</ruby>".repeat(400) + "<p>after them", "after them"],
    ["<q>a</q>".repeat(30_000) + "<b>after them</b>", "after them"],
    ["<span dir=rtl>".repeat(20) + "a<br>".repeat(20_000) + "<b>after them</b>", "after them"],
    ["<form>" + "<fieldset></fieldset>".repeat(20_000) + "<b>after them</b>", "after them"],
    ["<li value=5>a".repeat(20_000) + "<b>after them</b>", "after them"],
    [`a${"\u0301".repeat(100_000)}<b>after them</b>`, "after them"],
    ["<bdi>" + "1<br>".repeat(20_000) + "<b>after them</b>", "after them"],
    ["<form><div></form>".repeat(10_000) + "<b>after them</b>", "after them"],
    ["<details>".repeat(10_000) + "</details>".repeat(10_000) + "<p>after them", "after them"],
    [
      `${"<ruby>a<rt>".repeat(30)}${"</ruby>".repeat(30)}`.repeat(300) + "<b>after them</b>",
      "after them",
    ],
    ["<i>".repeat(60_000) + "</i>".repeat(60) + "<p>after them", "after them"],
    [
      distinct(200, (i) => `<b class=${i}>`) + "<p>x".repeat(11_000) + "<p>after them",
      "after them",
    ],
    [distinct(10_000, (i) => `<span lang=x-${i}>日</span>`) + "<b>after them</b>", "after them"],
    ["aم".repeat(50_000) + "<p>after them", "after them"],
    ["\u1088".repeat(60_000) + "<p>after them", "after them"],
    ["「<!>」<z>。".repeat(20_000) + "<p>after them", "after them"],
    ["ݨ".repeat(100_000) + "<p>after them", "after them"],
    ["<blockquote>".repeat(50) + "ݨ".repeat(100_000) + "<p>after them", "after them"],
    [`<table>${`<tr>${`<td>${"ขคงจ".repeat(200)}`.repeat(20)}`.repeat(20)}</table>after`, "after"],
    [`<blockquote>${`${"ݨ".repeat(99)}<s hidden> </s>`.repeat(1000)}<p>after them`, "after them"],
    ["🏽\u0301".repeat(20_000) + "<p>after them", "after them"],
    ["ᥐᦀ".repeat(50_000) + "<p>after them", "after them"],
    [`<svg>${"<path d=M0/>".repeat(200)}</svg><a href=/x>after them`, "after them"],
    ["<a name=x>x".repeat(100) + "<a href=/>after them</a>", "after them"],
    ["<a><div>".repeat(10_000) + "</a>".repeat(10_000) + "<b>after them", "after them"],
    ["<div><i><u><s></div>".repeat(5000) + "<b>after them", "after them"],
    [
      `<font ${distinct(20_000, (i) => ` a${i}`)} onclick=1>` +
        "<p>x".repeat(11_000) +
        "<p>after them",
      "after them",
    ],
    [
      "<select><button>" +
        "<selectedcontent></selectedcontent>".repeat(5000) +
        "</button><option selected>" +
        "<i></i>x".repeat(5000) +
        "</select><b>after them",
      "after them",
    ],
    ["<z>".repeat(12_000) + "あ<z>".repeat(300_000) + "<b>&lt;after them&gt;", "<after them>"],
    ["<span>".repeat(12_000) + "<!>".repeat(300_000) + "<b>after them", "after them"],
    ["<img name=body><img name=write><frameset><frame></frameset></body>after", "after"],
    ["<details open><summary>".repeat(1500) + "after them", "after them"],
    ["<details name=a open>".repeat(20_000) + "after them", "after them"],
    ["<dialog>in <DETAILS open><summary>a</summary>after", "after"],
    [distinct(3000, (i) => `<b x${i}>`) + "<p>x".repeat(100) + "<p>after them", "after them"],
    [`<b title="x > y" class='z > "'>after</b>`, "after"],
    ["<b title=it's>it's</b> <i title=a\"b>after</i>", "it's after"],
    [
      `<a href=/x title="where it's <b true">one</a> and <a href=/y title='<i x'>two</a>`,
      "one and two",
    ],
    ["<p>one</p><!-- not <b here --><p>all that follows</p>", "all that follows"],
    ["<code>dir = a, on = b</code>, dir=b, once=c", "dir = a, on = b, dir=b, once=c"],
    ["</p><body hidden class=alone>shown", "shown"],
  ])("%s is shown as %s", async (postContentHtml, text) => {
    const page = await openPost({ postContentHtml });
    await page.locator(postText).getByText(text).waitFor();
  });

  test("text that is laid out together ends somewhere, and none is lost", async () => {
    const word = `a${"字".repeat(99_999)}`;
    const line = "あ".repeat(3000);
    const postContentHtml = `<p>a <a id=b href=https://x.example/>${word}</a> z</p><p>${line}<br><br>${line}<p>${line}`;
    const comments = [{ ...comment(1, 0), commentContent: word, commentAuthor: word }];
    const page = await openPost({ postTitle: word, postContentHtml, comments });
    for (const place of [".post-title", ".written", ".comments .facts-line"]) {
      const lengths = await page
        .locator(`${place} .piece`)
        .evaluateAll((pieces) => pieces.map(({ textContent }) => textContent.length));
      expect(lengths.reduce((sum, length) => sum + length)).toBeGreaterThanOrEqual(word.length);
      expect(Math.max(...lengths)).toBe(5000);
    }
    const body = page.locator(postText);
    expect(await body.locator("p:first-child > div").count()).toBe(20);
    expect(await body.locator("a").count()).toBe(21);
    expect(await body.locator("#in-post-b").count()).toBe(1);
    expect(await body.locator("p").first().textContent()).toBe(`a ${word} z`);
    // Where a line ends anyway, nothing changes for a reader.
    const heights = await body
      .locator("p")
      .evaluateAll((paragraphs) => paragraphs.map((one) => one.getBoundingClientRect().height));
    const lineHeight = await body.evaluate((one) => parseFloat(getComputedStyle(one).lineHeight));
    expect(heights[1]! - 2 * heights[2]!).toBeCloseTo(lineHeight, 0);
    expect(await body.locator("p").nth(2).innerHTML()).toBe(line);
  });

  test("what is never ended leaves the links, lists and tables after it as they are", async () => {
    const row =
      "\n            <tr>\n              <td>a</td>\n              <td>b</td>\n            </tr>";
    const postContentHtml =
      '<a name="x"/><i class="fa"/><font>List<String>'.repeat(70) +
      `<ul><li>a</ul><a href="/x">link</a><table><tbody>${row.repeat(800)}</tbody></table>
        <a name="y"><table><td><a href="/y">in a cell</a></table><p id="lines">one<br>two</p>`;
    const page = await openPost({ postContentHtml });
    const body = page.locator(postText);
    await body.locator("a[href$='/x']").waitFor();
    expect(await body.locator("ul > li").count()).toBe(1);
    expect(await body.locator("tbody > tr > td:nth-child(2)").count()).toBe(800);
    await body.locator("td > a[href$='/y']", { hasText: "in a cell" }).waitFor();
    expect(await body.locator("#in-post-lines").innerText()).toBe("one\ntwo");
    expect(await body.locator("table div").count()).toBe(0);
  });

  test("what would keep the browser at work, or ask the site, is not in it: the page stays in use", async () => {
    const doubled = (name: string, use: (id: number) => string): string =>
      Array.from(
        { length: 9 },
        (_, i) => `<${name} id=b${i + 1}>${use(i).repeat(10)}</${name}>`,
      ).join("");
    const postContentHtml = `<p>text</p><svg><g id=b0><rect/></g>${doubled("g", (id) => `<use href="#b${id}"/>`)}</svg>
      <svg>${"<animate dur=0.001s repeatCount=indefinite />".repeat(300)}</svg>${"<marquee>m</marquee>".repeat(3000)}
      <video poster="/api/search?q=1"></video><table background="/api/search?q=2"><td>cell</table><input type=image src="/api/search?q=3">
      <picture><source srcset="/api/search?q=4"><img src="/api/search?q=5"></picture>`;
    const page = await openPost({ postContentHtml });
    const before = requests.length;
    await page.locator(postText).getByText("cell").waitFor();
    for (let i = 0; i < 5; i++)
      expect(
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => done(1)))),
      ).toBe(1);
    expect(requests.slice(before).filter((url) => url.includes("/api/search?q="))).toEqual([]);
    expect(complaints.splice(0)).toEqual([]);
  });

  test("each text runs in its own direction", async () => {
    const text = "أحب Python";
    const commentContent = `${text} جدا`;
    const page = await openPost({
      postTitle: commentContent,
      comments: [{ ...comment(1, 0), commentContent }],
    });
    for (const place of [".post-title", ".written"]) {
      const lefts = await leftsOf(page.locator(place), 0, 4, 11);
      expect(lefts, place).toEqual(lefts.toSorted((a, b) => b - a));
    }
    for (const [html, direction] of [
      [`<p>1. ${text}</p>`, "rtl"],
      ["<p>((1))</p><p>word</p>", "ltr"],
    ] as const) {
      const other = await openPost({ postContentHtml: html });
      const body = other.locator(postText);
      expect(await body.evaluate((one) => getComputedStyle(one).direction)).toBe(direction);
    }
    const author = "عمر";
    const named = await openPost({ comments: [{ ...comment(1, 0), commentAuthor: author }] });
    expect(await named.locator("bdi").getAttribute("dir")).toBe("rtl");
  });

  test("in a post from right to left, keys and code beside each other keep their order", async () => {
    const lines = [
      "مرحبا <kbd>Ctrl</kbd>+<kbd>Shift</kbd>+<kbd>C</kbd> و <code>src</code>/<code>main.ts</code>",
      "اختر <kbd>ملف</kbd> > <kbd>حفظ باسم</kbd> > <kbd>تصدير</kbd>",
      "القيم <code>1</code>، <code>2</code>، <code>3</code> <kbd>Alt</kbd>+<kbd>ש</kbd> <tt>--help</tt> <samp>../</samp>",
    ];
    const postContentHtml = `${lines.map((line) => `<p>${line}</p>`).join("")}
      <ul style="text-align: right"><li><pre>verse</pre><pre><code>code</code></pre></li></ul>`;
    const page = await openPost({ postContentHtml });
    const plain = await page.context().newPage();
    await plain.setContent(`<body dir="rtl">${postContentHtml}`);
    /** Characters of each line as the eye meets them from the left, by those within elements. */
    const seen = (body: Locator) =>
      body.locator("p").evaluateAll((all) =>
        all.map((line) => {
          const places = [...line.children].flatMap(({ firstChild }) =>
            [...firstChild!.textContent!].map((character, at) => {
              const range = document.createRange();
              range.setStart(firstChild!, at);
              range.setEnd(firstChild!, at + 1);
              return [range.getBoundingClientRect().left, character] as const;
            }),
          );
          return places.toSorted(([one], [other]) => one - other).map(([, it]) => it);
        }),
      );
    const expected = await seen(plain.locator("body"));
    expect(expected[0]!.join("")).toBe("srcmain.tsCtrlShiftC");
    expect(await seen(page.locator(postText))).toEqual(expected);
    // Firefox gives items of lists a side that no direction changes.
    for (const pre of await page.locator(`${postText} li pre`).all())
      expect(await pre.evaluate((one) => getComputedStyle(one).textAlign)).toBe("start");
  });

  test("in a post from right to left, blocks of code run from left to right, verse as its words", async () => {
    const code = "def f(x):\n    # تعليق\n    return x";
    const verse = "(رقد السمّارُ) فأرّقهُ";
    const page = await openPost({
      postContentHtml: `<p>مرحبا</p><pre><code>${code}</code></pre><pre class="wp-block-verse">${verse}</pre>`,
    });
    const lefts = (selector: string, ...places: number[]) =>
      leftsOf(page.locator(`${postText} ${selector}`), ...places);
    const isFromLeft = async (selector: string, first: number, last: number) => {
      const [one = 0, other = 0] = await lefts(selector, first, last);
      return one < other;
    };
    expect(await isFromLeft("pre:last-child", 1, verse.length - 1)).toBe(false);
    // From the sign to the end of its line.
    expect(await isFromLeft("pre code", code.indexOf("#"), code.indexOf("ق"))).toBe(true);
    const [def = 0, sign = 0, end = 0] = await lefts("pre code", 0, code.indexOf("#"), 26);
    expect(def).toBeLessThan(sign);
    expect(Math.abs(sign - end)).toBeLessThan(1);
  });

  test("a post of any length is as tall as its text, so that all of it is reached by scrolling the page", async () => {
    const page = await openPost({ postContentHtml: "<p>a line</p>".repeat(3000) });
    const body = page.locator(postText);
    await body.locator("p").nth(2999).waitFor();
    const [tall, text] = await body.evaluate((one) => [one.clientHeight, one.scrollHeight]);
    expect(text).toBeGreaterThan(50_000);
    expect(tall).toBe(text);
  });

  test("of more elements, or deeper ones, than are kept, no two blocks run together", async () => {
    const row = "<tr><td>Station</td><td>31</td><td>38</td></tr>";
    const quoted = Array.from({ length: 40 }, (_, i) => `<blockquote><div>line ${i}</div>`);
    const deep = `${quoted.join("")}<p>number 2</p>05 people<p>last`;
    for (const [html, text] of [
      [`<table>${row.repeat(2000)}</table><p>After</p><p>Second</p>`, "Station 31 38 After Second"],
      [`<p>first</p>${deep}`, `line 39 number 2 05 people last`],
    ] as const) {
      const page = await openPost({ postContentHtml: html });
      const shown = await page.locator(postText).innerText();
      expect(shown.trim().split(/\s+/).join(" ")).toMatch(new RegExp(`${text}$`));
    }
  });

  test("a post runs as its own words do, also where a picture with others is before them", async () => {
    for (const [postContentHtml, direction] of [
      ["<img alt=IMG_2024><p>مكتبة React</p>", "rtl"],
      ["<img alt=صورة><p>A library</p>", "ltr"],
      ["<img alt=صورة><p>1</p>", "rtl"],
    ] as const) {
      const page = await openPost({ postContentHtml });
      expect(await page.locator(postText).getAttribute("dir")).toBe(direction);
      await page.close();
    }
  });

  test("code with numbers of lines is reached to its end on a phone, also in a post from right to left", async () => {
    const line =
      "window.localStorage.setItem('key', field);\nawait navigator.clipboard.writeText(field);\ndocument.getElementById('demo').value;";
    const code = `<pre><code><table><tr><td><pre>1</pre></td><td><pre>${line}</pre></td></tr></table></code></pre>`;
    const phone = { viewport: { width: 320, height: 700 } };
    for (const word of ["word", "مرحبا"]) {
      const page = await openPost({ postContentHtml: `<p>${word}</p>${code}` }, phone);
      const beyond = await page.locator(postText).evaluate((body) => {
        const range = document.createRange();
        range.selectNodeContents(body.querySelector("td:last-child")!);
        const ends = [-9999, 9999].map((left) => {
          body.scrollLeft = left;
          return range.getBoundingClientRect();
        });
        const box = body.getBoundingClientRect();
        return [box.left - ends[0]!.left, ends[1]!.right - box.right, ends[1]!.width - box.width];
      });
      const [left = 1, right = 1, more = 0] = beyond;
      expect(left, word).toBeLessThan(1);
      expect(right, word).toBeLessThan(1);
      expect(more, word).toBeGreaterThan(0);
    }
  });

  test("the numbers of a list have room, also on a phone", async () => {
    const postContentHtml = "<span>1000. </span><ol start=1000><li>a</ol>";
    const page = await openPost({ postContentHtml }, { viewport: { width: 320, height: 700 } });
    const body = page.locator(postText);
    const width = await body.locator("span").evaluate((one) => one.getBoundingClientRect().width);
    const room = await body
      .locator("li")
      .evaluate(
        (one) =>
          one.getBoundingClientRect().left -
          one.closest(".post-text")!.getBoundingClientRect().left,
      );
    expect(width).toBeGreaterThan(30);
    expect(room).toBeGreaterThan(width);
  });

  test("a list, and an item of it, begin at the number that they name", async () => {
    const page = await openPost({ postContentHtml: "<ol start=5><li>a<li value=3>b</ol>" });
    const list = page.locator(postText).locator("ol");
    expect(await list.evaluate((one) => (one as HTMLOListElement).start)).toBe(5);
    const second = list.locator("li").last();
    expect(await second.evaluate((one) => (one as HTMLLIElement).value)).toBe(3);
  });

  test("words that are apart are whole, each in an element or on a line of its own", async () => {
    const words = Array.from({ length: 300 }, (_, i) => `النص${"ابتث"[i % 4]}`);
    for (const [before, after] of [
      ["<a href=/>", "</a> "],
      ["", "<br>"],
    ] as const) {
      const postContentHtml = words.map((word) => before + word + after).join("");
      const page = await openPost({ postContentHtml });
      const body = page.locator(postText);
      await body.getByText(words[0]!).first().waitFor();
      expect((await body.innerText()).trim().split(/\s+/)).toEqual(words);
    }
  });

  test("a URL in a table may be broken, also beside a word that is slow to break", async () => {
    for (const beside of ["", "ᥫ᭡ "]) {
      const url = `https://a.example/${"x".repeat(300)}`;
      const postContentHtml = `<table><tr><td>${beside}see ${url} for more<td>b</table>`;
      const page = await openPost({ postContentHtml }, { viewport: { width: 360, height: 700 } });
      const table = page.locator(postText).locator("table");
      expect(await table.evaluate((one) => one.getBoundingClientRect().width)).toBeLessThan(360);
      expect(await table.innerText()).toBe(`${beside}see ${url} for more\tb`);
    }
  });

  test("beside a word that may be broken anywhere, words are whole", async () => {
    const words = "اليوم نحتفل بلغتنا الجميلة في كل المدارس والجامعات حول العالم".repeat(3);
    const postContentHtml = `<p>${words} #اليوم_العالمي_للغة_العربية_الفصحى ${words} ᥫ᭡ ${words}`;
    const page = await openPost({ postContentHtml }, { viewport: { width: 360, height: 700 } });
    const body = page.locator(postText);
    await body.getByText("ᥫ᭡").first().waitFor();
    const broken = await body.evaluate((all) => {
      const texts = document.createTreeWalker(all, NodeFilter.SHOW_TEXT);
      const found = [];
      for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
        for (const { index, 0: word } of (node.nodeValue ?? "").matchAll(/\S+/g)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const lines = new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top)));
          if (lines.size > 1 && !word.startsWith("#")) found.push(word);
        }
      return found;
    });
    expect(broken).toEqual([]);
  });

  test("cells span what real tables need, and no more than Firefox shows at once", async () => {
    const spans: readonly (readonly [columns: number, rows: number])[] = [
      [3, 2],
      [1000, 1],
      [1, 65_534],
      [1000, 65_534],
      [2, 1000],
      [1, 0],
      ...Array.from({ length: 10 }, () => [1, 999] as const),
    ];
    const rows = spans.map(([columns, rows]) => `<tr><td colspan=${columns} rowspan=${rows}>a`);
    const postContentHtml = `<table>${rows.join("")}</table>`;
    const page = await openPost({ postContentHtml });
    const cells = page.locator(postText).locator("td");
    await cells.first().waitFor();
    const shown = await cells.evaluateAll((all) =>
      all.map((one) => [
        (one as HTMLTableCellElement).colSpan,
        (one as HTMLTableCellElement).rowSpan,
      ]),
    );
    expect(shown.slice(0, 6)).toEqual([
      [3, 2],
      [1000, 1],
      [1, 1000],
      [1, 1],
      [2, 1000],
      [1, 0],
    ]);
    expect(shown.slice(6).filter(([, rows]) => rows === 999)).toHaveLength(5);
    expect(shown.slice(-1)).toEqual([[1, 1]]);
  });

  test("links lead from where the post comes from", async () => {
    const postUrl = "https://cases.example/archives/1?a=b#c";
    const hrefs = {
      "/about": "https://cases.example/about",
      "2.html": "https://cases.example/archives/2.html",
      "?p=2": "https://cases.example/archives/1?p=2",
      "//other.example": "https://other.example/",
      "mailto:a@cases.example": "mailto:a@cases.example",
      "http://[": null,
      "javascript:top.document.title='x'": null,
      " JaVa\tScript:1": null,
      "data:text/html,x": null,
      "blob:https://cases.example/x": null,
      "#note": "#note",
      // No name of a host is as long: browsers take long to find that out.
      [`//${"日".repeat(101)}/`]: null,
      [`/\t/${"日".repeat(101)}`]: null,
      [`\u0001//${"日".repeat(101)}`]: null,
      [`//${"%E6%97%A5".repeat(30)}`]: null,
      [`/${"日".repeat(101)}`]: `https://cases.example/${"%E6%97%A5".repeat(101)}`,
    };
    const postContentHtml = Object.keys(hrefs)
      .map((href) => `<a href="${href}">x</a>`)
      .join(" ");
    const page = await openPost({ postContentHtml, postUrl });
    const found = page.locator(postText).locator("a");
    await found.first().waitFor();
    expect(await found.evaluateAll((all) => all.map((one) => one.getAttribute("href")))).toEqual(
      Object.values(hrefs),
    );
  });

  test.each([
    ["#fn1", "id=fn1"],
    ["#%E6%B3%A8", "id=注"],
    ["#f", "name=f"],
  ])("a footnote %s is shown where it is, and the keyboard goes on there", async (href, name) => {
    const postContentHtml = `<a href="${href}">note</a>${"<p>text</p>".repeat(200)}<a ${name} href="https://x.example/">back</a>`;
    const page = await openPost({ postContentHtml });
    const body = page.locator(postText);
    await body.getByText("note", { exact: true }).click();
    await page.waitForFunction(() => scrollY > 1000);
    expect(page.url()).toBe(`${site.url}/?post=1`);
    expect(await body.locator(":focus").textContent()).toBe("back");
  });

  test("the keyboard goes on after a named place that is no link", async () => {
    const text = "<p>text</p>".repeat(200);
    const page = await openPost({
      postContentHtml: `<a href="#f">note</a> <a href="/2">two</a>${text}<a name=f></a><a href="/3">three</a>${text}`,
    });
    const body = page.locator(postText);
    await body.getByText("note", { exact: true }).click();
    await page.waitForFunction(() => scrollY > 1000);
    await page.keyboard.press("Tab");
    expect(await body.locator(":focus").textContent()).toBe("three");
  });

  test("a footnote whose target is an element of formatting is followed, too", async () => {
    const targets = [
      '<small id="fn1" class="x">a</small>',
      "<b class=x id=fn2>b</b>",
      "<em id='fn3'>c</em>",
    ];
    const notes = targets.map((_, i) => `<a href="#fn${i + 1}">note ${i}</a>`);
    const text = "<p>text</p>".repeat(200);
    const page = await openPost({
      postContentHtml: `${notes.join(" ")}${text}${targets.join(text)}${text}`,
    });
    const body = page.locator(postText);
    let above = 0;
    for (const i of notes.keys()) {
      await body.getByText(`note ${i}`).click();
      await page.waitForFunction((y) => scrollY > y + 1000, above);
      above = await page.evaluate(() => scrollY);
    }
  });

  test("a link to a place that is folded unfolds it, and leads there", async () => {
    const long = "<p>long</p>".repeat(100);
    const postContentHtml = `<a href=#answer>go</a><details><summary>q</summary><details><summary>r</summary>${long}<p id=answer>text${long}</details></details><details><summary>s</summary>t</details>`;
    const page = await openPost({ postContentHtml });
    const body = page.locator(postText);
    expect(await body.getByText("text").isVisible()).toBe(false);
    await body.getByText("go").click();
    expect(await body.getByText("text").isVisible()).toBe(true);
    expect(await body.locator("details[open]").count()).toBe(2);
    await page.waitForFunction(() => scrollY > 2000);
    const box = await body.getByText("text").boundingBox();
    expect(Math.abs(box?.y ?? 1000)).toBeLessThan(100);
  });

  test("names and elements of a post are none of the page's, and its text is a part of the page: browsers translate it", async () => {
    const names = ["q", "reader", "reader-content", "hits", "list", "back", "post-title", "api"];
    const named = names.map((name) => `<p id=${name}>${name}</p><a name=${name}>x</a>`).join("");
    const page = await openPost({ postContentHtml: `<main>${named}</main><a href=#q>go</a>` });
    const text = page.locator(postText);
    expect(await text.locator(names.map((name) => `#${name}, [name=${name}]`).join()).count()).toBe(
      0,
    );
    expect(await page.locator("main").count()).toBe(1);
    expect(await text.evaluate((one) => one.ownerDocument === document)).toBe(true);
    await text.getByText("go").click();
    expect(await text.locator(":focus").innerText()).toBe("q");
    await search(page, "電車");
    expect(await page.locator(hits).count()).toBeGreaterThan(0);
  });

  test("reading modes find it: all else is hidden without styles, too; its footer and dates are not the page's", async () => {
    const page = await openPost({
      postContentHtml: "<p>a <time>today</time></p><footer>b</footer>",
    });
    const styles = await page.locator(`${postText} :is(p, time)`).evaluateAll((both) =>
      both.map((one) => {
        const { color, fontSize } = getComputedStyle(one);
        return `${color} ${fontSize}`;
      }),
    );
    expect(styles[1]).toBe(styles[0]);
    const parts = ["#list", "#api", "#reader"].map((one) => page.locator(one));
    const hidden = (): Promise<(string | null)[]> =>
      Promise.all(parts.map((one) => one.getAttribute("hidden")));
    expect(await hidden()).toEqual(["", "", null]);
    const title = (): Promise<string | null> =>
      page.locator('meta[property="og:title"]').getAttribute("content");
    await page.waitForFunction(() => document.title.includes(" – "));
    expect(await title()).toBe((await api<{ postTitle: string }>("/api/posts/1")).postTitle);
    const style = await page.locator(`${postText} footer`).evaluate((footer) => {
      const { marginTop, borderTopWidth } = getComputedStyle(footer);
      return [marginTop, borderTopWidth];
    });
    expect(style).toEqual(["0px", "0px"]);
    await page.locator("#back").click();
    await page.locator(links).first().waitFor();
    expect(await hidden()).toEqual([null, null, ""]);
    expect(await title()).toBe(await page.title());
  });

  test("a language has its own fonts, not those for Japanese", async () => {
    const page = await openPost({
      postContentHtml: "<p>直骨</p><p lang=zh-TW>直骨<code>直</code></p><p lang=ko>한국</p>",
    });
    const fonts = await page
      .locator(`${postText} :is(p, code)`)
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).fontFamily));
    expect(fonts.map((one) => /JP|Meiryo/.test(one))).toEqual([true, false, true, false]);
    expect(fonts[2]).toContain("monospace");
  });

  test("lines of a comment keep their indentation; code is as large in a block as in a line", async () => {
    const commentContent = "for x in all:\n    if x:\n        stop";
    const page = await openPost({
      postContentHtml: "<p><code>a</code></p><pre><code>a</code></pre><code><pre>a</pre></code>",
      comments: [
        { ...comment(2, 0), commentContent: "字  ".repeat(100_000) },
        { ...comment(1, 0), commentContent },
      ],
    });
    expect(await page.locator(".comments .written").last().innerText()).toBe(commentContent);
    const sizes = await page
      .locator(`${postText} code`)
      .evaluateAll((all) =>
        all.map((one) => getComputedStyle(one.firstElementChild ?? one).fontSize),
      );
    expect(sizes).toEqual(["14px", "14px", "14px"]);
  });

  test("items of a list say whether they are done; a named place looks like no link", async () => {
    const page = await openPost({
      postContentHtml:
        "<ul><li><input type=checkbox checked disabled> a<li><input type=checkbox><b>b</b><li><input value=x>c</ul><a name=d>d</a>",
    });
    const body = page.locator(postText);
    expect(await body.locator("li").allInnerTexts()).toEqual(["☑ a", "☐ b", "c"]);
    const colours = await Promise.all(
      [body, body.locator("a")].map((one) => one.evaluate((each) => getComputedStyle(each).color)),
    );
    expect(new Set(colours).size).toBe(1);
  });

  test("the keyboard scrolls a text that is wider than the screen, and stops at no other", async () => {
    const postContentHtml = `<table><tr>${"<td>supercalifragilistic".repeat(4)}</table><a href="#top">up</a>`;
    const page = await openPost({ postContentHtml }, { viewport: { width: 390, height: 800 } });
    const body = page.locator(postText);
    await expect.poll(() => body.getAttribute("tabindex")).toBe("0");
    await body.focus();
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => body.evaluate((one) => one.scrollLeft)).toBeGreaterThan(0);
    await page.setViewportSize({ width: 1800, height: 800 });
    await expect.poll(() => body.getAttribute("tabindex")).toBe(null);
  });

  test("a link to a file saves it", async () => {
    const page = await openPost({
      postContentHtml: '<a href="https://files.example/a.zip">a file</a>',
    });
    await page.context().route("https://files.example/**", (route) =>
      route.fulfill({
        body: "zip",
        contentType: "application/zip",
        headers: { "content-disposition": "attachment; filename=a.zip" },
      }),
    );
    const saved = page.waitForEvent("download");
    await page.locator(postText).getByText("a file").click();
    expect((await saved).suggestedFilename()).toBe("a.zip");
  });

  test("a link to the top of a post leads there, and one to nothing nowhere", async () => {
    const postContentHtml = `${"<p>text</p>".repeat(200)}<a href="#nothing">none</a> <a href="#">up</a> <a href="#top">top</a>`;
    const page = await openPost({ postContentHtml });
    const body = page.locator(postText);
    for (const name of ["up", "top"]) {
      await body.getByText("none").click();
      expect(await page.evaluate(() => scrollY)).toBeGreaterThan(1000);
      await body.getByText(name).click();
      await page.waitForFunction(() => scrollY < 500);
    }
    expect(page.context().pages()).toEqual([page]);
  });

  test("a long name is not repeated whole by each answer, nor a long link by each part of its text", async () => {
    const comment = (commentId: number, commentParent: number, commentAuthor: string) => ({
      commentId,
      commentParent,
      commentAuthor,
      commentDateGmt: "2024-01-01T00:00:00Z",
      likesCount: 0,
      commentContent: "text",
    });
    const deep = Array.from({ length: 6 }, (_, i) => comment(i + 1, i, "name".repeat(5000)));
    const answers = Array.from({ length: 300 }, (_, i) => comment(i + 7, 6, "b"));
    // HTML has a link within another where an element such as `object` is between.
    const nested = '<a href="https://b.example/"><object>'.repeat(60);
    const postContentHtml = `<a href="https://a.example/${"x".repeat(9000)}">${"(".repeat(20_000)}</a> <a href="https://a.example/">short</a>
      ${nested}${"(".repeat(20_000)}${"</object></a>".repeat(60)}<p>${"<q>".repeat(10)}${"(".repeat(100_000)}`;
    const page = await openPost({ postContentHtml, comments: [...deep, ...answers].toReversed() });
    expect((await page.locator(".comments").innerText()).length).toBeLessThan(200_000);
    // By `auto`, a browser looks for the first letter again at each part that is added.
    const directions = await page
      .locator("bdi")
      .evaluateAll((all) => all.map((one) => one.getAttribute("dir")));
    expect([directions.length, ...new Set(directions)]).toEqual([306, "ltr"]);
    const body = page.locator(postText);
    expect((await body.innerHTML()).length).toBeLessThan(600_000);
    // A part of 64 signs each would have ten of its own.
    expect(await body.locator("q").count()).toBeLessThan(6100);
    expect(await body.locator('a[href*="a.example"]').innerText()).toBe("short");
    const nestedLinks = await body.locator('a[href*="b.example"]').count();
    expect(nestedLinks).toBeGreaterThanOrEqual(60);
    // Each of its 313 parts would have 60.
    expect(nestedLinks).toBeLessThan(6100);
  });

  test("letters of long words are not kerned, also of one in many elements: that would stop the tab", async () => {
    const kerned = (selector: string) =>
      page
        .locator(postText)
        .locator(selector)
        .evaluate((one) => getComputedStyle(one).fontKerning);
    let page = await openPost({ postContentHtml: "<p>AV and so on</p>" });
    expect(await kerned("p")).toBe("auto");
    page = await openPost({ postContentHtml: `<p>${"<i>AV</i>".repeat(50)}</p>` });
    expect(await kerned("p")).toBe("none");
    page = await openPost({ postContentHtml: `<p><img alt="${"AV".repeat(50)}"></p>` });
    expect(await kerned("p")).toBe("none");
  });

  test("of a post that takes too long to lay out, what is left is shown as text, with its lines", async () => {
    const lines = Array.from({ length: 400 }, (_, i) => `Part ${i}`);
    const html = lines.map((line) => `<p><b>${line}</b></p>`).join("");
    const page = await openPost({
      postContentHtml: `<details><summary>more</summary>${html}</details>`,
    });
    const body = page.locator(postText);
    const linesOf = async () => (await body.innerText()).split(/\n+/).filter((line) => line !== "");
    await body.waitFor();
    expect(await body.locator("b").count()).toBe(400);
    expect(await linesOf()).toEqual(["more"]);
    await body.getByText("more").click();
    expect(await linesOf()).toEqual(["more", ...lines]);
    await page.addInitScript(() => {
      // As if each layout took 0.4 s.
      const now = performance.now.bind(performance);
      const { get } = Object.getOwnPropertyDescriptor(Element.prototype, "scrollHeight") ?? {};
      let late = 0;
      performance.now = () => now() + late;
      Object.defineProperty(Element.prototype, "scrollHeight", {
        get() {
          late += 400;
          return get?.call(this);
        },
      });
    });
    await page.reload();
    await body.waitFor();
    expect(await body.locator("b").count()).toBeGreaterThan(50);
    expect(await body.locator("b").count()).toBeLessThan(350);
    await body.getByText("more").click();
    expect(await linesOf()).toEqual(["more", ...lines]);
  });

  test("what is around a text takes none of the time to lay it out", async () => {
    const page = await openPost({ postContentHtml: "<p><b>bold</b> text</p>".repeat(400) });
    await page.addInitScript(() => {
      // As if the first layout took 10 s.
      const now = performance.now.bind(performance);
      const { get } = Object.getOwnPropertyDescriptor(Element.prototype, "scrollHeight") ?? {};
      let late = 0;
      performance.now = () => now() + late;
      Object.defineProperty(Element.prototype, "scrollHeight", {
        get() {
          late = 10_000;
          return get?.call(this);
        },
      });
    });
    await page.reload();
    await page.locator(postText).waitFor();
    expect(await page.locator(postText).locator("b").count()).toBe(400);
  });

  test("is read in the browsers of early 2023, too", async () => {
    const page = await openPost({ postContentHtml: '<a href="/2">two</a>' });
    await page.addInitScript(() => {
      for (const [owner, name] of [
        [Map, "groupBy"],
        [Object, "groupBy"],
        [Promise, "withResolvers"],
        [Promise, "try"],
        [Array, "fromAsync"],
        [URL, "canParse"],
        [URL, "parse"],
        [Set.prototype, "union"],
        [Set.prototype, "difference"],
        [Set.prototype, "intersection"],
        [Object.getPrototypeOf(new Set().values()), "map"],
        [AbortSignal, "any"],
        [RegExp, "escape"],
        [Element.prototype, "checkVisibility"],
      ] as const)
        Reflect.deleteProperty(owner, name);
    });
    await page.reload();
    const link = page.locator(postText).getByText("two");
    const { postUrl } = await api<{ postUrl: string }>("/api/posts/1");
    expect(await link.evaluate((one: HTMLAnchorElement) => one.href)).toBe(
      new URL("/2", postUrl).href,
    );
    expect(await page.locator(".comments > ol > li").count()).toBeGreaterThan(0);
  });

  test("a title that nobody sees is shown as none", async () => {
    const page = await openPost({ postTitle: " \u200B\u3000" });
    expect(await page.locator(".post-title").innerText()).toBe("（無題）");
  });

  test("code of a post is shown whole", async () => {
    const postContentHtml = `<pre>${"line\n".repeat(60)}</pre><p>nine`;
    const body = (await openPost({ postContentHtml })).locator(postText);
    await body.getByText("nine").waitFor();
    const pre = await body
      .locator("pre")
      .evaluate((one) => [one.clientHeight, one.scrollHeight, getComputedStyle(one).overflow]);
    expect(pre).toEqual([pre[1], pre[1], "visible"]);
  });

  test("lines of long code stay whole where each word is in an element, as highlighted code is", async () => {
    const lines = Array.from({ length: 600 }, (_, i) => `const name${i} = undefined;`);
    for (const between of ["\n", "<span>\n</span>", "<br>"]) {
      const html = lines.map((line) => line.replaceAll(/\w+/g, "<span>$&</span>")).join(between);
      const page = await openPost({ postContentHtml: `<pre><code>${html}</code></pre>` });
      const code = page.locator(postText).locator("pre");
      // As they are copied.
      const copied = await code.evaluate((one) => {
        const selection = getSelection();
        selection?.selectAllChildren(one);
        return String(selection);
      });
      expect(copied.split("\n")).toEqual(lines);
      expect(await code.locator("div").count()).toBeGreaterThan(2);
    }
  });

  test("words of two directions with line breaks and spaces between stay together", async () => {
    const postContentHtml = `${"(*´ڡ`*)<br>".repeat(60)}<p>${"<i>word</i> <i>שלום</i> ".repeat(60)}</p>`;
    const page = await openPost({ postContentHtml });
    const body = page.locator(postText);
    await body.locator("p").waitFor();
    expect(await body.locator("div").count()).toBe(0);
  });

  test("links that show nothing are no stops of the keyboard; a drawing has a sign", async () => {
    const lines = Array.from(
      { length: 20 },
      (_, i) => `<span id=c${i}><a href="#c${i}" aria-hidden=true tabindex=-1></a>x = ${i}</span>`,
    );
    const links = [
      '<a class=hash href="#a" aria-label="Direct link">\u200b</a>',
      '<a href="#b"><svg><title>b</title></svg></a>',
      '<a href="/0" title="Facebook"></a>',
      '<a href="/1" aria-label="Share"><svg><title>b</title></svg></a>',
      '<a href="/2"><svg><title>Call</title></svg></a>',
      '<a href="/3"><svg><path></svg></a>',
      '<a href="/4"> <br><a><a href="/5" tabindex=-1><svg></svg></a>',
      '<a href="/6"><table><tr><td><a href="/7" name=n></a></td></tr></table></a>',
      '<a href="/8"><b><i>text</i></b></a>',
      '<a href="/9"><img alt=" "></a>',
      '<a href="/10" aria-label="Home"><img alt=""></a>',
      '<a href="/11"><img alt="">title <b>text</b><img></a>',
      '<a href="#12"><img></a>',
    ];
    const page = await openPost({
      postContentHtml: `<pre>${lines.join("\n")}</pre>${links.map((one) => `<p>${one}`).join("")}`,
    });
    const body = page.locator(postText);
    const shown = await body
      .locator("a[href]")
      .evaluateAll((all) => all.map((a) => [a.getAttribute("href"), a.textContent, a.ariaLabel]));
    expect(shown.map(([href, ...of]) => [href?.at(-1), ...of])).toEqual([
      ["1", "🖼", "Share"],
      ["2", "🖼", "Call"],
      ["3", "🖼", null],
      ["8", "text", null],
      ["9", "🖼", null],
      ["0", "🖼", "Home"],
      ["1", "title text", null],
      ["2", "🖼", null],
    ]);
    expect(await body.locator("[name$=n], [id]").count()).toBe(21);
    expect(await body.locator("a:not([href])[target]").count()).toBe(0);
  });

  test.each(["<textarea>", "<a href='/x'>b</a>", "<script>x", "x<y"])(
    "a tooltip that has tags, %s, takes no text along",
    async (title) => {
      const html = (mark: string): string =>
        `a <code title=${mark}${title.replaceAll(mark, "`")}${mark} id=c>code</code> b<p>rest</p>`;
      const page = await openPost({ postContentHtml: html('"') + html("'") });
      const body = page.locator(postText);
      const lines = ["a code b", "rest", "a code b", "rest"];
      expect(await body.innerText()).toMatch(new RegExp(`^${lines.join("\\s+")}$`));
      expect(await body.locator("code[id]").count()).toBe(2);
    },
  );

  test("what looks like a tooltip with tags, and is none, hides no tag from the bounds, and ends no comment late", async () => {
    const postContentHtml = `<!-- <b title="--><p>first</p><i class=" x"></i>${`<p title='<base a="'><b><b> ">`.repeat(200)}<p>last</p>`;
    const page = await openPost({ postContentHtml });
    const body = page.locator(postText);
    expect(await body.getByText("first").count()).toBe(1);
    expect(await body.locator("b b").count()).toBe(0);
  });

  test("names that a form or a document would take for its own are harmless, and what is hidden stays hidden", async () => {
    const postContentHtml = `<p hidden>secret</p><x-y hidden>secret</x-y>${["hidden", 'class=a HIDDEN=""', "title='a'hidden=hidden"].map((hidden) => `<small ${hidden}>secret</small>`).join("")}<form name=createElement><input name=nodeName><input name=parentNode>one</form><img name=body><math><xml:foo>two</xml:foo><annotation>x^2</annotation></math>`;
    const page = await openPost({ postContentHtml });
    const body = page.locator(postText);
    await body.getByText("one").waitFor();
    expect(await body.innerHTML()).toBe("<div>one</div>two");
  });

  test("what only looks hidden is shown", async () => {
    const shown = [
      "hidden=until-found",
      "hidden='until-found'",
      "title='is hidden here'",
      "id=hidden",
      "data-hidden",
      "title=a/hidden",
    ];
    const postContentHtml = shown.map((attributes, i) => `<b ${attributes}>${i}</b>`).join("");
    const page = await openPost({ postContentHtml });
    expect(await page.locator(postText).innerText()).toBe("012345");
  });

  test.each([
    '<meta name="referrer" content="unsafe-url"><a href="https://outside.example/">go</a>',
    '<a href="https://outside.example/" referrerpolicy="unsafe-url">go</a>',
    '<a href="https://outside.example/" target="_self">go</a>',
    '<a href="https://outside.example/" target="_top">go</a>',
    '<base href="https://outside.example/"><a href="https://outside.example/" ping="/api/search">go</a>',
    '</body></html><meta name="referrer" content="unsafe-url"><a href="https://outside.example/">go</a>',
  ])("%s opens a new tab and tells the other site nothing of the page", async (postContentHtml) => {
    const page = await openPost({ postContentHtml });
    const asked: Record<string, string>[] = [];
    await page.context().route("https://outside.example/**", async (route) => {
      asked.push(await route.request().allHeaders());
      await route.fulfill({ body: "outside" });
    });
    const opened = page.context().waitForEvent("page");
    await page.locator(postText).getByText("go").click();
    await (await opened).waitForLoadState();
    expect(asked).toHaveLength(1);
    expect(asked[0]?.["referer"]).toBeUndefined();
    const body = page.locator(postText);
    expect(await body.locator("meta[name=referrer], base[href], [ping]").count()).toBe(0);
    // A base that the policy has refused is on the console.
    expect(complaints.splice(0).filter((text) => !text.includes("base-uri"))).toEqual([]);
  });
});

describe("snippets", () => {
  test.each([
    ["blocks and line breaks", "<p>a</p><p>b<br>c</p>a<b>b</b>c"],
    ["ruby", "<ruby>薔<rp>(</rp><rt>ば</rt>薇<rt>ら</rt></ruby>が<ruby>咲<rt>さ</rt></ruby>く"],
    [
      "what is not shown",
      "<table><tr><td>a<td>b<tr><td>c</table><!-- x --><script>y</script><style>z</style><template>t</template>",
    ],
    [
      "entities and lists",
      "<ul><li>一<li>二</ul><hr>三&shy;四 &amp; <textarea>x</textarea><svg><title>s</title></svg>",
    ],
    [
      "blocks in blocks",
      "<div><div>a</div>b</div><details><summary>c</summary>d</details><rt>alone</rt>",
    ],
    [
      "what is struck out, and raised numbers",
      "<del>100</del><ins>50</ins> <s>a<p>b</p></s>c<strike>d</strike> 10<sup>6</sup> 10<sup>&minus;<b>3</b>4</sup>5 1<sup>st</sup> <sup>a<sup>2</sup></sup>",
    ],
    [
      "what is struck out in a post of many tags",
      `<s>a <b>b</b></s>c 10<sup><a>6</a></sup>7${"<b>x</b>".repeat(2000)}<del>z</del>`,
    ],
    [
      "tooltips that have tags",
      `a <a href="/x" title="The <textarea> element">b</a> <i data-tip='<b>c</b>' class=x>d</i><s title="<p>">e</s> f`,
    ],
    ["readings in readings", "<ruby>字<rt><span>a<rt>b</rt></span></rt></ruby>c"],
    [
      "a long story with ruby",
      `<style>x</style>${"<p><ruby>漢<rt>かん<rt>じ</ruby>東<b>京</b>駅".repeat(1000)}`,
    ],
    [
      "formatting that is never closed",
      `${Array.from({ length: 400 }, (_, i) => `<p>x<font color=${i}>y`).join("")}<b>z</b>z<a href="?a>b">w</a>`,
    ],
    [
      "tags that are too many to be read as a browser does",
      `${"<a><b><i>".repeat(6000)}a <u>word</u> &amp; <p>more`,
    ],
  ])("the text of %s is the one that an agent's snippet has", async (_, html) => {
    const page = await open("/");
    const text = await page.evaluate(
      async ([path, given]) =>
        ((await import(path as string)) as { snippetText: (html: string) => string }).snippetText(
          given as string,
        ),
      ["/site/snippets.js", html],
    );
    const words = (of: string): string => of.replace(/\s+/g, " ").trim();
    expect(words(text)).toBe(words(snippetText(html)));
  });
});

describe("languages", () => {
  test("the browser's own is followed, and keeps what the page shows", async () => {
    expect(await (await open("/", { locale: "ja-JP" })).locator("html").getAttribute("lang")).toBe(
      "ja",
    );
    const english = await open("/?q=電車#errors", { locale: "en-GB" });
    await english.waitForURL(`${site.url}/en/?q=%E9%9B%BB%E8%BB%8A#errors`);
    expect(await english.locator("html").getAttribute("lang")).toBe("en");
    await english.locator(hits).first().waitFor();
    expect(await english.locator("#q").inputValue()).toBe("電車");
  });

  test.each([
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1; +http://www.google.com/bot.html) Chrome/140.0.0.0 Safari/537.36",
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/140.0.0.0 Safari/537.36",
  ])("a crawler, which asks for English, gets each URL as it is: %s", async (userAgent) => {
    const page = await open("/?post=1", { locale: "en-US", userAgent });
    await page.locator(".post-title").waitFor();
    expect(page.url()).toBe(`${site.url}/?post=1`);
  });

  test("a phone whose brand ends with bot is no crawler", async () => {
    const userAgent =
      "Mozilla/5.0 (Linux; Android 11; CUBOT X50) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile";
    const page = await open("/", { locale: "en-US", userAgent });
    await page.waitForURL(`${site.url}/en/`);
  });

  test("the link leads to the other language also where storage is blocked, and in a new tab", async () => {
    const page = await open("/en/", { locale: "en-US" });
    const [tab] = await Promise.all([
      page.context().waitForEvent("page"),
      page.locator('a[data-language="ja"]').click({ button: "middle" }),
    ]);
    await tab.waitForLoadState();
    expect(await tab.locator("html").getAttribute("lang")).toBe("ja");
    const blocked = await open("/en/", { locale: "en-US" });
    await blocked.addInitScript(() => {
      Object.defineProperty(window, "localStorage", {
        get() {
          throw new DOMException("blocked", "SecurityError");
        },
      });
    });
    await blocked.goto(`${site.url}/en/`);
    await blocked.locator('a[data-language="ja"]').click();
    await blocked.waitForURL(`${site.url}/`);
    expect(await blocked.locator("html").getAttribute("lang")).toBe("ja");
  });

  test("a choice is kept, with search and place", async () => {
    const page = await open("/en/", { locale: "en-US" });
    await search(page, "席");
    await page.evaluate(() => scrollTo({ top: 240, behavior: "instant" }));
    await page.locator('a[data-language="ja"]').evaluate((link: HTMLElement) => link.click());
    await page.waitForURL(`${site.url}/?q=%E5%B8%AD`);
    await page.waitForFunction(() => scrollY === 240);
    await page.reload();
    expect(await page.locator("html").getAttribute("lang")).toBe("ja");
  });
});

describe("the keyboard alone", () => {
  const focused = (page: Page, selector: string): Promise<boolean> =>
    page.evaluate((one) => document.activeElement?.matches(one) === true, selector);

  test("gets to the field in three steps, to the first hit in one more, and through the hits by arrows", async () => {
    const page = await open("/");
    for (let i = 0; i < 3; i++) await page.keyboard.press("Tab");
    expect(await focused(page, "#q")).toBe(true);
    await page.keyboard.type("電車");
    await page.waitForURL(/q=/);
    await page.locator(shown).waitFor({ state: "attached" });
    await page.keyboard.press("Tab");
    expect(await focused(page, `${hits}:first-child h3 a`)).toBe(true);
    await page.keyboard.press("ArrowDown");
    expect(await focused(page, `${hits}:nth-child(2) h3 a`)).toBe(true);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    expect(await focused(page, "#q")).toBe(true);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.locator(".post-title").waitFor();
    expect(await focused(page, ".post-title")).toBe(true);
    await page.keyboard.press("/");
    expect(await focused(page, "#q")).toBe(true);
    await page.keyboard.press("Escape");
    expect(await page.locator("#q").inputValue()).toBe("");
    expect(parameters(page).has("post")).toBe(true);
    await page.goBack();
    await page.locator(links).first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.press("Escape");
    await page.waitForURL(`${site.url}/`);
    expect(await page.locator("#q").inputValue()).toBe("");
  });

  test("stays in a post: arrows lead through similar posts, and above these they scroll", async () => {
    const page = await open("/?post=1", { viewport: { width: 360, height: 300 } });
    await page.locator(".similar h3 a").first().focus();
    const before = await page.evaluate(() => scrollY);
    await page.keyboard.press("ArrowUp");
    await page.waitForFunction((y) => scrollY < y, before);
    expect(await focused(page, ".similar li:first-child h3 a")).toBe(true);
    await page.keyboard.press("ArrowDown");
    expect(await focused(page, ".similar li:nth-child(2) h3 a")).toBe(true);
  });
});

test("what comes late takes no letter from a reader who types in the field", async () => {
  const page = await open("/");
  /** @param act leads to a request, which takes its time */
  const typeDuring = async (act: () => Promise<void>, path: string): Promise<void> => {
    let answer = (): void => {};
    const typed = new Promise<void>((done) => (answer = done));
    await page.route(path, async (route) => {
      await typed;
      await route.fallback();
    });
    const response = page.waitForResponse(path);
    await act();
    await page.locator("#q").focus();
    answer();
    await response;
  };
  await typeDuring(() => page.locator("[data-more]").click(), "**/api/search?*page=2*");
  await page.waitForFunction((one) => document.querySelectorAll(one).length > 10, hits);
  expect(await page.locator("#q:focus").count()).toBe(1);
  await typeDuring(() => page.locator(links).first().click(), "**/api/posts/*");
  await page.locator(".post-title").waitFor();
  await page.waitForFunction(() => document.title.includes(" – "));
  expect(await page.locator("#q:focus").count()).toBe(1);
});

test("the keyboard stays in the list where it was before the answer came", async () => {
  const page = await open("/");
  let answer = (): void => {};
  const pressed = new Promise<void>((done) => (answer = done));
  await page.route("**/api/search?q=*", async (route) => {
    await pressed;
    await route.fallback();
  });
  const request = page.waitForRequest("**/api/search?q=*");
  await page.locator("#q").pressSequentially("電車");
  await request;
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  answer();
  await page.locator(shown).waitFor({ state: "attached" });
  expect(await page.locator(`${hits}:first-child h3 a:focus`).count()).toBe(1);
  // Of a list that Back shows where it was scrolled to, the first hit may be out of sight.
  await page.goBack();
  await page.waitForURL(`${site.url}/`);
  await page.waitForFunction(() => document.activeElement === document.body);
});

test("the keyboard goes on at the list, after a tag of a post, and at the post's hit on the way back", async () => {
  const page = await open("/");
  const link = page.locator(`${hits}:has(.tag) h3 a`).first();
  const href = await link.getAttribute("href");
  await link.press("Enter");
  await page.locator(".post-title").waitFor();
  await page.locator("#back").press("Enter");
  await page.locator(`${hits} h3 a:focus`).waitFor();
  expect(await page.locator(`${hits} h3 a:focus`).getAttribute("href")).toBe(href);
  // As well where the post could not be read.
  await page.route("**/api/posts/*", (route) => route.abort());
  const last = page.locator(`${hits} h3 a`).last();
  const lastHref = await last.getAttribute("href");
  await last.press("Enter");
  await page.locator("#reader .failure").waitFor();
  await page.unroute("**/api/posts/*");
  await page.locator("#back").press("Enter");
  await page.locator(`${hits} h3 a:focus`).waitFor();
  expect(await page.locator(`${hits} h3 a:focus`).getAttribute("href")).toBe(lastHref);
  complaints.splice(0);
  await link.press("Enter");
  await page.locator(".post-title").waitFor();
  await page.locator("#reader .tag").first().press("Enter");
  await page.waitForURL(/tags=/);
  await page.locator("#found:focus").waitFor();
  await page.keyboard.press("Tab");
  expect(await page.locator("#list :focus").count()).toBe(1);
});

test("Back leads the keyboard to the link that led away", async () => {
  const page = await open("/");
  const [tag, neighbour] = [
    page.locator(`${hits}:nth-child(8) .tag`).last(),
    page.locator("#reader a[href^='?post=']").last(),
  ];
  await tag.press("Enter");
  await page.waitForURL(/tags=/);
  await page.locator("#found:focus").waitFor();
  await page.goBack();
  await isFocused(tag);
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(300);
  await page.locator(`${hits}:nth-child(8) h3 a`).press("Enter");
  await page.locator(".post-title:focus").waitFor();
  await page.locator("#back").press("Enter");
  await isFocused(page.locator(`${hits}:nth-child(8) h3 a`));
  await page.goBack();
  await isFocused(page.locator("#back"));
  for (const link of [neighbour, page.locator("#reader .tag").first()]) {
    await link.press("Enter");
    await page.waitForFunction(() => document.activeElement?.matches("h2"));
    await page.goBack();
    await isFocused(link);
  }
  await page.goBack();
  await isFocused(page.locator(`${hits}:nth-child(8) h3 a`));
});

test("what could not be read is shown by another try where it was left, with the keyboard", async () => {
  const page = await open("/");
  const tag = page.locator(`${hits}:nth-child(8) .tag`).last();
  await tag.press("Enter");
  await page.waitForURL(/tags=/);
  await page.locator("#found:focus").waitFor();
  await page.route("**/api/search*", (route) => route.abort());
  await page.goBack();
  const pages = page.locator('#list [data-part="pages"]');
  await pages.locator("button").focus();
  // The place of what failed is kept, too.
  await page.waitForFunction(() => history.state.y < 300);
  await page.unroute("**/api/search*");
  await pages.locator("button").press("Enter");
  await isFocused(tag);
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(300);
  await page.route("**/api/posts/*", (route) => route.abort());
  await page.locator(links).nth(1).press("Enter");
  await page.locator("#reader .failure").waitFor();
  await page.unroute("**/api/posts/*");
  await page.locator("#reader .failure + button").press("Enter");
  await isFocused(page.locator(".post-title"));
  complaints.splice(0);
});

/** The page in English, whose timers a test moves forward. */
async function openWithClock(): Promise<Page> {
  const page = await open("/en/", { locale: "en-US" });
  await page.clock.install();
  await page.goto(`${site.url}/en/`);
  return page;
}

/** Follows the link of a hit, whose post does not come. */
async function waitForPost(page: Page): Promise<void> {
  await page.locator(links).nth(1).click();
  await page.locator("#reader-content", { hasText: "Waiting" }).waitFor();
}

test("what nothing answers is given up, and Enter asks again before that", async () => {
  const page = await openWithClock();
  const nothing = () => {};
  await page.route("**/api/**", nothing);
  // The program that shows posts is there: its own wait is not meant.
  await page.evaluate("import('/site/post.js')");
  await waitForPost(page);
  await page.clock.fastForward(31_000);
  await page.locator("#reader .failure", { hasText: "The request failed: 30 s" }).waitFor();
  await page.unroute("**/api/**", nothing);
  await page.locator("#reader .failure + button").click();
  await page.locator(".post-title").waitFor();
  await page.goBack();
  await page.locator(links).first().waitFor();
  let asked = 0;
  await page.route("**/api/search?q=*", (route) => (++asked > 1 ? route.fallback() : undefined));
  await page.locator("#q").pressSequentially("電車");
  await page.locator('#hits[aria-busy="true"]').waitFor({ state: "attached" });
  // Not of what may come soon: that would take longer.
  await page.locator("#q").press("Enter");
  await page.clock.fastForward(6000);
  expect(asked).toBe(1);
  await page.locator("#q").press("Enter");
  await page.locator(shown).waitFor({ state: "attached" });
  expect(asked).toBe(2);
  complaints.splice(0);
});

test("after a search that failed, Enter does not give up the next one, and another try says that it waits", async () => {
  const page = await open("/");
  await page.route("**/api/search?*", (route) => route.abort(), { times: 1 });
  await page.locator("#q").pressSequentially("電車");
  const failure = page.locator("[data-part=pages] .failure");
  await failure.waitFor();
  const requested: Route[] = [];
  await page.route("**/api/search?*", (route) => void requested.push(route));
  await page.locator("[data-part=pages] button").click();
  await expect.poll(() => failure.innerText()).toBe("応答を待っています…");
  await page.locator("#q").fill("会議");
  await expect.poll(() => requested.length).toBe(2);
  for (let i = 0; i < 3; i++) await page.locator("#q").press("Enter");
  await requested[1]?.continue();
  await page.locator(shown).waitFor({ state: "attached" });
  expect(requested.length).toBe(2);
  complaints.splice(0);
});

/** A server that writes the beginning of an answer at most, and nothing after that. */
async function silentServer(beginning?: string) {
  const silent = createServer((_, response) => void (beginning && response.write(beginning)));
  const silentPort = await freePort();
  await new Promise<void>((done) => void silent.listen(silentPort, "127.0.0.1", done));
  const close = () => {
    silent.closeAllConnections();
    return new Promise((done) => void silent.close(done));
  };
  return { url: `http://127.0.0.1:${silentPort}/`, close };
}

test("a program that nothing answers is given up, and another try loads the page again", async () => {
  const silent = await silentServer();
  const page = await openWithClock();
  const paths = ["**/site/post.js", "**/api/posts/*"];
  for (const path of paths) await page.route(path, (route) => route.continue({ url: silent.url }));
  await waitForPost(page);
  await page.clock.fastForward(31_000);
  await page.locator("#reader .failure", { hasText: /The request failed: .*30 s/ }).waitFor();
  for (const path of paths) await page.unroute(path);
  await page.locator("#reader .failure + button").click();
  await page.locator(".post-title").waitFor();
  await silent.close();
  complaints.splice(0);
});

test("after the first post was asked for without a network, others are shown", async () => {
  const page = await open("/en/", { locale: "en-US" });
  const paths = ["**/site/post.js", "**/api/posts/*"];
  for (const path of paths) await page.route(path, (route) => route.abort());
  await page.locator(links).nth(1).click();
  await page.locator("#reader .failure", { hasText: "The request failed" }).waitFor();
  for (const path of paths) await page.unroute(path);
  await page.goBack();
  await page.locator(links).nth(2).click();
  await page.locator(".post-title").waitFor();
  complaints.splice(0);
});

test("an answer that stops amid its body is given up", async () => {
  const silent = await silentServer('{"postId":');
  const page = await openWithClock();
  await page.route("**/api/posts/*", (route) => route.continue({ url: silent.url }));
  await waitForPost(page);
  await page.waitForTimeout(500);
  await page.clock.fastForward(31_000);
  await page.locator("#reader .failure", { hasText: "The request failed: 30 s" }).waitFor();
  await page.unroute("**/api/posts/*");
  await page.locator("#reader .failure + button").click();
  await page.locator(".post-title").waitFor();
  await silent.close();
  complaints.splice(0);
});

test("an order, or a tag, that is chosen before a list came, or after it failed, changes what was asked for", async () => {
  const page = await open("/");
  await page.route("**/api/search?*tags=*", (route) => route.abort());
  const tag = page.locator(`${hits} .tag`).first();
  const name = (await tag.getAttribute("href"))!.slice("?tags=".length);
  await tag.click();
  await page.waitForURL(({ search }) => search === `?tags=${name}`);
  await page.locator('[data-part="orders"] a').nth(1).click();
  await page.waitForURL(({ search }) => search === `?tags=${name}&orderby=like`);
  await page.locator(`[data-part="tags"] a:not([href$="${name}"])`).first().click();
  await page.waitForURL(({ search }) => search.startsWith(`?tags=${name}+`));
  expect(parameters(page).get("orderby")).toBe("like");
  await page.unroute("**/api/search?*tags=*");
  await page.locator("#q").press("Enter");
  const chosen = page.locator('[data-part="chosen"] a');
  await chosen.nth(1).click();
  await page.waitForURL(({ search }) => search === `?tags=${name}&orderby=like`);
  complaints.splice(0);
});

test("a page that was opened while nothing could be read leads the keyboard to what another try shows", async () => {
  const start = await open("/");
  const href = await start.locator(links).first().getAttribute("href");
  for (const [path, head] of [
    [`/${href}`, ".post-title"],
    ["/?q=%E9%9B%BB%E8%BB%8A", "#found"],
  ]) {
    await start.route("**/api/**", (route) => route.abort());
    await start.goto(site.url + path!);
    const button = start.getByText("もう一度試す");
    await button.waitFor();
    await start.unroute("**/api/**");
    await button.press("Enter");
    await isFocused(start.locator(head!));
  }
  complaints.splice(0);
});

test("what the platform says where a function broke is shown", async () => {
  const page = await open("/en/", { locale: "en-US" });
  const answer = { errorType: "TaskTimedOut", errorMessage: "Task timed out" };
  await page.route("**/api/search*", (route) => route.fulfill({ status: 502, json: answer }));
  await page.locator("#q").pressSequentially("a");
  await page.locator(".failure", { hasText: /^502 Task timed out$/ }).waitFor();
  complaints.splice(0);
});

test("Enter in the field asks again for what failed", async () => {
  const page = await open("/");
  await page.route("**/api/search*", (route) => route.abort());
  await page.locator("#q").pressSequentially("電車");
  await page.locator('#list [data-part="pages"] button').waitFor();
  await page.unroute("**/api/search*");
  await page.locator("#q").press("Enter");
  await page.locator(links).first().waitFor();
  expect(await page.locator("#q:focus").count()).toBe(1);
  complaints.splice(0);
});

test("Back leads to all pages of a list, also where it was there before its entry of the history", async () => {
  const page = await open("/");
  await page.locator("[data-more]").click();
  await page.waitForFunction((one) => document.querySelectorAll(one).length > 10, hits);
  const number = await page.locator(hits).count();
  for (const way of ["a.api", '[data-part="orders"] a[aria-current]']) {
    await page.locator(way).click();
    const tag = page.locator(`${hits} .tag`).last();
    await tag.click();
    await page.waitForURL(/tags=/);
    await page.locator("#found:focus").waitFor();
    await page.goBack();
    await isFocused(tag);
    expect(await page.locator(hits).count()).toBe(number);
  }
});

test("from a post that was opened by its URL, the way to the list leads to its beginning", async () => {
  const start = await open("/");
  const href = await start.locator(links).nth(8).getAttribute("href");
  const page = await open(`/${href}`);
  await page.locator(".post-title").waitFor();
  await page.locator("#back").press("Enter");
  await isFocused(page.locator("#found"));
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

test("Back leads the keyboard to a bar and to a tag of the charts, also where they were not laid out yet", async () => {
  const page = await open("/", { viewport: { width: 390, height: 844 } });
  for (const bars of [".chart-time a", '[data-part="tags"] a']) {
    const link = page.locator(bars).nth(1);
    await link.focus();
    await page.keyboard.press("Enter");
    await page.locator("#found:focus").waitFor();
    await page.goBack();
    await isFocused(link);
  }
});

test("an order that is chosen before the answer comes keeps what was typed; the current one is no step", async () => {
  const page = await open("/");
  await page.route("**/api/search?q=*", async (route) => {
    await new Promise((done) => setTimeout(done, 500));
    await route.fallback();
  });
  const orders = page.locator('[data-part="orders"] a');
  await page.locator("#q").pressSequentially("電車");
  await orders.nth(1).click();
  await page.waitForURL((url) => url.searchParams.get("orderby") === "like");
  expect(new URL(page.url()).searchParams.get("q")).toBe("電車");
  await page.locator('[data-part="orders"] a[aria-current]').and(orders.nth(1)).waitFor();
  const steps = await page.evaluate(() => history.length);
  await orders.nth(1).click();
  await page.locator("#found:focus").waitFor();
  expect(await page.evaluate(() => history.length)).toBe(steps);
  expect(await page.locator("#q").inputValue()).toBe("電車");
});

test("the current order is no step of the history in another spelling of the URL either", async () => {
  const page = await open("/?utm_source=mail&q=%E9%9B%BB%E8%BB%8A&page=1");
  await page.locator(shown).waitFor({ state: "attached" });
  const steps = await page.evaluate(() => history.length);
  await page.locator('[data-part="orders"] a[aria-current]').click();
  await page.locator("#found:focus").waitFor();
  expect(await page.evaluate(() => history.length)).toBe(steps);
});

test("a search from a post begins at the top, also for the words of its list", async () => {
  const page = await open("/?q=%E3%81%99");
  await page.locator(links).last().click();
  await page.locator(".post-title").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText("す");
  await page.locator(links).first().waitFor();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  expect(await page.locator("#q:focus").count()).toBe(1);
});

test("Back from the documentation leads to where the reader was, also at the top", async () => {
  const page = await open("/en/", { locale: "en-US" });
  await page.locator("a.api").click();
  await page.waitForFunction(() => scrollY > 500);
  await page.goBack();
  await page.waitForFunction(() => scrollY === 0);
});

test("Back from the documentation leads out of it, also where the list was never scrolled, and Forward to the beginning of a post", async () => {
  const page = await open("/en/", { locale: "en-US" });
  await search(page, "電車");
  await page.evaluate(() => scrollTo(0, 0));
  await page.locator("a.api").click();
  await page.waitForFunction(() => scrollY > 500);
  await page.goBack();
  await page.waitForFunction(() => scrollY === 0);
  await page.locator(links).last().click();
  await page.locator(".post-title").waitFor();
  await page.goBack();
  await page.locator(links).first().waitFor();
  await page.goForward();
  await page.locator(".post-title").waitFor();
  await page.waitForFunction(() => scrollY === 0);
});

test("what was typed before the page's program came is searched for", async () => {
  const page = await open("/");
  await page.route("**/site/page.js", async (route) => {
    await page.locator("#q").fill("電車");
    await route.continue();
  });
  await page.reload({ waitUntil: "commit" });
  await page.waitForURL(/q=/);
  expect(await page.locator("#q").inputValue()).toBe("電車");
});

test("where nothing answers for the page's program, the newest posts are shown in the end", async () => {
  const page = await openWithClock();
  await page.route("**/site/page.js", () => {});
  await page.goto(`${site.url}/en/?q=power`, { waitUntil: "commit" });
  await page.locator("html[data-view=loading] #hits").waitFor({ state: "attached" });
  expect(await page.locator(hits).first().isVisible()).toBe(false);
  await page.clock.fastForward(31_000);
  await page.locator(hits).first().waitFor();
});

test("further posts that could not be read are asked for again, also after a link within the page", async () => {
  const page = await open("/");
  const before = await page.locator(hits).count();
  await page.route("**/api/search*", (route) => route.abort());
  await page.locator("[data-more]").click();
  const again = page.locator("[data-part=pages] button", { hasText: "もう一度試す" });
  await again.waitFor();
  const failure = page.locator("[data-part=pages] .failure");
  const reason = await failure.innerText();
  await page.route("**/api/search*", () => {});
  await again.click();
  await expect.poll(() => failure.innerText()).toBe("応答を待っています…");
  await page.locator("a.api").click();
  // What was asked for is given up.
  await expect.poll(() => failure.innerText()).toBe(reason);
  await page.unroute("**/api/search*");
  await again.click();
  await page.waitForFunction(
    ([selector, count]) => document.querySelectorAll(selector).length > count,
    [hits, before] as const,
  );
  complaints.splice(0);
});

test("an old link beyond the last page leads back to the last one", async () => {
  const { metadata } = await api<{ metadata: { totalPages: number } }>("/api/search");
  const page = await open("/en/?page=9999", { locale: "en-US" });
  const link = page.locator('[data-part="pages"] a');
  await link.waitFor();
  expect(await link.getAttribute("href")).toContain(`page=${metadata.totalPages}`);
  await page.goto(`${site.url}/en/?q=zzqx&page=3`);
  await link.waitFor();
  expect(await link.getAttribute("href")).toBe("?q=zzqx");
});

test("documentation: links inside ask nothing again, and Back keeps the list", async () => {
  const page = await open("/");
  await search(page, "電車");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.locator("a.api").click();
  await page.waitForURL(/#api$/);
  expect(await page.locator("#api").isVisible()).toBe(true);
  await page.locator('.contents a[href="#errors"]').click();
  await page.waitForURL(/#errors$/);
  await page.waitForFunction(() => {
    const { top = -1 } = document.querySelector("#errors")?.getBoundingClientRect() ?? {};
    return Math.abs(top) < 10;
  });
  await page.goBack();
  await page.goBack();
  await page.waitForTimeout(500);
  expect(asked.filter((url) => url.includes("/api/search"))).toEqual([]);
  expect(await page.locator(hits).count()).toBeGreaterThan(0);
  // From a post, the link leads to the documentation, too.
  await page.locator(links).first().click();
  await page.locator(".post-title").waitFor();
  await page.locator("a.api").click();
  await page.waitForURL(`${site.url}/#api`);
  expect(await page.locator("#api").isVisible()).toBe(true);
});

test("without scripts the posts and the documentation are there, and a search can be sent", async () => {
  const page = await open("/", { javaScriptEnabled: false });
  // Sections out of view are not laid out, so `innerText` leaves them out.
  for (const text of ["/api/search", "/api/posts/{postId}", "pageSize", "postContentHtml", "404"])
    expect(await page.locator("main").textContent()).toContain(text);
  expect(await page.locator("#post-title").isVisible()).toBe(true);
  expect(await page.locator(hits).count()).toBe(10);
  await page.locator("#q").fill("電車");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/api\/search\?/);
  expect(JSON.parse(await page.locator("body").innerText())).toHaveProperty("metadata");
});

test("on paper a post is without controls, and so is the documentation", async () => {
  const page = await open("/");
  await page.emulateMedia({ media: "print" });
  expect(await page.locator("#api").isVisible()).toBe(true);
  for (const one of ["#q", "#list", ".top nav", ".contents"])
    expect(await page.locator(one).isVisible(), one).toBe(false);
  await page.goto(`${site.url}/?post=1`);
  await page.locator(".post-title").waitFor();
  for (const one of ["#q", "#back", ".call >> nth=0", "#api"])
    expect(await page.locator(one).isVisible(), one).toBe(false);
  expect(await page.locator(postText).isVisible()).toBe(true);
});

test.each([
  ["A5", 484],
  ["A4", 718],
  ["A4 landscape", 1047],
])(
  "on paper of %s, the documentation has the whole width, and no code is cut",
  async (_, width) => {
    const page = await open("/en/", { locale: "en-US" });
    await page.setViewportSize({ width, height: 1000 });
    await page.locator(".samples details").evaluateAll((all: HTMLDetailsElement[]) => {
      for (const one of all) one.open = true;
    });
    await page.emulateMedia({ media: "print" });
    const [paper, documentation] = await page
      .locator(".layout, .layout > :last-child")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
    expect(documentation).toBe(paper);
    const cut = await page
      .locator(".layout :is(pre, .line code)")
      .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length);
    expect(cut).toBe(0);
  },
);

test("on paper a post is whole, with long code and wide tables", async () => {
  const cells = Array.from({ length: 14 }, (_, i) => `<td>Parameter${i}`).join("");
  const page = await openPost({
    postContentHtml: `<h2>begin</h2><pre>${"code\n".repeat(80)}${"x".repeat(400)}</pre><table><tr>${cells}</table><p>end`,
  });
  const body = page.locator(postText);
  await body.getByText("end").waitFor();
  const text = await body.innerText();
  await page.setViewportSize({ width: 700, height: 1000 });
  await page.emulateMedia({ media: "print" });
  expect(await body.innerText()).toBe(text);
  for (const one of [body, body.locator("pre"), body.locator("table"), page.locator("html")])
    expect(await one.evaluate((all) => all.scrollWidth - all.clientWidth)).toBe(0);
  expect(await body.locator("pre").evaluate((one) => one.scrollHeight - one.clientHeight)).toBe(0);
});

test("on paper, the words of a table that fits stay whole, also beside a long column", async () => {
  const row = `<tr><td>maximumResults<td>integer<td>${"What the option says. ".repeat(30)}`;
  const table = `<table><tr><th>Parameter<th>Type<th>Description${row}</table>`;
  const page = await openPost({ postContentHtml: `${table}<ul><li>${table}</ul><p>end` });
  await page.locator(postText).getByText("end").waitFor();
  await page.setViewportSize({ width: 700, height: 1000 });
  await page.emulateMedia({ media: "print" });
  const lines = await page.locator(`${postText} :is(th, td):not(:last-child)`).evaluateAll((all) =>
    all.map((one) => {
      const range = document.createRange();
      range.selectNodeContents(one);
      return range.getClientRects().length;
    }),
  );
  expect(lines).toEqual(Array(8).fill(1));
});

test("on paper, words in the columns of a long post are not broken: to divide these into pages takes too long", async () => {
  const page = await openPost({
    postContentHtml: `<table>${`<td>${"AV".repeat(500)}`.repeat(300)}</table><p>end`,
  });
  await page.locator(postText).getByText("end").waitFor();
  await page.emulateMedia({ media: "print" });
  const cell = page.locator(`${postText} td`).first();
  const width = await cell.evaluate((one) => one.scrollWidth);
  expect(width).toBeGreaterThan(3000);
});

describe.each(["light", "dark"] as const)("in %s", (colorScheme) => {
  test.each([
    [320, "/", "?q=%E9%9B%BB%E8%BB%8A"],
    [320, "/en/", "?q=%E9%9B%BB%E8%BB%8A"],
    [1280, "/", "?post=1"],
    [1280, "/en/", "?post=1"],
    [320, "/", "?post=1"],
    [1280, "/en/", ""],
    [320, "/", ""],
  ])("at %i px, %s%s is accessible and nothing runs over the edge", async (width, path, query) => {
    const locale = path === "/" ? "ja-JP" : "en-US";
    const page = await open(path + query, {
      colorScheme,
      locale,
      viewport: { width, height: 800 },
      // axe is put into the page, which the page's policy forbids.
      bypassCSP: true,
    });
    await page
      .locator(query.includes("post") ? "#reader .post-title" : `${hits} h3`)
      .first()
      .waitFor();
    if (query !== "") await page.locator("details.call:visible summary").first().click();
    // The documentation is checked as a whole, not only what is on the screen.
    await page.addStyleTag({
      content: ".layout section { content-visibility: visible !important }",
    });
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
  // A saved copy is read from its file.
  const others = requests.filter((url) => !url.startsWith(`${site.url}/`));
  expect(others.filter((url) => !url.startsWith("file:"))).toEqual([]);
});
