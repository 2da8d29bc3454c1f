/** Tests of the clients in the documentation that keep a copy: run against one snapshot and then against a changed one. */
import { spawnSync } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { built, root, runProgram, sample, temporaryFolder } from "./support.ts";
import { serveSite } from "./served-site.ts";

const samples = join(root, "scripts/documents/samples");
const hasPython = spawnSync("python3", ["--version"]).status === 0;
if (!hasPython) console.warn("python3 is not installed: the sync client in Python is not tested");

/** Runs a client. @returns the paths that it asked for */
async function synced(program: string, client: string, snapshot: string, copy: string) {
  const site = await serveSite(snapshot);
  try {
    const { code, stderr } = await runProgram(program, [join(samples, client), site.url, copy]);
    expect([code, stderr]).toEqual([0, ""]);
  } finally {
    site.stop();
  }
  return site.asked;
}

/** Documents by file name, without the list that the client keeps. */
const documentsIn = (folder: string): Map<string, string> =>
  new Map(
    readdirSync(folder)
      .filter((name) => name !== "sync.json")
      .toSorted()
      .map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );

/** Posts whose documents differ between two snapshots, and posts that only the new one has. */
function changedPosts(before: string, after: string): string[] {
  const [old, now] = [before, after].map((one) => documentsIn(join(one, "api/posts")));
  return [...(now ?? [])].flatMap(([name, text]) => (old?.get(name) === text ? [] : [name]));
}

/** The export with ten changed posts, a new one, and one that is gone. */
function altered(source: string): string {
  const file = join(temporaryFolder(), "altered.sqlite");
  if (source === sample) new Database(file).exec(readFileSync(sample, "utf8")).close();
  else copyFileSync(source, file);
  new Database(file)
    .exec(`
      UPDATE posts SET count_likes = count_likes + 1
        WHERE post_id IN (SELECT post_id FROM posts ORDER BY post_id LIMIT 10 OFFSET 5);
      DELETE FROM posts WHERE post_id = (SELECT max(post_id) FROM posts);
      INSERT INTO posts (post_id, post_title, post_content_html, post_date_gmt)
        SELECT 999999, 'new', '<p>new</p>', max(post_date_gmt) FROM posts;`)
    .close();
  return file;
}

/** Declares the tests. @param source an export with more than 15 posts */
export async function describeSync(source: string): Promise<void> {
  const before = await built(source);
  const after = await built(altered(source));
  describe.each([
    [process.execPath, "sync.js", true],
    ["python3", "sync.py", hasPython],
  ])("%s %s", (program, client, canRun) => {
    test.skipIf(!canRun)(
      "ends with what is published, and asks only for what changed",
      async () => {
        const copy = join(temporaryFolder(), "copy");
        expect(await synced(program, client, before, copy)).toHaveLength(
          documentsIn(join(before, "api/posts")).size + 1,
        );
        expect(documentsIn(copy)).toEqual(documentsIn(join(before, "api/posts")));

        const changed = changedPosts(before, after);
        expect(changed.length).toBeGreaterThan(10);
        expect((await synced(program, client, after, copy)).toSorted()).toEqual(
          [
            "/sync.json",
            ...changed.map((name) => `/api/posts/${name.replace(".json", "")}`),
          ].toSorted(),
        );
        expect(documentsIn(copy)).toEqual(documentsIn(join(after, "api/posts")));

        expect(await synced(program, client, after, copy)).toEqual(["/sync.json"]);
      },
    );
  });
}
