/** Every way in which a release can go, with the CLI and the platform replaced by doubles in this process. */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  expect,
  onTestFinished,
  test,
  vi,
} from "vitest";
import { readManifest, type SnapshotManifest } from "../snapshot/manifest.ts";
import { createPlatform, type Platform } from "../../tests/support/platform.ts";
import { ofUnnamed, root, sample, searchOn, temporaryFolder } from "../../tests/support/support.ts";
import { build } from "../build/build-snapshot.ts";
import type { CliOutput, RunCli } from "./netlify-cli.ts";
import { release } from "./release-snapshot.ts";

const token = "nfp_nobody_may_see_this";
const siteUrl = "https://cases.example";
const draftUrl = (id: string): string => `https://${id}--cases.example`;

const exportOf = (titles: readonly string[]): string =>
  `CREATE TABLE posts (post_id INTEGER PRIMARY KEY, post_title TEXT, post_content_html TEXT,
     post_date_gmt TEXT, comment_status TEXT, count_likes INTEGER, count_dislikes INTEGER,
     count_bookmarks INTEGER, ogp_image_url TEXT, is_welcomed INTEGER, is_welcomed_explanation TEXT);
   CREATE TABLE tags (tag_id INTEGER PRIMARY KEY, tag_name TEXT);
   CREATE TABLE post_tags (post_id INTEGER, tag_id INTEGER);
   CREATE TABLE comments (comment_id INTEGER PRIMARY KEY, post_id INTEGER, comment_date_gmt TEXT,
     comment_author TEXT, comment_content TEXT, likes_count INTEGER, dislikes_count INTEGER,
     comment_parent INTEGER);
   INSERT INTO tags VALUES (1, '職場');
   ${titles
     .map(
       (title, i) => `INSERT INTO posts VALUES (${i + 1}, '${title}', '<p>${title}の話</p>',
         '2024-01-01T00:${String(i).padStart(2, "0")}:00Z', 'open', 0, 0, 0, NULL, NULL, NULL);
         INSERT INTO post_tags VALUES (${i + 1}, 1);`,
     )
     .join("\n")}`;

/** The function's routes, as one. */
const routes = [
  {
    expression: String.raw`^/(_api(/.*)?|api/search|api/posts/[^/]*\.json|mcp)$`,
    prefer_static: true,
  },
];

// Files that only their owner may read are not released.
const umask = process.umask(0o022);
afterAll(() => process.umask(umask));

/** Netlify with one site, and the CLI that drives it. Each test bends what it needs. */
class FakeNetlify {
  readonly folder = temporaryFolder();
  readonly calls: string[] = [];
  readonly platforms = new Map<string, Promise<Platform>>();
  published: string | undefined;
  isLocked = false;
  runtime: string | undefined;
  bundleBytes = 1000;
  deployIdOf = (number: number): string => `deploy${number}`;
  /** What the CLI answers instead, by the words of its call. */
  onCall = (_call: string): CliOutput | undefined => undefined;

  constructor() {
    mkdirSync(join(this.folder, "functions"));
  }
  /** Sees what the release writes to its standard output. */
  onOutput = (_text: string): void => {};
  /** What a visitor gets instead. */
  onVisit = (_url: string): Response | undefined => undefined;

  readonly runCli: RunCli = (args) => {
    const call = args.slice(0, 2).join(" ");
    this.calls.push(call);
    const output = this.onCall(call) ?? { code: 0, stdout: this.#answer(call, args), stderr: "" };
    return Promise.resolve(output);
  };

  #answer(call: string, args: readonly string[]): string {
    switch (call) {
      case "api getSite": {
        const deploy = this.published && { id: this.published, locked: this.isLocked };
        return JSON.stringify({ id: "site", ssl_url: siteUrl, published_deploy: deploy ?? null });
      }
      case "build --offline": {
        const file = join(this.folder, ".netlify/functions/search.zip");
        mkdirSync(join(file, ".."), { recursive: true });
        writeFileSync(file, Buffer.alloc(this.bundleBytes));
        const functions = [{ path: file, runtimeVersion: "nodejs24.x" }];
        writeFileSync(join(file, "../manifest.json"), JSON.stringify({ functions }));
        return "";
      }
      case "env:get AWS_LAMBDA_JS_RUNTIME":
        return JSON.stringify({ AWS_LAMBDA_JS_RUNTIME: this.runtime });
      case "deploy --no-build": {
        const id = this.deployIdOf(this.platforms.size + 1);
        this.deploy(id);
        return JSON.stringify({ deploy_id: id, deploy_url: draftUrl(id) });
      }
      case "api restoreSiteDeploy":
        this.published = (JSON.parse(args[3] ?? "") as { deploy_id: string }).deploy_id;
        return "{}";
      default:
        throw new Error(`not expected: ${call}`);
    }
  }

