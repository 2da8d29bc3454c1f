/** npm run build: what it writes, what it refuses, and what it leaves alone. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import {
  built,
  builtCopy,
  exportWith,
  digestsIn,
  filesIn,
  runBuild,
  sample,
  searchOn,
  temporaryFolder,
} from "./support/support.ts";

/** No file contains a private cell, and no post is found by one: the index holds no text to look at. */
async function expectNoCanary(folder: string): Promise<void> {
  for (const [name, content] of filesIn(folder))
    for (const encoding of ["latin1", "utf16le"] as const)
      expect(content.toString(encoding).toUpperCase().includes("CANARY_"), name).toBe(false);
  expect(await searchOn(folder).search({ q: "CANARY_" })).toMatchObject({ metadata: { count: 0 } });
}

describe("npm run build, when it succeeds,", () => {
  test("writes the same bytes for the same export again", async () => {
    const folder = join(temporaryFolder(), "dist");
    expect((await runBuild("--export", sample, "--out", folder)).code).toBe(0);
    expect(digestsIn(folder)).toEqual(digestsIn(await built(sample)));
  });

  test("publishes nothing of columns and tables that the shape does not name", async () => {
    const file = exportWith(`
      ALTER TABLE posts ADD COLUMN author_email TEXT;
      UPDATE posts SET author_email = 'CANARY_' || post_id;
      CREATE TABLE drafts (body TEXT);
      INSERT INTO drafts VALUES ('CANARY_draft');
      CREATE VIEW hidden AS SELECT 'CANARY_view' AS secret;
      CREATE TABLE notes (id /* CANARY_comment */ INTEGER DEFAULT 'CANARY_default');
      CREATE TRIGGER alarm AFTER INSERT ON posts BEGIN SELECT 'CANARY_trigger'; END;
      CREATE INDEX expression ON posts (post_title || 'CANARY_index');`);
    await expectNoCanary(await built(file));
  });

  test("writes a post's row, tags and comments into its document", async () => {
    const folder = await built(
      sample,
      "--site-url",
      "https://api.example/",
      "--post-url",
      "https://cases.example/archives/{postId}",
    );
    const read = (path: string): unknown => JSON.parse(readFileSync(join(folder, path), "utf8"));
    expect(read("api/posts/1.json")).toMatchObject({
      postId: 1,
      postTitle: "朝礼で社長の名前を呼び間違えた",
      postUrl: "https://cases.example/archives/1",
      postDateGmt: "2024-01-08T00:05:00.000Z",
      commentStatus: "open",
      countLikes: 42,
      countDislikes: 1,
      countBookmarks: 5,
      countComments: 4,
      ogpImageUrl: null,
      isWelcomed: true,
      isWelcomedExplanation: "具体的で、他人を傷つけない事例です。",
      tags: [{ tagName: "会話" }, { tagName: "失敗談" }, { tagName: "職場" }],
      comments: [{ commentId: 4 }, { commentId: 3 }, { commentId: 2 }, { commentId: 1 }],
      previousPost: null,
      nextPost: { postId: 2, postUrl: "https://cases.example/archives/2" },
    });
    expect(read("api/posts/123456.json")).toMatchObject({
      postDateGmt: "2024-06-30T15:00:00.500Z",
      previousPost: { postId: 1001 },
      nextPost: null,
    });
    expect(read("api/posts/1001.json")).toMatchObject({ postDateGmt: "2024-06-01T15:00:00.000Z" });
    expect(read("api/openapi.json")).toMatchObject({ servers: [{ url: "https://api.example" }] });
    expect(read("snapshot.json")).toMatchObject({
      counts: { posts: 40, comments: 20, tags: 19 },
      similarPosts: { source: "computed" },
    });
  });

  test("passes markup through byte for byte", async () => {
    const folder = await built(sample);
    const database = new Database(":memory:");
    database.exec(readFileSync(sample, "utf8"));
    const rows = database
      .prepare<[], { id: number; html: string }>(
        "SELECT post_id AS id, post_content_html AS html FROM posts",
      )
      .all();
    expect(rows).toHaveLength(40);
    for (const { id, html } of rows)
      expect(JSON.parse(readFileSync(join(folder, `api/posts/${id}.json`), "utf8"))).toHaveProperty(
        "postContentHtml",
        html,
      );
  });

  test("percent-encodes a URL that is not valid", async () => {
    const file = exportWith(
      "UPDATE posts SET ogp_image_url = 'https://cdn.example/50%off|画像.png?a=[1]' WHERE post_id = 1",
    );
    expect(
      JSON.parse(readFileSync(join(await built(file), "api/posts/1.json"), "utf8")),
    ).toHaveProperty(
      "ogpImageUrl",
      "https://cdn.example/50%25off%7C%E7%94%BB%E5%83%8F.png?a=%5B1%5D",
    );
  });

  test("writes the same documents from a UTF-16 database, replacement characters included", async () => {
    const folder = temporaryFolder();
    const builtIn = async (encoding: string): Promise<Record<string, string>> => {
      const file = join(folder, `${encoding}.sqlite`);
      new Database(file)
        .exec(`PRAGMA encoding = '${encoding}'`)
        .exec(readFileSync(sample, "utf8"))
        .exec("UPDATE posts SET post_title = 'a\uFFFDb' WHERE post_id = 1")
        .close();
      return digestsIn(await built(file));
    };
    expect(await builtIn("UTF-16le")).toEqual(await builtIn("UTF-8"));
  });

  test("keeps the index small when many posts share a passage", async () => {
    const file = exportWith(`
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
      INSERT INTO posts (post_id, post_title, post_content_html, post_date_gmt)
        SELECT 300000 + i, i, (SELECT group_concat(post_content_html, '') FROM posts WHERE post_id < 40), '2024-01-01 00:00:00' FROM n`);
    const folder = await built(file);
    const size = (path: string): number => readFileSync(join(folder, path)).length;
    const units = 100 * 39 * 1100;
    expect(size(".search-index/positions.bin")).toBeLessThan(3 * units);
    expect(size(".search-index/posts.bin")).toBeLessThan(30_000);
    expect(size(".search-index/catalog.bin")).toBeLessThan(30_000);
  });

  test("writes an index with --index cdn that answers as the bundled one", async () => {
    const [bundle, cdn] = await Promise.all([built(sample), built(sample, "--index", "cdn")]);
    const placed = (folder: string): string[] =>
      [...filesIn(folder).keys()].filter((path) => path.startsWith("search-blocks/"));
    expect(placed(bundle)).toEqual([]);
    expect(placed(cdn).length).toBeGreaterThan(1);
    for (const q of ["", "の", "朝礼", "月曜の朝礼で司会を任され"])
      expect(await searchOn(cdn).search({ q })).toEqual(await searchOn(bundle).search({ q }));
  });

  test("takes similar posts from the export by rank, only other existing ones", async () => {
    const file = exportWith(`
      CREATE TABLE similar_posts (post_id INTEGER NOT NULL, similar_post_id INTEGER NOT NULL, rank INTEGER NOT NULL, PRIMARY KEY (post_id, rank));
      INSERT INTO similar_posts VALUES (1, 50, 3), (1, 2, 1), (1, 1, 2), (1, 4, 4), (1, 3, 5);`);
    const post = JSON.parse(readFileSync(join(await built(file), "api/posts/1.json"), "utf8")) as {
      similarPosts: { postId: number }[];
    };
    expect(post.similarPosts.map(({ postId }) => postId)).toEqual([2, 50, 3]);
  });
});

