/** npm run picture: makes the picture of the page in README, docs/page.png, from the sample. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";
import { serveSnapshot } from "../../scripts/local/site-server.ts";
import { freePort } from "./ports.ts";
import { build } from "../../scripts/build/build-snapshot.ts";

const root = resolve(import.meta.dirname, "../..");
const folder = join(mkdtempSync(join(tmpdir(), "case-collection-")), "dist");
const code = await build(["--sample", "--out", folder], process);
if (code !== 0) process.exit(code);
const port = await freePort();
const server = await serveSnapshot(folder, port, (message) => process.stderr.write(`${message}\n`));
const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
const page = await browser.newPage({
  viewport: { width: 1100, height: 760 },
  locale: "ja-JP",
  colorScheme: "light",
});
await page.goto(`http://127.0.0.1:${port}/?q=電車`);
await page.locator("#hits mark").first().waitFor();
await page.waitForTimeout(500);
await page.screenshot({ path: join(root, "docs/page.png") });
await browser.close();
server.close();
rmSync(join(folder, ".."), { recursive: true });
