/** Every problem of every row is found, once, and in linear time. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test, vi } from "vitest";
import { writeD1Export } from "../../tests/support/d1.ts";
import { checked } from "../../tests/support/exports.ts";
import { exportWith, sample, temporaryFolder } from "../../tests/support/support.ts";
import { checkExport } from "./check.ts";
import { problemLines } from "./problems.ts";
import { openExport } from "./open.ts";

/** What the check finds after a change of the sample, in short. */
const findings = async (sql: string): Promise<string[]> =>
  (await checked(exportWith(sql))).problems.map(
    ({ severity, table, key, column, rule }) => `${severity} ${table} ${key} ${column} ${rule}`,
  );

test("checkExport reports a lone UTF-16 surrogate, which SQLite pairs with what follows", async () => {
  const file = join(temporaryFolder(), "utf-16.sqlite");
  new Database(file)
    .exec("PRAGMA encoding = 'UTF-16le'")
    .exec(readFileSync(sample, "utf8"))
    .exec("UPDATE posts SET post_title = CAST(x'00D842304330' AS TEXT) WHERE post_id = 5")
    .close();
  expect((await checked(file)).problems).toMatchObject([
    { severity: "error", key: "5", column: "post_title", message: "is not valid UTF-16le" },
  ]);
});

test("checkExport reports D1 votes and bookmarks that count nowhere, without values", async () => {
  const file = join(temporaryFolder(), "d1.sqlite");
  writeD1Export(file);
  new Database(file)
    .exec("UPDATE fct_comment_vote_history SET vote_type = 5 WHERE rowid = 1")
    .exec("UPDATE fct_user_bookmark_activity SET post_id = 987654 WHERE rowid = 1")
    .close();
  const { problems } = await checked(file);
  expect(problems).toMatchObject([
    { table: "fct_user_bookmark_activity", key: "1 row", rule: "uncounted", severity: "warning" },
    { table: "fct_comment_vote_history", key: "1 row", column: "vote_type", rule: "uncounted" },
  ]);
  expect(problemLines(problems)[1]).toBe(
    "warning: fct_comment_vote_history 1 row: vote_type is neither 1 nor -1 (rule uncounted; nothing needed: they are not counted)",
  );
});

test("checkExport finds no problem in the sample, and counts all its rows", async () => {
  const { problems, rows, postIds, publishedComments } = await checked(sample);
  expect(problems).toEqual([]);
  expect(rows).toEqual({ posts: 40, tags: 20, post_tags: 100, comments: 20 });
  expect([postIds.size, publishedComments]).toEqual([40, 20]);
});

