/** A D1 database, pulled from a stand-in for its query API. */
import { copyFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { d1Error, d1Id, serveD1, type D1Api } from "../../tests/support/d1-api.ts";
import { writeD1Export } from "../../tests/support/d1.ts";
import { newTarget, rowsIn, runPull } from "../../tests/support/pull.ts";
import {
  digestsIn,
  runBuild,
  runInProcess,
  sample,
  temporaryFolder,
} from "../../tests/support/support.ts";
import { pull } from "../pull.ts";
import { canonicalTables } from "../export/canonical-schema.ts";
import { d1 } from "../export/shapes/d1.ts";

const pullD1 = (api: D1Api, out: string, env = {}, name = "cases") =>
  runPull(["--d1", name, "--out", out], { ...api.env, ...env });

const original = join(temporaryFolder(), "d1.sqlite");
writeD1Export(original);
let file = "";
let api: D1Api;
beforeEach(async () => {
  file = join(temporaryFolder(), "d1.sqlite");
  copyFileSync(original, file);
  api = await serveD1(file);
});
afterEach(() => api.close());
/** The first value of what a query gives. */
const count = (target: string, sql: string): unknown => rowsIn(target, sql)[0]?.[0];

/** Builds an export, and gives the digests of its posts. */
async function postsOf(exportFile: string) {
  const out = join(temporaryFolder(), "dist");
  expect(await runBuild("--export", exportFile, "--out", out)).toMatchObject({ code: 0 });
  return digestsIn(join(out, "api/posts"));
}

test("pull --d1 gives the posts of a build of the database's file", async () => {
  const target = newTarget();
  expect(await pullD1(api, target)).toMatchObject({ code: 0 });
  const posts = await postsOf(target);
  expect(Object.keys(posts).length).toBeGreaterThan(30);
  expect(posts).toEqual(await postsOf(file));
  expect(readFileSync(target).toString("latin1")).not.toContain("CANARY");
  expect(readdirSync(dirname(target))).toEqual(["export.sqlite"]);
});

test("pull --d1 replaces no export when the database's posts are gone", async () => {
  const target = newTarget();
  await pullD1(api, target);
  const before = readFileSync(target);
  new Database(file).exec("DELETE FROM dim_posts").close();
  expect(await pullD1(api, target)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("what was read has no posts"),
  });
  expect(readFileSync(target).equals(before)).toBe(true);
});

/** Puts the sample in the canonical shape in the place of the original site's tables. */
function makeCanonical(more = ""): void {
  const tables = Object.keys(d1.requires).map((table) => `DROP TABLE ${table};`);
  new Database(file).exec(`${tables.join("")}${readFileSync(sample, "utf8")};${more}`).close();
}

