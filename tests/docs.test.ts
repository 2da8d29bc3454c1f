/** What README.md and docs/ say, against the program. */
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { collectionFile } from "../functions/contract/collection.ts";
import { parseCollection } from "../scripts/build/collection-file.ts";
import { collectionSchema, schemaFile } from "./support/collection-schema.ts";
import { currentPage, scripts } from "./support/commands-page.ts";
import { built, root, runBuild, sample, siteOn, temporaryFolder } from "./support/support.ts";

const documents = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`),
]
  .filter((name) => name.endsWith(".md"))
  .map((name) => ({ name, text: readFileSync(join(root, name), "utf8") }));
const readme = documents[0]?.text ?? "";

/** What a command's --help prints, by docs/commands.md: tests/slow/commands.slow.ts holds it to that. */
const helpOf = (command: string): string =>
  currentPage()
    .split(/^## /m)
    .find((section) => section.startsWith(`${command}\n`)) ?? "";

const answer = siteOn(await built(sample));
/** The path that a curl command asks for, with what it adds to the query. */
function pathOf(command: string): string {
  const { pathname } = new URL(/http:\/\/localhost:8888\S*/.exec(command)?.[0] ?? "");
  const added = [...command.matchAll(/(?:--data-urlencode|-d) '?([^=\s]+)=([^'\s]+)'?/g)];
  return `${pathname}?${new URLSearchParams(added.map(([, name = "", value = ""]) => [name, value] as [string, string]))}`;
}
/** Calls of the documents with what they print: whole, or a field as jq shows it. */
const examples = documents.flatMap(({ name, text }) =>
  [...text.matchAll(/^\$ (curl -s.*)\n([^]*?)(?=^\$|^```)/gm)].map(
    ([, command = "", shown = ""]) => [name, command, shown.trimEnd()] as const,
  ),
);

test("the documents show three curl calls with their answers", () =>
  expect(examples).toHaveLength(3));

test.each(examples)("%s shows the answer that %s gets", async (_, command, shown) => {
  // curl sends a URL as it is, and servers refuse bytes that are not ASCII.
  expect(/http:\S+/.exec(command)?.[0]).toMatch(/^[!-~]+$/);
  const { body } = await answer(pathOf(command));
  const [, field] = / \| jq \.(\w+)$/.exec(command) ?? [];
  const part = (field && (JSON.parse(body) as Record<string, unknown>)[field]) || undefined;
  expect(part === undefined ? body : JSON.stringify(part, null, 2)).toBe(shown);
});

test("README.md shows SQL for an export that builds without warnings", async () => {
  const [, insert = ""] = /"(INSERT INTO posts [^"]*)"/.exec(readme) ?? [];
  const file = join(temporaryFolder(), "export.sqlite");
  new Database(file)
    .exec(readFileSync(join(root, "data/schema.sql"), "utf8"))
    .exec(insert)
    .close();
  const out = join(temporaryFolder(), "dist");
  const { code, stderr } = await runBuild("--export", file, "--out", out);
  expect([code, stderr]).toEqual([0, expect.not.stringContaining("warning")]);
});

describe.each(documents)("$name", ({ name, text }) => {
  test("links to files that exist", () => {
    for (const [, target = ""] of text.matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g))
      expect(existsSync(join(root, dirname(name), target)), target).toBe(true);
  });

  test("names existing commands, with options that they have", () => {
    for (const [, command = "", rest = ""] of text.matchAll(
      /npm run ([a-z:]+)((?: --[^`\n#]*)?)/g,
    )) {
      expect(scripts, command).toHaveProperty([command]);
      const options = rest.match(/--[a-z][a-z0-9-]*/g) ?? [];
      if (options.length === 0) continue;
      const help = helpOf(command);
      for (const option of options) expect(help, `${command} ${option}`).toContain(`${option} `);
    }
  });
});

test("data/collection.schema.json is the schema that npm run format writes", () => {
  expect(JSON.parse(readFileSync(schemaFile, "utf8"))).toEqual(collectionSchema);
});

test("docs/your-data.md shows a valid collection file with every member", () => {
  const text = readFileSync(join(root, "docs/your-data.md"), "utf8");
  const [, example = ""] = /^```json\n(.*?)^```$/ms.exec(text) ?? [];
  expect(Object.keys(parseCollection(example, "your-data.md")).sort()).toEqual(
    Object.keys(collectionFile.properties).sort(),
  );
});

test("README.ja.md has the commands and links of README.md, and no others", () => {
  const [english, japanese] = ["README.md", "README.ja.md"].map((name) =>
    readFileSync(join(root, name), "utf8"),
  ) as [string, string];
  const blocks = (text: string): string[] => text.match(/^```.*?^```$/gms) ?? [];
  expect(blocks(japanese)).toEqual(blocks(english));
  const links = (text: string): Set<string> =>
    new Set([...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = ""]) => link));
  const known = links(english);
  const missing = [...links(japanese)].filter((link) => !known.has(link));
  expect(missing).toEqual(["README.md"]);
});

test("CONTRIBUTING.md names files that exist", () => {
  const text = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
  const files = globSync("{bench,data,docs,functions,scripts,tests,.github}/**/*.*", { cwd: root })
    .concat(readdirSync(root))
    .map((file) => `/${file}`);
  const named = [...text.matchAll(/`([\w./-]+\.(?:ts|js|css|sql|json|toml|yml|md))`/g)]
    .map(([, file = ""]) => file)
    .filter((file) => !file.includes("NAME"));
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((file) => !files.some((one) => one.endsWith(`/${file}`)))).toEqual([]);
});
