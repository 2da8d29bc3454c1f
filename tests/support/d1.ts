/** A database in the D1 shape with the sample's content: private and foreign cells hold canaries. */
import { readFileSync } from "node:fs";
import Database from "better-sqlite3";
import { sample } from "./support.ts";

const tables = `
CREATE TABLE dim_posts (post_id INTEGER PRIMARY KEY, post_author_ip_hash TEXT, post_date_jst TEXT,
  post_date_gmt TEXT NOT NULL, post_content TEXT NOT NULL, post_title TEXT NOT NULL, comment_status TEXT NOT NULL,
  count_likes INTEGER NOT NULL, count_dislikes INTEGER NOT NULL, uuid TEXT, ogp_image_url TEXT,
  is_welcomed INTEGER, is_welcomed_explanation TEXT);
CREATE TABLE dim_tags (tag_id INTEGER PRIMARY KEY, tag_name TEXT NOT NULL);
CREATE TABLE rel_post_tags (post_id INTEGER, tag_id INTEGER, PRIMARY KEY (post_id, tag_id));
CREATE TABLE dim_comments (comment_id INTEGER PRIMARY KEY, post_id INTEGER, comment_author TEXT,
  comment_author_ip_hash TEXT, comment_date_gmt TEXT, comment_content TEXT, comment_parent INTEGER);
CREATE TABLE fct_comment_vote_history (vote_user_ip_hash TEXT, comment_id INTEGER, vote_type INTEGER);
CREATE TABLE dim_users (user_id INTEGER PRIMARY KEY, email TEXT, encrypted_password TEXT);
CREATE TABLE fct_user_bookmark_activity (user_id INTEGER, post_id INTEGER);
CREATE TABLE dim_deleted_posts (original_post_id INTEGER, post_title TEXT, post_content TEXT, deleted_by_email TEXT);
CREATE VIEW secret_view AS SELECT email AS CANARY_PRIVATE_view FROM dim_users;
CREATE TRIGGER secret_trigger AFTER DELETE ON dim_users BEGIN SELECT 'CANARY_PRIVATE_trigger'; END;
`;

/**
 * Writes the database.
 *
 * @returns how many canaries it holds
 */
export function writeD1Export(file: string): number {
  const from = new Database(":memory:");
  from.exec(readFileSync(sample, "utf8"));
  const to = new Database(file);
  to.pragma("synchronous = OFF");
  to.exec(tables);
  let canaries = 2;
  const canary = (name: string): string => `CANARY_${name}_${++canaries}`;
  const all = (sql: string) => from.prepare<[], Record<string, unknown>>(sql).all();
  const statements = new Map<string, Database.Statement<unknown[]>>();
  const insert = (table: string, row: Record<string, unknown>): void => {
    const columns = Object.keys(row);
    const statement =
      statements.get(table) ??
      to.prepare<unknown[]>(
        `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
      );
    statements.set(table, statement);
    statement.run(...Object.values(row));
  };

  to.exec("BEGIN");
  for (const post of all("SELECT * FROM posts")) {
    const { post_content_html, count_bookmarks, ...same } = post;
    insert("dim_posts", {
      ...same,
      post_content: post_content_html,
      post_author_ip_hash: canary("PRIVATE_ip"),
      post_date_jst: canary("NONCANON_jst"),
      uuid: canary("PRIVATE_uuid"),
    });
    for (let user = 1; user <= Number(count_bookmarks); user++)
      insert("fct_user_bookmark_activity", { user_id: user, post_id: post["post_id"] });
  }
  for (const tag of all("SELECT * FROM tags")) insert("dim_tags", tag);
  for (const link of all("SELECT * FROM post_tags")) insert("rel_post_tags", link);
  for (const comment of all("SELECT * FROM comments")) {
    const { likes_count, dislikes_count, ...same } = comment;
    insert("dim_comments", { ...same, comment_author_ip_hash: canary("PRIVATE_ip") });
    for (const [type, count] of [
      [1, likes_count],
      [-1, dislikes_count],
    ] as const)
      for (let vote = 0; vote < Number(count); vote++)
        insert("fct_comment_vote_history", {
          vote_user_ip_hash: canary("PRIVATE_vote"),
          comment_id: comment["comment_id"],
          vote_type: type,
        });
  }
  insert("dim_users", {
    user_id: 1,
    email: canary("PRIVATE_email"),
    encrypted_password: canary("PRIVATE_password"),
  });
  insert("dim_deleted_posts", {
    original_post_id: 4,
    post_title: canary("PRIVATE_title"),
    post_content: canary("PRIVATE_content"),
    deleted_by_email: canary("PRIVATE_email"),
  });
  to.exec("COMMIT");
  to.close();
  from.close();
  return canaries;
}
