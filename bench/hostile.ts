/**
 * npm run bench:hostile: builds of exports with one row, or one kind of row, that is made to cost much.
 * Each should stay below two seconds, whatever the row holds.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import Database from "better-sqlite3";
import { build } from "../scripts/publish/build-snapshot.ts";

const sample = resolve(import.meta.dirname, "../data/sample.sql");
const comments = (count: number, parent: string, text: string): string =>
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
   INSERT INTO comments (comment_id, post_id, comment_date_gmt, comment_author, comment_content, comment_parent)
     SELECT 100000 + i, 5, '2024-01-01 00:00:00', 'a', ${text}, ${parent} FROM n`;
const body = (sql: string): string =>
  `UPDATE posts SET post_content_html = ${sql} WHERE post_id = 5`;

/** SQL that makes the sample hostile, by what it does. */
const cases: Readonly<Record<string, string>> = {
  "the sample alone": "",
  "40,000 combining marks of two kinds": body(
    "'a' || replace(hex(zeroblob(20000)), '00', char(0x301, 0x316))",
  ),
  "<div> 100,000 deep": body("replace(hex(zeroblob(100000)), '00', '<div>')"),
  "a chain of 20,000 replies": comments(20_000, "CASE i WHEN 1 THEN 0 ELSE 99999 + i END", "'b'"),
  "500 comments with U+FFFD": comments(500, "0", "char(0xFFFD)"),
};

const work = mkdtempSync(join(tmpdir(), "case-collection-bench-"));
const quiet = { write: () => true };
process.stdout.write("| export | s | exit code |\n|---|---|---|\n");
for (const [name, sql] of Object.entries(cases)) {
  const file = join(work, "export.sqlite");
  new Database(file).exec(readFileSync(sample, "utf8")).exec(sql).close();
  const start = performance.now();
  const code = await build(["--export", file, "--out", join(work, "dist")], {
    stdout: quiet,
    stderr: quiet,
    env: {},
  });
  const seconds = (performance.now() - start) / 1000;
  process.stdout.write(`| ${name} | ${seconds.toFixed(2)} | ${code} |\n`);
  rmSync(join(work, "dist"), { recursive: true });
  rmSync(file);
}
rmSync(work, { recursive: true });