  /** Adds a deploy of what is in dist. */
  deploy(id: string): void {
    const publishFolder = temporaryFolder();
    cpSync(join(this.folder, "dist"), publishFolder, { recursive: true });
    const { handler: run } = searchOn(publishFolder);
    const configFile = join(root, "netlify.toml");
    this.platforms.set(id, createPlatform({ publishFolder, configFile, routes, run }));
  }

  readonly fetch = async (url: string, init?: RequestInit): Promise<Response> => {
    const { origin } = new URL(url);
    const id = [...this.platforms.keys()].find((one) => origin === draftUrl(one)) ?? this.published;
    const platform = this.platforms.get(id ?? "");
    if (platform === undefined) return new Response(null, { status: 404 });
    const changed = this.onVisit(url);
    if (changed !== undefined) return changed;
    return (await (await platform)(new Request(url, init), "documented", "original")).response;
  };

  /** Starts with the files and the deploys of another one. */
  startFrom({ folder, platforms, published }: FakeNetlify): void {
    cpSync(folder, this.folder, { recursive: true });
    for (const [id, platform] of platforms) this.platforms.set(id, platform);
    this.published = published;
  }

  /**
   * Writes an export of posts with these titles.
   *
   * @returns its path
   */
  exportWith(titles: readonly string[]): string {
    const file = join(this.folder, "export.sql");
    writeFileSync(file, exportOf(titles));
    return file;
  }

  /** Releases posts with these titles. */
  release(titles: readonly string[], ...args: readonly string[]) {
    this.calls.length = 0;
    return this.run(["--export", this.exportWith(titles), ...args]);
  }

  /**
   * Runs the command.
   *
   * @param env what differs from an account that may release
   */
  async run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    let stdout = "";
    let stderr = "";
    const code = await release(
      ofUnnamed(...args),
      {
        stdout: {
          write: (text) => {
            stdout += text;
            this.onOutput(text);
          },
        },
        stderr: { write: (text) => (stderr += text) },
        env: { NETLIFY_AUTH_TOKEN: token, NETLIFY_SITE_ID: "site", ...env },
      },
      { folder: this.folder, runCli: this.runCli, wait: () => Promise.resolve() },
    );
    expect(stdout + stderr).not.toContain(token);
    return { code, stdout, stderr, calls: [...this.calls] };
  }

  snapshotId(): string {
    return String((readManifest(join(this.folder, "dist")) as { id: string }).id).slice(0, 12);
  }
}

const failed = (stderr: string): CliOutput => ({ code: 1, stdout: "", stderr });
const uploads = (calls: readonly string[]): number =>
  calls.filter((call) => call.startsWith("deploy")).length;

let netlify: FakeNetlify;
/** A site with one release of one post, made once for all tests. */
let released: FakeNetlify;

function useNetlify(): FakeNetlify {
  const used = new FakeNetlify();
  vi.stubGlobal("fetch", used.fetch);
  return used;
}

beforeAll(async () => {
  released = useNetlify();
  await released.release(["最初"]);
});
beforeEach(() => {
  netlify = useNetlify();
});
afterEach(() => void vi.unstubAllGlobals());

