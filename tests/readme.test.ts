/** The README's examples and options against the program. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { built, root, runBuild, sample, siteOn } from "./support/support.ts";

const readme = readFileSync(join(root, "README.md"), "utf8");
const folder = await built(sample);
const answer = siteOn(folder);

const examples = [...readme.matchAll(/^\$ curl -s 'http:\/\/localhost:8888(.*)'\n(.*)$/gm)].map(
  ([, path, body]) => [path ?? "", body ?? ""] as const,
);

test("there are examples of every endpoint's answers", () =>
  expect(examples.length).toBeGreaterThan(4));

test.each(examples)("curl %s", async (path, body) => {
  expect((await answer(path)).body).toBe(body);
});

test("every option of the build is described, and no other", async () => {
  const options = (text: string): string[] =>
    [...new Set(text.match(/--[a-z][a-z-]+(?= |`)/g))].sort();
  const [, section = ""] =
    /### Options of `npm run build --`\n([\s\S]*?)\n\n`npm run dev/.exec(readme) ?? [];
  expect(options(section)).toEqual(
    options(`${(await runBuild("--help")).stdout.replace(/^.*\n/, "")} `),
  );
});
