import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
  renameSync,
} from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { basename, dirname, join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  built,
  builtCopy,
  type Ended,
  exportWith,
  runBuild,
  runInProcess,
  sample,
  temporaryFolder,
} from "../../tests/support/support.ts";
import type { SnapshotManifest } from "../snapshot/manifest.ts";
import { build } from "./build-snapshot.ts";
import { withLockedTarget } from "./atomic-swap.ts";

const manifestOf = (folder: string): SnapshotManifest =>
  JSON.parse(readFileSync(join(folder, "snapshot.json"), "utf8")) as SnapshotManifest;

/**
 * A site with the given answers.
 *
 * @returns the URL of its snapshot.json
 */
async function site(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  return `http://127.0.0.1:${port}/snapshot.json`;
}
/** The URL of a site that does not run any more. */
async function closedPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return `http://127.0.0.1:${port}/snapshot.json`;
}
const answering = (status: number, body: string): Promise<string> =>
  site((_, response) => response.writeHead(status).end(body));

test("build names its export, and marks the sample as such", async () => {
  const file = exportWith("");
  const named = await runBuild("--export", file, "--out", await builtCopy(sample));
  expect(named.stdout).toContain(`export: ${file}\n`);
  const { stdout } = await runBuild("--sample", "--out", await builtCopy(sample));
  expect(stdout).toContain("export: data/sample.sql (the sample; name yours with --export FILE)\n");
});

test("build warns of texts that seem to be plain, and succeeds", async () => {
  const file = exportWith("UPDATE posts SET post_content_html = 'a' || char(10) || 'b'");
  const { code, stderr } = await runBuild("--export", file, "--out", temporaryFolder());
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining(
      "warning: most posts have no element of HTML, so the line breaks of 40 posts",
    ),
  ]);
});

test("build succeeds when tags and comments belong to missing posts", async () => {
  const sql =
    "INSERT INTO post_tags VALUES (999998, 1), (999999, 1); INSERT INTO comments (comment_id, post_id, comment_date_gmt, comment_author, comment_content) SELECT post_id + 5000, 999999, '2024-01-01 00:00:00', 'a', 'b' FROM posts";
  const { code, stderr } = await runBuild(
    "--export",
    exportWith(sql),
    "--out",
    await builtCopy(sample),
  );
  expect([code, stderr]).toEqual([0, expect.not.stringContaining("busy")]);
});

test("build notices signals within each step that goes through all posts", async () => {
  // Each item takes a second.
  let clock = 0;
  const now = vi.spyOn(performance, "now").mockImplementation(() => (clock += 1000));
  let turns = 0;
  let waiting: NodeJS.Immediate;
  const count = (): void => {
    turns++;
    waiting = setImmediate(count);
  };
  waiting = setImmediate(count);
  onTestFinished(() => {
    clearImmediate(waiting);
    now.mockRestore();
  });
  const turnsBefore = new Map<string, number>();
  const io = {
    stdout: { write: () => true },
    stderr: {
      write(line: string) {
        turnsBefore.set(line.replace(/:.*/s, ""), turns);
        turns = 0;
        return true;
      },
    },
    env: {},
  };
  expect(await build(["--export", sample, "--out", join(temporaryFolder(), "dist")], io)).toBe(0);
  const items = ["check", "texts"];
  expect(items.filter((step) => (turnsBefore.get(step) ?? 0) < 40)).toEqual([]);
  const jobs = ["similar posts", "documents", "search index"];
  expect(jobs.filter((step) => (turnsBefore.get(step) ?? 0) < 2)).toEqual([]);
});

describe("snapshot.json", () => {
  test("is the same for the same export and program", async () => {
    const folder = join(temporaryFolder(), "dist");
    await runBuild("--export", sample, "--out", folder);
    expect(manifestOf(folder)).toEqual(manifestOf(await built(sample)));
  });
});

