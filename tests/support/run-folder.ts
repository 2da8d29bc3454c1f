/** One folder for everything that a test run writes. It is removed when the run ends. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    readonly runFolder: string;
  }
}

export default function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "case-collection-tests-"));
  provide("runFolder", folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
