/** The summary on GitHub: what a publisher needs, and nothing that a stranger's title could do there. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { exportWith, runInProcess, temporaryFolder } from "../../tests/support/support.ts";
import { build } from "./build-snapshot.ts";

test("a build's summary has the changes, rows with problems, and totals before and after", async () => {
  const folder = temporaryFolder();
  const file = exportWith("");
  const summary = join(folder, "summary.md");
  const run = (...args: string[]) =>
    runInProcess(build, ["--export", file, "--out", join(folder, "dist"), ...args], {
      GITHUB_STEP_SUMMARY: summary,
    });
  expect((await run()).code).toBe(0);
  new Database(file)
    .exec(`
      UPDATE posts SET post_title = '<img src=x onerror=alert(1)> **b** [l](https://x.example) @octocat #1' WHERE post_id = 2;
      DELETE FROM posts WHERE post_id = 3;
      INSERT INTO posts (post_id, post_title, post_content_html, post_date_gmt) VALUES (7777, '| new |', 'x', '2024-01-01 00:00:00')`)
    .close();
  expect((await run()).code).toBe(0);
  const text = readFileSync(summary, "utf8").split("## Build").at(-1) ?? "";
  for (const row of [
    /^\| posts \| 40 \| 40 \|$/m,
    /^\| posts added \|  \| 1 \|$/m,
    /^\| posts removed \|  \| 1 \|$/m,
    /^\| rows with problems \|  \| \d+ \|$/m,
  ])
    expect(text).toMatch(row);
  expect(text).not.toMatch(/<img|\*\*b|\]\(|@octocat|https:\/\//);
});

test("a build's summary begins with the failure when the build fails", async () => {
  const summary = join(temporaryFolder(), "summary.md");
  const env = { GITHUB_STEP_SUMMARY: summary };
  const out = join(temporaryFolder(), "dist");
  await runInProcess(build, ["--export", "no-such-file", "--out", out], env);
  expect(readFileSync(summary, "utf8")).toMatch(/^## Build\n\nThe build failed&#46; .*no&#45;such/);
});

test("a build's summary gives the whole reason of a failure, with what to do", async () => {
  const folder = temporaryFolder();
  const summary = join(folder, "summary.md");
  const file = exportWith("");
  const args = ["--export", file, "--out", join(folder, "dist")];
  await runInProcess(build, args, {});
  new Database(file).exec("DELETE FROM comments; DELETE FROM post_tags").close();
  await runInProcess(build, args, { GITHUB_STEP_SUMMARY: summary });
  expect(readFileSync(summary, "utf8")).toMatch(/allow them with &#45;&#45;max&#45;loss \d+&#46;/);
});

test("build warns, and succeeds, when its summary cannot be written", async () => {
  const out = join(temporaryFolder(), "dist");
  const outcome = await runInProcess(build, ["--export", exportWith(""), "--out", out], {
    GITHUB_STEP_SUMMARY: join(temporaryFolder(), "none/summary.md"),
  });
  expect(outcome).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("warning: the summary cannot be written: ENOENT"),
  });
});