describe("a build's comparison with a live site", () => {
  const against = (url: string, ...args: string[]): Promise<Ended> =>
    runBuild(
      "--export",
      sample,
      "--out",
      join(temporaryFolder(), "dist"),
      "--against",
      url,
      ...args,
    );

  test("takes a 404 on Netlify as a first release when nobody named the site", async () => {
    const { origin, href } = new URL(await answering(404, "<!doctype html>"));
    const args = ["--sample", "--out", join(temporaryFolder(), "dist"), "--dry-run"];
    const { code, stdout } = await runInProcess(build, args, { NETLIFY: "true", URL: origin });
    expect(code).toBe(0);
    expect(stdout).toContain(`${href} answers 404: nothing is published there yet to compare with`);
    expect(stdout).toContain("compared with nothing");
  });

  test("stops the build with a sentence when the site gives no usable snapshot", async () => {
    for (const [url, reason] of [
      // Its name may be wrong, and the guard against losses would be off.
      [await answering(404, "<!doctype html>"), "the site answers 404"],
      [await answering(500, ""), "the site answers 500"],
      [await answering(200, "<!doctype html>"), "the answer is not JSON"],
      [await answering(200, '{"openapi":"3.1.0"}'), "the answer is not a case-collection-snapshot"],
      [
        await answering(
          200,
          JSON.stringify({ ...manifestOf(await built(sample)), posts: undefined }),
        ),
        "the answer is not usable: / must have required property 'posts'",
      ],
      [
        await answering(200, JSON.stringify({ ...manifestOf(await built(sample)), version: 1 })),
        "the answer has another format version than 5",
      ],
      [await closedPort(), "ECONNREFUSED"],
    ] as const) {
      const { code, stderr } = await against(url);
      expect(code).toBe(1);
      expect(stderr).toMatch(
        new RegExp(`^build stopped: ${url}: .*${reason}.*--against none\\.$`, "m"),
      );
      expect(stderr).not.toContain("    at ");
    }
  });

  test("shows which posts changed", async () => {
    const url = await answering(200, JSON.stringify(manifestOf(await built(sample))));
    const file = exportWith("UPDATE posts SET count_likes = count_likes + 1 WHERE post_id = 1");
    // A publisher's own, in data/, may have other URLs of posts.
    const collection = join(temporaryFolder(), "collection.json");
    writeFileSync(collection, "{}");
    const args = ["--export", file, "--collection", collection, "--dry-run", "--against", url];
    const out = ["--out", join(temporaryFolder(), "dist")];
    const { code, stdout } = await runInProcess(build, [...args, ...out]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("changed: 1 post (1)\n")]);
  });

  test("is the default on Netlify", async () => {
    const url = await answering(200, JSON.stringify(manifestOf(await built(sample))));
    const env = { NETLIFY: "true", URL: new URL(url).origin };
    const file = exportWith("DELETE FROM posts WHERE post_id > 20");
    const args = ["--export", file, "--out", join(temporaryFolder(), "dist")];
    expect(await runInProcess(build, args, env)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/would remove \d+ of 40 posts of http/),
    });
    expect(await runInProcess(build, [...args, "--against", "none"], env)).toMatchObject({
      code: 0,
    });
  });
});

describe("build without an export", () => {
  /** Runs a build in a folder of its own, with the sample and nothing else to publish. */
  async function buildIn(folder: string, ...args: readonly string[]): Promise<Ended> {
    const before = process.cwd();
    process.chdir(folder);
    try {
      return await runBuild(...args);
    } finally {
      process.chdir(before);
    }
  }
  const folderWithSample = (): string => {
    const folder = temporaryFolder();
    cpSync(sample, join(folder, "data/sample.sql"));
    return folder;
  };

  test("publishes the sample where nothing is, and where the sample is", async () => {
    const folder = folderWithSample();
    for (const line of [/40 posts/, /nothing changed/]) {
      const { code, stdout } = await buildIn(folder);
      expect([code, stdout]).toEqual([0, expect.stringMatching(line)]);
    }
  });

  test.each([
    [
      "other posts",
      (folder: string) =>
        runBuild("--export", exportWith("DELETE FROM comments"), "--out", join(folder, "dist")),
      "dist holds other posts than the sample, which would replace them",
    ],
    [
      "other posts of a file with the sample's name",
      async (folder: string) => {
        const file = join(temporaryFolder(), "sample.sql");
        renameSync(exportWith("DELETE FROM comments"), file);
        expect((await runBuild("--export", file, "--out", join(folder, "dist"))).code).toBe(0);
      },
      "dist holds other posts than the sample, which would replace them",
    ],
    [
      "a snapshot of nobody knows what",
      async (folder: string) =>
        cpSync(await built(sample), join(folder, "dist"), { recursive: true }),
      "The sample would replace dist, of which no file beside it says what it was built from",
    ],
  ])("does not let the sample replace %s, unless --sample is given", async (_, prepare, known) => {
    const folder = folderWithSample();
    await prepare(folder);
    const before = manifestOf(join(folder, "dist"));
    for (const args of [[], ["--dry-run"]])
      expect(await buildIn(folder, ...args)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(
          new RegExp(`data/export\\.sqlite .*exists\\. ${known}\\. .*--sample`),
        ),
      });
    expect(manifestOf(join(folder, "dist"))).toEqual(before);
    expect((await buildIn(folder, "--sample")).code).toBe(0);
  });
});

test("build rewrites a folder in which only snapshot.json was changed", async () => {
  const folder = join(temporaryFolder(), "dist");
  await runBuild("--export", sample, "--out", folder);
  const file = join(folder, "snapshot.json");
  const before = readFileSync(file, "utf8");
  writeFileSync(file, before.replace('"computed"', '"export"'));
  for (const line of [/40 posts/, /nothing changed/]) {
    const { stdout } = await runBuild("--export", sample, "--out", folder);
    expect(stdout).toMatch(line);
    expect(readFileSync(file, "utf8")).toBe(before);
  }
});

test("build --against none compares with nothing, not even with the folder", async () => {
  const folder = await builtCopy(sample);
  const file = exportWith("DELETE FROM posts WHERE post_id > 20");
  const args = ["--export", file, "--out", folder];
  expect((await runBuild(...args)).code).toBe(1);
  expect((await runBuild(...args, "--against", "none", "--dry-run")).stdout).toContain(
    "compared with nothing",
  );
  expect((await runBuild(...args, "--against", "none")).code).toBe(0);
});

