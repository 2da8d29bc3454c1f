/** Publishing: all or nothing, the same bytes for the same content, nothing written twice, nothing lost by mistake. */
import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { verifySnapshot } from "../../scripts/snapshot/verify-snapshot.ts";
import {
  built,
  builtCopy,
  commandArguments,
  digestsIn,
  exportWith,
  filesIn,
  ofUnnamed,
  root,
  runBuild,
  runProgram,
  sample,
  temporaryFolder,
  unnamed,
} from "../support/support.ts";

const silent = { step: () => ({ update: () => {}, done: () => {} }) };
const problemsIn = (folder: string): Promise<string[]> => verifySnapshot(folder, silent);
const idOf = (folder: string): string =>
  (JSON.parse(readFileSync(join(folder, "snapshot.json"), "utf8")) as { id: string }).id;

/** An export with `posts` posts, made of the sample's; `title` precedes each title. */
function exportOf(posts: number, title = ""): string {
  return exportWith(`
    WITH RECURSIVE n(i) AS (SELECT 200000 UNION ALL SELECT i + 1 FROM n WHERE i < ${200_000 + posts - 41})
    INSERT INTO posts SELECT i, 'Copy ' || i, post_content_html, post_date_gmt, 'open', i % 7, 0, 0, NULL, NULL, NULL
      FROM n JOIN posts ON post_id = 1 + i % 3;
    UPDATE posts SET post_title = '${title}' || post_title;`);
}

const buildArguments = (file: string, out: string): readonly string[] =>
  commandArguments("build", ...ofUnnamed("--export", file, "--out", out));

const filesBelow = (folder: string, name: string): number => {
  try {
    return readdirSync(join(folder, name)).length;
  } catch {
    return 0;
  }
};

/** What builds have left beside a target, except the note of its source, and the lock of one that was killed. */
const leftovers = (target: string): string[] =>
  readdirSync(dirname(target)).filter((name) => /^\.dist\.(?!(?:lock|source)$)/.test(name));

