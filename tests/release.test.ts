/** Releases with the real Netlify CLI, against a stand-in for Netlify's API and sites. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { netlifyIn, type RunCli } from "../scripts/publish/netlify-cli.ts";
import { release } from "../scripts/publish/release.ts";
import { copySite } from "./support/function-bundle.ts";
import { startNetlify, type NetlifyStandIn } from "./support/netlify-api.ts";
import { root, sample, temporaryFolder } from "./support/support.ts";

const workFolder = temporaryFolder();
const folder = join(workFolder, "site");
let netlify: NetlifyStandIn;
beforeAll(async () => {
  mkdirSync(folder);
  copySite(folder);
  netlify = await startNetlify(workFolder);
});
afterAll(() => netlify.stop());

/** A version of the sample: its first post has this title. */
function exportWith(title: string): string {
  const text = readFileSync(sample, "utf8");
  const changed = text.replace("朝礼で社長の名前を呼び間違えた", title);
  const file = join(folder, "export.sql");
  writeFileSync(file, changed);
  return file;
}

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Requests to the API that change something. */
  readonly writes: readonly string[];
}

async function releaseTitled(title: string, token?: string): Promise<Outcome> {
  const env = {
    ...netlify.env,
    ...(token === undefined ? {} : { NETLIFY_AUTH_TOKEN: token }),
    NODE_OPTIONS: `--import=${join(root, "tests/support/loopback-only.mjs")}`,
  };
  const cli = netlifyIn(folder, { ...process.env, ...env });
  // What the first release planned serves the others: making the bundle takes seconds.
  const isPlanned = existsSync(join(folder, ".netlify/functions/manifest.json"));
  const runCli: RunCli = async (args, seconds) =>
    isPlanned && (args[0] === "build" || args[0] === "env:get")
      ? { code: 0, stdout: "{}", stderr: "" }
      : cli(args, seconds);
  let stdout = "";
  let stderr = "";
  netlify.requests.length = 0;
  const code = await release(
    ["--export", exportWith(title)],
    {
      stdout: { write: (text) => (stdout += text) },
      stderr: { write: (text) => (stderr += text) },
      env,
    },
    { folder, runCli, wait: () => setTimeout(50) },
  );
  expect(stdout + stderr).not.toContain(env.NETLIFY_AUTH_TOKEN);
  return { code, stdout, stderr, writes: netlify.requests.filter((one) => !one.startsWith("GET")) };
}

const titleOnSite = async (): Promise<string> =>
  ((await (await fetch(`${netlify.siteUrl}/api/posts/1`)).json()) as { postTitle: string })
    .postTitle;

test("a first release reaches the site, though the API is slow and asks to wait", async () => {
  let refused = 0;
  netlify.faults.api = async (_method, path) => {
    if (path.endsWith("/restore")) await setTimeout(300);
    if (!path.startsWith("/sites/") || refused++ > 0) return undefined;
    return new Response("{}", { status: 429, headers: { "X-RateLimit-Reset": "0" } });
  };
  const { code, stdout, stderr } = await releaseTitled("一");
  expect([code, refused > 1], stderr).toEqual([0, true]);
  expect(stdout).toMatch(/the function with [0-9.]+ MB on nodejs2[24]\.x/);
  expect(await titleOnSite()).toBe("一");
});

test("the same snapshot is not uploaded again", async () => {
  netlify.faults.api = undefined;
  const { code, stdout, writes } = await releaseTitled("一");
  expect([code, writes]).toEqual([0, []]);
  expect(stdout).toMatch(/nothing changed/);
});

test("of a changed snapshot only new files are sent; a live site that fails gets its old deploy back", async () => {
  netlify.faults.visit = (origin, { pathname }) =>
    origin === "site" && netlify.published() !== "deploy1" && pathname === "/api/search"
      ? new Response(null, { status: 502 })
      : undefined;
  const { code, stderr, writes } = await releaseTitled("二");
  expect([code, netlify.published()], stderr).toEqual([1, "deploy1"]);
  expect(await titleOnSite()).toBe("一");
  expect(stderr).toMatch(/deploy1 was put back: the site shows its snapshot/);
  const files = writes.filter((one) => /\/files\//.test(one));
  expect(files).toContain("PUT /deploys/deploy2/files/api/posts/1.json");
  expect(files.length).toBeLessThan(20);
});

test("an upload that fails half-way is cancelled, and nothing becomes live", async () => {
  netlify.faults.visit = undefined;
  let sent = 0;
  netlify.faults.api = (method, path) =>
    method === "PUT" && path.includes("/files/") && ++sent > 2
      ? Response.json({ message: "disk full" }, { status: 422 })
      : undefined;
  const { code, stderr, writes } = await releaseTitled("三");
  expect([code, netlify.published()], stderr).toEqual([1, "deploy1"]);
  expect(stderr).toMatch(/netlify deploy --no-build failed: .*\nNothing of this release is live\./);
  expect(writes).toContain("POST /deploys/deploy3/cancel");
  expect(await titleOnSite()).toBe("一");
});

test("a token that is refused and an API that fails give a sentence each", async () => {
  netlify.faults.api = undefined;
  const refused = await releaseTitled("四", "nfp_wrong_token");
  expect([refused.code, refused.writes]).toEqual([1, []]);
  expect(refused.stderr).toMatch(/Netlify refuses the token: set NETLIFY_AUTH_TOKEN/);
  netlify.faults.api = () => Response.json({ message: "oops" }, { status: 500 });
  const failing = await releaseTitled("四");
  expect([failing.code, failing.writes]).toEqual([1, []]);
  expect(failing.stderr).toMatch(/netlify api getSite failed: /);
});