describe("checkExport finds", () => {
  test.each([
    [
      "a value that breaks its rule",
      "UPDATE posts SET count_likes = -1 WHERE post_id = 5",
      "error posts 5 count_likes count",
    ],
    [
      "text that is not UTF-8",
      "UPDATE posts SET post_title = CAST(x'e38182ff' AS TEXT) WHERE post_id = 5",
      "error posts 5 post_title utf-8",
    ],
    [
      "a NUL character",
      "UPDATE posts SET post_title = 'a' || char(0) WHERE post_id = 5",
      "warning posts 5 post_title nul",
    ],
    [
      "an empty title",
      "UPDATE posts SET post_title = '　' WHERE post_id = 5",
      "warning posts 5 post_title empty-title",
    ],
    [
      "a tag without a name",
      "UPDATE tags SET tag_name = '' WHERE tag_id = 1",
      "warning tags 1 tag_name tag-not-searchable",
    ],
    [
      "a link from a missing post",
      "INSERT INTO post_tags VALUES (4, 1)",
      "warning post_tags 4/1 post_id tagged-post-missing",
    ],
    [
      "a link to a missing tag",
      "INSERT INTO post_tags VALUES (1, 9999)",
      "warning post_tags 1/9999 tag_id tag-missing",
    ],
    [
      "a comment on a missing post",
      "INSERT INTO comments VALUES (900, 4, '2024-01-01 00:00:00', 'a', 'b', 0, 0, 0)",
      "warning comments 900 post_id commented-post-missing",
    ],
    [
      "a missing parent",
      "UPDATE comments SET comment_parent = 999 WHERE comment_id = 4",
      "warning comments 4 comment_parent parent-missing",
    ],
    [
      "a parent on another post",
      "UPDATE comments SET comment_parent = 5 WHERE comment_id = 4",
      "warning comments 4 comment_parent parent-on-another-post",
    ],
    [
      "a comment that answers itself",
      "UPDATE comments SET comment_parent = 4 WHERE comment_id = 4",
      "warning comments 4 comment_parent parent-cycle",
    ],
  ])("%s", async (_, sql, finding) => {
    expect(await findings(sql)).toEqual([finding]);
  });

  test("rows and names that appear twice", async () => {
    const twice = ["posts", "tags", "post_tags", "comments"]
      .map(
        (table) =>
          `CREATE TABLE t AS SELECT * FROM ${table}; DROP TABLE ${table}; ALTER TABLE t RENAME TO ${table}; INSERT INTO ${table} SELECT * FROM ${table} WHERE rowid = 1;`,
      )
      .join("");
    expect(await findings(twice)).toEqual([
      "error posts 1 post_id duplicate",
      "warning post_tags 1/1 tag_id duplicate-link",
      "error tags 1 tag_id duplicate",
      "error tags 1 tag_name duplicate",
      "error comments 1 comment_id duplicate",
    ]);
  });

  test("similar posts that are missing, or the post itself", async () => {
    expect(
      await findings(`CREATE TABLE similar_posts (post_id INTEGER, similar_post_id INTEGER, rank INTEGER);
        INSERT INTO similar_posts VALUES (1, 4, 1), (1, 1, 2), (4, 1, 1), (1, 2, NULL);`),
    ).toEqual([
      "error similar_posts 1/null/2 rank null",
      "warning similar_posts 1/1/4 similar_post_id similar-post-missing",
      "warning similar_posts 1/2/1 similar_post_id similar-to-itself",
      "warning similar_posts 4/1/1 post_id similar-of-missing-post",
    ]);
  });

  test("one comment of a cycle, not those that lead into it", async () => {
    const rows = [
      [901, 903],
      [902, 901],
      [903, 902],
      [904, 903],
      [905, 904],
      [906, 0],
      [907, 906],
    ].map(([id, parent]) => `(${id}, 1, '2024-01-01 00:00:00', 'a', 'b', 0, 0, ${parent})`);
    expect(await findings(`INSERT INTO comments VALUES ${rows.join()}`)).toEqual([
      "warning comments 901 comment_parent parent-cycle",
    ]);
  });
});