describe("npm run build, when it is given wrong input,", () => {
  const badRows: [string, string, RegExp][] = [
    [
      "a date",
      "UPDATE posts SET post_date_gmt = '2020-13-01' WHERE post_id = 5",
      /posts 5: post_date_gmt "2020-13-01" is not a date and time that is accepted here, or there is no such day .* \+09:00, or nothing for UTC/,
    ],
    [
      "a day that the month lacks",
      "UPDATE posts SET post_date_gmt = '2023-02-29 00:00:00' WHERE post_id = 5",
      /posts 5: post_date_gmt/,
    ],
    [
      "a negative count",
      "UPDATE posts SET count_likes = -1 WHERE post_id = 5",
      /posts 5: count_likes -1/,
    ],
    [
      "a fractional count",
      "UPDATE posts SET count_likes = 1.5 WHERE post_id = 5",
      /posts 5: count_likes 1\.5/,
    ],
    ["an id of zero", "UPDATE posts SET post_id = 0 WHERE post_id = 5", /posts 0: post_id 0/],
    [
      "an id beyond 2^53",
      "UPDATE posts SET post_id = 9007199254740993 WHERE post_id = 5",
      /posts 9007199254740993: post_id 9007199254740993 is not/,
    ],
    [
      "a URL",
      "UPDATE posts SET ogp_image_url = 'javascript:alert(1)' WHERE post_id = 5",
      /posts 5: ogp_image_url "javascript/,
    ],
    [
      "a BLOB for text",
      "UPDATE posts SET post_title = x'ff' WHERE post_id = 5",
      /posts 5: post_title "BLOB|posts 5: post_title BLOB/,
    ],
    [
      "text that is not UTF-8",
      "UPDATE posts SET post_title = CAST(x'e38182ff' AS TEXT) WHERE post_id = 5",
      /posts 5: post_title .* is not valid UTF-8/,
    ],
  ];
  test.each(badRows)(
    "stops because of %s in a row, and keeps the snapshot",
    async (_, sql, message) => {
      const folder = await builtCopy(sample);
      const before = digestsIn(folder);
      const { code, stderr } = await runBuild("--export", exportWith(sql), "--out", folder);
      expect(stderr).toMatch(message);
      expect(stderr).toContain("is unchanged");
      expect(code).toBe(1);
      expect(digestsIn(folder)).toEqual(before);
    },
  );

  test("reports all problems, not just the first", async () => {
    const { stderr } = await runBuild(
      "--export",
      exportWith("UPDATE posts SET count_likes = -1 WHERE post_id < 10"),
      "--out",
      join(temporaryFolder(), "dist"),
    );
    expect(stderr.match(/^error: posts /gm)).toHaveLength(7);
    expect(stderr).toMatch(/7 errors/);
  });

  const folder = temporaryFolder();
  const text = join(folder, "export.txt");
  writeFileSync(text, "not a database");
  const other = join(folder, "other.sqlite");
  new Database(other).exec("CREATE TABLE notes (id INTEGER)").close();
  const broken = join(folder, "broken.sqlite");
  writeFileSync(broken, Buffer.concat([Buffer.from("SQLite format 3\0"), Buffer.alloc(4096, 7)]));
  const foreign = join(folder, "foreign");
  mkdirSync(foreign);
  writeFileSync(join(foreign, "thesis.txt"), "do not delete");
  const cases: [string, string[], RegExp][] = [
    ["an unknown option", ["--exprot", "x"], /Unknown option '--exprot'\. Is --export meant/],
    ["a stray argument", ["x.sqlite"], /Unexpected argument/],
    [
      "a missing file",
      ["--export", join(folder, "none.sqlite")],
      /none\.sqlite: there is no such file/,
    ],
    ["a folder", ["--export", folder], /this is no file/],
    [
      "a file that is no database",
      ["--export", text],
      /neither a SQLite database nor a \.sql dump/,
    ],
    ["a damaged database", ["--export", broken], /cannot be read/],
    [
      "an unknown shape",
      ["--export", other],
      /no known shape\. The closest is the canonical shape, without table posts\. The tables here are: notes\. data\/schema\.sql/,
    ],
    [
      "a site that is no URL",
      ["--site-url", "cases.example"],
      /--site-url cases\.example: not an absolute/,
    ],
    ...["https://cases.example/base", "https://cases.example/?a", "https://u:p@cases.example"].map(
      (url): [string, string[], RegExp] => [
        `a site at ${url}`,
        ["--site-url", url],
        /must be a scheme and a host only/,
      ],
    ),
    ["a template without the id", ["--post-url", "https://x.example/"], /must contain \{postId\}/],
    ...["https://x.example:{postId}/", "https://{postId}/", "ftp://x.example/{postId}"].map(
      (template): [string, string[], RegExp] => [
        `the template ${template}`,
        ["--post-url", template],
        /--post-url \S+: does not give an absolute http or https URL for every post\./,
      ],
    ),
    [
      "a template with a password",
      ["--post-url", "https://user:hidden@x.example/{postId}"],
      /--post-url https:\/\/x\.example\/\{postId\}: has a user name or a password/,
    ],
    ...["https://x.example/", "https://x.example:{postId}/"].map(
      (template): [string, string[], RegExp] => [
        `the template ${template} in an export`,
        ["--export", exportWith(`INSERT INTO export_settings VALUES ('post_url', '${template}')`)],
        /^build stopped: \S+export\.sqlite: post_url in the table export_settings (?:must|does not) .*, or give --post-url\.$/m,
      ],
    ),
    [
      "a target that holds something else",
      ["--export", sample, "--out", foreign],
      /something other than a snapshot/,
    ],
  ];
  test.each(cases)("refuses %s", async (_, args, message) => {
    const out = args.includes("--out") ? [] : ["--out", join(folder, "dist")];
    const { code, stderr } = await runBuild(...out, ...args);
    expect(stderr).toMatch(message);
    // Wrong options come with the way to the help.
    expect(code).toBe(stderr.includes("--help") ? 2 : 1);
    expect(readdirSync(folder)).not.toContain("dist");
    expect(readFileSync(join(foreign, "thesis.txt"), "utf8")).toBe("do not delete");
  });

  test("--help explains every option and succeeds", async () => {
    const { code, stdout } = await runBuild("--help");
    expect(code).toBe(0);
    for (const option of [
      "--export",
      "--out",
      "--site-url",
      "--post-url",
      "--report",
      "--strict",
      "--dry-run",
      "--against",
      "--max-removals",
      "--help",
    ])
      expect(stdout).toContain(option);
  });
});
