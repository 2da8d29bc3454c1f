/** The lint rule that holds the order of the rooms: data flows one way, so imports do. */
import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { root, runProgram, temporaryFolder } from "./support/support.ts";

/** Which rooms each room may import, besides itself and functions/. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  export: ["lib"],
  similar: ["export", "lib"],
  "search-index": ["export", "lib"],
  documents: ["export", "lib"],
  cli: ["lib"],
  snapshot: ["documents", "search-index", "similar", "export", "cli", "lib"],
  publish: ["snapshot", "documents", "search-index", "similar", "export", "cli", "lib"],
  local: ["cli", "lib"],
};
const rooms = readdirSync(join(root, "scripts"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

test("the rule names every room", () => {
  expect(Object.keys(allowed).sort()).toEqual(rooms.sort());
});

test("each room may import the rooms before it, and no other", async () => {
  const folder = temporaryFolder();
  cpSync(join(root, ".oxlintrc.json"), join(folder, ".oxlintrc.json"));
  /** Imports in a file there, one a line. */
  const write = (file: string, targets: readonly string[]): void => {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, file), targets.map((target) => `import "${target}";\n`).join(""));
  };
  const everythingBut = (own: string): string[] => [
    ...rooms.filter((room) => room !== own).map((room) => `../${room}/a.ts`),
    "../../functions/search/a.ts",
    "../../tests/a.ts",
  ];
  for (const room of rooms) write(`scripts/${room}/a.ts`, ["./b.ts", ...everythingBut(room)]);
  write("scripts/documents/page/a.ts", [
    "../b.ts",
    ...everythingBut("documents").map((target) => `../${target}`),
  ]);
  write("scripts/a.ts", [
    ...rooms.map((room) => `./${room}/a.ts`),
    "../functions/search/a.ts",
    "../tests/a.ts",
  ]);
  write("functions/search/a.ts", [
    "./b.ts",
    "node:fs",
    "netlify-cli",
    "../contract/a.ts",
    "../mcp/server.ts",
    "../../scripts/lib/a.ts",
  ]);
  write("functions/mcp/a.ts", ["./b.ts", "zod", "../contract/a.ts", "../search/a.ts"]);
  write("functions/contract/a.ts", [
    "./b.ts",
    "node:fs",
    "../search/a.ts",
    "../../scripts/lib/a.ts",
  ]);
  write("scripts/lib/a.test.ts", everythingBut("lib"));

  const { stdout } = await runProgram(
    join(root, "node_modules/.bin/oxlint"),
    ["-A", "all", "--format", "json", "."],
    { cwd: folder },
  );
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { filename: string; message: string }[];
  };
  const found = diagnostics.map(
    ({ filename, message }) => `${filename}: ${/'(.*)' import/.exec(message)?.[1]}`,
  );
  const expected = [
    ...rooms.flatMap((room) => {
      const forbidden = rooms.filter((one) => one !== room && !allowed[room]?.includes(one));
      return [
        ...forbidden.map((one) => `scripts/${room}/a.ts: ../${one}/a.ts`),
        `scripts/${room}/a.ts: ../../tests/a.ts`,
        ...(room === "documents"
          ? [...forbidden.map((one) => `../${one}/a.ts`), "../../tests/a.ts"].map(
              (target) => `scripts/documents/page/a.ts: ../${target}`,
            )
          : []),
      ];
    }),
    "scripts/a.ts: ../tests/a.ts",
    "functions/search/a.ts: ../../scripts/lib/a.ts",
    "functions/mcp/a.ts: ../search/a.ts",
    "functions/contract/a.ts: node:fs",
    "functions/contract/a.ts: ../search/a.ts",
    "functions/contract/a.ts: ../../scripts/lib/a.ts",
  ];
  expect(found.sort()).toEqual(expected.sort());
});
