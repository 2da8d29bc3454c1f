import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { runInProcess, temporaryFolder } from "../../tests/support/support.ts";
import type { Comparison } from "./baseline.ts";
import { buildCommand, buildPolicy, settingsFrom, type Settings } from "./options.ts";

/** A folder without an export: the project's own may hold one. */
const empty = temporaryFolder();

/** The settings that a command line and an environment lead to, or the error. */
async function settingsOf(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  folder = empty,
): Promise<{ settings: Settings | undefined; code: number | null; stderr: string }> {
  let settings: Settings | undefined;
  const outcome = await runInProcess(
    (given, io) =>
      buildCommand.run(given, io, (values) => {
        settings = settingsFrom(values, buildPolicy(io.env), folder);
        return 0;
      }),
    args,
    env,
  );
  return { settings, ...outcome };
}

const netlify = { NETLIFY: "true", URL: "https://cases.example" };

describe("settingsFrom", () => {
  test("defaults to the sample without an export, and says so", async () => {
    expect((await settingsOf([])).settings).toMatchObject({
      exportFile: "data/sample.sql",
      isSampleByDefault: true,
    });
  });

  test("refuses a comparison with a live site without an export", async () => {
    const { code, stderr } = await settingsOf(["--against", "https://cases.example/snapshot.json"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("there is no export")]);
  });

  test.each([
    ["on Netlify", netlify],
    [
      "by netlify deploy on a machine",
      { NETLIFY_LOCAL: "true", CONTEXT: "production", URL: "https://cases.example" },
    ],
  ])("does not default to the sample %s", async (_, env) => {
    const { code, stderr } = await settingsOf([], env);
    expect(code).toBe(1);
    expect(stderr).toMatch(/neither data\/export\.sqlite nor data\/export\.sql exists.*--sample/);
  });

  test("refuses netlify deploy in a folder that is not linked, without --site-url", async () => {
    const deploy = { NETLIFY_LOCAL: "true", CONTEXT: "production" };
    const { code, stderr } = await settingsOf(["--sample"], deploy);
    expect([code, stderr]).toEqual([1, expect.stringContaining("npx netlify link")]);
    const named = await settingsOf(["--sample", "--site-url", "https://cases.example"], deploy);
    expect(named.settings?.siteUrl).toBe("https://cases.example");
  });

  test.each([
    { NETLIFY_LOCAL: "true", CONTEXT: "dev" },
    { NETLIFY_LOCAL: "true", NETLIFY_DEV: "true", CONTEXT: "production" },
  ])("defaults to the sample in netlify dev: %j", async (env) => {
    const { settings } = await settingsOf([], env);
    expect(settings?.exportFile).toBe("data/sample.sql");
  });

  test.each([
    ["--site-url", "https://cases.example"],
    ["--against", "https://cases.example/snapshot.json"],
  ])("does not default to the sample for a site (%s %s)", async (...args) => {
    const { code, stderr } = await settingsOf(args);
    expect(code).toBe(1);
    expect(stderr).toMatch(/there is no export: neither .*--sample/);
    expect((await settingsOf([...args, "--sample"])).settings?.exportFile).toBe("data/sample.sql");
  });

  test("defaults to the sample for a site on this machine", async () => {
    const { settings } = await settingsOf(["--site-url", "http://localhost:9000"]);
    expect(settings?.exportFile).toBe("data/sample.sql");
  });

  test("takes the sample on Netlify when --sample is given", async () => {
    expect((await settingsOf(["--sample"], netlify)).settings).toMatchObject({
      exportFile: "data/sample.sql",
      isSampleByDefault: false,
    });
  });

  test("gives the sample no collection of the publisher, however it is named", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "data"));
    writeFileSync(join(folder, "data/collection.json"), '{"title":"Own"}');
    symlinkSync(resolve("data/sample.sql"), join(folder, "link.sql"));
    const collectionOf = async (file: string) =>
      (await settingsOf(["--export", file], {}, folder)).settings?.collection;
    for (const name of ["data/sample.sql", "./data/sample.sql", resolve("data/sample.sql")])
      expect(await collectionOf(name)).toEqual({});
    expect(await collectionOf(join(folder, "link.sql"))).toEqual({});
    expect(await collectionOf(join(folder, "data/sample.sql"))).toEqual({ title: "Own" });
  });

  test.each([
    [[], ["data/export.sql"]],
    [["--sample"], []],
    [["--export", "data/export.sql"], []],
  ])("knows which exports %j leaves unread", async (args, unread) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "data"));
    for (const name of ["export.sqlite", "export.sql"])
      writeFileSync(join(folder, "data", name), "");
    expect((await settingsOf(args, {}, folder)).settings?.ignoredExports).toEqual(unread);
  });

  test("refuses --sample beside --export", async () => {
    const { code, stderr } = await settingsOf(["--sample", "--export", "a.sqlite"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("name two exports")]);
  });
});

test("settingsFrom takes the placement of the index from --index, and refuses others", async () => {
  expect((await settingsOf([])).settings).toMatchObject({ placement: "auto" });
  expect((await settingsOf(["--index", "cdn"])).settings).toMatchObject({ placement: "cdn" });
  const { code, stderr } = await settingsOf(["--index", "CDN"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("one of auto, bundle, cdn")]);
});

describe("settingsFrom compares a build with", () => {
  const cases: [string, string[], Record<string, string>, Comparison][] = [
    ["its folder", [], {}, "target"],
    ["its folder, wherever it will be published", [], { URL: netlify.URL }, "target"],
    [
      "the live site on Netlify",
      ["--sample"],
      netlify,
      { url: "https://cases.example/snapshot.json", allowMissing: true },
    ],
    ["nothing with none", ["--against", "none"], {}, "nothing"],
    ["nothing with none on Netlify", ["--sample", "--against", "none"], netlify, "nothing"],
    [
      "a site that is named",
      ["--sample", "--against", "https://other.example/snapshot.json"],
      netlify,
      { url: "https://other.example/snapshot.json", allowMissing: false },
    ],
  ];
  test.each(cases)("%s", async (_, args, env, comparison) => {
    expect((await settingsOf(args, env)).settings?.comparison).toEqual(comparison);
  });
});
