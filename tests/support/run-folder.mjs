/**
 * One folder for everything that a test run writes. It is removed when the run ends. In JavaScript: vitest loads it in its
 * own process, in which Node before 22.18 runs no TypeScript.
 */
import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where Linux keeps files in memory: tests write many small ones, which takes a third less time there. */
const memory = "/dev/shm";
/** Bytes that must be free there: more than any run writes. */
const enough = 4e9;

function hasMemory() {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= enough;
  } catch {
    return false;
  }
}

/**
 * @param {import("vitest/node").TestProject} project
 */
export default function setup({ provide }) {
  const parent = process.env["TMPDIR"] === undefined && hasMemory() ? memory : tmpdir();
  const folder = mkdtempSync(join(parent, "case-collection-tests-"));
  provide("runFolder", folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
