/**
 * The promise to clients: the interface of a version does not change. `published-openapi.json` is the
 * description as it was last published.
 *
 * A change on purpose: raise `apiVersion`, tell it in `changes` (functions/contract/api.ts), build,
 * and copy dist/api/openapi.json here.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { apiVersion, changes } from "../functions/contract/api.ts";
import { built, sample } from "./support/support.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const read = (file: string): { [key: string]: Json } =>
  JSON.parse(readFileSync(file, "utf8")) as { [key: string]: Json };
const published = read(join(import.meta.dirname, "published-openapi.json"));
const current = read(join(await built(sample), "api/openapi.json"));

/** Words meant for people, and where the API lives: these may change at any time. */
const changeable = new Set(["description", "summary", "example", "examples", "info", "servers"]);

/** What clients rely on: every place in a description with what stands there. Order does not count. */
function interfaceOf(value: Json, place = ""): string[] {
  if (typeof value !== "object" || value === null) return [`${place} = ${JSON.stringify(value)}`];
  if (Array.isArray(value)) {
    if (value.every((one) => typeof one === "string"))
      return value.map((one) => `${place} has ${one}`);
    return value.flatMap((one, i) => {
      const name = typeof one === "object" && one !== null && "name" in one ? one["name"] : i;
      return interfaceOf(one, `${place}/${String(name)}`);
    });
  }
  const isNames = /\/(properties|schemas|paths)$/.test(place);
  return Object.entries(value).flatMap(([key, inner]) =>
    !isNames && changeable.has(key)
      ? []
      : [`${place}/${key}`, ...interfaceOf(inner, `${place}/${key}`)],
  );
}

/** How the interface of a description differs from the published one. */
function differences(description: Json): { readonly lost: string[]; readonly gained: string[] } {
  const before = new Set(interfaceOf(published));
  const now = new Set(interfaceOf(description));
  return {
    lost: [...before].filter((one) => !now.has(one)),
    gained: [...now].filter((one) => !before.has(one)),
  };
}

const versionOf = (description: { [key: string]: Json }): string =>
  (description["info"] as { version: string }).version;

test("a version's interface is the published one", () => {
  if (versionOf(published) === apiVersion)
    expect(differences(current)).toEqual({ lost: [], gained: [] });
  // What is lost breaks clients: that takes another first number.
  else if (differences(current).lost.length > 0)
    expect(apiVersion.split(".")[0]).not.toBe(versionOf(published).split(".")[0]);
});

test("the current version is the latest one of the changelog", () => {
  expect(changes[0]?.version).toBe(apiVersion);
  for (const { items, date } of changes) {
    expect(items.length).toBeGreaterThan(0);
    expect(new Date(date).toISOString()).toContain(date);
  }
});

describe("it would be seen that", () => {
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
  const schemas = "components schemas";
  const search = "paths /api/search get";

  test.each([
    ["a path is gone", "paths /api/search", remove],
    ["a parameter is gone", `${search} parameters 1`, remove],
    ["a parameter is required", `${search} parameters 0 required`, set(true)],
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
    ["a field named description is gone", `${schemas} Tag properties tagName`, remove],
  ])("%s", (_, path, change) => {
    expect(differences(changed(path, change)).lost.length).toBeGreaterThan(0);
  });

  test("a field is new", () => {
    const more = changed(`${schemas} Tag properties`, (parent, key) => {
      (parent[key] as { [key: string]: Json })["description"] = { type: "string" };
    });
    expect(differences(more).lost).toEqual([]);
    expect(differences(more).gained.length).toBeGreaterThan(0);
  });

  test("but words may change", () => {
    const reworded = changed(`${search} description`, set("Other words."));
    expect(differences(reworded)).toEqual({ lost: [], gained: [] });
  });
});