describe("npm run build, when it is killed or fails,", () => {
  const old = exportOf(150);
  const next = exportOf(150, "New ");

  /** Starts a build of `next` and kills it as soon as `reached` holds. */
  async function killBuild(target: string, reached: () => boolean): Promise<NodeJS.Signals | null> {
    const child = spawn(process.execPath, buildArguments(next, target), { stdio: "ignore" });
    const ended = new Promise<NodeJS.Signals | null>((done) =>
      child.once("exit", (_, signal) => done(signal)),
    );
    while (child.exitCode === null && !reached()) await setTimeout(2);
    child.kill("SIGKILL");
    return ended;
  }
  async function expectNextBuildToPublish(target: string): Promise<void> {
    expect((await runBuild("--export", next, "--out", target)).code).toBe(0);
    expect(digestsIn(target)).toEqual(digestsIn(await built(next)));
    expect(leftovers(target)).toEqual([]);
  }

  /** What is staged when the build is killed. */
  const moments: [string, (staging: string) => boolean][] = [
    ["the first posts", (staging) => filesBelow(staging, "api/posts") > 0],
    ["half of the posts", (staging) => filesBelow(staging, "api/posts") >= 75],
    ["all posts", (staging) => filesBelow(staging, "api/posts") >= 150],
    ["a part of the search index", (staging) => filesBelow(staging, ".search-index") > 0],
    ["the search index", (staging) => existsSync(join(staging, ".search-index/manifest.json"))],
  ];
  test.each(moments)("leaves the old snapshot intact after it staged %s", async (_, staged) => {
    const target = await builtCopy(old);
    const staging = (): string[] =>
      leftovers(target).filter((name) => name.startsWith(".dist.staging"));
    const signal = await killBuild(target, () =>
      staging().some((name) => staged(join(dirname(target), name))),
    );
    expect(signal).toBe("SIGKILL");
    expect(staging()).toHaveLength(1);
    expect(digestsIn(target)).toEqual(digestsIn(await built(old)));
    await expectNextBuildToPublish(target);
  });

  test("leaves the new snapshot intact after the swap", async () => {
    const target = await builtCopy(old);
    const newId = idOf(await built(next));
    await killBuild(target, () => idOf(target) === newId);
    expect(digestsIn(target)).toEqual(digestsIn(await built(next)));
    await expectNextBuildToPublish(target);
  });

  test("restores the snapshot after an end between the two renames", async () => {
    const target = await builtCopy(sample);
    // The note beside the folder says what is in it.
    await runBuild("--export", sample, "--out", target);
    const id = idOf(target);
    const previous = join(dirname(target), ".dist.previous");
    cpSync(target, previous, { recursive: true });
    rmSync(target, { recursive: true });
    mkdirSync(join(dirname(target), ".dist.staging"));
    expect((await runBuild("--export", sample, "--out", target)).stdout).toContain(
      "nothing changed",
    );
    expect(idOf(target)).toBe(id);
    expect(leftovers(target)).toEqual([]);
  });

  test("keeps the snapshot on a full disk, and reports folders it cannot make", async () => {
    const mount = temporaryFolder();
    // A small file system in a name space of its own; where that may not be made, small files.
    const script = `
      mount -t tmpfs -o size=1500k tmpfs "$1" 2>&- || ulimit -f 600
      cd "$2" || exit 90
      "$3" --import tsx scripts/build.ts --collection "$6" --export "$4" --out "$1/dist" || exit 91
      before=$(cat "$1/dist/snapshot.json" | cksum)
      "$3" --import tsx scripts/build.ts --collection "$6" --export "$5" --out "$1/dist" && exit 92
      [ "$before" = "$(cat "$1/dist/snapshot.json" | cksum)" ] || exit 93
      "$3" --import tsx scripts/verify.ts "$1/dist" || exit 94
      [ -z "$(ls -A "$1" | grep staging)" ] || exit 95`;
    const shell = [
      "sh",
      "-c",
      script,
      "sh",
      mount,
      root,
      process.execPath,
      sample,
      exportOf(4000),
      unnamed,
    ];
    const unshare = ["unshare", "--mount", "--map-root-user"];
    const isolated = spawnSync("unshare", [...unshare.slice(1), "true"]).status === 0;
    const [command = "", ...rest] = isolated ? [...unshare, ...shell] : shell;
    const { code: ended, stderr } = await runProgram(command, rest);
    expect({ ended, stderr }).toMatchObject({ ended: 0 });
    expect(stderr).toMatch(/build stopped: (ENOSPC|EFBIG)/);
    const { code, stderr: denied } = await runBuild("--export", sample, "--out", "/dev/null/dist");
    expect(code).toBe(1);
    expect(denied).toMatch(/ENOTDIR|EEXIST/);
  });
});

describe("npm run build of the same content", () => {
  test("gives the same bytes in any row order, time zone and language", async () => {
    const file = join(temporaryFolder(), "shuffled.sqlite");
    const database = new Database(file);
    const statements = readFileSync(sample, "utf8").split(/(?<=;)\n/);
    const inserts = statements.filter((line) => line.startsWith("INSERT"));
    // Without keys, rows come out in the order in which they went in.
    const create = statements
      .filter((line) => line.includes("CREATE TABLE"))
      .map((line) => line.slice(line.indexOf("CREATE")))
      .join("\n")
      .replace(/, PRIMARY KEY \(.*?\)| PRIMARY KEY| UNIQUE/g, "");
    database.exec(create);
    const [moved] = inserts.splice(
      inserts.findIndex((line) => line.startsWith("INSERT INTO posts VALUES(47")),
      1,
    );
    for (const line of [...inserts.toReversed(), moved ?? ""]) database.exec(line);
    database.close();
    const out = join(temporaryFolder(), "dist");
    const { code, stderr } = await runProgram(process.execPath, buildArguments(file, out), {
      env: { TZ: "Pacific/Auckland", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" },
    });
    expect(stderr).not.toContain("error");
    expect(code).toBe(0);
    expect(digestsIn(out)).toEqual(digestsIn(await built(sample)));
  });

  test("changes nothing when the target has it", async () => {
    const target = await builtCopy(sample);
    // The note beside the folder says what is in it.
    await runBuild("--export", sample, "--out", target);
    const { atime: _, atimeMs: __, ...before } = statSync(join(target, "snapshot.json"));
    expect((await runBuild("--export", sample, "--out", target)).stdout).toContain(
      "nothing changed since",
    );
    expect(statSync(join(target, "snapshot.json"))).toMatchObject(before);
  });

  test.each<[string, (target: string) => void]>([
    ["a post is missing", (target) => rmSync(join(target, "api/posts/1.json"))],
    ["a post was altered", (target) => writeFileSync(join(target, "api/posts/1.json"), "garbage")],
    ["all posts are missing", (target) => rmSync(join(target, "api"), { recursive: true })],
    [
      "the index was altered",
      (target) => writeFileSync(join(target, ".search-index/positions.bin"), "x"),
    ],
  ])("builds again when %s", async (_, damage) => {
    const target = await builtCopy(sample);
    damage(target);
    expect((await runBuild("--export", sample, "--out", target)).stdout).not.toContain(
      "nothing changed",
    );
    expect(await problemsIn(target)).toEqual([]);
  });
});

test("npm run build writes through a target that is a link", async () => {
  const target = await builtCopy(sample);
  const link = join(temporaryFolder(), "link");
  symlinkSync(target, link);
  expect((await runBuild("--export", exportOf(50), "--out", link)).code).toBe(0);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readdirSync(join(target, "api/posts"))).toHaveLength(50);
  expect(await problemsIn(link)).toEqual([]);
});

