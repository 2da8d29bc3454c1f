/** What a build refuses to lose, and what it compares with. */
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { manifestWith } from "../../tests/support/manifest.ts";
import { exportWith, runBuild, sample, temporaryFolder } from "../../tests/support/support.ts";
import { parseManifest } from "../snapshot/manifest.ts";
import { TotalsCounter } from "../snapshot/totals.ts";
import { findLosses } from "./loss-guard.ts";

const newTarget = (): string => join(temporaryFolder(), "dist");
/** An export of 300 posts with comments, tags, votes and text. */
const many = `
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120)
    INSERT INTO posts (post_id, post_title, post_content_html, post_date_gmt, count_likes, count_bookmarks)
    SELECT 5000 + i, 'title ' || i, 'a text of some length, number ' || i, '2024-01-01 00:00:00', 2, 1 FROM n;
  INSERT INTO post_tags SELECT post_id, 1 FROM posts WHERE post_id > 5000;
  INSERT INTO comments (comment_id, post_id, comment_date_gmt, comment_author, comment_content)
    SELECT post_id, post_id, '2024-02-01 00:00:00', 'x', 'a comment' FROM posts WHERE post_id > 5000`;
const change = (file: string, sql: string): void => void new Database(file).exec(sql).close();

describe("a build's loss guard", () => {
  test("holds whatever the new export is called, unless --against none is given", async () => {
    const out = newTarget();
    const folder = temporaryFolder();
    const dump = (day: string, sql: string): string => {
      const file = join(folder, `dump-${day}.sqlite`);
      cpSync(exportWith(sql), file);
      return file;
    };
    const half = dump("06-02", `${many}; DELETE FROM posts WHERE post_id % 2 = 0`);
    expect(await runBuild("--export", dump("06-01", many), "--out", out)).toMatchObject({
      code: 0,
    });
    const before = readFileSync(join(out, "snapshot.json"), "utf8");
    for (const args of [["--export", half], ["--sample"]]) {
      const { code, stderr } = await runBuild(...args, "--out", out);
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(
          /would remove \d+ of 160 posts .*--max-removals \d+\. .*another collection .*--against none\.$/m,
        ),
      ]);
    }
    expect(readFileSync(join(out, "snapshot.json"), "utf8")).toBe(before);
    const other = ["--export", half, "--out", out, "--against", "none"];
    expect(await runBuild(...other)).toMatchObject({ code: 0 });
  });

  test("lets other posts replace the sample", async () => {
    const out = newTarget();
    const own = exportWith(`${many}; DELETE FROM posts WHERE post_id < 5000`);
    await runBuild("--sample", "--out", out);
    expect(await runBuild("--export", own, "--out", out)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/holds the sample, and these posts take its place/),
    });
  });

  test("holds when nobody knows what the target was built from", async () => {
    const out = newTarget();
    await runBuild("--sample", "--out", out);
    writeFileSync(join(dirname(out), ".dist.source"), "{");
    const few = exportWith("DELETE FROM posts WHERE post_id > 20");
    const { code, stderr } = await runBuild("--export", few, "--out", out);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/would remove \d+ of 40 posts/)]);
  });
});

