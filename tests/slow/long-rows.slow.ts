/** Rows that are longer than what a pull may hold, or a function may answer. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { runPull } from "../support/pull.ts";
import { exportWith, runBuild, temporaryFolder } from "../support/support.ts";

test("npm run pull --csv refuses a gzip bomb, and keeps the export", async () => {
  const folder = temporaryFolder();
  const [file, out] = [join(folder, "posts.csv"), join(folder, "export.sqlite")];
  const header = "post_id,post_title,post_content_html,post_date_gmt\n";
  writeFileSync(file, `${header}1,T,B,2024-05-31\n`);
  expect(await runPull(["--csv", file, "--out", out])).toMatchObject({ code: 0 });
  const before = readFileSync(out);
  const bomb = Buffer.concat([Buffer.from(`${header}1,"`), Buffer.alloc(70_000_000, "x")]);
  writeFileSync(file, gzipSync(bomb));
  const { code, stderr } = await runPull(["--csv", file, "--out", out]);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/line 2: the row is longer/)]);
  expect(readFileSync(out).equals(before)).toBe(true);
});

test("npm run build warns of titles too long for a function's answer", async () => {
  const file = exportWith(
    "UPDATE posts SET post_title = post_id || replace(hex(zeroblob(30000)), '00', '題')",
  );
  const { code, stderr } = await runBuild("--export", file, "--out", `${temporaryFolder()}/dist`);
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/warning: a page of results can take 3\.6 MB, and 7\.2 MB for agents/),
  ]);
});