test("release tests a first release as a draft, makes it live and tests again", async () => {
  const { code, stdout, stderr, calls } = await netlify.release(["最初"]);
  expect([code, stderr.includes("Nothing")], stderr).toEqual([0, false]);
  expect(netlify.published).toBe("deploy1");
  expect(calls).toEqual([
    "api getSite",
    "build --offline",
    "env:get AWS_LAMBDA_JS_RUNTIME",
    "deploy --no-build",
    "api getSite",
    "api restoreSiteDeploy",
  ]);
  expect(stdout).toMatch(/the draft passes \d+ checks, and 20 answers .* \(seed [0-9a-f]{12}\)/);
  expect(stdout).toMatch(/the live site passes/);
  expect(stdout).toMatch(/^collection: it has no name; give it one in data\/collection\.json/m);
  expect(stdout).toMatch(/cost: about 15\.0 of Netlify's credits/);
});

test("release does not upload what is live already, but uploads what changed", async () => {
  netlify.startFrom(released);
  const again = await netlify.release(["最初"]);
  expect([again.code, again.calls]).toEqual([0, ["api getSite"]]);
  expect(again.stdout).toMatch(/nothing changed: snapshot [0-9a-f]{12} is live already/);

  // As of a publisher's own style sheet: the id, which follows from posts and options, is the same.
  const page = "case-collection/style.css";
  netlify.onVisit = (url) => {
    const isLive = netlify.published === "deploy1" && url.startsWith(siteUrl);
    if (!isLive || !url.endsWith("/snapshot.json")) return undefined;
    const file = join(netlify.folder, "dist/snapshot.json");
    const manifest = JSON.parse(readFileSync(file, "utf8")) as SnapshotManifest;
    return Response.json({
      ...manifest,
      files: { ...manifest.files, [page]: { bytes: 1, digest: "0123456789abcdef" } },
    });
  };
  const restyled = await netlify.release(["最初"]);
  expect([restyled.code, netlify.published]).toEqual([0, "deploy2"]);
  netlify.onVisit = () => undefined;

  const changed = await netlify.release(["最初", "二番目"]);
  expect([changed.code, netlify.published]).toEqual([0, "deploy3"]);
  expect(changed.stdout).toMatch(/added: 1 post \(2\)/);
});

test("release uploads what is live already when --again is given", async () => {
  netlify.startFrom(released);
  const { code, calls } = await netlify.release(["最初"], "--again");
  expect([code, uploads(calls), netlify.published]).toEqual([0, 1, "deploy2"]);
});

test("release tests what is live already, and stops when that fails", async () => {
  netlify.startFrom(released);
  netlify.onVisit = (url) =>
    url.includes("/api/search") ? new Response("<!doctype html>", { status: 502 }) : undefined;
  const { code, stderr, calls } = await netlify.release(["最初"]);
  expect([code, uploads(calls)]).toEqual([1, 0]);
  expect(stderr).toMatch(/the live site at .* fails \d+ of/);
  expect(stderr).toMatch(/publish an earlier one: Deploys on app\.netlify\.com/);
  expect(stderr).not.toContain("Nothing of this release is live");
  expect(stderr).toMatch(/Live now at .*: deploy deploy1, as before this release\.\n$/);
});

test("release puts the old deploy back when a signal comes after going live", async () => {
  netlify.startFrom(released);
  const old = netlify.snapshotId();
  netlify.onVisit = (url) => {
    if (url.startsWith(siteUrl) && url.includes("/api/search") && netlify.published === "deploy2")
      for (const signal of ["SIGINT", "SIGINT", "SIGTERM"] as const) process.emit(signal, signal);
    return undefined;
  };
  const { code, stderr } = await netlify.release(["最初", "二番目"]);
  expect([code, netlify.published]).toEqual([1, "deploy1"]);
  expect(stderr).toMatch(/SIGINT came before the live site was tested\./);
  expect(stderr).toContain(`the site shows its snapshot ${old} again`);
  expect(stderr).toMatch(/Live now at .*: deploy deploy1, as before this release\.\n$/);
});

test("release puts the old deploy back when a failed publish takes effect late", async () => {
  netlify.startFrom(released);
  let looks = 0;
  netlify.onCall = (call) => {
    if (call.startsWith("api restore") && netlify.published === "deploy1" && looks === 0) {
      looks = 1;
      return failed("socket hang up");
    }
    if (call === "api getSite" && looks > 0 && ++looks === 4) netlify.published = "deploy2";
    return undefined;
  };
  const { code, stderr } = await netlify.release(["最初", "二番目"]);
  expect([code, netlify.published]).toEqual([1, "deploy1"]);
  expect(stderr).toMatch(/socket hang up/);
  expect(stderr).toMatch(/Deploy deploy1 was put back/);
});

test("release stops when the live deploy has no snapshot, and names --against none", async () => {
  netlify.startFrom(released);
  netlify.onVisit = (url) =>
    url === `${siteUrl}/snapshot.json` ? new Response(null, { status: 404 }) : undefined;
  const { code, stderr, calls } = await netlify.release(["二番目"]);
  expect([code, uploads(calls), netlify.published]).toEqual([1, 0, "deploy1"]);
  expect(stderr).toMatch(/deploy1 is live at .*answers 404.*--against none/);
});

test.each([[], ["--against", "none"], ["--site-url", "https://x.example"]])(
  "release stops when the site's address does not answer, with %j",
  async (...args) => {
    netlify.startFrom(released);
    netlify.onVisit = (url) => {
      if (url.startsWith(siteUrl))
        throw new TypeError("fetch failed", { cause: new Error("no DNS") });
      return undefined;
    };
    const { code, stderr, calls } = await netlify.release(["二番目"], ...args);
    expect([code, uploads(calls), netlify.published]).toEqual([1, 0, "deploy1"]);
    expect(stderr).toContain(
      `${siteUrl}, the address of the site in Netlify's settings, cannot be reached (no DNS)`,
    );
    expect(stderr).not.toContain("--against none");
  },
);

test("release guards against losses even when dist already holds the lossy build", async () => {
  const titles = Array.from({ length: 40 }, (_, i) => `投稿${i}`);
  await netlify.release(titles);
  const lossy = titles.slice(0, 20);
  expect((await netlify.release(lossy, "--dry-run", "--max-removals", "20")).code).toBe(0);
  const { code, stderr } = await netlify.release(lossy);
  expect([code, netlify.published]).toEqual([1, "deploy1"]);
  expect(stderr).toMatch(/it would remove 20 of 40 posts/);
});

test.each<[string, (dist: string) => void]>([
  ["with another post", (dist) => writeFileSync(join(dist, "api/posts/1.json"), "{}")],
  [
    "whose snapshot.json counts otherwise",
    (dist) => {
      const file = join(dist, "snapshot.json");
      writeFileSync(file, readFileSync(file, "utf8").replace('"posts": 1', '"posts": 2'));
    },
  ],
  ["that is gone", (dist) => rmSync(dist, { recursive: true })],
])("release does not upload a dist %s since the build", async (_, change) => {
  netlify.startFrom(released);
  netlify.onOutput = (text) => {
    if (/^\S+dist: 1 post/.test(text)) change(join(netlify.folder, "dist"));
  };
  const { code, stderr, calls } = await netlify.release(["別"]);
  expect([code, uploads(calls)]).toEqual([1, 0]);
  expect(stderr).toMatch(/dist was changed or replaced since it was built/);
});

test("release does not publish a draft of files that changed during the upload", async () => {
  netlify.startFrom(released);
  const live = netlify.published;
  netlify.onCall = (call) => {
    if (call.startsWith("deploy"))
      writeFileSync(join(netlify.folder, "dist/api/posts/1.json"), "{}");
    return undefined;
  };
  const { code, stderr, calls } = await netlify.release(["別"]);
  expect([code, uploads(calls), netlify.published]).toEqual([1, 1, live]);
  expect(stderr).toMatch(/dist was changed or replaced since it was built/);
});

test("release --dry-run shows what would be uploaded, and uploads nothing", async () => {
  const { code, stdout, calls } = await netlify.release(["最初"], "--dry-run");
  expect([code, uploads(calls), netlify.published]).toEqual([0, 0, undefined]);
  expect(stdout).toMatch(
    /on Netlify: \d+ files .*; the function with 1,000 bytes zipped, on nodejs24/,
  );
});

test("release leaves the live deploy when the upload fails", async () => {
  netlify.startFrom(released);
  netlify.onCall = (call) => (call.startsWith("deploy") ? failed("Unprocessable") : undefined);
  const { code, stderr } = await netlify.release(["最初", "二番目"]);
  expect([code, netlify.published]).toEqual([1, "deploy1"]);
  expect(stderr).toMatch(/netlify deploy --no-build failed: Unprocessable/);
  expect(stderr).toMatch(/Live now at .*: deploy deploy1, as before this release\.\n$/);
});

test("release does not publish a draft whose search fails", async () => {
  netlify.startFrom(released);
  netlify.onVisit = (url) =>
    url.includes("deploy2--") && url.includes("/api/search")
      ? new Response("<!doctype html>", { status: 404 })
      : undefined;
  const { code, stderr } = await netlify.release(["最初", "二番目"]);
  expect([code, netlify.published]).toEqual([1, "deploy1"]);
  expect(stderr).toMatch(/the draft at https:\/\/deploy2.* fails \d+ of/);
});

test("release does not publish a draft whose post differs from the snapshot", async () => {
  netlify.onVisit = (url) =>
    url === `${draftUrl("deploy1")}/api/posts/1`
      ? new Response('{"postId":1}', { headers: {} })
      : undefined;
  const { code, stderr } = await netlify.release(["最初"]);
  expect([code, netlify.published]).toEqual([1, undefined]);
  expect(stderr).toMatch(/\/api\/posts\/1: the answer is not that of the snapshot/);
});

test("release on GitHub never writes the whole id of a deploy", async () => {
  netlify.deployIdOf = (number) => `6745f0a1c3d2e4b5f6a7089${number}`;
  const summary = join(netlify.folder, "summary.md");
  const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: summary };
  const first = await netlify.run(["--export", netlify.exportWith(["最初", "二番目"])], env);
  expect(first.stdout).toMatch(/^uploaded: draft 6745f0a1… at https:\/\/6745f0a1…--cases/m);
  netlify.onVisit = (url) =>
    url.startsWith(`${siteUrl}/api/search`) && netlify.published?.endsWith("2")
      ? new Response(null, { status: 502 })
      : undefined;
  const second = await netlify.run(["--export", netlify.exportWith(["最初"])], env);
  expect([first.code, second.code]).toEqual([0, 1]);
  expect(second.stderr).toMatch(/Deploy 6745f0a1… was put back/);
  const written = [first, second].map(({ stdout, stderr }) => stdout + stderr).join("");
  expect(written + readFileSync(summary, "utf8")).not.toMatch(/6745f0a1c3/);
});

