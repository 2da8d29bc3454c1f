/** What a build as a process of its own alone can show: signals, output that nobody reads, a changed program. */
import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { indexFolder } from "../../functions/engine/index-format.ts";
import { postFile } from "../../functions/contract/http.ts";
import { readManifest } from "../../scripts/snapshot/manifest.ts";
import {
  builtCopy,
  commandArguments,
  exportWith,
  ofUnnamed,
  root,
  runProgram,
  sample,
  temporaryFolder,
  tsx,
} from "../support/support.ts";

const start = (args: readonly string[], temporary: string) =>
  spawn(process.execPath, commandArguments("build", ...ofUnnamed(...args)), {
    // tsx would keep what it compiled in the temporary folder.
    env: { ...process.env, TMPDIR: temporary, URL: "", TSX_DISABLE_CACHE: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
const many = `
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
  INSERT INTO posts (post_id, post_title, post_content_html, post_date_gmt)
    SELECT 200000 + i, i, i, '2024-01-01 00:00:00' FROM n`;

test.each([
  ["a dry run", ["--dry-run"]],
  ["a build", []],
])("%s removes its folder at Ctrl-C", async (_, options) => {
  const temporary = temporaryFolder();
  const parent = temporaryFolder();
  const out = join(parent, "dist");
  const child = start(["--export", exportWith(many), "--out", out, ...options], temporary);
  const ended = new Promise((done) => child.once("close", (_, signal) => done(signal)));
  // Until posts are being written, to a folder in either place.
  const written = (): string[] =>
    [temporary, parent].flatMap((folder) =>
      readdirSync(folder).flatMap((name) => {
        const posts = join(folder, name, "api/posts");
        return existsSync(posts) ? readdirSync(posts) : [];
      }),
    );
  while (written().length === 0 && child.exitCode === null)
    await new Promise((done) => setTimeout(done, 2));
  child.kill("SIGINT");
  expect(await ended).toBe("SIGINT");
  expect(readdirSync(temporary)).toEqual([]);
  expect(readdirSync(parent).filter((name) => name !== ".dist.source")).toEqual([]);
});

test("npm run build succeeds when nobody reads its output any more", async () => {
  const out = join(temporaryFolder(), "dist");
  const child = start(["--export", sample, "--out", out], temporaryFolder());
  let stderr = "";
  child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
  child.stdout.destroy();
  expect(await new Promise((done) => child.once("close", done))).toBe(0);
  expect(stderr).not.toContain("EPIPE");
  expect(existsSync(join(out, "snapshot.json"))).toBe(true);
});

test("npm run build renews the index, but not posts, when normalize.ts changes", async () => {
  const copy = temporaryFolder();
  for (const name of ["functions", "scripts", "package.json", "package-lock.json", "netlify.toml"])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  const rules = join(copy, "functions/engine/normalize.ts");
  writeFileSync(rules, readFileSync(rules, "utf8").replaceAll("toLowerCase", "toUpperCase"));
  const folder = await builtCopy(sample);
  const before = readManifest(folder);
  const post = join(folder, postFile(1));
  const { ino } = statSync(post);
  const { code } = await runProgram(
    process.execPath,
    [...tsx, join(copy, "scripts/build.ts"), "--export", sample, "--out", folder],
    { cwd: copy },
  );
  expect(code).toBe(0);
  const after = readManifest(folder);
  const text = `${indexFolder}/positions.bin`;
  expect(after.files[text]).not.toEqual(before.files[text]);
  expect(after.posts).toEqual(before.posts);
  expect(statSync(post).ino).toBe(ino);
});
