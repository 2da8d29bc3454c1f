#!/usr/bin/env node
/**
 * Stands in for wrangler in the steps of a workflow: answers `d1 execute` and `d1 export` from the SQLite
 * file that D1_FILE names, and writes down each call in the file that D1_CALLS names.
 */
import { appendFileSync, writeFileSync } from "node:fs";
import Database from "better-sqlite3";

const [, , , command, ...args] = process.argv;
appendFileSync(process.env.D1_CALLS, `${[command, ...args].join(" ")}\n`);
const database = new Database(process.env.D1_FILE, { readonly: true });
const valuesOf = (option) => args.filter((_, i) => args[i - 1] === option);

if (command === "execute") {
  const results = database.prepare(valuesOf("--command")[0]).all();
  process.stdout.write(JSON.stringify([{ results, success: true, meta: {} }]));
} else {
  const literal = (value) =>
    typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : (value ?? "NULL");
  const statements = valuesOf("--table").flatMap((table) => [
    database.prepare("SELECT sql FROM sqlite_master WHERE name = ?").pluck().get(table),
    ...database
      .prepare(`SELECT * FROM ${table}`)
      .raw()
      .all()
      .map((row) => `INSERT INTO "${table}" VALUES(${row.map(literal).join(",")})`),
  ]);
  writeFileSync(
    valuesOf("--output")[0],
    `PRAGMA defer_foreign_keys=TRUE;\n${statements.map((one) => `${one};\n`).join("")}`,
  );
}