test("release puts back, and verifies, the old deploy when the live site fails", async () => {
  netlify.startFrom(released);
  const old = netlify.snapshotId();
  netlify.onVisit = (url) =>
    netlify.published === "deploy2" && url.startsWith(`${siteUrl}/api/search`)
      ? new Response(null, { status: 502 })
      : undefined;
  const { code, stderr } = await netlify.release(["最初", "二番目"]);
  expect([code, netlify.published]).toEqual([1, "deploy1"]);
  // It goes no further: a silent site takes half a minute for each.
  expect(stderr).toMatch(
    /the live site at https:\/\/cases\.example fails 20 of the first \d\d checks:/,
  );
  expect(stderr).toContain(`deploy1 was put back: the site shows its snapshot ${old} again.`);
  expect(stderr).toMatch(/Live now .*: deploy deploy1, as before this release\./);
});

test("release repeats a few failed checks, on the draft and live, before they count", async () => {
  const once = new Set(["/api/posts/1", "/llms.txt"]);
  const left = new Set([...once].flatMap((path) => [draftUrl("deploy2") + path, siteUrl + path]));
  netlify.startFrom(released);
  netlify.onVisit = (url) =>
    netlify.calls.includes("deploy --no-build") && left.delete(url)
      ? new Response(null, { status: 503 })
      : undefined;
  const { code, stdout, stderr } = await netlify.release(["最初", "二番目"]);
  expect([code, netlify.published, left.size], stderr).toEqual([0, "deploy2", 0]);
  expect(stdout.match(/ passes .*, the second time$/gm)).toHaveLength(2);

  netlify.onVisit = (url) =>
    netlify.published === "deploy3" && url === `${siteUrl}/llms.txt`
      ? new Response(null, { status: 503 })
      : undefined;
  const next = await netlify.release(["最初", "二番目", "三番目"]);
  expect([next.code, netlify.published]).toEqual([1, "deploy2"]);
  expect(next.stderr).toMatch(/fails 2 of .*\n.*llms\.txt: status is 503/);
});