describe("checkExport, for rows that are not published,", () => {
  const similar =
    "CREATE TABLE similar_posts (post_id, similar_post_id, rank); INSERT INTO similar_posts VALUES";
  const looseComments =
    "CREATE TABLE t AS SELECT * FROM comments; DROP TABLE comments; ALTER TABLE t RENAME TO comments; INSERT INTO comments VALUES";
  test.each<[string, string, string[]]>([
    [
      "a comment of a deleted post",
      `INSERT INTO comments VALUES (900, 4, '4444-99-99', 'SECRET' || char(0), CAST(x'534543524554ff' AS TEXT), -444, 'SECRET', 0)`,
      [
        "comments 900 comment_date_gmt date",
        "comments 900 comment_author nul",
        "comments 900 comment_content utf-8",
        "comments 900 likes_count count",
        "comments 900 dislikes_count type",
        "comments 900 post_id commented-post-missing",
      ],
    ],
    [
      "comments of no post, with ids that are there, and a parent that is not",
      `${looseComments} (1, NULL, '2024-01-01 00:00:00', 'SECRET', 'SECRET', 0, 0, 1), ('SECRET', 4, '2024-01-01 00:00:00', 'a', 'b', 0, 0, 0)`,
      [
        "comments 1 post_id null",
        "comments (no number) comment_id type",
        "comments (no number) post_id commented-post-missing",
      ],
    ],
    [
      "a tag that only deleted posts carry",
      `CREATE TABLE t AS SELECT * FROM tags; DROP TABLE tags; ALTER TABLE t RENAME TO tags;
       INSERT INTO tags SELECT 900, tag_name FROM tags WHERE tag_id = 1;
       INSERT INTO tags VALUES (901, 'SECRET name'), (901, 'SECRET' || char(0)), ('SECRET', NULL); INSERT INTO post_tags VALUES (4, 900), (4, 901)`,
      [
        "post_tags 4/900 post_id tagged-post-missing",
        "post_tags 4/901 post_id tagged-post-missing",
        "tags 901 tag_name nul",
        "tags (no number) tag_id type",
        "tags (no number) tag_name null",
      ],
    ],
    [
      "similar posts of a deleted post",
      `${similar} (1, 4, 'SECRET'), (4, 4444, NULL)`,
      [
        "similar_posts 1/(no number)/4 rank type",
        "similar_posts 1/(no number)/4 similar_post_id similar-post-missing",
        "similar_posts 4/null/4444 rank null",
        "similar_posts 4/null/4444 post_id similar-of-missing-post",
        "similar_posts 4/null/4444 similar_post_id similar-post-missing",
      ],
    ],
    [
      "links of a deleted post to text",
      `CREATE TABLE t AS SELECT * FROM post_tags; DROP TABLE post_tags; ALTER TABLE t RENAME TO post_tags;
       INSERT INTO post_tags VALUES (4, 'SECRET'); ${similar} (4, 'SECRET', 1)`,
      [
        "post_tags 4/(no number) tag_id type",
        "post_tags 4/(no number) post_id tagged-post-missing",
        "similar_posts 4/1/(no number) similar_post_id type",
        "similar_posts 4/1/(no number) post_id similar-of-missing-post",
      ],
    ],
  ])("warns, without values, of %s", async (_, sql, expected) => {
    const { problems } = await checked(exportWith(sql));
    expect(
      problems.map(({ table, key, column, rule }) => `${table} ${key} ${column} ${rule}`),
    ).toEqual(expected);
    for (const { severity, value, hint } of problems)
      expect([severity, value, hint]).toEqual([
        "warning",
        "",
        "nothing needed: the row is left out",
      ]);
    expect(JSON.stringify(problems)).not.toContain("SECRET");
  });

  test("warns without values in the D1 shape, too", async () => {
    const file = join(temporaryFolder(), "d1.sqlite");
    writeD1Export(file);
    new Database(file)
      .exec(
        "UPDATE dim_comments SET comment_content = 'SECRET' || char(0), comment_date_gmt = 'SECRET'",
      )
      .exec(
        "UPDATE dim_comments SET post_id = 4; UPDATE rel_post_tags SET post_id = post_id + 100000",
      )
      .exec("UPDATE dim_tags SET tag_name = 'SECRET name'")
      .close();
    const { problems, publishedComments } = await checked(file);
    expect(publishedComments).toBe(0);
    expect(problems.filter(({ severity, value }) => severity === "error" || value !== "")).toEqual(
      [],
    );
    expect(JSON.stringify(problems)).not.toContain("SECRET");
  });

  test("reports text in the place of a post's id as an error", async () => {
    const { problems } = await checked(
      exportWith(`${looseComments} (900, 'SECRET', '2024-01-01 00:00:00', 'a', 'b', 0, 0, 0)`),
    );
    expect(problems).toMatchObject([
      { severity: "error", key: "900", column: "post_id", rule: "type", value: "" },
    ]);
  });

  test("warns of a comment that answers one of a deleted post", async () => {
    expect(
      await findings(`INSERT INTO comments VALUES (900, 4, '2024-01-01 00:00:00', 'a', 'b', 0, 0, 0);
        UPDATE comments SET comment_parent = 900 WHERE comment_id = 4`),
    ).toEqual([
      "warning comments 900 post_id commented-post-missing",
      "warning comments 4 comment_parent parent-missing",
    ]);
  });
});

