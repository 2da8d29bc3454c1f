/** One folder for everything that a test run writes. It is removed when the run ends. */
import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    readonly runFolder: string;
  }
}

/** Where Linux keeps files in memory: tests write many small ones, which takes a third less time there. */
const memory = "/dev/shm";
/** Bytes that must be free there: more than any run writes. */
const enough = 4e9;

function hasMemory(): boolean {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= enough;
  } catch {
    return false;
  }
}

export default function setup({ provide }: TestProject): () => void {
  const parent = process.env["TMPDIR"] === undefined && hasMemory() ? memory : tmpdir();
  const folder = mkdtempSync(join(parent, "case-collection-tests-"));
  provide("runFolder", folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
