/** The recipes of docs/your-data.md do what they say, where their tools are at hand. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { contentOf } from "./support/exports.ts";
import { runPull } from "./support/pull.ts";
import { root, temporaryFolder } from "./support/support.ts";

const page = readFileSync(join(root, "docs/your-data.md"), "utf8");

/** The code of a block of the page, by what its fence says. */
const blockOf = (fence: string): string =>
  page.split(`\`\`\`${fence}\n`)[1]?.split("\n```")[0] ?? expect.unreachable(fence);

const hasSqlite3 = spawnSync("sqlite3", ["--version"]).status === 0;
const run = (code: string, cwd: string): unknown => execFileSync("sh", ["-c", code], { cwd });
const hasPython = spawnSync("python3", ["--version"]).status === 0;
const isPost = { post_id: 1, post_title: "One", post_content_html: "<p>1</p>" };

test.skipIf(!hasSqlite3)("views over tables of one's own are an export", () => {
  const folder = temporaryFolder();
  const file = join(folder, "site.sqlite");
  new Database(file)
    .exec(
      `CREATE TABLE articles (id INTEGER PRIMARY KEY, title TEXT, body TEXT, created_at TEXT, published INTEGER);
       INSERT INTO articles VALUES (1, 'One', '<p>1</p>', '2024-05-31 09:00:00', 1), (2, 'Two', '', '', 0);`,
    )
    .close();
  run(blockOf("sh sqlite3"), folder);
  expect(contentOf(file).posts).toEqual([expect.objectContaining(isPost)]);
});

test("a JSON array, and the line of the page, become an export", async () => {
  const folder = temporaryFolder();
  const article = { id: 1, title: "One", body: "<p>1</p>", created_at: "2024-05-31T09:00:00Z" };
  writeFileSync(join(folder, "posts.json"), JSON.stringify([{ ...article, tags: ["a b"] }]));
  mkdirSync(join(folder, "data"));
  run(blockOf("sh node"), folder);
  const line = join(folder, "line.jsonl");
  writeFileSync(line, blockOf("jsonl").replace('"postId":1', '"postId":2'));
  const out = join(folder, "export.sqlite");
  const { code } = await runPull(["--jsonl", join(folder, "data/posts.jsonl"), line, "--out", out]);
  expect(code).toBe(0);
  const { posts, tags } = contentOf(out);
  expect(posts).toEqual([
    expect.objectContaining(isPost),
    expect.objectContaining({ post_title: "On the train" }),
  ]);
  expect(tags?.map(({ tag_name: name }) => name).sort()).toEqual(["a b", "manners", "train"]);
});

test.skipIf(!hasPython)(
  "WordPress' own export file becomes an export of what is public",
  async () => {
    const folder = temporaryFolder();
    const comment = (id: number, approved: number) => `<wp:comment>
      <wp:comment_id>${id}</wp:comment_id><wp:comment_author><![CDATA[Zoë]]></wp:comment_author>
      <wp:comment_date_gmt>2024-06-01 09:00:00</wp:comment_date_gmt>
      <wp:comment_content><![CDATA[<b>it&#8217;s</b>\nso]]></wp:comment_content>
      <wp:comment_approved>${approved}</wp:comment_approved><wp:comment_type>comment</wp:comment_type>
      <wp:comment_parent>0</wp:comment_parent>
    </wp:comment>`;
    const item = (id: number, status: string, type = "post", password = "") => `<item>
    <title><![CDATA[R&amp;D]]></title>
    <content:encoded><![CDATA[one <b>1</b>\ntwo\n \n<i>three</i>]]></content:encoded>
    <wp:post_id>${id}</wp:post_id><wp:post_date_gmt>2024-05-31 09:00:00</wp:post_date_gmt>
    <wp:status>${status}</wp:status><wp:post_type>${type}</wp:post_type><wp:post_password>${password}</wp:post_password>
    <category domain="category" nicename="a">A</category>
    <category domain="post_tag" nicename="b"><![CDATA[Q&amp;A]]></category>
    ${comment(1, 1)}${comment(2, 0)}
  </item>`;
    const items = [item(1, "publish"), item(2, "draft"), item(3, "publish", "page")];
    writeFileSync(
      join(folder, "export.xml"),
      `<?xml version="1.0" encoding="UTF-8" ?><rss version="2.0"
      xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:wp="http://wordpress.org/export/1.2/"
      ><channel><title>Blog</title>${items.join("")}${item(4, "publish", "post", "x")}</channel></rss>`,
    );
    mkdirSync(join(folder, "data"));
    run(blockOf("sh python"), folder);
    const out = join(folder, "export.sqlite");
    const { code } = await runPull(["--jsonl", join(folder, "data/posts.jsonl"), "--out", out]);
    expect(code).toBe(0);
    const { posts, tags, comments } = contentOf(out);
    const html = "<p>one <b>1</b><br>two</p><p><i>three</i></p>";
    expect(posts).toEqual([
      expect.objectContaining({ post_id: 1, post_title: "R&D", post_content_html: html }),
    ]);
    expect(tags?.map(({ tag_name: name }) => name)).toEqual(["Q&A"]);
    expect(comments).toEqual([
      expect.objectContaining({
        comment_id: 1,
        comment_author: "Zoë",
        comment_content: "it’s\nso",
      }),
    ]);
  },
);
