/**
 * npm run check:openapi: holds the published OpenAPI document to Redocly's `recommended-strict` rules.
 * Exit code 1 when it reports anything, warnings included.
 */
import "./cli/node-version.ts";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { collectionOf } from "../functions/contract/collection.ts";
import { openApiDocument } from "./documents/openapi.ts";
import { ExamplePost } from "./documents/example-calls.ts";
import { presentationOf } from "./documents/presentation.ts";
import { readCollectionFile } from "./publish/collection-file.ts";

const folder = mkdtempSync(join(tmpdir(), "case-collection-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, "openapi.json");
// The rules refuse localhost and example.com as servers, so this stands for a published site.
const publication = {
  siteUrl: "https://api.cases.test",
  postUrl: "https://cases.test/archives/1",
  presentation: presentationOf(collectionOf(readCollectionFile(undefined)), {
    posts: 0,
    firstDate: "",
    lastDate: "",
  }),
};
writeFileSync(file, JSON.stringify(openApiDocument(publication, new ExamplePost().parameters)));
const { status } = spawnSync(
  resolve(import.meta.dirname, "../node_modules/.bin/redocly"),
  ["lint", "--extends", "recommended-strict", file],
  {
    stdio: "inherit",
    // It asks no other machine for anything.
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  },
);
process.exitCode = status ?? 1;
