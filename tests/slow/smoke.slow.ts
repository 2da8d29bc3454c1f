/** The smoke test against a real `netlify dev`, which asks for each missing file five times: it takes half a minute. */
import { expect, test } from "vitest";
import { startSite } from "../support/local-site.ts";
import { runCommand } from "../support/support.ts";

test("the smoke test passes on the local site", async () => {
  const site = await startSite();
  const { code, stdout } = await runCommand("smoke", site.url);
  await site.stop();
  expect(stdout).not.toContain("FAIL");
  expect(stdout.match(/^ok /gm)?.length).toBeGreaterThan(30);
  expect(code).toBe(0);
});
