/** Runs one task of child.ts in a process of its own. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

/**
 * @returns what the task prints in its last line, as JSON
 * @throws where it fails, with what it says
 */
export function child<T>(task: string, ...args: readonly string[]): T {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      "--max-old-space-size=8192",
      "--import",
      "tsx",
      join(import.meta.dirname, "child.ts"),
      task,
      ...args,
    ],
    { encoding: "utf8", maxBuffer: 2 ** 30 },
  );
  if (status !== 0) throw new Error(`${task}: ${stderr}`);
  return JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") as T;
}