test("release says that nothing can be put back when a first release fails live", async () => {
  netlify.onVisit = (url) =>
    url.startsWith(siteUrl) && url.includes("/api/search")
      ? new Response(null, { status: 502 })
      : undefined;
  const { code, stderr } = await netlify.release(["最初"]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/There is no earlier deploy to put back/);
  expect(stderr).toMatch(/Live now .*: deploy deploy1, another than before this release\./);
});

test("release puts the old deploy back when the answer to publishing is lost", async () => {
  netlify.startFrom(released);
  let isLost = true;
  netlify.onCall = (call) => {
    if (call !== "api restoreSiteDeploy" || !isLost) return undefined;
    isLost = false;
    netlify.published = "deploy2";
    return failed("Internal Server Error");
  };
  const { code, stderr } = await netlify.release(["最初", "二番目"]);
  expect([code, netlify.published]).toEqual([1, "deploy1"]);
  expect(stderr).toMatch(/restoreSiteDeploy failed: Internal Server Error[^]*was put back/);
});

test.each([
  ["is refused", failed("Internal Server Error"), /Internal Server Error/],
  ["has no effect", { code: 0, stdout: "{}", stderr: "" }, /shows snapshot \w+ instead of/],
])("release says what is live and what to do when putting back %s", async (_, output, why) => {
  netlify.startFrom(released);
  netlify.onVisit = (url) =>
    netlify.published === "deploy2" && url.startsWith(`${siteUrl}/api/search`)
      ? new Response(null, { status: 502 })
      : undefined;
  netlify.onCall = (call) =>
    call === "api restoreSiteDeploy" && netlify.published === "deploy2" ? output : undefined;
  const { stderr } = await netlify.release(["最初", "二番目"]);
  expect(stderr).toMatch(why);
  expect(stderr).toMatch(/Deploy deploy1 could not be put back: .*Publish it by hand/);
  expect(stderr).toMatch(/Live now .*: deploy deploy2, another than before this release\./);
});

