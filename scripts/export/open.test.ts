/** What is recognised as an export, what of it is read, and what is refused with a reason. */
import { readFileSync, writeFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { writeD1Export } from "../../tests/support/d1.ts";
import { contentOf, sampleDump, sampleText } from "../../tests/support/exports.ts";
import { exportWith, sample, temporaryFolder } from "../../tests/support/support.ts";
import { openExport } from "./open.ts";

const complete = contentOf(sample);
const similarPosts = "CREATE TABLE similar_posts (post_id INTEGER, similar_post_id INTEGER";

/** A database with many posts, in which two pages of a table or index are changed: by default, one is zeros. */
function damagedDatabase(
  tree: string,
  damage = (_root: Buffer, leaf: Buffer): unknown => leaf.fill(0),
): string {
  const file = exportWith(`
    CREATE TABLE notes (a TEXT);
    WITH RECURSIVE n(i) AS (SELECT 200001 UNION ALL SELECT i + 1 FROM n WHERE i < 200500)
      INSERT INTO posts (post_id, post_title, post_content_html, post_date_gmt)
      SELECT i, i, hex(zeroblob(200)), '2024-01-01 00:00:00' FROM n;
    INSERT INTO notes SELECT post_content_html FROM posts;
    CREATE INDEX dates ON posts (post_date_gmt, post_id);`);
  const database = new Database(file);
  const pages = database
    .prepare<[string], number>("SELECT pageno FROM dbstat WHERE name = ? ORDER BY path")
    .pluck()
    .all(tree);
  database.close();
  const bytes = readFileSync(file);
  const [root, leaf] = [pages[0], pages[2]].map((page) => {
    if (page === undefined) throw new Error("no page to damage");
    return bytes.subarray((page - 1) * 4096, page * 4096);
  });
  damage(root!, leaf!);
  writeFileSync(file, bytes);
  return file;
}

/**
 * A database with indexes that only a site's own program could use.
 *
 * @param more SQL that makes the rest of it
 */
function ownDatabase(more: string, change?: readonly [from: string, to: string]): string {
  const file = exportWith("");
  const database = new Database(file).unsafeMode();
  database.function("own", { deterministic: true }, (value) => value);
  database.exec(more);
  if (change !== undefined) {
    database.pragma("writable_schema = 1");
    database.prepare("UPDATE sqlite_schema SET sql = replace(sql, ?, ?)").run(change);
  }
  database.close();
  return file;
}

/** Posts as a view. */
const viewed = "ALTER TABLE posts RENAME TO articles; CREATE VIEW posts AS SELECT * FROM articles;";

describe("openExport", () => {
  test.each<[string, string, (readonly [string, string])?]>([
    ["a function", "CREATE INDEX i ON posts (own(post_title))"],
    ["a function, of another table", `${viewed} CREATE INDEX i ON tags (own(tag_name))`],
    [
      "a tokenizer",
      `${viewed} CREATE VIRTUAL TABLE words USING fts5(word); INSERT INTO words VALUES ('a')`,
      ["(word)", "(word, tokenize = 'mecab')"],
    ],
    [
      "a collation, of a table that nobody reads",
      "CREATE TABLE notes (a TEXT); INSERT INTO notes VALUES ('a'), ('b'); CREATE INDEX i ON notes (a COLLATE NOCASE)",
      ["NOCASE", "ICU_JA"],
    ],
    [
      "a collation, beside a view",
      `${viewed} CREATE TABLE notes (a TEXT); INSERT INTO notes VALUES ('a'), ('b'); CREATE INDEX i ON notes (a COLLATE NOCASE)`,
      ["NOCASE", "ICU_JA"],
    ],
    [
      "a rule that rows break, beside a view",
      `${viewed} CREATE TABLE notes (a TEXT); INSERT INTO notes VALUES (NULL)`,
      ["(a TEXT)", "(a TEXT NOT NULL)"],
    ],
  ])("ignores an index by what only the site's program has: %s", (_, sql, change) => {
    const opened = openExport(ownDatabase(sql, change));
    expect([...opened.rows("posts")].length).toBe(opened.count("posts"));
    expect(opened.count("posts")).toBeGreaterThan(20);
    opened.close();
  });

  test.each([
    ["posts", "CREATE INDEX i ON posts (post_title COLLATE NOCASE)"],
    ["tags", `${viewed} CREATE INDEX i ON tags (tag_name COLLATE NOCASE)`],
  ])("refuses a collation of %s that only the site's program has", (_, sql) => {
    const file = ownDatabase(sql, ["NOCASE", "ICU_JA"]);
    expect(() => openExport(file)).toThrow(
      "the database cannot be checked (no such collation sequence: ICU_JA): an index or a column of a table that is read needs",
    );
    new Database(file).exec("DROP INDEX i").close();
    openExport(file).close();
  });
});

describe("openExport recognises", () => {
  test("the D1 shape, with the rows of the canonical one", () => {
    const file = join(temporaryFolder(), "d1.sqlite");
    writeD1Export(file);
    expect(contentOf(file)).toEqual(complete);
  });

  test("table and column names in any case", () => {
    const file = exportWith(`
      ALTER TABLE posts RENAME TO POSTS_; ALTER TABLE POSTS_ RENAME TO Posts;
      ALTER TABLE posts RENAME COLUMN post_title TO Post_TITLE;
      ALTER TABLE comments RENAME COLUMN comment_id TO COMMENT_ID;`);
    expect(contentOf(file)).toEqual(complete);
  });

  test("similar posts, where the export has them", () => {
    expect(openExport(sample).has("similar_posts")).toBe(false);
    const file = exportWith(
      `${similarPosts}, rank INTEGER); INSERT INTO similar_posts VALUES (1, 2, 1);`,
    );
    expect(contentOf(file).similar_posts).toEqual([{ post_id: 1, similar_post_id: 2, rank: 1 }]);
  });
});

describe("openExport refuses", () => {
  test("similar posts without a rank", () => {
    expect(() => openExport(exportWith(`${similarPosts})`))).toThrow(
      /closest is the canonical shape, without similar_posts\.rank\./,
    );
  });

  test.each([
    ["table", "posts"],
    ["index", "dates"],
    ["table that nobody reads: a page of it may have been one of posts", "notes"],
  ])("a damaged %s", (_, tree) => {
    expect(() => openExport(damagedDatabase(tree))).toThrow(
      /export\.sqlite: the database is damaged \(PRAGMA quick_check: /,
    );
  });

  test("a table whose first page repeats another, though integrity_check accepts it", () => {
    const file = damagedDatabase("notes", (root, leaf) => leaf.copy(root));
    const database = new Database(file, { readonly: true });
    expect(database.pragma('integrity_check("notes")', { simple: true })).toBe("ok");
    database.close();
    expect(() => openExport(file)).toThrow(/the database is damaged .*never used/);
  });

  test("a database that is cut off", () => {
    const file = damagedDatabase("notes");
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.subarray(0, 3 * 4096));
    expect(() => openExport(file)).toThrow(/damaged|cannot be read/);
  });

  test.each([
    ["a virtual table", "DROP TABLE tags; CREATE VIRTUAL TABLE tags USING fts5(tag_id, tag_name);"],
  ])("%s in the place of a table", (_, sql) => {
    expect(() => openExport(exportWith(sql))).toThrow(/no known shape/);
  });

  test("a dump that lacks tables", () => {
    const dump = join(temporaryFolder(), "posts.sql");
    writeFileSync(
      dump,
      "CREATE TABLE posts (post_id INTEGER, post_title TEXT, post_content_html TEXT, post_date_gmt TEXT);",
    );
    expect(() => openExport(dump)).toThrow(/without table tags, table post_tags, table comments/);
  });

  test("an unknown shape, and names what is expected and what is there", () => {
    const file = join(temporaryFolder(), "other.sqlite");
    new Database(file).exec('CREATE TABLE "no\u009btes" (id INTEGER)').close();
    const message =
      /closest is the canonical shape, without table posts[^.]*\. The tables here are: no\\u\{9b\}tes\./;
    expect(() => openExport(file)).toThrow(message);
    const dump = join(temporaryFolder(), "other.sql");
    writeFileSync(dump, 'CREATE TABLE "no\u009btes" (id INTEGER);');
    expect(() => openExport(dump)).toThrow(message);
  });

  test.each([
    ["that does not exist", () => join(temporaryFolder(), "none"), /there is no such file/],
    ["that is a folder", temporaryFolder, /this is no file/],
    ["of another kind", () => import.meta.filename, /neither a SQLite database nor a \.sql dump/],
  ])("a file %s", (_, file, message) => {
    expect(() => openExport(file())).toThrow(message);
  });
});

test("Export.rows gives the columns and the order that are asked for", () => {
  const source = openExport(sampleDump("INSERT INTO tags VALUES (900, '\uFFFD');"));
  const query = { columns: ["tag_name"], orderBy: ["tag_id"] };
  expect([...source.rows("tags", query)].at(-1)).toEqual({ tag_name: "\uFFFD" });
  source.close();
});

test.each(["UTF-8", "UTF-16le", "UTF-16be"])(
  "Export.malformed tells malformed text from replacement characters in %s",
  (encoding) => {
    const file = join(temporaryFolder(), "export.sqlite");
    const bytes = encoding === "UTF-8" ? "ff" : encoding === "UTF-16le" ? "00d8" : "d800";
    new Database(file)
      .exec(`PRAGMA encoding = '${encoding}'`)
      .exec(sampleText)
      .exec("UPDATE posts SET post_title = 'a\uFFFDb' WHERE post_id = 1")
      .exec(`UPDATE posts SET post_title = CAST(x'${bytes}' AS TEXT) WHERE post_id = 2`)
      .close();
    const source = openExport(file);
    expect(source.malformed("posts", "post_title", "post_id")).toEqual(new Set([2]));
    source.close();
  },
);

test("Export.assertUnchanged throws when another program overwrites the file meanwhile", () => {
  const file = exportWith("");
  const source = openExport(file);
  source.assertUnchanged();
  utimesSync(file, 1, 1);
  expect(() => source.assertUnchanged()).toThrow(
    /export\.sqlite: another program wrote to the file while it was read\. Build again/,
  );
  source.close();
});

test("openExport reads the template of URLs from a dump as from a database", () => {
  const settings =
    "INSERT INTO export_settings VALUES ('post_url', 'https://blog.example/?p={postId}');";
  const dump = openExport(sampleDump(settings));
  const database = openExport(exportWith(settings));
  expect([dump.postUrl, database.postUrl]).toEqual(
    Array(2).fill("https://blog.example/?p={postId}"),
  );
  dump.close();
  database.close();
});

test("openExport fills columns that may be missing, and says so", () => {
  const file = join(temporaryFolder(), "few.sqlite");
  new Database(file)
    .exec(`
    CREATE TABLE posts (post_id, post_title, post_content_html, post_date_gmt);
    CREATE TABLE tags (tag_id, tag_name);
    CREATE TABLE post_tags (post_id, tag_id);
    CREATE TABLE comments (comment_id, post_id, comment_date_gmt, comment_author, comment_content);
    INSERT INTO posts VALUES (1, 'a', 'b', '2024-01-01 00:00:00')`)
    .close();
  const source = openExport(file);
  expect([...source.rows("posts")]).toEqual([
    {
      post_id: 1,
      post_title: "a",
      post_content_html: "b",
      post_date_gmt: "2024-01-01 00:00:00",
      comment_status: "open",
      count_likes: 0,
      count_dislikes: 0,
      count_bookmarks: 0,
      ogp_image_url: null,
      is_welcomed: null,
      is_welcomed_explanation: null,
    },
  ]);
  expect(source.notices).toHaveLength(2);
  expect(source.notices[0]).toMatch(
    /^posts lacks columns .*: comment_status \('open'\), count_likes \(0\)/,
  );
  source.close();
  const whole = openExport(sample);
  expect(whole.notices).toEqual([]);
  whole.close();
});

test("openExport names columns that are not read, and a write-ahead log", () => {
  const noticesOf = (sql: string): readonly string[] => {
    const source = openExport(exportWith(sql));
    source.close();
    return source.notices;
  };
  expect(
    noticesOf("ALTER TABLE posts ADD post_status TEXT; ALTER TABLE posts ADD deleted_at TEXT"),
  ).toEqual(["columns of posts that are not read, and hide no row: post_status, deleted_at"]);
  expect(noticesOf("PRAGMA journal_mode = WAL")).toEqual([
    expect.stringMatching(/keeps a write-ahead log.*VACUUM INTO/),
  ]);
  expect(noticesOf("")).toEqual([]);
});

test("openExport reads generated columns, and NULL as no parent of a comment", () => {
  const file = join(temporaryFolder(), "computed.sqlite");
  new Database(file)
    .exec(`
    CREATE TABLE posts (post_id, doc TEXT, post_title AS (json_extract(doc, '$.title')), post_content_html,
      post_date_gmt, votes INTEGER DEFAULT 7, count_likes AS (votes) STORED, secret AS ('CANARY_PRIVATE'));
    CREATE TABLE tags (tag_id, tag_name);
    CREATE TABLE post_tags (post_id, tag_id);
    CREATE TABLE comments (comment_id, post_id, comment_date_gmt, comment_author, comment_content, comment_parent);
    INSERT INTO comments VALUES (5, 1, '2024-01-01 00:00:00', 'x', 'y', NULL);
    INSERT INTO posts (post_id, doc, post_content_html, post_date_gmt) VALUES (1, '{"title":"a"}', 'b', '2024-01-01 00:00:00')`)
    .close();
  const source = openExport(file);
  expect([...source.rows("posts")]).toMatchObject([{ post_title: "a", count_likes: 7 }]);
  expect([...source.rows("comments")]).toMatchObject([{ comment_parent: 0 }]);
  expect(JSON.stringify([...source.rows("posts")])).not.toContain("CANARY");
  source.close();
});

test("openExport reads views as tables, and needs only posts in a database", () => {
  const file = join(temporaryFolder(), "own.sqlite");
  new Database(file)
    .exec(
      `CREATE TABLE articles (id INTEGER PRIMARY KEY, title TEXT, body TEXT, created_at TEXT, author_email TEXT, published INTEGER);
       INSERT INTO articles VALUES (1, 'One', '<p>1</p>', '2024-05-31 09:00:00', 'CANARY_PRIVATE', 1), (2, 'CANARY_PRIVATE', '', '', '', 0);
       CREATE VIEW Posts AS SELECT id AS post_id, title AS post_title, body AS post_content_html, created_at AS post_date_gmt, author_email FROM articles WHERE published;`,
    )
    .close();
  expect(contentOf(file)).toMatchObject({
    posts: [{ post_id: 1, post_title: "One", comment_status: "open", count_likes: 0 }],
    tags: [],
    post_tags: [],
    comments: [],
  });
  expect(JSON.stringify(contentOf(file))).not.toContain("CANARY");
  const source = openExport(file);
  expect(source.notices[0]).toBe("not there, so the API has none: tags, post_tags, comments");
  source.close();
});

test("openExport ignores a site's own tags and comments, but refuses a partial table", () => {
  const file = join(temporaryFolder(), "own.sqlite");
  const database = new Database(file).exec(
    `CREATE TABLE articles (id INTEGER PRIMARY KEY, title TEXT, body TEXT, created_at TEXT);
     INSERT INTO articles VALUES (1, 'One', '<p>1</p>', '2024-05-31 09:00:00');
     CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT);
     INSERT INTO tags VALUES (1, 'CANARY_PRIVATE');
     CREATE TABLE comments (id INTEGER PRIMARY KEY, article_id INT, body TEXT);
     CREATE TABLE similar_posts (article INT, other INT);
     CREATE VIEW posts AS SELECT id AS post_id, title AS post_title, body AS post_content_html, created_at AS post_date_gmt FROM articles;`,
  );
  expect(contentOf(file)).toMatchObject({ posts: [{ post_id: 1 }], tags: [], comments: [] });
  const source = openExport(file);
  expect(source.notices.slice(0, 4)).toEqual([
    "not there, so the API has none: tags, post_tags, comments",
    ...["tags", "comments", "similar_posts"].map(
      (table) => `${table} is a table of other columns, and is not read`,
    ),
  ]);
  expect(source.has("similar_posts")).toBe(false);
  source.close();
  database.exec("ALTER TABLE comments ADD COLUMN comment_content TEXT").close();
  expect(() => openExport(file)).toThrow(/without comments\.comment_id/);
});

test.each<[string, (database: Database.Database) => unknown]>([
  [
    "an index by a function of the site",
    (database) =>
      database
        .function("own", { deterministic: true }, (text) => text)
        .exec("CREATE INDEX own_notes ON notes (own(a))"),
  ],
  [
    "a schema that was changed by hand",
    (database) =>
      database
        .unsafeMode()
        .exec(
          "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE TABLE notes (a TEXT NOT NULL)' WHERE name = 'notes'",
        ),
  ],
])("openExport accepts %s where its table is not read", (_, change) => {
  const file = exportWith("CREATE TABLE notes (a TEXT); INSERT INTO notes VALUES (NULL);");
  const database = new Database(file);
  change(database);
  database.close();
  expect(contentOf(file).posts).toEqual(complete.posts);
});

test("Export.rows gives the same rows each time for a view with random()", () => {
  const file = exportWith(`
    ALTER TABLE posts RENAME TO own;
    CREATE VIEW posts AS SELECT * FROM own WHERE abs(random()) % 2;`);
  const source = openExport(file);
  const [first, ...others] = Array.from({ length: 5 }, () => [...source.rows("posts")]);
  expect(first).toHaveLength(source.count("posts"));
  for (const other of others) expect(other).toEqual(first);
  source.close();
});

test("openExport ignores an unread view of a table that is gone", () => {
  const file = exportWith(
    "CREATE TABLE old (a); CREATE VIEW stale AS SELECT a FROM old; DROP TABLE old;",
  );
  expect(contentOf(file)).toEqual(contentOf(sample));
});

test("openExport refuses a view that never ends", () => {
  const file = join(temporaryFolder(), "own.sqlite");
  new Database(file)
    .exec(
      `CREATE VIEW posts AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
         SELECT i AS post_id, '' AS post_title, '' AS post_content_html, '2024-01-01' AS post_date_gmt FROM n`,
    )
    .close();
  expect(() => openExport(file, 1000)).toThrow(
    "view posts gives more than 1,000 rows. Does it end?",
  );
});