// Time is no test, but these took minutes when each row cost as much as all rows.
describe("checkExport", () => {
  test("takes a chain of 30,000 replies", async () => {
    const { problems, rows } = await checked(
      exportWith(`WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 30999)
        INSERT INTO comments SELECT i, 1, '2024-01-01 00:00:00', 'a', 'b', 0, 0, iif(i = 1000, 0, i - 1) FROM n`),
    );
    expect(problems).toEqual([]);
    expect(rows.comments).toBe(30_020);
  });

  test.each([
    ["a\nb", "c", 1],
    ["a\nb", "c\r\nd", 2],
    ["a\nb", "<p>c", 0],
    ["a\n", "1 < 2", 0],
  ])("counts, of the texts %j and %j, %i as plain with line breaks", async (one, other, count) => {
    const quoted = [one, other].map((text) => `'${text}'`);
    const file = exportWith(
      `UPDATE posts SET post_content_html = iif(post_id = (SELECT min(post_id) FROM posts), ${quoted[0]}, 'x');
       UPDATE posts SET post_content_html = ${quoted[1]} WHERE post_id = (SELECT max(post_id) FROM posts)`,
    );
    expect((await checked(file)).plainTextPosts).toBe(count);
  });

  test("counts plain texts even when a few posts seem to have an element", async () => {
    const file = exportWith(`UPDATE posts SET post_content_html = 'a' || char(11) || 'b';
      UPDATE posts SET post_content_html = '<taro@cases.example>' WHERE post_id < 3`);
    expect((await checked(file)).plainTextPosts).toBe(38);
  });

  test("reads votes once when every comment has a replacement character", async () => {
    const file = join(temporaryFolder(), "d1.sqlite");
    writeD1Export(file);
    new Database(file)
      .exec("PRAGMA synchronous = OFF")
      .exec("UPDATE dim_comments SET comment_content = 'a\uFFFD', comment_author = '\uFFFD'")
      .close();
    const source = openExport(file);
    const malformed = vi.spyOn(source, "malformed");
    expect((await checkExport(source, () => {})).problems).toEqual([]);
    expect(malformed.mock.calls.map((place) => place.join(".")).sort()).toEqual([
      "comments.comment_author.comment_id",
      "comments.comment_content.comment_id",
    ]);
    source.close();
  });
});

test("checkExport digests the rows that it reads, not their order or other columns", async () => {
  const shuffled = exportWith(`
    ALTER TABLE posts ADD COLUMN note TEXT DEFAULT 'x';
    CREATE TABLE t AS SELECT * FROM post_tags ORDER BY tag_id DESC;
    DROP TABLE post_tags; ALTER TABLE t RENAME TO post_tags;`);
  const changed = exportWith("UPDATE posts SET count_likes = 43 WHERE post_id = 1");
  const checks = await Promise.all([sample, shuffled, changed].map(checked));
  const [first, second, third] = checks.map(({ digest }) => digest);
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

test("checkExport digests similar posts of one rank alike in any order", async () => {
  const [first, second] = await Promise.all(
    ["(1, 2, 0), (1, 3, 0)", "(1, 3, 0), (1, 2, 0)"].map((rows) =>
      checked(
        exportWith(`DROP TABLE IF EXISTS similar_posts;
        CREATE TABLE similar_posts (post_id, similar_post_id, rank); INSERT INTO similar_posts VALUES ${rows}`),
      ),
    ),
  );
  expect(first?.rows.similar_posts).toBe(2);
  expect(second?.digest).toBe(first?.digest);
});
