/** The published description against the answers: every kind of answer follows it, and no weaker one would do. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createValidator, type OpenApi } from "./support/description.ts";
import { built, publishedPosts, sample, searchOn } from "./support/support.ts";

const snapshot = await built(sample);
const { get } = searchOn(snapshot);
const file = (path: string): string => readFileSync(join(snapshot, path), "utf8");
const description = JSON.parse(file("api/openapi.json")) as OpenApi;

/** A file, with the headers that netlify.toml gives it: netlify-toml.test.ts holds them to the contract. */
const fileResponse = (path: string): Response =>
  new Response(file(path), {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Access-Control-Allow-Origin": "*",
      "Cache-Control": "public, max-age=60, s-maxage=300",
    },
  });

/** Responses of every kind, each with the described path that it answers. */
const answers: readonly (readonly [path: string, Response])[] = [
  ...(await Promise.all(
    ["", "q=%E3%81%AE", "q=zzqx", "page=99", "orderby=like&pageSize=50"].map(
      async (query) => ["/api/search", await get(`/api/search?${query}`)] as const,
    ),
  )),
  ["/api/search", await get("/api/search", { method: "POST" })],
  ...publishedPosts(snapshot).map(
    ({ postId }) => ["/api/posts/{postId}", fileResponse(`api/posts/${postId}.json`)] as const,
  ),
  ["/api/posts/{postId}", await get("/api/posts/x")],
  ["/api/posts/{postId}", await get("/api/posts/999999999")],
  ["/api/openapi.json", fileResponse("api/openapi.json")],
  ["/api/openapi.json", await get("/api/openapi.json", { method: "POST" })],
];

/** Where the answers violate a description. */
async function violations(openApi: OpenApi): Promise<string[]> {
  const validate = createValidator(openApi);
  const found = answers.map(([path, response]) => validate(path, response.clone()));
  return (await Promise.all(found)).flat();
}

test("every kind of answer follows the description", async () => {
  expect(await violations(description)).toEqual([]);
});

test("an answer that is not described violates it", async () => {
  const broken = await searchOn("/nowhere").get("/api/search");
  expect(await createValidator(description)("/api/search", broken)).toEqual([
    "status 503 is not described",
  ]);
});

describe("the answers would violate a description without", () => {
  const without = (...keys: readonly string[]): OpenApi => {
    const copy = structuredClone(description);
    const parent = keys.slice(0, -1).reduce<object>((value, key) => Reflect.get(value, key), copy);
    expect(Reflect.has(parent, keys.at(-1) ?? "")).toBe(true);
    Reflect.deleteProperty(parent, keys.at(-1) ?? "");
    return copy;
  };
  const fields = Object.entries(description.components.schemas).flatMap(([name, schema]) =>
    Object.keys(schema.properties).map((field) => [name, field] as const),
  );
  test.each(fields)("%s.%s", async (name, field) => {
    const weaker = without("components", "schemas", name, "properties", field);
    expect(await violations(weaker)).not.toEqual([]);
  });

  const responses = Object.entries(description.paths).flatMap(([path, { get: operation }]) =>
    Object.keys(operation.responses).map((status) => [path, status] as const),
  );
  test.each(responses)("%s %s", async (path, status) => {
    const weaker = without("paths", path, "get", "responses", status);
    expect(await violations(weaker)).not.toEqual([]);
  });
});

test("another Cache-Control than the described one is seen", async () => {
  const response = fileResponse("api/posts/1.json");
  response.headers.set("Cache-Control", "no-store");
  expect(await createValidator(description)("/api/posts/{postId}", response)).toEqual([
    "Cache-Control must be equal to constant",
  ]);
});
