/** docs/commands.md is what `npm run format` writes. */
import { expect, test } from "vitest";
import { commands, commandsPage, currentPage } from "../support/commands-page.ts";
import { runCommand } from "../support/support.ts";

test("docs/commands.md has the help of every command", async () => {
  expect(commands.length).toBeGreaterThan(5);
  const helps = new Map<string, string>();
  for (const name of commands) helps.set(name, (await runCommand(name, "--help")).stdout);
  expect(currentPage()).toBe(commandsPage(currentPage(), helps));
});
