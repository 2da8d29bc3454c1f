/**
 * The page in Chromium, on the server of `npm run dev`: used as people use it.
 * The browser is /usr/bin/chromium, or what the environment's CHROMIUM names.
 */
import type { Server } from "node:http";
import {
  chromium,
  type Browser,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { serveSnapshot } from "../../scripts/local/site-server.ts";
import { freePort } from "../support/ports.ts";
import { built, sample } from "../support/support.ts";

/** What an answer changed is on the page. */
export const shown = '#hits[aria-busy="false"]';
/** The hits of the list, and their titles. */
export const hits = "#hits > .hit";
export const links = `${hits} h3 a`;
/** The text of the post that is shown, and its title. */
export const postText = "#reader .post-text";
export const postTitle = "#reader .post-title";

const port = await freePort();
/** Origin of the site. */
export const url = `http://127.0.0.1:${port}`;
let browser: Browser;
let server: Server;
/** Everything that a page complained of. A test that causes a complaint takes it from here. */
export const complaints: string[] = [];

/**
 * Serves the sample to the tests of a file.
 *
 * @param options of its build
 */
export function useSite(...options: readonly string[]): void {
  beforeAll(async () => {
    const folder = await built(sample, ...options);
    server = await serveSnapshot(folder, port, (message) => console.error(message));
    browser = await chromium.launch({
      executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
      // The sandbox needs rights that a container seldom gives; the only pages visited are the project's own.
      args: ["--no-sandbox", "--disable-background-networking", "--disable-component-update"],
    });
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    expect(complaints.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    server.close();
  });
}

/** Opens a path of the site, in a browser of its language. No page may ask another site. */
export async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const locale = path.startsWith("/en/") ? "en-US" : "ja-JP";
  const context = await browser.newContext({ locale, ...options });
  const page = await context.newPage();
  const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"></svg>';
  await context.route("https://img.example/*", (route) =>
    route.fulfill({ contentType: "image/svg+xml", body: picture }),
  );
  page.on("request", (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(`${url}/`))
      complaints.push(request.url());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    // An answer of 404 appears on the console, too; those are asked for on purpose.
    if (message.type() === "error" && !message.text().includes("status of 4"))
      complaints.push(message.text());
  });
  await page.goto(url + path);
  return page;
}

/**
 * Opens the post 1 with other fields than it has.
 *
 * @param timeout milliseconds until its title is there
 */
export async function openPost(
  fields: object,
  options?: BrowserContextOptions,
  timeout = 30_000,
): Promise<Page> {
  const page = await open("/", options);
  await page.route("**/api/posts/1", async (route) => {
    const post = (await (await route.fetch()).json()) as object;
    await route.fulfill({ json: { ...post, ...fields } });
  });
  await page.goto(`${url}/?post=1`, { waitUntil: "commit" });
  await page.locator(postTitle).waitFor({ timeout });
  return page;
}

/**
 * Opens a post with another text.
 *
 * @returns its text
 */
export const openText = async (
  postContentHtml: string,
  options?: BrowserContextOptions,
): Promise<Locator> => (await openPost({ postContentHtml }, options)).locator(postText);

/** Types into the field, and waits for the list of it. */
export async function search(page: Page, q: string): Promise<void> {
  const answered = page.waitForResponse(
    (response) => new URL(response.url()).searchParams.get("q") === q,
  );
  await page.locator("#q").fill(q);
  await answered;
  await page.locator(shown).waitFor({ state: "attached" });
}

/** The parameters of a page's URL. */
export const parameters = (page: Page): URLSearchParams => new URL(page.url()).searchParams;

/** What the API answers. */
export const api = async <T>(path: string): Promise<T> =>
  (await (await fetch(url + path)).json()) as T;

/** An attribute of each element. */
export const attributes = (elements: Locator, name: string): Promise<(string | null)[]> =>
  elements.evaluateAll((all, key) => all.map((one) => one.getAttribute(key)), name);

/** The text of what has the keyboard. */
export const focused = (page: Page): Promise<string | undefined | null> =>
  page.evaluate(() => document.activeElement?.textContent);
