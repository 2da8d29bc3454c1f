/** The commands that serve, as processes: `npm run dev` and `npm run preview`, from their start to their end. */
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startIn, type LocalSite } from "../support/local-site.ts";
import { freePort } from "../support/ports.ts";
import { siteFolder } from "../support/local-site.ts";
import {
  built,
  commandArguments,
  root,
  runProgram,
  sample,
  temporaryFolder,
} from "../support/support.ts";

describe("npm run dev", () => {
  let site: LocalSite;
  beforeAll(async () => {
    const port = await freePort();
    const folder = siteFolder();
    const args = commandArguments("dev", "--port", String(port));
    site = startIn(folder, port, process.execPath, args);
    await site.says("Ctrl-C ends.");
  });
  afterAll(() => site.stop());
  const started = (folder: string, port: number) =>
    runProgram(process.execPath, commandArguments("dev", "--sample", "--port", String(port)), {
      cwd: folder,
    });

  test("serves the sample where there is no export, with URLs of its own", async () => {
    const post = (await (await fetch(`${site.url}/api/posts/1`)).json()) as { postUrl: string };
    expect(post.postUrl.startsWith(`${site.url}/`)).toBe(true);
    expect((await fetch(`${site.url}/api/search?q=a`)).status).toBe(200);
  });

  test("refuses a second start on the same port before anything is built", async () => {
    const folder = temporaryFolder();
    const { code, stdout, stderr } = await started(folder, site.port);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toBe(`port ${site.port} is in use. Choose another one with --port.\n`);
    expect(existsSync(join(folder, "dist"))).toBe(false);
  });

  test("refuses a second server of the same folder, and keeps its snapshot", async () => {
    const before = readFileSync(join(site.folder, "dist/snapshot.json"), "utf8");
    const { code, stdout, stderr } = await started(site.folder, await freePort());
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^Another npm run dev serves dist of this folder/);
    expect(readFileSync(join(site.folder, "dist/snapshot.json"), "utf8")).toBe(before);
  });

  test("ends at a signal with exit code 0, and leaves no lock", async () => {
    process.kill(site.pid ?? 0, "SIGTERM");
    expect(await site.ended).toBe(0);
    expect(readdirSync(site.folder).filter((name) => name.startsWith(".dist"))).toEqual([
      ".dist.source",
    ]);
  });
});

test("npm run preview ends when a signal ends npm", async () => {
  const port = await freePort();
  const folder = await built(sample);
  const npm = spawn("npm", ["run", "preview", "--", folder, "--port", String(port)], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise<void>((done) =>
    npm.stdout.setEncoding("utf8").on("data", (text: string) => {
      if (text.includes("Ctrl-C ends")) done();
    }),
  );
  expect((await fetch(`http://127.0.0.1:${port}/api/search`)).status).toBe(200);
  npm.kill("SIGTERM");
  await vi.waitFor(
    () => expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow("fetch failed"),
    { timeout: 60_000, interval: 200 },
  );
});