describe("build from an export with all posts", () => {
  let whole = "";
  let file = "";
  let out = "";
  beforeAll(async () => {
    whole = exportWith(`${many};
      INSERT INTO comments SELECT 20000 + post_id, post_id, '2024-01-01 00:00:00', 'a', 'b', 0, 0, 0 FROM posts;
      INSERT INTO comments SELECT 40000 + post_id, post_id, '2024-01-01 00:00:00', 'a', 'b', 0, 0, 20000 + post_id FROM posts;`);
    file = join(temporaryFolder(), "export.sqlite");
    out = newTarget();
    cpSync(whole, file);
    await runBuild("--export", file, "--out", out);
  });
  beforeEach(() => cpSync(whole, file));

  const losses: [string, string, RegExp][] = [
    [
      "bodies are empty",
      "UPDATE posts SET post_content_html = ''",
      /characters of text from [\d,]+ to [\d,]+ \(-\d+ %\)/,
    ],
    ["comments are gone", "DELETE FROM comments", /comments from \d+ to 0 \(-100 %\)/],
  ];
  test.each(losses)("stops when %s, and names the loss", async (_, sql, message) => {
    const before = readFileSync(join(out, "snapshot.json"), "utf8");
    change(file, sql);
    const refused = await runBuild("--export", file, "--out", out);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(message);
    expect(readFileSync(join(out, "snapshot.json"), "utf8")).toBe(before);
  });

  test("warns in a dry run, and succeeds with the option that the message names", async () => {
    change(file, "DELETE FROM comments");
    const refused = await runBuild("--export", file, "--out", out);
    const dry = await runBuild("--export", file, "--out", out, "--dry-run");
    expect([dry.code, dry.stderr]).toEqual([
      0,
      expect.stringMatching(/warning: a build would stop: it would lower/),
    ]);
    const [option = ""] = /--max-loss \d+/.exec(refused.stderr) ?? [];
    expect((await runBuild("--export", file, "--out", out, ...option.split(" "))).code).toBe(0);
    expect(readdirSync(dirname(out)).sort()).toEqual([".dist.source", "dist"]);
  });

  test("stops when the language is gone, until the collection's file says one", async () => {
    const pages = exportWith(
      `DELETE FROM export_settings; INSERT INTO export_settings VALUES ('collection', '{"language":"en"}')`,
    );
    const target = newTarget();
    await runBuild("--export", pages, "--out", target);
    const before = readFileSync(join(target, "snapshot.json"), "utf8");
    change(pages, "DELETE FROM export_settings");
    const refused = await runBuild("--export", pages, "--out", target);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/remove the page at \/ja\/ of .*"language": "en"/),
    ]);
    expect(readFileSync(join(target, "snapshot.json"), "utf8")).toBe(before);
    const collection = join(dirname(target), "collection.json");
    for (const [language, path] of [
      ["en", "ja"],
      ["ja", "en"],
    ] as const) {
      writeFileSync(collection, JSON.stringify({ language }));
      const built = await runBuild("--export", pages, "--out", target, "--collection", collection);
      expect([built.code, existsSync(join(target, path, "index.html"))]).toEqual([0, true]);
    }
  });

  test("stops when tags are gone", async () => {
    const few = exportWith("");
    const target = newTarget();
    await runBuild("--export", few, "--out", target);
    change(
      few,
      "DELETE FROM post_tags AS one WHERE post_id > (SELECT min(post_id) FROM post_tags WHERE tag_id = one.tag_id)",
    );
    const once = await runBuild("--export", few, "--out", target);
    expect([once.code, once.stderr]).toEqual([
      1,
      expect.stringMatching(/lower tags of posts from \d+ to 19 /),
    ]);
    change(few, "DELETE FROM post_tags WHERE tag_id > 2");
    const { stderr } = await runBuild("--export", few, "--out", target);
    expect(stderr).toMatch(/tags from 19 to 2 /);
  });
});

/** What moderators do between two releases of a site. */
const ordinary = `
  DELETE FROM posts WHERE post_id IN (SELECT post_id FROM posts ORDER BY post_id * 7919 % 1009 LIMIT 9);
  DELETE FROM comments WHERE comment_id % 25 = 0 OR post_id NOT IN (SELECT post_id FROM posts);
  UPDATE comments SET comment_parent = 0 WHERE comment_parent NOT IN (SELECT comment_id FROM comments);
  UPDATE posts SET post_content_html = substr(post_content_html, 1, length(post_content_html) / 2) WHERE post_id % 12 = 0;
  UPDATE posts SET count_likes = max(0, count_likes - 1) WHERE post_id % 9 = 0;
  DELETE FROM post_tags WHERE (post_id + tag_id) % 20 = 0;`;
test("build publishes an ordinary change", async () => {
  const file = join(temporaryFolder(), "export.sqlite");
  new Database(file).exec(readFileSync(sample, "utf8")).exec(many).close();
  const out = newTarget();
  expect((await runBuild("--export", file, "--out", out)).code).toBe(0);
  change(file, ordinary);
  expect(await runBuild("--export", file, "--out", out)).toMatchObject({ code: 0 });
});

test("findLosses compares the counts that it knows of another version's manifest", async () => {
  const folder = newTarget();
  await runBuild("--sample", "--out", folder);
  const { counts, ...manifest } = JSON.parse(
    readFileSync(join(folder, "snapshot.json"), "utf8"),
  ) as { counts: Record<string, number> };
  const before = {
    ...manifest,
    counts: { ...counts, tagLinks: undefined, comments: 1000, bookmarks: 1000 },
  };
  expect(
    findLosses(
      { location: "there", manifest: parseManifest(JSON.stringify(before)) },
      manifestWith({
        counts: { ...new TotalsCounter().totals, posts: 40, tags: 19, characters: 1e6 },
      }),
      { maxRemovals: undefined, maxLoss: 10, collection: {} },
    ),
  ).toMatch(/lower comments from 1,000 to 0 \(-100 %\), compared/);
});

test("findLosses lets removed posts take their share of comments, and no more", () => {
  const counts = { ...new TotalsCounter().totals, posts: 100, comments: 1000 };
  const before = { location: "there", manifest: manifestWith({ counts }) };
  const after = (comments: number) =>
    findLosses(before, manifestWith({ counts: { ...counts, posts: 50, comments } }), {
      maxRemovals: undefined,
      maxLoss: 10,
      collection: {},
    });
  // Half of the posts, and 10 % besides.
  expect(after(400)).toBeUndefined();
  expect(after(399)).toMatch(/comments from 1,000 to 399 \(-60 %\)/);
});
