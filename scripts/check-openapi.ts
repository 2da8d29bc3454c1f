/**
 * npm run check:openapi: holds the published OpenAPI document to Redocly's `recommended-strict` rules.
 * Exit code 1 when it reports anything, warnings included.
 */
import "./cli/node-version.ts";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "./build/build-snapshot.ts";
import { snapshotFiles } from "./snapshot/published-files.ts";

const folder = mkdtempSync(join(tmpdir(), "case-collection-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
const out = join(folder, "dist");
// The rules refuse localhost and example.com as servers, so this stands for a published site.
const options = ["--sample", "--site-url", "https://api.cases.test", "--out", out];
// Without the environment: no setting of a real site counts.
const { stdout, stderr } = process;
if ((await build(options, { stdout, stderr, env: {} })) !== 0) process.exit(1);
const { status } = spawnSync(
  resolve(import.meta.dirname, "../node_modules/.bin/redocly"),
  ["lint", "--extends", "recommended-strict", join(out, snapshotFiles.openapi)],
  {
    stdio: "inherit",
    // It asks no other machine for anything.
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  },
);
process.exitCode = status ?? 1;
