/** A row of CSV that is longer than the memory that a pull may take. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { runPull } from "../support/pull.ts";
import { temporaryFolder } from "../support/support.ts";

test("a gzip bomb in one cell is refused in a sentence, and the export before stays", async () => {
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
