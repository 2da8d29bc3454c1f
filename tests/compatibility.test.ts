/**
 * The promise to clients: the interface of a version does not change, and a new version breaks clients
 * only when its first number is raised. `published-openapi/` holds the description of every version as
 * it was published.
 *
 * A change on purpose: raise `apiVersion` and list the change in `changes` (functions/contract/api.ts),
 * build, and copy dist/api/openapi.json to published-openapi/<version>.json.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { apiVersion, changes } from "../functions/contract/api.ts";
import { differences, interfaceOf, type Json } from "./support/interface.ts";
import { built, sample } from "./support/support.ts";

const read = (file: string): { [key: string]: Json } =>
  JSON.parse(readFileSync(file, "utf8")) as { [key: string]: Json };
const publishedFolder = join(import.meta.dirname, "published-openapi");
const numbersOf = (version: string): number[] => version.split(".").map(Number);
/** The versions that were published, oldest first. */
const versions = readdirSync(publishedFolder)
  .map((name) => name.replace(/\.json$/, ""))
  .sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
const descriptionOf = (version: string): { [key: string]: Json } =>
  read(join(publishedFolder, `${version}.json`));

/** Whether something new refuses requests that were accepted: a parameter is required, or takes less. */
const refusesMore = (before: Json) => {
  const then = interfaceOf(before);
  return (gained: string): boolean => {
    const [, parameter, rest = ""] = /^(.*\/parameters\/[^/]+)\/(.*)$/.exec(gained) ?? [];
    if (parameter === undefined) return false;
    const isNew = !then.some((one) => one.startsWith(`${parameter}/`));
    return isNew ? rest === "required = true" : !rest.includes("/enum has ");
  };
};

/**
 * Places that say how HTTP carries every answer of the API, and whether a later version may add fields. A
 * description may become more exact there: tests/openapi.test.ts holds the answers to all that was published.
 */
const transport =
  /\/responses\/(?:304|405|4XX|default)(?:\/|$)|\/responses\/\d+\/headers\b|\/parameters\/If-None-Match\b|\/schemas\/[^/]+\/additionalProperties\b/;

/** How the interface of the API differs from an earlier one. */
function interfaceDifferences(before: Json, after: Json): ReturnType<typeof differences> {
  const { lost, gained } = differences(before, after);
  const isOwn = (one: string): boolean => !transport.test(one);
  return { lost: lost.filter(isOwn), gained: gained.filter(isOwn) };
}

/** What a description changes that its version does not allow. */
function violations(before: [version: string, Json], after: [version: string, Json]): string[] {
  const { lost, gained } = interfaceDifferences(before[1], after[1]);
  const [major, minor] = numbersOf(before[0]);
  const [newMajor, newMinor] = numbersOf(after[0]);
  if (newMajor !== major) return [];
  if (newMinor !== minor) return [...lost, ...gained.filter(refusesMore(before[1]))];
  return [...lost, ...gained];
}

const [latest = ""] = versions.slice(-1);
const published = descriptionOf(latest);

test("api/openapi.json has the interface published for the current version", async () => {
  const current = read(join(await built(sample), "api/openapi.json"));
  expect(current["info"]).toHaveProperty("version", apiVersion);
  expect(latest).toBe(apiVersion);
  expect(interfaceDifferences(published, current)).toEqual({ lost: [], gained: [] });
});

test("changes lists every published version, latest first, with items and date", () => {
  expect([...new Set(changes.map(({ version }) => version))]).toEqual(versions.toReversed());
  for (const { items, date } of changes) {
    expect(items.length).toBeGreaterThan(0);
    expect(new Date(date).toISOString()).toContain(date);
  }
});

test("every published version changes only what its number allows", () => {
  for (const [i, version] of versions.entries()) {
    expect(descriptionOf(version)["info"]).toHaveProperty("version", version);
    const before = versions[i - 1];
    if (before !== undefined)
      expect(
        violations([before, descriptionOf(before)], [version, descriptionOf(version)]),
        version,
      ).toEqual([]);
  }
});

describe("violations", () => {
  /** A copy of the published description with one place in it changed. */
  function changed(
    path: string,
    change: (parent: { [key: string]: Json }, key: string) => void,
  ): Json {
    const copy = structuredClone(published);
    const keys = path.split(" ");
    const last = keys.pop() ?? "";
    let parent: Json = copy;
    for (const key of keys) parent = (parent as { [key: string]: Json })[key] as Json;
    expect(parent).toHaveProperty([last]);
    change(parent as { [key: string]: Json }, last);
    return copy;
  }
  const remove = (parent: { [key: string]: Json }, key: string): void => {
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete parent[key];
  };
  const set = (value: Json) => (parent: { [key: string]: Json }, key: string) => {
    parent[key] = value;
  };
  const maximum = (parent: { [key: string]: Json }, key: string): void => {
    parent[key] = { ...(parent[key] as { [key: string]: Json }), maximum: 1000 };
  };
  const schemas = "components schemas";
  const search = "paths /api/search get";

  const allowedIn = (version: string, after: Json): boolean =>
    violations(["1.0.0", published], [version, after]).length === 0;

  test.each([
    ["a path is gone", "paths /api/search", remove],
    ["a parameter is gone", `${search} parameters 1`, remove],
    ["a default is another", `${search} parameters 4 schema default`, set(20)],
    ["a bound is narrower", `${search} parameters 4 schema maximum`, set(20)],
    ["a sort order is gone", `${search} parameters 2 schema enum 2`, remove],
    ["an operation has another name", `${search} operationId`, set("search")],
    ["a status is gone", "paths /api/posts/{postId} get responses 400", remove],
    ["a field is gone", `${schemas} Post properties countLikes`, remove],
    ["a field need not be there", `${schemas} Post required 0`, remove],
    ["a field has another type", `${schemas} Post properties postId type`, set("string")],
    ["a field has another format", `${schemas} Post properties postUrl format`, set("iri")],
    ["a field may be null", `${schemas} Tag properties tagName type`, set(["string", "null"])],
    ["a parameter becomes required", `${search} parameters 0 required`, set(true)],
    ["a parameter gets a bound", `${search} parameters 3 schema`, maximum],
    ["a field is gone that has a common name", `${schemas} Tag properties tagName`, remove],
  ])("asks for a new major version when %s", (_, path, change) => {
    const after = changed(path, change);
    expect(allowedIn("1.0.1", after)).toBe(false);
    expect(allowedIn("1.1.0", after)).toBe(false);
    expect(allowedIn("2.0.0", after)).toBe(true);
  });

  test.each([
    ["a field is new", `${schemas} Tag properties`, "description", { type: "string" }],
    ["a path is new", "paths", "/api/tags", { get: { operationId: "getTags" } }],
    ["a parameter is new", `${search} parameters`, "5", { name: "lang", required: false }],
    ["a sort order is new", `${search} parameters 2 schema enum`, "99", "dislike"],
  ])("asks for a new minor version when %s", (_, path, name, value) => {
    const after = changed(path, (parent, key) =>
      Object.assign(parent[key] as object, { [name]: value }),
    );
    expect(allowedIn("1.0.1", after)).toBe(false);
    expect(allowedIn("1.1.0", after)).toBe(true);
  });

  test("does not allow a minor version when a required parameter is new", () => {
    const after = changed(`${search} parameters`, (parent, key) => {
      (parent[key] as Json[]).push({ name: "key", required: true });
    });
    expect(allowedIn("1.1.0", after)).toBe(false);
  });

  test("allows the same version when only words change", () => {
    expect(allowedIn("1.0.0", changed(`${search} description`, set("Other words.")))).toBe(true);
  });
});