describe("pull --d1 of a database in the canonical shape", () => {
  test("gives the posts of a build of its file, and its similar posts", async () => {
    makeCanonical(`
      CREATE TABLE similar_posts (post_id, similar_post_id, rank);
      INSERT INTO similar_posts VALUES (1, 3, 1), (1, 2, 2), (2, 9999, 1), (9998, 1, 1)`);
    const target = newTarget();
    const { code, stdout, stderr } = await pullD1(api, target);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("refer to is missing: 2 similar posts\n");
    expect(await postsOf(target)).toEqual(await postsOf(file));
    expect(count(target, "SELECT group_concat(similar_post_id) FROM similar_posts")).toBe("3,2");
  });

  test("reads views, of posts alone, and asks for no private column", async () => {
    makeCanonical(`
      ALTER TABLE posts RENAME TO articles; DROP TABLE tags; DROP TABLE post_tags; DROP TABLE comments;
      ALTER TABLE articles ADD COLUMN email TEXT DEFAULT 'CANARY';
      CREATE VIEW Posts AS SELECT post_id, post_title, post_content_html, post_date_gmt AS Post_Date_GMT, email
        FROM articles WHERE post_id <> 3`);
    const target = newTarget();
    const { code, stdout, stderr } = await pullD1(api, target);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(
      /not there, so the API has none: tags, post_tags, comments\nposts lacks columns that may be missing, .*: comment_status \('open'\), /,
    );
    expect(api.statements.join()).not.toContain("email");
    expect(readFileSync(target).toString("latin1")).not.toContain("CANARY");
    expect(Object.keys(await postsOf(target))).toHaveLength(39);
  });

  test("reads a view of posts beside the site's own tables of canonical names", async () => {
    makeCanonical(`
      ALTER TABLE posts RENAME TO articles; DROP TABLE tags; DROP TABLE post_tags; DROP TABLE comments;
      CREATE VIEW posts AS SELECT * FROM articles;
      CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO tags VALUES (1, 'CANARY');
      CREATE TABLE post_tags (article, tag); INSERT INTO post_tags VALUES (1, 1);
      CREATE TABLE similar_posts (article, other); INSERT INTO similar_posts VALUES (1, 2);
      CREATE TABLE comments (id INTEGER PRIMARY KEY, body TEXT); INSERT INTO comments VALUES (1, 'CANARY')`);
    const target = newTarget();
    const { code, stdout, stderr } = await pullD1(api, target);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("comments is a table of other columns, and is not read");
    expect(readFileSync(target).toString("latin1")).not.toContain("CANARY");
    expect(Object.keys(await postsOf(target))).toHaveLength(40);
  });

  test("gives all similar posts of one rank, by their ids", async () => {
    makeCanonical(`
      CREATE TABLE similar_posts (post_id, similar_post_id, rank);
      INSERT INTO similar_posts SELECT one.post_id, other.post_id, other.post_id % 3
        FROM posts AS one JOIN posts AS other ON one.post_id <> other.post_id;
      INSERT INTO similar_posts SELECT * FROM similar_posts WHERE post_id = 1`);
    const target = newTarget();
    const { code, stderr } = await pullD1(api, target);
    expect(code, stderr).toBe(0);
    const similarIn = (database: string): unknown[] =>
      new Database(database, { readonly: true })
        .prepare(
          "SELECT DISTINCT post_id, rank, similar_post_id FROM similar_posts ORDER BY 1, 2, 3",
        )
        .raw()
        .all();
    expect(similarIn(target)).toHaveLength(40 * 39);
    expect(similarIn(target)).toEqual(similarIn(file));
  });

  // The first page has 500 rows.
  test.each(
    ["posts", "comments", "tags"].flatMap((table) => [250, 500].map((id) => [table, id] as const)),
  )("refuses %s with the id %i twice", async (table, id) => {
    const key = `${table.slice(0, -1)}_id`;
    makeCanonical(`
      DROP TABLE posts; DROP TABLE comments; DROP TABLE tags; DROP TABLE post_tags;
      CREATE TABLE n AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 700) SELECT i FROM n;
      CREATE VIEW posts AS SELECT i AS post_id, 't' AS post_title, '' AS post_content_html,
        '2024-01-01 00:00:00' AS post_date_gmt FROM n;
      CREATE VIEW comments AS SELECT i AS comment_id, 1 AS post_id, '2024-01-01 00:00:00' AS comment_date_gmt,
        '' AS comment_author, '' AS comment_content FROM n;
      CREATE VIEW tags AS SELECT i AS tag_id, 'tag ' || i AS tag_name FROM n;
      CREATE VIEW post_tags AS SELECT i AS post_id, i AS tag_id FROM n;
      CREATE TABLE rows AS SELECT * FROM ${table};
      INSERT INTO rows SELECT * FROM rows WHERE ${key} = ${id};
      DROP VIEW ${table}; CREATE VIEW ${table} AS SELECT * FROM rows`);
    const target = newTarget();
    const { code, stderr } = await pullD1(api, target);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`error: ${table} ${id}: ${key} ${id} appears in two rows`),
    ]);
    expect(existsSync(target)).toBe(false);
  });

  test.each([
    [
      "DROP TABLE posts",
      /closest is the canonical shape, without table posts\..* data\/schema\.sql shows the canonical shape/,
    ],
    [
      "ALTER TABLE posts DROP COLUMN post_title",
      /without posts\.post_title\..*docs\/your-data\.md/,
    ],
    [
      "ALTER TABLE comments RENAME TO c; CREATE VIEW comments AS SELECT * FROM c; DROP TABLE c",
      /A table or view of the database cannot be read: no such table: main\.c/,
    ],
  ])("refuses the database after %s", async (sql, message) => {
    makeCanonical(sql);
    const { code, stderr } = await pullD1(api, newTarget());
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
  });
});

