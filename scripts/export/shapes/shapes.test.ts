/** Every shape passes the one suite of shapes: an export in it gives what the same posts give in any other. */
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { writeD1Export } from "../../../tests/support/d1.ts";
import { sampleText } from "../../../tests/support/exports.ts";
import {
  exportWith,
  built,
  digestsIn,
  filesIn,
  runBuild,
  temporaryFolder,
} from "../../../tests/support/support.ts";
import { valuesIfMissing, type Adapter } from "../canonical-schema.ts";
import { canonical } from "./canonical.ts";
import { d1 } from "./d1.ts";

/** Writes the sample's posts in a shape, with what must stay private where there is such. */
const shapes: readonly (readonly [Adapter, (file: string) => unknown])[] = [
  [
    canonical,
    (file) =>
      new Database(file)
        .exec(sampleText)
        .exec(
          "CREATE TABLE users (email TEXT); INSERT INTO users VALUES ('CANARY_PRIVATE'); ALTER TABLE posts ADD COLUMN ip TEXT; UPDATE posts SET ip = 'CANARY_PRIVATE'",
        )
        .close(),
  ],
  [d1, writeD1Export],
];

describe.each(shapes)("the $name shape", ({ name, requires, mayLack = [], select }, write) => {
  const needed = Object.keys(requires).filter((table) => !mayLack.some((one) => one === table));
  const exportIn = (sql = ""): string => {
    const file = join(temporaryFolder(), "export.sqlite");
    write(file);
    new Database(file).exec(sql).close();
    return file;
  };

  test("gives the documents of the canonical shape, and nothing private", async () => {
    const folder = await built(exportIn("DROP TABLE IF EXISTS export_settings"));
    const unnamed = exportWith("DROP TABLE export_settings");
    expect(digestsIn(join(folder, "api"))).toEqual(digestsIn(join(await built(unnamed), "api")));
    for (const [file, content] of filesIn(folder))
      expect(content.includes("CANARY"), file).toBe(false);
  });

  test("has a SELECT for every canonical table that names each column", () => {
    for (const table of ["posts", "tags", "post_tags", "comments"] as const) {
      expect(select[table], table).toMatch(/^SELECT /);
      expect(select[table], table).not.toMatch(/(?:SELECT|,) (?:\w+\.)?\*/);
    }
  });

  test.each(needed)("is refused, with the table's name, without its table %s", async (table) => {
    // What refers to the table goes with it.
    const file = exportIn();
    const database = new Database(file);
    for (const { name: other, type } of database
      .prepare<[], { name: string; type: string }>(
        "SELECT name, type FROM sqlite_schema WHERE type IN ('view', 'trigger')",
      )
      .all())
      database.exec(`DROP ${type} ${other}`);
    database.exec(`DROP TABLE ${table}`).close();
    const { code, stderr } = await runBuild(
      "--export",
      file,
      "--out",
      join(temporaryFolder(), "dist"),
    );
    expect(code).toBe(1);
    expect(stderr).toContain(`The closest is the ${name} shape, without table ${table}.`);
  });

  test("may lack an optional column, and the build says so", async () => {
    const [table, column] =
      Object.entries(requires)
        .flatMap(([one, columns]) => columns.map((name) => [one, name] as const))
        .find(([, one]) => one === "ogp_image_url") ?? [];
    expect(valuesIfMissing.has(column ?? "")).toBe(true);
    const out = join(temporaryFolder(), "dist");
    const file = exportIn(`ALTER TABLE ${table} DROP COLUMN ${column}`);
    const { code, stderr } = await runBuild("--export", file, "--out", out);
    expect(code).toBe(0);
    expect(stderr).toContain(`${table} lacks columns that may be missing`);
  });

  test("has no posts without rows", async () => {
    const sql = needed.map((table) => `DELETE FROM ${table}`).join(";");
    const out = join(temporaryFolder(), "dist");
    const { code, stderr } = await runBuild("--export", exportIn(sql), "--out", out);
    expect([code, stderr]).toEqual([1, expect.stringContaining("has no posts")]);
  });
});
