import { appendFileSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { root, temporaryFolder } from "../../tests/support/support.ts";
import { programDigest } from "./program-digest.ts";

/** A copy of the program, as far as it is an input. */
function program(): string {
  const folder = temporaryFolder();
  for (const name of ["functions", "scripts", "package-lock.json", "netlify.toml"])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  return folder;
}

test("the same program has the same digest, wherever it is", () => {
  expect(programDigest(program())).toBe(programDigest());
});

test.each([
  "scripts/documents/page/client/style.css",
  "scripts/documents/page/client/icon.svg",
  "scripts/documents/page/client/page.ts",
  "scripts/publish/build-snapshot.ts",
  "functions/search/normalise.ts",
  "package-lock.json",
  "netlify.toml",
])("a change of %s changes it", (name) => {
  const folder = program();
  appendFileSync(join(folder, name), " ");
  expect(programDigest(folder)).not.toBe(programDigest());
});

test("tests and an editor's hidden files do not", () => {
  const folder = program();
  for (const name of ["scripts/publish/new.test.ts", "functions/.swap"]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), "x");
  }
  expect(programDigest(folder)).toBe(programDigest());
});

test("a byte that moves from one file to the next changes it", () => {
  const one = program();
  const other = program();
  writeFileSync(join(one, "scripts/a.css"), "ab");
  writeFileSync(join(one, "scripts/b.css"), "c");
  writeFileSync(join(other, "scripts/a.css"), "a");
  writeFileSync(join(other, "scripts/b.css"), "bc");
  expect(programDigest(one)).not.toBe(programDigest(other));
});
