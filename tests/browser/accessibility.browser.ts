/** A visitor with a keyboard, a screen reader, a narrow screen, or a printer. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import {
  focused,
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

useSite();

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core"), "utf8");

/** What each page is ready with. */
const views = [
  ["", links],
  ["?q=%E9%9B%BB%E8%BB%8A", `${hits} mark`],
  ["?post=1", postTitle],
  ["docs/", "#errors"],
] as const;

describe.each([
  ["light", 1280, "/"],
  ["dark", 320, "/en/"],
] as const)("the pages in %s at %i pixels", (colorScheme, width, folder) => {
  test.each(views)("pass axe at /%s, and fit the width of the screen", async (path, ready) => {
    const page = await open(folder + path, {
      colorScheme,
      viewport: { width, height: 800 },
      // axe is put into the page, which the page's policy forbids.
      bypassCSP: true,
    });
    await page.locator(ready).first().waitFor();
    if (path.startsWith("?")) await page.locator("details.call:visible summary").first().click();
    await page.evaluate(axeSource);
    const { violations, passes } = await page.evaluate<{
      violations: { id: string; nodes: { html: string }[] }[];
      passes: unknown[];
    }>(
      "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })",
    );
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    expect(passes.length).toBeGreaterThan(20);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });
});

test("a post with pictures, tables, quotations and comments passes axe", async () => {
  const page = await openPost(
    {
      postContentHtml: `<h1>a</h1><p><img src="https://img.example/a.png" alt="a cat"> <a href="/b"><img src=c.png></a></p>
        <blockquote>q</blockquote><table><tr>${"<td>supercalifragilistic".repeat(9)}</table><details><summary>s</summary>t</details>`,
    },
    { bypassCSP: true, viewport: { width: 320, height: 800 } },
  );
  await page.evaluate(axeSource);
  const violations = await page.evaluate<string[]>(
    "axe.run('#reader').then(({ violations }) => violations.map(({ id }) => id))",
  );
  // The levels of a stranger's headings are the stranger's.
  expect(violations.filter((id) => id !== "heading-order")).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

describe("the keyboard", () => {
  const field = (page: Page) => page.evaluate(() => document.activeElement?.id === "q");

  test("reaches the field and the first hit, and other hits by arrows", async () => {
    const page = await open("/");
    for (let i = 0; i < 3; i++) await page.keyboard.press("Tab");
    expect(await field(page)).toBe(true);
    await page.keyboard.press("Tab");
    const titles = await page.locator(links).allInnerTexts();
    expect(await focused(page)).toBe(titles[0]);
    await page.keyboard.press("ArrowDown");
    expect(await focused(page)).toBe(titles[1]);
    for (let i = 0; i < 2; i++) await page.keyboard.press("ArrowUp");
    expect(await field(page)).toBe(true);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.locator(postTitle).waitFor();
    await expect.poll(() => focused(page)).toBe(titles[0]);
  });

  test("reaches the field by slash, and empties it by Escape outside conversions", async () => {
    const page = await open("/");
    await page.keyboard.press("/");
    expect(await field(page)).toBe(true);
    await search(page, "電車");
    const press = (keyCode: number): Promise<boolean> =>
      page
        .locator("#q")
        .evaluate(
          (one, code) =>
            one.dispatchEvent(
              new KeyboardEvent("keydown", { key: "Escape", keyCode: code, bubbles: true }),
            ),
          keyCode,
        );
    await press(229);
    expect(await page.locator("#q").inputValue()).toBe("電車");
    await press(27);
    expect(await page.locator("#q").inputValue()).toBe("");
    await page.waitForURL(`${url}/`);
  });

  test("stays in the field when a post arrives late", async () => {
    const page = await open("/");
    const answer = Promise.withResolvers<void>();
    await page.route("**/api/posts/*", async (route) => {
      await answer.promise;
      await route.continue();
    });
    await page.locator(links).first().click();
    await page.locator("#q").focus();
    answer.resolve();
    await page.locator(postTitle).waitFor();
    await page.waitForTimeout(100);
    expect(await field(page)).toBe(true);
  });
});

describe("the printed page", () => {
  test("shows a post without controls, and fits code and tables", async () => {
    const code = `const a = "${"x".repeat(200)} end";`;
    const text = await openText(
      `<p>x</p><pre><code>${code}</code></pre><table><tr>${"<td>supercalifragilistic".repeat(9)}</table>`,
      {
        viewport: { width: 700, height: 900 },
        colorScheme: "dark",
      },
    );
    const page = text.page();
    await page.emulateMedia({ media: "print" });
    for (const selector of [".top nav", ".search", "#back", ".call", ".neighbours", "#list"])
      expect(await page.locator(`${selector} >> nth=0`).isVisible(), selector).toBe(false);
    for (const selector of [postTitle, ".tags", ".comments", `${postText} pre`])
      expect(await page.locator(selector).first().isVisible(), selector).toBe(true);
    for (const part of await page.locator(`${postText} :is(pre, table)`).all()) {
      const box = await part.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(700);
    }
    const colour = page.locator("body").evaluate((body) => getComputedStyle(body).backgroundColor);
    expect(await colour).toBe("rgb(252, 251, 248)");
  });

  test("fits the documentation's code, and hides its table of contents", async () => {
    const page = await open("/docs/", { viewport: { width: 900, height: 640 } });
    await page.emulateMedia({ media: "print" });
    expect(await page.locator(".contents").isVisible()).toBe(false);
    for (const block of await page.locator("pre:visible, .line code").all()) {
      const [wide, shown] = await block.evaluate((one) => [one.scrollWidth, one.clientWidth]);
      expect(wide).toBeLessThanOrEqual(shown ?? 0);
    }
  });
});
