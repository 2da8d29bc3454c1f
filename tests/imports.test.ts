/** Data flows one way, from export to snapshot to answer, so imports do: each folder may import only some. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./support/support.ts";

const functions = ["functions/contract", "functions/search", "functions/mcp", "functions/html"];
const builders = ["documents", "search-index", "similar", "export", "cli", "lib"];
/** What the files of a folder may import besides each other: folders below scripts/ by name, others by path, packages. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  "functions/contract": [],
  "functions/search": [
    "node:",
    "flexsearch",
    "@netlify/functions",
    "functions/contract",
    "functions/mcp",
  ],
  "functions/mcp": [
    "node:",
    "@modelcontextprotocol/server",
    "entities",
    "fastest-levenshtein",
    "htmlparser2",
    "stemmer",
    "zod",
    "functions/contract",
    "functions/html",
    "functions/search",
  ],
  "functions/html": ["htmlparser2"],
  lib: [],
  cli: ["lib"],
  export: ["lib"],
  similar: ["export", "lib"],
  "search-index": ["export", "lib"],
  documents: ["export", "lib"],
  snapshot: builders,
  publish: ["snapshot", ...builders],
  pull: ["export", "cli", "lib"],
  local: ["publish", "snapshot", "cli", "lib"],
  commands: ["publish", "snapshot", "local", "pull", ...builders],
};

/** The folder that a file belongs to. */
const folderOf = (file: string): string =>
  /^functions\/\w+/.exec(file)?.[0] ??
  /^scripts\/([\w-]+)\//.exec(file)?.[1] ??
  (file.startsWith("scripts/") ? "commands" : "elsewhere");

/** The imports of a file that are not allowed. */
function forbidden(file: string, code: string): string[] {
  const folder = folderOf(file);
  const may = allowed[folder] ?? [];
  const imports = [...code.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"/g)].map(
    ([, name = ""]) => name,
  );
  return imports.filter((name) => {
    const isFile = name.startsWith(".");
    // Packages are restricted in the function alone.
    if (!isFile) return folder.startsWith("functions/") && !may.some((one) => name.startsWith(one));
    const target = folderOf(join(dirname(file), name));
    return (
      target !== folder &&
      !may.includes(target) &&
      (folder.startsWith("functions/") || !functions.includes(target))
    );
  });
}

test("each folder imports only what it may", () => {
  const files = globSync("{functions,scripts}/**/*.ts", { cwd: root }).filter(
    (file) => !/\.test\.ts$|\/programs\//.test(file),
  );
  expect(new Set(files.map(folderOf))).toEqual(new Set(Object.keys(allowed)));
  const found = files.flatMap((file) =>
    forbidden(file, readFileSync(join(root, file), "utf8")).map((name) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});

test.each([
  ["scripts/lib/a.ts", 'import { b } from "../export/b.ts";'],
  ["scripts/documents/page/a.ts", 'import "../../publish/b.ts";'],
  ["scripts/a.ts", 'import type { B } from "../tests/b.ts";'],
  ["functions/contract/a.ts", 'export { b } from "zod";'],
  ["functions/contract/a.ts", 'import { b } from "../search/b.ts";'],
  ["functions/search/a.ts", 'const b = await import("../../scripts/lib/b.ts");'],
])("%s may not have %s", (file, code) => expect(forbidden(file, code)).toHaveLength(1));