test("pull --d1 asks only for named columns and counts of tables that it needs", async () => {
  expect((await pullD1(api, newTarget())).code).toBe(0);
  const named = new Set(Object.values(d1.requires).flat());
  const words = new Set(
    "SELECT FROM WHERE NOT AND IN ORDER BY LIMIT GROUP PRAGMA table_info max sum count typeof integer real".split(
      " ",
    ),
  );
  expect(api.statements.length).toBeGreaterThan(10);
  const isOfShape = (sql: string): boolean =>
    !Object.keys(canonicalTables).some((table) => sql === `PRAGMA table_info(${table})`);
  for (const sql of api.statements.filter(isOfShape))
    for (const word of sql.match(/[A-Za-z_]+/g) ?? [])
      expect(words.has(word) || word in d1.requires || named.has(word), `${word} in ${sql}`).toBe(
        true,
      );
  const votes = api.statements.filter((sql) => /fct_/.test(sql) && !sql.startsWith("PRAGMA"));
  for (const sql of votes)
    expect(sql).toMatch(/GROUP BY|^SELECT count\(\*\) FROM \w+ WHERE NOT \(typeof/);
  expect(api.statements.join()).not.toContain("*,");
});

test("pull --d1 reports a view that takes many rows once, while it is read", async () => {
  const words = /D1 has counted [\d,]+ rows for \d+ of dim_posts, and 5,000,000 a day are free/g;
  const reported = async (cost: number): Promise<number> => {
    api.cost = cost;
    return (await pullD1(api, newTarget())).stdout.match(words)?.length ?? 0;
  };
  expect(await reported(1)).toBe(0);
  expect(await reported(20_000)).toBe(1);
});

test("pull --d1 says what was read, with the rows that D1 counts", async () => {
  const { stdout, stderr } = await pullD1(api, newTarget());
  expect(stderr).toMatch(/^dim_posts: 40 rows$/m);
  expect(stdout).toMatch(
    /\d+ requests, .* D1 counts [\d,]+ rows read \(5,000,000 a day are free\)/,
  );
  expect(stdout).toMatch(/export\.sqlite: 40 posts, 20 comments, 19 tags from D1\n$/);
});

test("pull --d1 reports votes of an unknown type, and rows without an id", async () => {
  new Database(file)
    .exec(
      `UPDATE fct_comment_vote_history SET vote_type = 2 WHERE rowid <= 3;
       INSERT INTO fct_user_bookmark_activity (user_id) VALUES (1), (2)`,
    )
    .close();
  const { code, stdout } = await pullD1(api, newTarget());
  expect(code).toBe(0);
  expect(stdout).toContain(
    "warning: fct_comment_vote_history: 3 rows of an unknown type, not counted",
  );
  expect(stdout).toContain(
    "warning: fct_user_bookmark_activity: 2 rows without a number as id, left out",
  );
});

test("pull --d1 takes an ID as well as a name", async () => {
  expect((await pullD1(api, newTarget(), {}, d1Id)).code).toBe(0);
});

test("pull --d1 makes circular replies, and replies across posts, comments on the post", async () => {
  new Database(file)
    .exec(
      `UPDATE dim_comments SET comment_parent = comment_id WHERE comment_id = 1;
       UPDATE dim_comments SET post_id = 2, comment_parent = 5 - comment_id WHERE comment_id IN (2, 3);
       UPDATE dim_comments SET post_id = 3, comment_parent = 2 WHERE comment_id = 4`,
    )
    .close();
  const target = newTarget();
  const { code, stderr } = await pullD1(api, target);
  expect(code, stderr).toBe(0);
  expect(stderr.match(/^warning: comments \d+: comment_parent /gm)).toHaveLength(3);
  await postsOf(target);
});

test("pull --d1 neither writes nor shows a tag that only deleted posts carry", async () => {
  new Database(file)
    .exec(
      `INSERT INTO dim_tags VALUES (900, 'CANARY_HIDDEN'), (901, 'CANARY_HIDDEN');
       INSERT INTO rel_post_tags VALUES (99999, 900), (99999, 901)`,
    )
    .close();
  const target = newTarget();
  const { code, stdout, stderr } = await pullD1(api, target);
  expect(code, stderr).toBe(0);
  expect(stdout).toContain("left out, because no post carries them: 3 tags\n");
  expect(stdout + stderr + readFileSync(target).toString("latin1")).not.toContain("CANARY");
});

test.each([
  ["a link to a tag of text", "INSERT INTO rel_post_tags VALUES (499, 'x')"],
  ["a link to no tag", "INSERT INTO rel_post_tags VALUES (500, NULL)"],
  ["a link of a fraction", "INSERT INTO rel_post_tags VALUES (499.5, 1)"],
  ["a vote for a fraction", "INSERT INTO fct_comment_vote_history VALUES ('', 499.5, 1)"],
  ["a bookmark of a fraction", "INSERT INTO fct_user_bookmark_activity VALUES (1, 499.5)"],
])("pull --d1 reads on after %s at the end of a page", async (_, sql) => {
  new Database(file)
    .exec(
      `DELETE FROM dim_posts; DELETE FROM rel_post_tags; DELETE FROM dim_comments; DELETE FROM fct_comment_vote_history;
       DELETE FROM fct_user_bookmark_activity;
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 700)
         INSERT INTO dim_posts (post_id, post_title, post_content, post_date_gmt, comment_status, count_likes, count_dislikes)
           SELECT i, 'post ' || i, 'text', '2024-01-01 00:00:00', 'open', 0, 0 FROM n;
       INSERT INTO rel_post_tags SELECT post_id, 1 FROM dim_posts;
       INSERT INTO fct_user_bookmark_activity SELECT 1, post_id FROM dim_posts;
       INSERT INTO dim_comments (comment_id, post_id, comment_author, comment_date_gmt, comment_content, comment_parent)
         SELECT post_id, post_id, 'x', '2024-02-01 00:00:00', 'y', 0 FROM dim_posts;
       INSERT INTO fct_comment_vote_history SELECT '', comment_id, 1 FROM dim_comments`,
    )
    .exec(sql)
    .close();
  const target = newTarget();
  const { code, stdout, stderr } = await pullD1(api, target);
  expect(code, stderr).toBe(0);
  expect(count(target, "SELECT count(*) FROM post_tags")).toBe(700);
  expect(count(target, "SELECT sum(likes_count) FROM comments")).toBe(700);
  expect(count(target, "SELECT sum(count_bookmarks) FROM posts")).toBe(700);
  expect(stdout).toMatch(
    /refer to is missing: 1 (?:link|row) |: 1 row without a number as id, left out/,
  );
});

test("pull --d1 reports text in the place of an id without the row's values", async () => {
  new Database(file)
    .exec(
      `INSERT INTO rel_post_tags VALUES ('CANARY', 1);
       INSERT INTO fct_comment_vote_history VALUES ('', 'CANARY', 1);
       INSERT INTO dim_comments VALUES (2000, 'CANARY', 'CANARY', '', 'CANARY', 'CANARY', 0)`,
    )
    .close();
  const { code, stdout, stderr } = await pullD1(api, newTarget());
  expect(code).toBe(1);
  expect(stderr).toContain("error: comments 2000: post_id is not a number (rule type;");
  expect(stdout + stderr).not.toContain("CANARY");
  new Database(file).exec("DELETE FROM dim_comments WHERE comment_id = 2000").close();
  const rest = await pullD1(api, newTarget());
  expect(rest).toMatchObject({ code: 0, stdout: expect.not.stringContaining("CANARY") });
  for (const table of ["rel_post_tags", "fct_comment_vote_history"])
    expect(rest.stdout).toContain(`warning: ${table}: 1 row without a number as id, left out`);
});

describe("pull --d1 of rows that change meanwhile", () => {
  test("leaves a consistent file, with every post that was there all the time", async () => {
    new Database(file)
      .exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900)
        INSERT INTO dim_posts (post_id, post_title, post_content, post_date_gmt, comment_status, count_likes, count_dislikes)
          SELECT 5000 + i, 'post ' || i, 'text', '2024-01-01 00:00:00', 'open', 0, 0 FROM n;
        INSERT INTO rel_post_tags SELECT post_id, 1 FROM dim_posts WHERE post_id > 5000;
        INSERT INTO dim_comments (comment_id, post_id, comment_author, comment_date_gmt, comment_content, comment_parent)
          SELECT post_id, post_id, 'x', '2024-02-01 00:00:00', 'y', 0 FROM dim_posts WHERE post_id > 5000`)
      .close();
    api.before = (database, request) => {
      const id = 5000 + ((request * 97) % 900);
      database.exec(`
        DELETE FROM dim_posts WHERE post_id = ${id};
        INSERT INTO dim_posts (post_id, post_title, post_content, post_date_gmt, comment_status, count_likes, count_dislikes)
          VALUES (${500_000 + request}, 'new', 'x', '2024-03-01 00:00:00', 'open', 0, 0);
        INSERT INTO dim_comments (comment_id, post_id, comment_author, comment_date_gmt, comment_content, comment_parent)
          VALUES (${500_000 + request}, ${500_000 + request}, 'x', '2024-03-01 00:00:00', 'y', 0);
        INSERT INTO rel_post_tags VALUES (${500_000 + request}, 1)`);
    };
    const target = newTarget();
    expect((await pullD1(api, target)).code).toBe(0);
    for (const table of ["comments", "post_tags"])
      expect(
        count(
          target,
          `SELECT count(*) FROM ${table} WHERE post_id NOT IN (SELECT post_id FROM posts)`,
        ),
      ).toBe(0);
    const kept = new Database(file, { readonly: true })
      .prepare<[], number>("SELECT post_id FROM dim_posts WHERE post_id < 500000")
      .pluck()
      .all();
    const pulled = new Set(
      new Database(target, { readonly: true })
        .prepare<[], number>("SELECT post_id FROM posts")
        .pluck()
        .all(),
    );
    expect(kept.filter((id) => !pulled.has(id))).toEqual([]);
    expect([...pulled].filter((id) => id > 500_003)).toEqual([]);
  });
});

test.each([
  [500, "internal error"],
  [400, "Currently processing a long-running export."],
])("pull --d1 repeats a request when D1 says %s, %s", async (status, message) => {
  api.instead = (request, _, response) => {
    if (request !== 3 && request !== 4) return false;
    response.writeHead(status).end(JSON.stringify(d1Error(7500, message)));
    return true;
  };
  const target = newTarget();
  const { code, waited } = await pullD1(api, target);
  expect(code).toBe(0);
  expect(count(target, "SELECT count(*) FROM posts")).toBe(40);
  expect(waited).toContain(2000);
});

test("pull --d1 asks for smaller pages when answers are too large", async () => {
  await api.close();
  new Database(file)
    .exec("UPDATE dim_posts SET post_content = replace(hex(zeroblob(4000)), '0', 'x')")
    .close();
  api = await serveD1(file, { largestAnswer: 100_000 });
  const target = newTarget();
  expect((await pullD1(api, target)).code).toBe(0);
  expect(count(target, "SELECT count(*) FROM posts")).toBe(40);
});

describe("pull --d1", () => {
  const sentences: [string, object, string | undefined, RegExp][] = [
    [
      "a wrong token",
      { CLOUDFLARE_API_TOKEN: "wrong_token" },
      undefined,
      /refuses the token: set CLOUDFLARE_API_TOKEN to an API token with the permission D1: Read/,
    ],
    [
      "no token",
      { CLOUDFLARE_API_TOKEN: " " },
      undefined,
      /CLOUDFLARE_API_TOKEN is not set\. Set it to/,
    ],
    [
      "another account",
      { CLOUDFLARE_ACCOUNT_ID: "f" },
      undefined,
      /knows no such account or database: check CLOUDFLARE_ACCOUNT_ID/,
    ],
    ["another name", {}, "cases-", /no D1 database called cases-\./],
    ["another ID", {}, "99999999-2222-3333-4444-555555555555", /knows no such account or database/],
    [
      "a host that is not there",
      { CLOUDFLARE_API_BASE_URL: "http://127.0.0.1:65535" },
      undefined,
      /^http:\/\/127\.0\.0\.1:65535 does not answer \(.*\)\. Are the URL and its port right/,
    ],
  ];
  test.each(sentences)(
    "explains a database that it cannot reach: %s",
    async (_, env, name, message) => {
      const { code, stderr } = await pullD1(api, newTarget(), env, name);
      expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
      expect(stderr).not.toMatch(/wrong_token|nobody_may_see|\n +at /);
    },
  );

  test.each([
    [
      "a key that is text",
      `CREATE TABLE copy AS SELECT * FROM dim_comments; DROP TABLE dim_comments;
        ALTER TABLE copy RENAME TO dim_comments;
        UPDATE dim_comments SET comment_id = 'x' WHERE comment_id = 1`,
      /dim_comments has a comment_id that is no whole number up to 2\^53 - 1: a string\. Correct it/,
    ],
    [
      "a table that is missing",
      "DROP TABLE dim_comments",
      /closest is the D1 shape, without table dim_comments\..*docs\/your-data\.md/,
    ],
    [
      "a column that is missing",
      "ALTER TABLE dim_posts DROP COLUMN post_title",
      /closest is the D1 shape, without dim_posts\.post_title\./,
    ],
    [
      "an id beyond 2^53",
      "UPDATE dim_posts SET post_id = 9007199254740994 WHERE post_id = 5",
      /dim_posts has a post_id that is no whole number up to 2\^53 - 1: 9007199254740994/,
    ],
    [
      "an id of zero",
      "UPDATE dim_posts SET post_id = 0 WHERE post_id = 5",
      /posts 0: post_id 0 is not/,
    ],
    [
      "a blob for text",
      "UPDATE dim_posts SET post_content = x'00ff' WHERE post_id = 5",
      /posts 5: post_content_html \[0,255\] is not text/,
    ],
    [
      "a bad date",
      "UPDATE dim_comments SET comment_date_gmt = 'soon' WHERE comment_id = 1",
      /comments 1: comment_date_gmt "soon"/,
    ],
    [
      "two tags of one name",
      "UPDATE dim_tags SET tag_name = 'x' WHERE tag_id < 3",
      /tags 2: tag_name "x" appears in two rows/,
    ],
  ])("explains a database that it cannot read: %s", async (_, sql, message) => {
    new Database(file).exec(sql).close();
    const target = newTarget();
    const { code, stderr } = await pullD1(api, target);
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
    expect(existsSync(target)).toBe(false);
  });

  /** Pulls from an API that gives an error for each request. */
  const pullWithError = (message: string, status: number, token: string) =>
    runInProcess(
      (args, io) =>
        pull(args, io, {
          fetch: async () => Response.json(d1Error(6003, message), { status }),
          wait: async () => {},
          now: () => 0,
        }),
      ["--d1", d1Id, "--out", newTarget()],
      { ...api.env, CLOUDFLARE_API_TOKEN: token },
    );
  test("leaves the token out of an error that it quotes", async () => {
    const token = "nobody_may_see";
    for (const status of [400, 200, 500]) {
      const { code, stdout, stderr } = await pullWithError(`bad ${token}!`, status, token);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/bad …!|of another form/)]);
      expect(stdout + stderr).not.toContain(token);
    }
  });

  test.each([
    null,
    [],
    "x",
    { errors: null },
    { errors: "x" },
    { errors: [null, 5] },
    { success: true, result: [null] },
    { success: true, result: [{ name: "cases", uuid: 5 }] },
  ])("explains an answer of another form: %j", async (answer) => {
    api.instead = (_, __, response) => Boolean(response.end(JSON.stringify(answer)));
    for (const name of ["cases", d1Id]) {
      const { code, stderr } = await pullD1(api, newTarget(), {}, name);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^[^\n]+\.\n$/)]);
    }
  });

  test.each(["nonsense", "ftp://127.0.0.1", "https://user:hidden_word@127.0.0.1", "http://["])(
    "refuses the API at %s",
    async (url) => {
      const { code, stderr, waited } = await pullD1(api, newTarget(), {
        CLOUDFLARE_API_BASE_URL: url,
      });
      expect([code, stderr, waited]).toEqual([
        1,
        expect.stringMatching(/^CLOUDFLARE_API_BASE_URL must be a URL .*Unset it/),
        [],
      ]);
      expect(stderr).not.toContain("hidden_word");
    },
  );

  test.each([
    ["always the same rows", 40],
    ["more than there were", 500],
  ])("stops at a table that goes on: %s", async (_, ids) => {
    const rest = ["title", "text", "2024-01-01 00:00:00", "open", 0, 0, null, null, null];
    const rows = Array.from({ length: 2000 }, (__, i) => [(i % ids) + 1, ...rest]);
    const answer = { success: true, result: [{ success: true, results: { rows } }] };
    api.instead = (request, __, response) =>
      request >= 3 && Boolean(response.end(JSON.stringify(answer)));
    const { code, stderr } = await pullD1(api, newTarget());
    expect([code, stderr.trim().split("\n").at(-1)]).toEqual([
      1,
      expect.stringMatching(/D1 does not give the rows of dim_posts in the order/),
    ]);
    expect(api.asked.length).toBeLessThan(6);
  });

  test("gives a column that may be missing its default, and says so", async () => {
    new Database(file).exec("ALTER TABLE dim_posts DROP COLUMN ogp_image_url").close();
    const target = newTarget();
    expect(await pullD1(api, target)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^dim_posts lacks columns .*: ogp_image_url \(NULL\)$/m),
    });
    expect(count(target, "SELECT count(*) FROM posts WHERE ogp_image_url IS NULL")).toBe(40);
  });

  test("explains a token with a line break without showing it", async () => {
    const { code, stderr } = await pullD1(api, newTarget(), {
      CLOUDFLARE_API_TOKEN: "tok\nwrong_token",
    });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^CLOUDFLARE_API_TOKEN has white space, a line break or a letter/),
    ]);
    expect(stderr).not.toContain("wrong_token");
  });

  test("asks for a source when none is named", async () => {
    expect(await runPull([])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/Name one source: --d1 NAME, --wordpress URL, /),
    });
  });
});