test("npm run build rewrites only changed files, and postings for changed text", async () => {
  const target = await builtCopy(sample);
  const stats = () =>
    new Map(
      [...filesIn(target).keys()].map((name) => {
        const { ino, mtimeMs } = statSync(join(target, name));
        return [name, `${ino} ${mtimeMs}`] as const;
      }),
    );
  const build = async (sql: string): Promise<string[]> => {
    const before = stats();
    const file = exportWith(sql);
    expect((await runBuild("--export", file, "--out", target)).code).toBe(0);
    expect(digestsIn(target)).toEqual(digestsIn(await built(file)));
    return [...stats()]
      .filter(([name, stat]) => before.get(name) !== stat)
      .map(([name]) => name)
      .sort();
  };
  expect(await build("UPDATE posts SET count_bookmarks = 77 WHERE post_id = 50")).toEqual([
    // It names the snapshot, as the last one does.
    ".search-index/manifest.json",
    "api/posts/50.json",
    "bulk/posts.jsonl.gz",
    // They give the digest of that file.
    "en/index.html",
    "index.html",
    "snapshot.json",
    "sync.json",
  ]);
  const liked = await build("UPDATE posts SET count_likes = 77 WHERE post_id = 50");
  expect(liked).toContain(".search-index/hits.bin");
  expect(liked).not.toContain(".search-index/posts.bin");
  expect(liked).not.toContain(".search-index/positions.bin");
  expect(await build("UPDATE posts SET post_content_html = 'x' WHERE post_id = 50")).toContain(
    ".search-index/positions.bin",
  );
});

