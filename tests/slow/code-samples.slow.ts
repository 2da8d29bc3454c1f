/** Every program on the documentation page, run as the page shows it, against a site on this machine. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, type DefaultTreeAdapterMap } from "parse5";
import { afterAll, describe, expect, test } from "vitest";
import { newestFirst } from "../../functions/engine/sort-orders.ts";
import { built, publishedPosts, runProgram, sample, temporaryFolder } from "../support/support.ts";
import { freePort } from "../support/ports.ts";
import { serveSite } from "../support/served-site.ts";

const port = await freePort();
const snapshot = await built(sample, "--site-url", `http://localhost:${port}`);
const site = await serveSite(snapshot, port);
afterAll(() => site.stop());

type Node = DefaultTreeAdapterMap["node"];

/** Programs by what they call and their language. */
function* samplesIn(node: Node): Generator<readonly [name: string, text: string]> {
  if ("attrs" in node) {
    const name = node.attrs.find((one) => one.name === "data-sample")?.value;
    if (name !== undefined) yield [name, textOf(node)];
  }
  if ("childNodes" in node) for (const child of node.childNodes) yield* samplesIn(child);
}
const textOf = (node: Node): string =>
  "value" in node ? node.value : "childNodes" in node ? node.childNodes.map(textOf).join("") : "";

const samples = [...samplesIn(parse(readFileSync(join(snapshot, "en/docs/index.html"), "utf8")))];
const posts = publishedPosts(snapshot).toSorted((a, b) => a.postId - b.postId);

/** How a program is started. */
const starters: Readonly<Record<string, readonly [program: string, file: string]>> = {
  curl: ["sh", "sample.sh"],
  JavaScript: [process.execPath, "sample.mjs"],
  Python: ["python3", "sample.py"],
};
const isMissing = (program: string): boolean =>
  spawnSync(program, ["--version"]).error !== undefined;
const missing = [
  ...(isMissing("curl") ? ["curl"] : []),
  ...(isMissing("python3") ? ["Python"] : []),
];
if (missing.length > 0)
  console.warn(`not installed, so not tested: samples for ${missing.join(", ")}`);

test("en/docs/index.html has a sample per call or download and language", () => {
  expect(samples.map(([name]) => name)).toEqual(
    ["search", "post", "openapi", "bulk", "feed"]
      .flatMap((call) => ["curl", "JavaScript", "Python"].map((language) => `${call} ${language}`))
      // Node has no parser for XML.
      .filter((name) => name !== "feed JavaScript"),
  );
});

/** What a program must print. */
const printed: Readonly<Record<string, (output: string) => void>> = {
  search: (output) => expect(output).toContain(titleOfFirstHit()),
  post: (output) => expect(output).toContain(titleOfExample()),
  openapi: (output) => expect(output).toContain("3.1.0"),
  bulk: (output) => expect(output).toContain(posts[0]?.postTitle),
  feed: (output) => {
    // XML as it is, or its titles.
    const shown = output.includes("<entry>")
      ? output.split("<entry>").length - 1
      : posts.filter(({ postTitle }) => output.includes(postTitle)).length;
    expect(shown).toBe(posts.length);
  },
};

/** The title of the newest post with the keyword that the samples show. */
function titleOfFirstHit(): string {
  const [url = ""] = /http[^']+/.exec(Object.fromEntries(samples)["search curl"] ?? "") ?? [];
  const q = new URL(url).searchParams.get("q") ?? "";
  const found = posts
    .filter(({ postTitle, postContentHtml }) => `${postTitle} ${postContentHtml}`.includes(q))
    .toSorted(newestFirst);
  return found[0]?.postTitle ?? "no such post";
}

/** The title of the post that the samples show. */
function titleOfExample(): string {
  const [, id] = /posts\/(\d+)/.exec(Object.fromEntries(samples)["post curl"] ?? "") ?? [];
  return posts.find(({ postId }) => postId === Number(id))?.postTitle ?? "no such post";
}

describe("en/docs/index.html", () => {
  test.each(samples.filter(([name]) => !missing.some((one) => name.endsWith(one))))(
    "shows a sample that prints the expected output: %s",
    async (name, text) => {
      const [call = "", language = ""] = name.split(" ");
      const [program = "", file = ""] = starters[language] ?? [];
      const cwd = temporaryFolder();
      writeFileSync(join(cwd, file), text);
      const { code, stdout, stderr } = await runProgram(program, [file], { cwd });
      expect(code, stderr).toBe(0);
      printed[call]?.(stdout);
    },
  );
});