describe("build --dry-run", () => {
  test("removes nothing, and works while a build runs", async () => {
    const folder = await builtCopy(sample);
    const leftover = join(dirname(folder), ".dist.staging");
    const before = statSync(join(folder, "snapshot.json")).mtimeMs;
    await withLockedTarget(folder, async () => {
      mkdirSync(leftover);
      const { code, stdout } = await runBuild("--export", sample, "--out", folder, "--dry-run");
      expect(code).toBe(0);
      expect(stdout).toContain("nothing was replaced.");
    });
    expect(existsSync(leftover)).toBe(true);
    expect(statSync(join(folder, "snapshot.json")).mtimeMs).toBe(before);
  });

  test("compares with what the next build puts back after a kill", async () => {
    const folder = await builtCopy(sample);
    const previous = join(dirname(folder), `.${basename(folder)}.previous`);
    renameSync(folder, previous);
    const file = exportWith("DELETE FROM posts WHERE post_id = 20");
    const args = ["--export", file, "--out", folder];
    const { code, stdout } = await runBuild(...args, "--dry-run");
    expect([code, stdout]).toEqual([0, expect.stringContaining("\nremoved: 1 post (20)\n")]);
    expect([existsSync(folder), existsSync(previous)]).toEqual([false, true]);
    const lossy = exportWith("DELETE FROM posts WHERE post_id > 20");
    expect((await runBuild("--export", lossy, "--out", folder, "--dry-run")).stderr).toMatch(
      /a build would stop: it would remove \d+ of 40 posts/,
    );
  });

  test("makes no folder and no lock", async () => {
    const parent = temporaryFolder();
    await runBuild("--export", sample, "--out", join(parent, "new/dist"), "--dry-run");
    expect(readdirSync(parent)).toEqual([]);
  });

  test("refuses what the build would refuse", async () => {
    const folder = await builtCopy(sample);
    writeFileSync(join(folder, "thesis.txt"), "");
    const { code, stderr } = await runBuild("--export", sample, "--out", folder, "--dry-run");
    expect([code, stderr]).toEqual([1, expect.stringContaining("would delete it: thesis.txt")]);
  });
});

test("build refuses to delete its export, or to overwrite a file that is no report", async () => {
  const folder = join(temporaryFolder(), "d");
  mkdirSync(folder);
  const file = join(folder, "export.sqlite");
  cpSync(exportWith(""), file);
  expect(await runBuild("--export", file, "--out", folder)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("would delete it: export.sqlite"),
  });
  const before = readFileSync(file);
  const args = ["--export", file, "--out", join(temporaryFolder(), "dist"), "--report"];
  expect(await runBuild(...args, file)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("is no report of a build, and would be lost"),
  });
  expect(readFileSync(file).equals(before)).toBe(true);
  const report = join(folder, "report.json");
  for (const code of [0, 0]) expect(await runBuild(...args, report)).toMatchObject({ code });
  expect(readdirSync(folder)).toEqual(["export.sqlite", "report.json"]);
});

test("build stops at an export without posts, unless --allow-empty is given", async () => {
  const out = join(temporaryFolder(), "dist");
  const file = join(temporaryFolder(), "empty.sql");
  writeFileSync(file, readFileSync(join(dirname(sample), "schema.sql")));
  const refused = await runBuild("--export", file, "--out", out);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/has no posts; .* --allow-empty/),
  ]);
  for (const place of ["cdn", "bundle"])
    expect(
      await runBuild("--export", file, "--out", out, "--allow-empty", "--index", place),
    ).toMatchObject({ code: 0 });
});

test("build names --site-url when its URLs are of this machine", async () => {
  const local = await runBuild("--export", sample, "--out", join(temporaryFolder(), "dist"));
  expect(local.stdout).toMatch(/URLs in it begin with http:\/\/localhost:8888.*--site-url/);
  const named = await runBuild(
    "--export",
    sample,
    "--out",
    join(temporaryFolder(), "dist"),
    "--site-url",
    "https://a.example",
  );
  expect(named.stdout).not.toContain("URLs in it");
});

test("build refuses a target that is a file, and leaves nothing beside it", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "file"), "mine");
  const { code, stderr } = await runBuild("--export", sample, "--out", join(folder, "file"));
  expect([code, stderr]).toEqual([1, expect.stringContaining("is a file, not a folder")]);
  expect(readdirSync(folder)).toEqual(["file"]);
});

test.runIf(process.platform === "linux")("build leaves no file open", async () => {
  const filesOpen = (): string[] =>
    readdirSync("/proc/self/fd").flatMap((descriptor) => {
      try {
        return [readlinkSync(`/proc/self/fd/${descriptor}`)];
      } catch {
        // Closed meanwhile.
        return [];
      }
    });
  const folder = temporaryFolder();
  expect((await runBuild("--sample", "--out", join(folder, "dist"))).code).toBe(0);
  expect(filesOpen().filter((file) => file.startsWith(folder))).toEqual([]);
});