describe("npm run build, comparing two snapshots,", () => {
  const change =
    "UPDATE posts SET post_title = 'New', count_likes = 9 WHERE post_id = 50; DELETE FROM posts WHERE post_id = 1001; INSERT INTO posts (post_id, post_title, post_content_html, post_date_gmt) VALUES (7, 'Seven', '<p>7</p>', '2024-01-01 00:00:00'); DELETE FROM post_tags WHERE post_id = 44";
  const file = exportWith(change);
  const expected = [
    "added: 1 post (7)",
    "removed: 1 post (1001)",
    /changed: \d+ posts \(.*50/,
    /files that differ: \d+ files, [\d,]+ bytes/,
    "nothing was replaced",
  ];

  test("reports with --dry-run what would change in a folder", async () => {
    const target = await builtCopy(sample);
    const before = digestsIn(target);
    const { code, stdout } = await runBuild("--export", file, "--out", target, "--dry-run");
    expect(code).toBe(0);
    for (const line of expected) expect(stdout).toMatch(line);
    expect(digestsIn(target)).toEqual(before);
    expect(leftovers(target)).toEqual([]);
  });

  test("reports with --against what would change on a live site", async () => {
    const live = await built(sample);
    const server = createServer((request, response) => {
      try {
        response.end(readFileSync(join(live, request.url ?? "")));
      } catch {
        response.writeHead(404).end();
      }
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const { port } = server.address() as { port: number };
    const out = join(temporaryFolder(), "dist");
    const run = async (path: string, ...args: string[]) => {
      const url = `http://127.0.0.1:${port}/${path}`;
      const { code, stdout, stderr } = await runBuild(
        "--export",
        file,
        "--out",
        out,
        "--against",
        url,
        ...args,
      );
      return { code, output: stdout + stderr };
    };
    const dry = await run("snapshot.json", "--dry-run");
    for (const line of expected) expect(dry.output).toMatch(line);
    expect(dry.code).toBe(0);
    expect((await run("api/openapi.json")).output).toMatch(/is not a case-collection-snapshot/);
    expect((await run("snapshot.json", "--max-removals", "0")).output).toMatch(
      /would remove 1 of 40 posts.*--max-removals 1/,
    );
    expect((await run("snapshot.json")).code).toBe(0);
    server.close();
  });

  test("refuses to remove many posts without --max-removals", async () => {
    const target = await builtCopy(exportOf(300));
    const before = idOf(target);
    const fewer = exportOf(284);
    const refused = await runBuild("--export", fewer, "--out", target);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      /would remove 16 of 300 posts .* more than 15\..*--max-removals 16/,
    );
    expect(idOf(target)).toBe(before);
    expect(
      (await runBuild("--export", exportOf(285), "--out", await built(exportOf(300)))).code,
    ).toBe(0);
    expect((await runBuild("--export", fewer, "--out", target, "--max-removals", "16")).code).toBe(
      0,
    );
    expect(
      (await runBuild("--export", fewer, "--out", target, "--max-removals", "many")).stderr,
    ).toMatch(/must be a whole number/);
  });
});

describe("npm run build, given odd rows,", () => {
  const file = exportWith(`
    UPDATE posts SET post_title = '' WHERE post_id = 1;
    UPDATE comments SET comment_parent = 999 WHERE comment_id = 3;
    INSERT INTO post_tags VALUES (4, 1), (1, 999);
    INSERT INTO comments (comment_id, post_id, comment_date_gmt, comment_author, comment_content)
      SELECT post_id + 5000, 4, '2024-01-01 00:00:00', 'a', 'b' FROM posts;`);

  test("reports and counts warnings, and publishes what they say", async () => {
    const target = join(temporaryFolder(), "dist");
    const report = join(temporaryFolder(), "report.json");
    const { code, stderr } = await runBuild("--export", file, "--out", target, "--report", report);
    expect(code).toBe(0);
    expect(stderr.match(/^warning: comments \d+: post_id names a post/gm)).toHaveLength(1);
    expect(stderr.match(/^warning: comments \d+: post_id \(rule \S+\)$/gm)).toHaveLength(19);
    expect(stderr).toContain("warning: comments: 20 more of commented-post-missing, 40 in all");
    const { rows, problems } = JSON.parse(readFileSync(report, "utf8")) as {
      rows: Record<string, number>;
      problems: { rule: string; severity: string }[];
    };
    expect(rows["posts"]).toBe(40);
    const counted: Record<string, number> = {};
    for (const { rule } of problems) counted[rule] = (counted[rule] ?? 0) + 1;
    expect(counted).toEqual({
      "empty-title": 1,
      "tagged-post-missing": 1,
      "tag-missing": 1,
      "commented-post-missing": 40,
      "parent-missing": 1,
    });
    const post = JSON.parse(readFileSync(join(target, "api/posts/1.json"), "utf8")) as {
      tags: unknown[];
      comments: { commentId: number; commentParent: number }[];
    };
    expect(post.tags).toHaveLength(3);
    expect(post.comments.find(({ commentId }) => commentId === 3)?.commentParent).toBe(0);
  });

  test("stops at warnings with --strict", async () => {
    const target = join(temporaryFolder(), "dist");
    const { code, stderr } = await runBuild("--export", file, "--out", target, "--strict");
    expect(code).toBe(1);
    expect(stderr).toMatch(/0 errors and 44 warnings/);
  });
});
