/** What README.md and docs/ say, against the program. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { built, root, runCommand, sample, siteOn } from "./support/support.ts";

const documents = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`),
]
  .filter((name) => name.endsWith(".md"))
  .map((name) => ({ name, text: readFileSync(join(root, name), "utf8") }));
const readme = documents[0]?.text ?? "";
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};

const answer = siteOn(await built(sample));
const examples = [...readme.matchAll(/^\$ curl -s 'http:\/\/localhost:8888(.*)'\n(.*)$/gm)].map(
  ([, path, body]) => [path ?? "", body ?? ""] as const,
);

test("the README is short enough to be read", () => {
  expect(readme.split("\n").length).toBeLessThanOrEqual(150);
});

test("the README shows a success and two errors", () => expect(examples).toHaveLength(3));

test.each(examples)("curl %s gives the answer that the README shows", async (path, body) => {
  // curl sends a URL as it is, and servers refuse bytes that are not ASCII.
  expect(path).toMatch(/^[!-~]+$/);
  expect((await answer(path)).body).toBe(body);
});

describe.each(documents)("$name", ({ name, text }) => {
  test("leads to files that exist", () => {
    for (const [, target = ""] of text.matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g))
      expect(existsSync(join(root, dirname(name), target)), target).toBe(true);
  });

  test("names commands that exist, with options that they have", async () => {
    for (const [, command = "", rest = ""] of text.matchAll(
      /npm run ([a-z:]+)((?: --[^`\n#]*)?)/g,
    )) {
      expect(scripts, command).toHaveProperty([command]);
      const options = rest.match(/--[a-z][a-z-]*/g) ?? [];
      if (options.length === 0) continue;
      const { stdout } = await runCommand(command, "--help");
      for (const option of options) expect(stdout, `${command} ${option}`).toContain(`${option} `);
    }
  });
});
