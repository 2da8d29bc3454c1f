/** Data flows one way, from export to snapshot to answer, so imports do: each folder may import only some. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./support/support.ts";

const functions = ["contract", "engine", "html", "http", "mcp", "search"].map(
  (name) => `functions/${name}`,
);
const builders = ["documents", "search-index", "similar", "export", "cli", "lib"];
/** What the files of a folder may import besides each other: folders below scripts/ by name, others by path, packages. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  "functions/contract": [],
  "functions/engine": ["node:", "@netlify/functions", "flexsearch", "functions/contract"],
  "functions/html": ["htmlparser2"],
  "functions/mcp": [
    "node:",
    "@modelcontextprotocol/server",
    "fastest-levenshtein",
    "htmlparser2",
    "stemmer",
    "functions/contract",
    "functions/engine",
    "functions/html",
  ],
  "functions/http": [
    "@netlify/functions",
    "functions/contract",
    "functions/engine",
    "functions/mcp",
  ],
  "functions/search": ["@netlify/functions", "functions/http"],
  lib: [],
  cli: ["lib"],
  export: ["lib"],
  similar: ["lib"],
  "search-index": ["lib"],
  documents: ["export", "lib"],
  snapshot: builders,
  build: ["snapshot", ...builders],
  checks: ["build", "snapshot", ...builders],
  deploy: ["checks", "build", "snapshot", ...builders],
  pull: ["export", "cli", "lib"],
  local: ["build", "snapshot", "cli", "lib"],
  commands: ["build", "checks", "deploy", "snapshot", "local", "pull", ...builders],
};

/** The folder that a file belongs to. */
const folderOf = (file: string): string =>
  /^functions\/\w+/.exec(file)?.[0] ??
  /^scripts\/([\w-]+)\//.exec(file)?.[1] ??
  (file.startsWith("scripts/") ? "commands" : "elsewhere");

/** What code imports, as it is written there. */
const importsIn = (code: string): string[] =>
  [...code.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"/g)].map(([, name = ""]) => name);

/** The imports of a file that are not allowed. */
function forbidden(file: string, code: string): string[] {
  const folder = folderOf(file);
  const may = allowed[folder] ?? [];
  return importsIn(code).filter((name) => {
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

/** The program's files with their code. */
const sources = new Map(
  globSync("{functions,scripts}/**/*.ts", { cwd: root })
    .filter((file) => !/\.test\.ts$|\/programs\//.test(file))
    .map((file) => [file, readFileSync(join(root, file), "utf8")]),
);

test("each folder imports only what it may", () => {
  expect(new Set([...sources.keys()].map(folderOf))).toEqual(new Set(Object.keys(allowed)));
  const found = [...sources].flatMap(([file, code]) =>
    forbidden(file, code).map((name) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});

test("each package allowed below functions/ is imported there", () => {
  const unused = Object.entries(allowed).flatMap(([folder, names]) => {
    const imports = [...sources]
      .filter(([file]) => folderOf(file) === folder)
      .flatMap(([, code]) => importsIn(code));
    return names.filter(
      (name) =>
        /^(?:@|[^/]*$)/.test(name) &&
        folder.startsWith("functions/") &&
        !imports.some((one) => one.startsWith(name)),
    );
  });
  expect(unused).toEqual([]);
});

/** Takes away files that import none of the others, until none is left, or circles are. */
function circles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const rest = new Map(graph);
  for (let size = -1; size !== rest.size;) {
    size = rest.size;
    for (const [file, targets] of rest)
      if (!targets.some((target) => rest.has(target))) rest.delete(file);
  }
  return [...rest.keys()];
}

test("circles finds no import cycle in the program, but an added one", () => {
  const graph = [...sources].map(
    ([file, code]) => [file, importsIn(code).map((name) => join(dirname(file), name))] as const,
  );
  expect(circles(new Map(graph))).toEqual([]);
  expect(
    circles(new Map([...graph, ["functions/contract/api.ts", ["scripts/build.ts"]]])),
  ).toContain("scripts/build.ts");
});

test.each([
  ["scripts/lib/a.ts", 'import { b } from "../export/b.ts";'],
  ["scripts/documents/page/a.ts", 'import "../../build/b.ts";'],
  ["scripts/build/a.ts", 'import "../checks/b.ts";'],
  ["functions/engine/a.ts", 'import "../mcp/b.ts";'],
  ["scripts/a.ts", 'import type { B } from "../tests/b.ts";'],
  ["functions/contract/a.ts", 'export { b } from "zod";'],
  ["functions/contract/a.ts", 'import { b } from "../engine/b.ts";'],
  ["functions/search/a.ts", 'const b = await import("../../scripts/lib/b.ts");'],
])("forbidden reports from %s the line %s", (file, code) =>
  expect(forbidden(file, code)).toHaveLength(1),
);