test.each(["api getSite", "api restoreSiteDeploy"])(
  "release tries again to put the old deploy back when %s fails",
  async (refused) => {
    netlify.startFrom(released);
    netlify.onVisit = (url) =>
      netlify.published === "deploy2" && url.startsWith(`${siteUrl}/api/search`)
        ? new Response(null, { status: 502 })
        : undefined;
    let left = 3;
    netlify.onCall = (call) =>
      call === refused && netlify.published === "deploy2" && left-- > 0
        ? failed("Service Unavailable")
        : undefined;
    const { code, stderr } = await netlify.release(["最初", "二番目"]);
    expect([code, netlify.published]).toEqual([1, "deploy1"]);
    expect(
      stderr.match(/deploy1 could not be put back yet; trying again: .*Service Unavailable/g),
    ).toHaveLength(3);
    expect(stderr).toMatch(/Deploy deploy1 was put back: the site shows its snapshot/);
  },
);

test("release does not overwrite a deploy that became live during its upload", async () => {
  netlify.startFrom(released);
  netlify.deploy("deploy9");
  netlify.onCall = (call) => {
    if (call.startsWith("deploy")) netlify.published = "deploy9";
    return undefined;
  };
  const { code, stderr } = await netlify.release(["最初", "二番目"]);
  expect([code, netlify.published]).toEqual([1, "deploy9"]);
  expect(stderr).toMatch(/somebody else made deploy deploy9 live meanwhile/);
  expect(stderr).toMatch(/Live now .*: deploy deploy9, another than before this release/);
});

test("release leaves a deploy that somebody else made live after it", async () => {
  netlify.startFrom(released);
  netlify.deploy("deploy9");
  netlify.onVisit = (url) => {
    if (netlify.published !== "deploy3" || !url.startsWith(`${siteUrl}/api/search`))
      return undefined;
    netlify.published = "deploy9";
    return new Response(null, { status: 502 });
  };
  const { code, stderr } = await netlify.release(["最初", "二番目"]);
  expect([code, netlify.published]).toEqual([1, "deploy9"]);
  expect(stderr).toMatch(/Somebody else made another deploy live meanwhile\. It stays\./);
});

