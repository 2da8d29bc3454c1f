/** Dumps: every row that sqlite3 reads or a reason, nothing run that a dump does not need, nothing private shown. */
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  anyText,
  contentOf,
  dumpByQuote,
  dumpBySqlite3,
  dumpFile,
  sampleDump,
  sampleText,
} from "../../tests/support/exports.ts";
import { exportWith, sample, temporaryFolder } from "../../tests/support/support.ts";

const complete = contentOf(sample);

describe("loadDump completely reads a dump with", () => {
  test.each<[string, string]>([
    [
      "what sqlite3 and wrangler add",
      `PRAGMA defer_foreign_keys=TRUE;
       CREATE TABLE IF NOT EXISTS "other; table" (a TEXT DEFAULT ';'); -- a; comment
       INSERT INTO "other; table" VALUES('it''s; fine'),(replace('a\\nb','\\n',char(10)));
       DROP INDEX IF EXISTS i;
       CREATE INDEX i ON posts (post_title); /* ; */
       CREATE VIEW v AS SELECT 1;
       ANALYZE;
       DELETE FROM sqlite_sequence;
       INSERT INTO sqlite_sequence VALUES('posts',1);`,
    ],
    [
      "a comment before the END of a trigger",
      "CREATE TRIGGER t AFTER INSERT ON tags BEGIN SELECT 1; /* done */ END; CREATE TABLE x (a);",
    ],
    [
      "a trigger of any statements",
      "CREATE TRIGGER t AFTER INSERT ON tags BEGIN UPDATE tags SET tag_name = CASE WHEN 1 THEN 'a' END; DELETE FROM tags; END;",
    ],
    [
      "a full-text index",
      `CREATE VIRTUAL TABLE words USING fts5(word);
       PRAGMA writable_schema=ON;
       INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table','w','w',0,'CREATE VIRTUAL TABLE w USING fts5(a)');
       CREATE TABLE IF NOT EXISTS 'w_data'(id INTEGER PRIMARY KEY, block BLOB);
       INSERT INTO w_data VALUES(1,X'00');
       PRAGMA writable_schema=OFF;`,
    ],
    [
      "tables that nobody needs and SQLite could not fill",
      `CREATE TABLE notes (a UNKNOWN COLLATE nowhere, b AS (nothing(a)));
       INSERT INTO notes VALUES ('a', 'b', 'c');
       INSERT INTO nowhere VALUES (1);
       CREATE TABLE copy AS SELECT * FROM posts;`,
    ],
  ])("%s", (_, sql) => {
    expect(contentOf(sampleDump(sql))).toEqual(complete);
  });

  test.each(["posts", '"posts"', "[posts]"])(
    "DROP TABLE IF EXISTS %s before its CREATE",
    (name) => {
      const text = sampleText.replaceAll(
        /^CREATE TABLE posts\b/gm,
        `DROP TABLE IF EXISTS ${name};\n$&`,
      );
      expect(text).not.toBe(sampleText);
      expect(contentOf(dumpFile(text))).toEqual(complete);
    },
  );

  test.each(["trigger", "view", '"index"', "virtual", "temp"])(
    "a first column named %s",
    (column) => {
      const text = sampleText.replace(
        "CREATE TABLE posts (",
        () => `CREATE TABLE posts (${column} TEXT,`,
      );
      const names =
        "post_id, post_title, post_content_html, post_date_gmt, comment_status, count_likes, count_dislikes, count_bookmarks, ogp_image_url, is_welcomed, is_welcomed_explanation";
      expect(
        contentOf(
          dumpFile(
            text.replaceAll("INSERT INTO posts VALUES", `INSERT INTO posts (${names}) VALUES`),
          ),
        ),
      ).toEqual(complete);
    },
  );

  test("names in any quotes and any case", () => {
    const text = sampleText
      .replaceAll("INSERT INTO posts", "insert into `POSTS`")
      .replaceAll("INSERT INTO tags", 'INSERT INTO "main"."Tags"')
      .replace("CREATE TABLE comments", "CREATE TABLE IF NOT EXISTS [Comments]");
    expect(contentOf(dumpFile(text))).toEqual(complete);
  });

  test("rows before the tables that they refer to", () => {
    const text = sampleText.replace(
      "post_id INTEGER NOT NULL, tag_id",
      "post_id INTEGER NOT NULL REFERENCES elsewhere (id), tag_id",
    );
    expect(text).not.toBe(sampleText);
    expect(contentOf(dumpFile(text))).toEqual(complete);
  });

  test("any text, as SQLite quotes it", () => {
    const file = exportWith("");
    const database = new Database(file);
    const update = database.prepare("UPDATE posts SET post_title = ? WHERE post_id = ?");
    const texts = fc.sample(anyText, { numRuns: 40, seed: 12 });
    const ids = database.prepare<[], number>("SELECT post_id FROM posts").pluck().all();
    database.exec("BEGIN");
    for (const [i, id] of ids.entries()) update.run(`${texts[i]}\r\n";--`, id);
    database.exec("COMMIT");
    database.close();
    const dumps = [dumpByQuote(file), dumpBySqlite3(file)];
    for (const dump of dumps)
      if (dump !== undefined) expect(contentOf(dumpFile(dump))).toEqual(contentOf(file));
  });

  test("whatever sqlite3 writes for a database with all kinds of objects", ({ skip }) => {
    const file = exportWith(`
      CREATE VIRTUAL TABLE words USING fts5(word); INSERT INTO words VALUES ('one');
      CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT, a); INSERT INTO counted (a) VALUES (1e999), (x'00ff'), (NULL);
      CREATE VIEW v AS SELECT * FROM posts; CREATE INDEX i ON posts (post_title);
      CREATE TRIGGER t AFTER INSERT ON posts BEGIN SELECT 1; -- last;
        END;
      UPDATE posts SET post_content_html = 'a' || char(13, 10) || '''' || char(9) WHERE post_id = 1;`);
    const dump = dumpBySqlite3(file);
    if (dump === undefined) skip("sqlite3 is not installed");
    else expect(contentOf(dumpFile(dump))).toEqual(contentOf(file));
  });
});

