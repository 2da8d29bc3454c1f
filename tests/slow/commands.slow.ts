/** The commands as processes: docs/commands.md has the help of each, and output and folders that fail end in a line. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commands, commandsPage, currentPage } from "../support/commands-page.ts";
import { commandArguments, root, runCommand, runProgram } from "../support/support.ts";

test("docs/commands.md has the help of every command", async () => {
  expect(commands.length).toBeGreaterThan(5);
  const helps = new Map<string, string>();
  for (const name of commands) helps.set(name, (await runCommand(name, "--help")).stdout);
  expect(currentPage()).toBe(commandsPage(currentPage(), helps));
});

test.skipIf(!existsSync("/dev/full"))(
  "npm run verify reports unwritable output in one line on standard error",
  async () => {
    const program = [process.execPath, ...commandArguments("verify", "--help")];
    const { code, stderr } = await runProgram("sh", [
      "-c",
      'exec "$@" > /dev/full',
      "sh",
      ...program,
    ]);
    expect([code, stderr]).toEqual([
      0,
      "standard output cannot be written: ENOSPC: no space left on device, write\n",
    ]);
  },
);

test("npm run verify says that there is no folder for temporary files", async () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const args = [...(scripts["verify"] ?? "").split(" ").slice(1), "--help"];
  const folder = join(import.meta.filename, "none");
  const env = { TMPDIR: folder, TEMP: folder, TMP: folder };
  const { code, stdout, stderr } = await runProgram(process.execPath, args, { env });
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(
    /^There is no folder for temporary files \(.*\)\. Set TMPDIR to one that may be written\.\n$/,
  );
});
