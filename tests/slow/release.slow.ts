/** Releases with the real Netlify CLI, against a stand-in for Netlify's API and sites; the first one by the steps of the workflow. */
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { netlifyIn, type RunCli } from "../../scripts/deploy/netlify-cli.ts";
import { installNetlifyCli } from "../../scripts/deploy/netlify/install.mjs";
import { release } from "../../scripts/deploy/release-snapshot.ts";
import { d1Account, d1Token, serveD1, type D1Api } from "../support/d1-api.ts";
import { writeD1Export } from "../support/d1.ts";
import { copySite } from "../support/function-bundle.ts";
import { startNetlify, type NetlifyStandIn } from "../support/netlify-api.ts";
import { startProxy } from "../support/proxy.ts";
import { ofUnnamed, root, runProgram, temporaryFolder, tsx } from "../support/support.ts";
import { runSteps, workflow } from "../support/workflow.ts";

const workFolder = temporaryFolder();
const folder = join(workFolder, "site");
const exportFile = join(folder, "data/export.sqlite");
const offline = { NODE_OPTIONS: `--import=${join(root, "tests/support/loopback-only.mjs")}` };
let netlify: NetlifyStandIn;
let api: D1Api | undefined;
beforeAll(async () => {
  copyProject();
  netlify = await startNetlify(workFolder);
});
afterAll(async () => {
  netlify.stop();
  await api?.close();
});

/** Copies the project. Of its packages, the one in the function's bundle has to be there itself. */
function copyProject(): void {
  installNetlifyCli();
  mkdirSync(join(folder, "data"), { recursive: true });
  // Another project around it, which is none of the release's business.
  mkdirSync(join(workFolder, "dist"));
  writeFileSync(join(workFolder, "dist/secret.txt"), "CANARY_PRIVATE");
  writeFileSync(join(workFolder, "package.json"), "{}");
  copySite(folder);
  for (const name of ["scripts", "data/schema.sql", "package-lock.json"])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  const copied = readdirSync(join(folder, "node_modules"));
  for (const name of readdirSync(join(root, "node_modules")).filter((one) => !copied.includes(one)))
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
}

/** The environment of the workflow's steps, with a database that holds private tables too. */
async function stepEnvironment(): Promise<NodeJS.ProcessEnv> {
  const file = join(workFolder, "d1.sqlite");
  writeD1Export(file);
  api = await serveD1(file);
  return {
    ...offline,
    HOME: workFolder,
    PATH: [dirname(process.execPath), process.env["PATH"]].join(":"),
    NETLIFY_API_URL: netlify.env.NETLIFY_API_URL,
    CLOUDFLARE_API_BASE_URL: api.url,
    GITHUB_STEP_SUMMARY: join(workFolder, "summary.md"),
  };
}

const firstTitle = "朝礼で社長の名前を呼び間違えた";

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Requests to the API that change something. */
  readonly writes: readonly string[];
}

/**
 * What the workflow exported, with another title of post 1.
 *
 * @returns the file
 */
function exportTitled(title: string): string {
  const file = join(workFolder, "export.sqlite");
  cpSync(exportFile, file);
  new Database(file)
    .exec(`UPDATE posts SET post_title = '${title}' WHERE post_title = '${firstTitle}'`)
    .close();
  return file;
}