/** The sample as Sqliteman writes a dump: a savepoint in the place of a transaction. */
const withSavepoint = sampleText
  .replace("BEGIN TRANSACTION;", "SAVEPOINT x;")
  .replace("COMMIT;", "RELEASE x;");

test("loadDump takes a savepoint as a transaction", () => {
  expect(withSavepoint).toContain("SAVEPOINT");
  expect(contentOf(dumpFile(withSavepoint))).toEqual(contentOf(sample));
});

describe("loadDump", () => {
  test.each<[string, string, RegExp]>([
    [
      "whose savepoint is not released",
      withSavepoint.replace("RELEASE x;", ""),
      /the transaction that begins here has no COMMIT, so the dump is cut off/,
    ],
    [
      "cut off between two statements",
      sampleText.slice(0, sampleText.indexOf("INSERT INTO comments")),
      /dump\.sql: line 5: the transaction that begins here has no COMMIT, so the dump is cut off/,
    ],
    [
      "cut off within a statement",
      sampleText.slice(0, sampleText.indexOf("INSERT INTO comments") + 40),
      /line \d+: the dump is cut off within the statement/,
    ],
    [
      "that sqlite3 could not finish",
      sampleText.replace("COMMIT;", "ROLLBACK; -- due to errors"),
      /line \d+: the dump ends with ROLLBACK/,
    ],
    [
      "with rows that replace each other",
      sampleText.replace("COMMIT;", "INSERT OR REPLACE INTO tags VALUES(1,'x');\nCOMMIT;"),
      /table tags: the dump has 21 rows, but 20 remain/,
    ],
    [
      "with rows that are skipped",
      sampleText.replace("COMMIT;", "INSERT OR IGNORE INTO tags VALUES(1,'x');\nCOMMIT;"),
      /table tags: the dump has 21 rows, but 20 remain/,
    ],
    [
      "with a row of no table",
      sampleText.replace("CREATE TABLE tags", "CREATE TABLE tag"),
      /line \d+: table tags: no such table: tags/,
    ],
    [
      "with a NUL character",
      sampleText.replace("COMMIT;", "INSERT INTO tags VALUES(98,'x')\0,(99,'y');\nCOMMIT;"),
      /contains a NUL character/,
    ],
  ])("refuses a dump %s", (_, text, message) => {
    expect(text).not.toBe(sampleText);
    expect(() => contentOf(dumpFile(text))).toThrow(message);
  });

  test.each([
    ["in the middle", Buffer.from([0x2d, 0x2d, 0xe3, 0x0a])],
    ["at its end", Buffer.from([0x2d, 0x2d, 0xe3, 0x81])],
  ])("refuses a dump with bytes %s that are not UTF-8", (_, bytes) => {
    const file = dumpFile(Buffer.concat([Buffer.from(sampleText), bytes]));
    expect(() => contentOf(file)).toThrow(/dump\.sql: the dump is not valid UTF-8/);
  });

  test.each([
    "ATTACH DATABASE '/tmp/x.sqlite' AS x;",
    "SELECT load_extension('x');",
    "INSERT INTO tags SELECT 999, readfile('/etc/passwd');",
    "INSERT INTO tags VALUES (999, (SELECT post_title FROM posts));",
    "INSERT INTO tags VALUES (999, (\uFEFFSELECT post_title FROM posts));",
    "INSERT INTO tags VALUES (999, readfile('/etc/passwd'));",
    "INSERT INTO tags VALUES (999, \"readfile\"('/etc/passwd'));",
    "INSERT INTO tags VALUES (999, zeroblob(1000000000));",
    "INSERT INTO tags WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT i, i FROM n;",
    "INSERT INTO tags VALUES (1, 'a') ON CONFLICT DO UPDATE SET tag_name = 'a';",
    "INSERT INTO tags DEFAULT VALUES;",
    "REPLACE INTO tags VALUES (1, 'a');",
    "CREATE TABLE similar_posts AS SELECT 1 AS post_id, 2 AS similar_post_id, 3 AS rank;",
    "CREATE TEMP TABLE posts (post_id);",
    "DELETE FROM tags;",
    "VACUUM INTO '/tmp/x.sqlite';",
    "DROP TABLE posts;",
    "DROP TABLE IF EXISTS posts;",
    "DROP TABLE IF EXISTS `similar_posts`;",
    "UPDATE posts SET post_title = '';",
    "EXPLAIN SELECT 1;",
  ])("refuses a dump with the statement %s", (statement) => {
    expect(() => contentOf(sampleDump(statement))).toThrow(
      /^\S+: line \d+: this is not a statement of a plain dump/,
    );
  });

  const created = sampleText.slice(0, sampleText.indexOf("INSERT"));
  test.each<[string, string, string]>([
    ["MySQL", "mysqldump", `-- MySQL dump 10.13  Distrib 8.0.36\n--\n${sampleText}`],
    ["MariaDB", "mysqldump", `-- MySQL dump 10.16  Distrib 10.1.48-MariaDB\n${sampleText}`],
    ["MariaDB", "mariadb-dump", `/*M!999999\\- enable the sandbox mode */ \n${sampleText}`],
    [
      "MySQL or MariaDB",
      "mysqldump --compact",
      `CREATE TABLE x (a);\n/*!50503 SET a = b */;\n${sampleText}`,
    ],
    [
      "MySQL or MariaDB",
      "a table's engine",
      `CREATE TABLE x (a int) ENGINE=InnoDB;\n${sampleText}`,
    ],
    [
      "MySQL or MariaDB",
      "escapes",
      `${created}INSERT INTO \`posts\` VALUES (1,'a','<p>one\\ntwo</p>');`,
    ],
    ["MySQL or MariaDB", "SET NAMES", `SET NAMES utf8mb4;\n${sampleText}`],
    ["MySQL or MariaDB", "LOCK TABLES", `LOCK TABLES \`posts\` WRITE;\n${sampleText}`],
    ["MySQL", "phpMyAdmin", `-- phpMyAdmin SQL Dump\nSTART TRANSACTION;\n${sampleText}`],
    [
      "PostgreSQL",
      "pg_dump",
      `--\n-- PostgreSQL database dump\n--\n\n\\restrict x\n\n${sampleText}`,
    ],
    ["PostgreSQL", "pg_dump without comments", `SET statement_timeout = 0;\n${sampleText}`],
    ["PostgreSQL", "an archive", "PGDMP\u0001\u000e\0\0"],
    ["PostgreSQL", "COPY", `${created}COPY posts (post_id) FROM stdin;\n1\n\\.\n`],
    ["PostgreSQL", "the schema public", `${created}INSERT INTO public.posts VALUES (1);`],
  ])("refuses a dump of %s by its content: %s", (writer, _, text) => {
    expect(() => contentOf(dumpFile(text))).toThrow(
      `this seems to be a dump of ${writer}. Only dumps of SQLite are read`,
    );
  });

  test("refuses rows of a table in another schema", () => {
    for (const statement of [
      "INSERT INTO temp.posts VALUES (777, 'private@cell');",
      'CREATE TABLE "temp"."posts" (a);',
      "DELETE FROM temp.posts;",
    ])
      expect(() => contentOf(sampleDump(statement))).toThrow(
        /line \d+: table posts: only tables of the schema main are read/,
      );
    expect(
      contentOf(sampleDump('CREATE TABLE "temp.posts" (a); INSERT INTO temp.x VALUES (1);')),
    ).toEqual(complete);
  });

  test("accepts texts, names and comments that mention other databases", () => {
    const sql = `CREATE TABLE cars (engine TEXT CHECK (engine = 'v8'), "AUTO_INCREMENT" INT, auto_increment INT);
      -- a MySQL dump, or of PostgreSQL
      CREATE VIEW fast AS SELECT auto_increment FROM cars WHERE engine = 'v8';
      CREATE TRIGGER t AFTER INSERT ON cars BEGIN UPDATE cars SET engine = 'x'; END;
      INSERT INTO \`logs\` VALUES ('C:\\new');
      INSERT INTO tags VALUES (900, '-- MySQL dump 10.13
-- PostgreSQL database dump
/*!40101 SET NAMES utf8 */; LOCK TABLES; C:\new "\n"');`;
    expect(contentOf(sampleDump(sql)).tags).toHaveLength(21);
    expect(contentOf(sampleDump("INSERT INTO `tags` VALUES (900, 'C:\\dir');")).tags).toHaveLength(
      21,
    );
  });

  test.each([
    "INSERT INTO posts (post_id, post_title, author_email) VALUES (777, 'private@cell', 'private@cell');",
    'INSERT INTO posts VALUES (777, "private@cell");',
    "INSERT INTO posts VALUES (777, 'a' private@cell);",
    "INSERT INTO posts VALUES (777, 'private@cell');",
    "INSERT INTO tags VALUES (1, 'private@cell');",
    "UPDATE posts SET post_title = 'private@cell';",
    "CREATE TABLE similar_posts (post_id CHECK (post_id = 'private@cell')); INSERT INTO similar_posts VALUES (1);",
    "INSERT INTO posts VALUES (777, 'private@cell",
  ])("shows no value when it refuses: %s", (statement) => {
    const file = sampleDump(statement);
    expect(() => contentOf(file)).toThrow(/line \d+/);
    expect(() => contentOf(file)).not.toThrow(/private|cell|777/);
  });
});

test("openExport recognises a database by content when it is named as a dump", () => {
  const file = join(temporaryFolder(), "export.sql");
  new Database(file).exec(sampleText).close();
  expect(contentOf(file)).toEqual(complete);
});