test("release explains a locked site, a wrong token, a wrong site and a silent API", async () => {
  for (const [output, message] of [
    [
      failed(` ›   Error: Unauthorized ${token}`),
      /failed: Unauthorized \(the token\)\. .*NETLIFY_AUTH/,
    ],
    [
      failed(" ›   JSONHTTPError: Not Found"),
      /failed: JSONHTTPError: Not Found\. No such site: set NETLIFY_SITE_ID/,
    ],
    [{ code: undefined, stdout: "", stderr: "" }, /getSite did not end within 120 seconds/],
    [{ code: 0, stdout: "? Which site", stderr: "" }, /getSite printed no JSON: \? Which site/],
  ] as const) {
    netlify.onCall = () => output;
    const { code, stderr } = await netlify.release(["最初"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/Nothing of this release is live\./);
  }
  netlify.onCall = () => undefined;
  netlify.startFrom(released);
  netlify.isLocked = true;
  const { code, stderr, calls } = await netlify.release(["最初", "二番目"]);
  expect([code, calls]).toEqual([1, ["api getSite", "api getSite"]]);
  expect(stderr).toMatch(/deploy deploy1 is locked\..*unlock/);
});

/** What the CLI prints in another form than its version that is locked, by the words of the call. */
const otherForms: readonly [call: string, printed: string, message: RegExp][] = [
  ["api getSite", "null", /no object came/],
  ["api getSite", '{"name":"x"}', /no id among name/],
  ["api getSite", '{"id":5,"url":"http://a"}', /no id among/],
  ["api getSite", '{"id":"site"}', /no url among/],
  ["api getSite", '{"id":"site","url":"x y"}', /url is no URL/],
  ["api getSite", '{"id":"site","url":"http://a","published_deploy":"d"}', /no object came/],
  ["env:get AWS_LAMBDA_JS_RUNTIME", '{"AWS_LAMBDA_JS_RUNTIME":22}', /no AWS_LAMBDA_JS_RUNTIME/],
  ["deploy --no-build", '{"deploy_url":"http://a"}', /no deploy_id/],
  ["deploy --no-build", '{"deploy_id":"d","deploy_url":"a"}', /deploy_url is no URL/],
];

test.each(otherForms)(
  "release explains output that it cannot use: %s prints %s",
  async (call, printed, message) => {
    netlify.onCall = (asked) =>
      asked === call ? { code: 0, stdout: printed, stderr: "" } : undefined;
    const { code, stderr } = await netlify.release(["最初"]);
    expect([code, netlify.published]).toEqual([1, undefined]);
    expect(stderr).toMatch(message);
    expect(stderr).toContain(`netlify ${call} gave what a release cannot use`);
    expect(stderr).not.toMatch(/^ +at /m);
  },
);

test.each<[string, string | undefined, RegExp]>([
  [
    "nothing",
    undefined,
    /build --offline wrote no \S+manifest\.json\..* "workspaces" .* above it, leave it out/,
  ],
  ["no JSON", "x", /wrote no bundle that can be read: .*JSON/],
  ["null", "null", /build --offline, in \S+manifest\.json, gave what .*no object came/],
  ["a function without a path", '{"functions":[{"name":"search"}]}', /there is no \w+ among name/],
  ["no function", '{"functions":[]}', /bundles 0 functions instead of one/],
  [
    "an archive that is not there",
    '{"functions":[{"path":"/nowhere.zip","runtimeVersion":"nodejs24.x"}]}',
    /wrote no bundle .*ENOENT/,
  ],
])(
  "release explains a bundle that it cannot use: the CLI writes %s",
  async (_, manifest, message) => {
    netlify.onCall = (call) => {
      if (call !== "build --offline") return undefined;
      const folder = join(netlify.folder, ".netlify/functions");
      mkdirSync(folder, { recursive: true });
      // What the CLI wrote at an earlier release is gone.
      expect(existsSync(join(folder, "manifest.json"))).toBe(false);
      if (manifest !== undefined) writeFileSync(join(folder, "manifest.json"), manifest);
      return { code: 0, stdout: "", stderr: "" };
    };
    const folder = join(netlify.folder, ".netlify/functions");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "manifest.json"), '{"functions":[]}');
    const { code, stderr } = await netlify.release(["最初"]);
    expect([code, netlify.published]).toEqual([1, undefined]);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^ +at /m);
  },
);

test.each(["NETLIFY_AUTH_TOKEN", "NETLIFY_SITE_ID"])(
  "release explains a missing %s",
  async (name) => {
    const { code, stderr } = await netlify.run(["--sample"], { [name]: "" });
    expect([code, netlify.calls]).toEqual([1, []]);
    expect(stderr).toMatch(new RegExp(`^${name} is not set\\. Set it to`));
  },
);