/** Releases what the workflow exported, with another title of post 1. */
async function releaseTitled(title: string, token?: string): Promise<Outcome> {
  const file = exportTitled(title);
  const env = {
    ...netlify.env,
    ...(token === undefined ? {} : { NETLIFY_AUTH_TOKEN: token }),
    ...offline,
  };
  const cli = netlifyIn(folder, { ...process.env, ...env });
  // What the first release planned serves the others: making the bundle takes seconds.
  const bundle = join(folder, ".netlify/functions/manifest.json");
  const planned = existsSync(bundle) ? readFileSync(bundle) : undefined;
  const runCli: RunCli = async (args, seconds) => {
    if (planned === undefined || (args[0] !== "build" && args[0] !== "env:get"))
      return cli(args, seconds);
    writeFileSync(bundle, planned);
    return { code: 0, stdout: "{}", stderr: "" };
  };
  let stdout = "";
  let stderr = "";
  netlify.requests.length = 0;
  const code = await release(
    ofUnnamed("--export", file),
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

test("publish.yml releases a D1 database when the API asks to wait", async () => {
  let refused = 0;
  netlify.faults.api = async (_method, path) => {
    if (path.endsWith("/restore")) await setTimeout(300);
    if (!path.startsWith("/sites/") || refused++ > 0) return undefined;
    return new Response("{}", { status: 429, headers: { "X-RateLimit-Reset": "0" } });
  };
  const secrets = {
    "secrets.CLOUDFLARE_API_TOKEN": d1Token,
    "secrets.CLOUDFLARE_ACCOUNT_ID": d1Account,
    "secrets.NETLIFY_AUTH_TOKEN": netlify.env.NETLIFY_AUTH_TOKEN,
    "secrets.NETLIFY_SITE_ID": netlify.env.NETLIFY_SITE_ID,
    "inputs.max-removals": "",
    "inputs.max-loss": "",
    "inputs.against": "",
  };
  const publish = workflow("publish.yml");
  // A copy of the project has settings of its own.
  const settings = { SOURCE: "d1", PLACE: "cases", COMMENTS: "", POST_URL: "" };
  const { code, step, output } = await runSteps(
    { ...publish, env: { ...publish.env, ...settings } },
    folder,
    secrets,
    await stepEnvironment(),
  );
  expect([code, step, refused > 1], output).toEqual([0, "Release", true]);
  expect(output).toMatch(/the function with [0-9,]+ bytes zipped, on nodejs2[24]\.x/);
  expect(output).not.toContain("nobody_may_see_this");
  expect(output).not.toContain(netlify.env.NETLIFY_AUTH_TOKEN);
  expect(output).toMatch(/export\.sqlite: 40 posts, 20 comments, 19 tags from D1/);
  expect(readFileSync(exportFile).toString("latin1")).not.toMatch(/CANARY|dim_/);
  const summary = readFileSync(join(workFolder, "summary.md"), "utf8");
  expect(summary).toMatch(/^## Release\n\nThe release is live/);
  expect(summary).toMatch(/\| posts \|  \| 40 \|/);
  expect(await titleOnSite()).toBe(firstTitle);
});

test("release does not upload the same snapshot again", async () => {
  netlify.faults.api = undefined;
  const { code, stdout, writes } = await releaseTitled(firstTitle);
  expect([code, writes]).toEqual([0, []]);
  expect(stdout).toMatch(/nothing changed/);
});

test("release sends few files, and restores the deploy when the site fails", async () => {
  netlify.faults.visit = (origin, { pathname }) =>
    origin === "site" && netlify.published() !== "deploy1" && pathname === "/api/search"
      ? new Response(null, { status: 502 })
      : undefined;
  const { code, stderr, writes } = await releaseTitled("二");
  expect([code, netlify.published()], stderr).toEqual([1, "deploy1"]);
  expect(await titleOnSite()).toBe(firstTitle);
  expect(stderr).toMatch(/deploy1 was put back: the site shows its snapshot/);
  const files = writes.filter((one) => /\/files\//.test(one));
  expect(files).toContain("PUT /deploys/deploy2/files/api/posts/1.json");
  expect(files.length).toBeLessThan(25);
});

test("release cancels a deploy whose upload fails half-way, and publishes nothing", async () => {
  netlify.faults.visit = undefined;
  let sent = 0;
  netlify.faults.api = (method, path) =>
    method === "PUT" && path.includes("/files/") && ++sent > 2
      ? Response.json({ message: "disk full" }, { status: 422 })
      : undefined;
  const { code, stderr, writes } = await releaseTitled("三");
  expect([code, netlify.published()], stderr).toEqual([1, "deploy1"]);
  expect(stderr).toMatch(
    /netlify deploy --no-build failed: .*\nLive now at .*, as before this release\./,
  );
  expect(writes).toContain("POST /deploys/deploy3/cancel");
  expect(await titleOnSite()).toBe(firstTitle);
});

test("release reports a refused token or failing API; netlifyIn ends silent calls", async () => {
  netlify.faults.api = undefined;
  const refused = await releaseTitled("四", "nfp_wrong_token");
  expect([refused.code, refused.writes]).toEqual([1, []]);
  expect(refused.stderr).toMatch(/Netlify refuses the token: set NETLIFY_AUTH_TOKEN/);
  netlify.faults.api = () => Response.json({ message: "oops" }, { status: 500 });
  const failing = await releaseTitled("四");
  expect([failing.code, failing.writes]).toEqual([1, []]);
  expect(failing.stderr).toMatch(/netlify api getSite failed: /);
  netlify.faults.api = () => new Promise(() => {});
  const env = { ...process.env, ...netlify.env, ...offline };
  const call = ["api", "getSite", "--data", JSON.stringify({ site_id: "x" })];
  expect((await netlifyIn(folder, env)(call, 1)).code).toBeUndefined();
});

/** Of a release as a process. The export's file follows. */
const releaseArguments = [...tsx, join(folder, "scripts/release.ts"), "--export"];

test("scripts/release.ts uses a proxy with a password, and does not show it", async () => {
  netlify.faults.api = undefined;
  const { port, pathname } = new URL(netlify.env.NETLIFY_API_URL);
  const proxy = await startProxy(Number(port), "me:secret");
  const NETLIFY_API_URL = `http://netlify.example${pathname.replace(/\/$/, "")}`;
  const { host } = proxy;
  const named = { HTTP_PROXY: `me:secret@${host}`, HTTPS_PROXY: `me:secret@${host}` };
  const env = { ...netlify.env, NETLIFY_API_URL, ...named, ...offline, GITHUB_STEP_SUMMARY: "" };
  const releaseOf = (title: string) =>
    runProgram(process.execPath, [...releaseArguments, exportTitled(title)], { cwd: folder, env });
  const released = await releaseOf("五");
  expect(released.code, released.stderr).toBe(0);
  expect([netlify.published(), await titleOnSite()]).toEqual(["deploy4", "五"]);
  expect(new Set(proxy.asked)).toEqual(new Set(["netlify.example"]));
  proxy.stop();
  const down = await releaseOf("六");
  expect(down.code).toBe(1);
  expect(down.stderr).toMatch(/netlify api getSite failed: .*ECONNREFUSED.*\nNothing of this/);
  for (const { stdout, stderr } of [released, down])
    expect(stdout + stderr).not.toContain("secret");
});

/** `SIGNALS=20 npm run test:slow -- release` tries more moments. */
const moments = Number(process.env["SIGNALS"] ?? 3);

/** Releases as a process, and sends it a signal when the stand-in gets its request number `at`. */
async function interruptedRelease(title: string, at: number, signal: NodeJS.Signals) {
  const file = exportTitled(title);
  const env = { ...process.env, ...netlify.env, ...offline, GITHUB_STEP_SUMMARY: "" };
  const child = spawn(process.execPath, [...releaseArguments, file], { cwd: folder, env });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (data: Buffer) => (output += data.toString()));
  let requests = 0;
  let firstVisit = Infinity;
  const visitsAfter: string[] = [];
  const count = (): void => {
    if (++requests === at) child.kill(signal);
  };
  netlify.faults.api = () => void count();
  netlify.faults.visit = (origin, { pathname }) => {
    if (origin === "site" && requests >= at) visitsAfter.push(pathname);
    count();
    firstVisit = Math.min(firstVisit, requests);
    return undefined;
  };
  const [code, ending] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  return { code, ending, output, requests, firstVisit, visitsAfter };
}

/** A release takes a minute on a machine that has much else to do. */
const timeout = 120_000 * (moments + 1);

test("scripts/release.ts says what is live when a signal ends it", { timeout }, async () => {
  const whole = await interruptedRelease("五", Infinity, "SIGINT");
  expect(whole.code, whole.output).toBe(0);
  for (let i = 0; i < moments; i++) {
    // The first moments are those around the one at which the deploy becomes live.
    const at = i < 2 ? whole.requests - 10 - 40 * i : randomInt(1, whole.requests + 1);
    const signal = (["SIGINT", "SIGTERM", "SIGHUP"] as const)[i % 3]!;
    const before = netlify.published();
    const about = `${signal} at request ${at} of ${whole.requests}`;
    const { code, ending, output, visitsAfter } = await interruptedRelease(`六 ${i}`, at, signal);
    const line = output.trimEnd().split("\n").at(-1) ?? "";
    const said = `${about}\n${output}`;
    if (code === 0) expect(line, said).toMatch(/^released: /);
    else {
      expect(netlify.published(), said).toBe(before);
      expect([code, ending], said).toEqual(ending === null ? [1, null] : [null, signal]);
      expect(line, said).toMatch(/Nothing of this release is live|as before this release\.$/);
      // What is live is known from the first visit on: the first call of the CLI asks the API more than once.
      expect(line, said).toContain(at >= whole.firstVisit ? before : "Nothing");
      // At most what was on its way when the signal came; then only the proof of what is live.
      const tested = visitsAfter.filter((path) => path !== "/snapshot.json");
      expect(tested.length, said).toBeLessThan(4);
    }
    expect(existsSync(join(folder, ".dist.lock")), said).toBe(false);
  }
});
