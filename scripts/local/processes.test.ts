import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../tests/support/support.ts";

const program = (file: string): string => `
import { rmSync, writeFileSync } from "node:fs";
import { withCleanUp } from "${import.meta.dirname}/../cli/clean-up.ts";
import { endWithParent } from "${import.meta.dirname}/processes.ts";
endWithParent();
writeFileSync(${JSON.stringify(file)}, "");
await withCleanUp(() => rmSync(${JSON.stringify(file)}, { force: true }), async () => {
  console.log("works");
  await new Promise((resolve) => setTimeout(resolve, 60_000));
});`;

test("endWithParent cleans up work under way when the parent process is gone", async () => {
  const file = join(temporaryFolder(), "leftover");
  // Ends as soon as its input does, or has a line.
  const line = '"$0" --import tsx --input-type=module -e "$1" & read line';
  const parent = spawn("sh", ["-c", line, process.execPath, program(file)]);
  await new Promise((resolve) => parent.stdout.once("data", resolve));
  expect(existsSync(file)).toBe(true);
  parent.stdin.end();
  // Until the last process that has it has ended.
  await text(parent.stdout);
  expect(existsSync(file)).toBe(false);
});
