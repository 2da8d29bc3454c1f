/**
 * npm run check:openapi: holds the published OpenAPI document to Redocly's `recommended-strict` and
 * Spectral's `oas` rules. Exit code 1 when either tells anything, warnings included.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { openApiDocument } from "./api/openapi.ts";
import { ExamplePost } from "./site/examples.ts";

const folder = mkdtempSync(join(tmpdir(), "case-collection-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, "openapi.json");
const ruleset = join(folder, "spectral.json");
// The rules refuse localhost and example.com as servers, so this stands for a published site.
const publication = {
  siteUrl: "https://api.cases.test",
  postUrl: "https://cases.test/archives/1",
};
writeFileSync(file, JSON.stringify(openApiDocument(publication, new ExamplePost().parameters)));
writeFileSync(ruleset, JSON.stringify({ extends: [["spectral:oas", "recommended"]] }));

/** Runs a linter; passes its output on. @returns whether it found nothing */
function passes(program: string, ...args: readonly string[]): boolean {
  const { status } = spawnSync(
    resolve(import.meta.dirname, "../node_modules/.bin", program),
    [...args, file],
    {
      stdio: "inherit",
      // Neither asks another machine for anything.
      env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    },
  );
  return status === 0;
}

const results = [
  passes("redocly", "lint", "--extends", "recommended-strict"),
  passes("spectral", "lint", "--ruleset", ruleset, "--fail-severity", "hint"),
];
process.exitCode = results.every(Boolean) ? 0 : 1;
