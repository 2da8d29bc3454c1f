/** Files beside a database that another one has left. */
import { copyFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { exportWith, sample, temporaryFolder } from "../../tests/support/support.ts";
import { foreignCompanions } from "./companion-files.ts";
import { openExport } from "./open.ts";

/** A database of which a part is in its log. */
function withLog(posts: number): { readonly file: string; readonly close: () => void } {
  const file = exportWith("PRAGMA journal_mode = WAL");
  const database = new Database(file);
  database.exec(`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${posts})
    INSERT INTO posts (post_id, post_title, post_content_html, post_date_gmt)
      SELECT 5000 + i, i, replace(hex(zeroblob(500)), '0', 'x'), '2024-01-01 00:00:00' FROM n`);
  return { file, close: () => void database.close() };
}

test("a log that belongs to its database is no reason for a word", () => {
  const { file, close } = withLog(300);
  const copy = join(temporaryFolder(), "export.sqlite");
  for (const suffix of ["", "-wal"]) copyFileSync(file + suffix, copy + suffix);
  expect(foreignCompanions(file)).toEqual([]);
  expect(foreignCompanions(copy)).toEqual([]);
  close();
  expect(foreignCompanions(file)).toEqual([]);
  expect(foreignCompanions(exportWith(""))).toEqual([]);
});

test("a log beside a database that keeps none is refused, and one beside a larger one is reported", () => {
  const { file, close } = withLog(30);
  const large = withLog(3000);
  large.close();
  const copyOf = (database: string): string => {
    const copy = join(temporaryFolder(), "export.sqlite");
    copyFileSync(database, copy);
    copyFileSync(`${file}-wal`, `${copy}-wal`);
    return copy;
  };
  expect(() => foreignCompanions(copyOf(exportWith("")))).toThrow(
    /the database keeps no write-ahead log.* Delete export\.sqlite-wal and build again/,
  );
  const [notice = ""] = foreignCompanions(copyOf(large.file));
  expect(notice).toMatch(/ends with \d+ pages, and the database has \d+/);
  expect(notice).toMatch(/delete export\.sqlite-wal and build again/);
  close();
});

test("a log that is older than a database of the same size, and of other content, is reported", () => {
  const { file, close } = withLog(300);
  const other = withLog(300);
  other.close();
  new Database(other.file).exec("UPDATE posts SET post_title = 'other ' || post_title").close();
  const copy = join(temporaryFolder(), "export.sqlite");
  copyFileSync(`${file}-wal`, `${copy}-wal`);
  copyFileSync(other.file, copy);
  utimesSync(`${copy}-wal`, 1, 1);
  close();
  expect(foreignCompanions(copy)[0]).toMatch(
    /it is older than the database, and holds other pages/,
  );
});

test("a journal of a larger database is reported, and one that ended is not", () => {
  const copy = join(temporaryFolder(), "export.sqlite");
  copyFileSync(exportWith(""), copy);
  const journal = Buffer.alloc(512);
  writeFileSync(`${copy}-journal`, journal);
  expect(foreignCompanions(copy)).toEqual([]);
  Buffer.from("d9d505f920a163d7", "hex").copy(journal);
  journal.writeUInt32BE(100_000, 16);
  journal.writeUInt32BE(4096, 24);
  writeFileSync(`${copy}-journal`, journal);
  expect(foreignCompanions(copy)[0]).toMatch(/begins with 100000 pages/);
});

test("columns that may be missing are published with their values, and that is said", () => {
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

test("a column that is computed from a private one counts as missing, and is not read", () => {
  const file = join(temporaryFolder(), "computed.sqlite");
  new Database(file)
    .exec(`
    CREATE TABLE posts (post_id, post_title, post_content_html, post_date_gmt, secret TEXT DEFAULT 'CANARY_PRIVATE',
      is_welcomed_explanation TEXT GENERATED ALWAYS AS (secret) VIRTUAL, count_likes AS (7) STORED);
    CREATE TABLE tags (tag_id, tag_name);
    CREATE TABLE post_tags (post_id, tag_id);
    CREATE TABLE comments (comment_id, post_id, comment_date_gmt, comment_author, comment_content);
    INSERT INTO posts (post_id, post_title, post_content_html, post_date_gmt) VALUES (1, 'a', 'b', '2024-01-01 00:00:00')`)
    .close();
  const source = openExport(file);
  expect([...source.rows("posts")]).toMatchObject([
    { is_welcomed_explanation: null, count_likes: 0 },
  ]);
  source.close();
});