test("release uploads nothing beyond a limit of the platform", async () => {
  netlify.bundleBytes = 50_100_000;
  const large = await netlify.release(["最初"]);
  expect([large.code, uploads(large.calls)]).toEqual([1, 0]);
  expect(large.stderr).toMatch(/50\.1 MB zipped/);

  netlify.bundleBytes = 1000;
  netlify.runtime = "nodejs20.x";
  const old = await netlify.release(["最初"]);
  expect([old.code, uploads(old.calls)]).toEqual([1, 0]);
  expect(old.stderr).toMatch(/AWS_LAMBDA_JS_RUNTIME is nodejs20\.x/);
});

test("release does not upload files that the function could not read", async () => {
  const before = process.umask(0o027);
  const closed = await netlify.release(["最初"]).finally(() => process.umask(before));
  expect([closed.code, uploads(closed.calls)]).toEqual([1, 0]);
  expect(closed.stderr).toMatch(
    /other users may not read \S+\.search-index\S+ and 5 files more, .*umask 022; chmod/,
  );
  const index = join(netlify.folder, "dist/.search-index");
  for (const name of readdirSync(index))
    chmodSync(join(index, name), name === "hits.bin" ? 0o640 : 0o644);
  // The next build takes over the files that stay the same.
  expect((await netlify.release(["最初"])).stderr).toMatch(/may not read \S+hits\.bin, /);
  chmodSync(join(index, "hits.bin"), 0o644);
  for (const path of [
    "package.json",
    "node_modules/flexsearch/package.json",
    "functions/mcp/x.ts",
  ]) {
    const file = join(netlify.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "{}", { mode: 0o600 });
    const own = await netlify.release(["最初"]);
    expect(own.stderr).toContain(`may not read ${file}, `);
    chmodSync(file, 0o644);
  }
  expect((await netlify.release(["最初"])).code).toBe(0);
});

test("release does not fall back to the sample without an export", async () => {
  const before = process.cwd();
  onTestFinished(() => process.chdir(before));
  process.chdir(netlify.folder);
  const { code, stderr } = await netlify.run(["--max-removals", "5"]);
  expect([code, netlify.calls]).toEqual([1, []]);
  expect(stderr).toMatch(/there is no export/);
});

test("release refuses a wrong value, and uploads nothing", async () => {
  const { code, stderr } = await netlify.run(["--site-url", "x"]);
  expect([code, netlify.calls]).toEqual([2, []]);
  expect(stderr).toMatch(
    /^--site-url x: not an absolute http or https URL\.\nnpm run release -- --help lists/,
  );
});

test("release --dry-run needs no account, compares with dist and shows an upload's figures", async () => {
  const dryRun = (titles: readonly string[]) =>
    netlify.run(["--dry-run", "--export", netlify.exportWith(titles)], {
      NETLIFY_AUTH_TOKEN: "",
      NETLIFY_SITE_ID: "",
    });
  const first = await dryRun(["最初"]);
  expect(first.code).toBe(0);
  expect(first.stdout).toMatch(/compared with nothing/);
  const second = await dryRun(["最初", "次"]);
  expect(second.stdout).toMatch(/compared with .*dist\nadded: 1 post \(2\)/);
  expect(second.stdout).toMatch(/on Netlify: \d+ files .*on nodejs24\.x\ncost: about /);
  expect(second.stdout).toMatch(/NETLIFY_SITE_ID and NETLIFY_AUTH_TOKEN are not set, so/);
  expect(netlify.calls).toEqual(["build --offline", "build --offline"]);
  const alone = await netlify.run(
    ["--dry-run", "--against", "none", "--export", netlify.exportWith(["次"])],
    { NETLIFY_AUTH_TOKEN: "", NETLIFY_SITE_ID: "" },
  );
  expect([alone.code, alone.stdout]).toEqual([0, expect.stringContaining("compared with nothing")]);
});

test("release keeps a build from replacing dist during the upload", async () => {
  let during: Promise<number> | undefined;
  netlify.onCall = (call) => {
    if (call.startsWith("deploy"))
      during = build(
        ["--export", sample, "--out", join(netlify.folder, "dist"), "--max-removals", "99"],
        { stdout: { write: () => true }, stderr: { write: (text) => (said += text) }, env: {} },
      );
    return undefined;
  };
  let said = "";
  expect((await netlify.release(["最初"])).code).toBe(0);
  expect(await during).toBe(1);
  expect(said).toMatch(/or a release uploads it/);
});
