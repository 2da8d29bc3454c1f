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
const isPost = { post_id: 1, post_title: "One", post_content_html: "<p>1</p>" };

test.skipIf(!hasSqlite3)("docs/your-data.md turns tables into an export by views", () => {
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

test("docs/your-data.md turns a JSON array and a JSON line into an export", async () => {
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
