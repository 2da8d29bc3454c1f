/** What docs/clients.md shows analysts, run as it is there against a site on this machine. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, expect, test } from "vitest";
import {
  built,
  publishedPosts,
  root,
  runProgram,
  sample,
  temporaryFolder,
} from "../support/support.ts";
import { serveSite } from "../support/served-site.ts";

const snapshot = await built(sample);
const posts = publishedPosts(snapshot);
const { counts } = JSON.parse(readFileSync(join(snapshot, "snapshot.json"), "utf8")) as {
  readonly counts: { readonly comments: number };
};
const site = await serveSite(snapshot);
afterAll(() => site.stop());

const [, section = ""] =
  /\n## Reading it as an analyst\n(.*?)\n## /s.exec(
    readFileSync(join(root, "docs/clients.md"), "utf8"),
  ) ?? [];
/** The programs in a language, in order. */
const programsIn = (language: string): string =>
  [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, name]) => name === language)
    .map(([, , text = ""]) => text.replaceAll("https://api.cases.example", site.url))
    .join("\n");

const isMissing = (program: string, ...args: readonly string[]): boolean => {
  const missing = spawnSync(program, args).status !== 0;
  if (missing) console.warn(`not installed, so not tested: ${[program, ...args].join(" ")}`);
  return missing;
};
const noSqlite = isMissing("sqlite3", "--version") || isMissing("curl", "--version");
const noPandas = isMissing("python3", "-c", "import pandas");
const folder = temporaryFolder();

test.skipIf(noSqlite)(
  "docs/clients.md makes tables of posts and comments with sqlite3",
  async () => {
    const run = await runProgram("sh", ["-e", "-c", programsIn("sh")], { cwd: folder });
    expect(run.code, run.stderr).toBe(0);
    const database = new Database(join(folder, "posts.sqlite"));
    expect(database.prepare("SELECT postId, postTitle FROM posts ORDER BY postId").all()).toEqual(
      posts
        .map(({ postId, postTitle }) => ({ postId, postTitle }))
        .toSorted((a, b) => a.postId - b.postId),
    );
    expect(
      database.prepare("SELECT count(*), max(commentDateGmt) IS NULL FROM comments").raw().get(),
    ).toEqual([counts.comments, 0]);
    database.close();
  },
);

test.skipIf(noPandas)(
  "docs/clients.md reads posts and comments with pandas, with typed dates",
  async () => {
    const printed =
      "print(len(posts), posts.postDateGmt.dtype, len(comments), comments.commentDateGmt.dtype)";
    const bulk = await fetch(`${site.url}/bulk/posts.jsonl.gz`);
    writeFileSync(join(folder, "posts.jsonl.gz"), Buffer.from(await bulk.arrayBuffer()));
    const program = `${programsIn("py")}\n${printed}`;
    const { stdout, stderr } = await runProgram("python3", ["-c", program], { cwd: folder });
    expect(stdout, stderr).toMatch(/^40 datetime64.* UTC\] [1-9]\d* datetime64.* UTC\]$/m);
  },
);
