/** The published description against the answers: every kind of answer follows it, and no weaker one would do. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  post,
  searchResult,
  type Post,
  type SearchResult,
} from "../functions/contract/resources.ts";
import { apiVersion } from "../functions/contract/api.ts";
import { withOpenObjects } from "../functions/contract/schema.ts";
import { contractRules, publishedRules } from "../scripts/lib/json-schema.ts";
import { createValidator, type OpenApi } from "./support/description.ts";
import { built, publishedPosts, sample, searchOn } from "./support/support.ts";

const snapshot = await built(sample);
const { get } = searchOn(snapshot);
const file = (path: string): string => readFileSync(join(snapshot, path), "utf8");
const description = JSON.parse(file("api/openapi.json")) as OpenApi;

/** A file, with the headers that _headers gives it: headers-file.test.ts holds them to the contract. */
const fileResponse = (path: string): Response =>
  new Response(file(path), {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Access-Control-Allow-Origin": "*",
      "Cache-Control": "public, max-age=60, s-maxage=300",
      ETag: '"given by the platform"',
    },
  });

const unavailable = searchOn("/nowhere").get;
const notModified = () => new Response(null, { status: 304, headers: { ETag: '"the same"' } });

/** Responses of every kind, each with the described path that it answers. */
const answers: readonly (readonly [path: string, Response])[] = [
  ...(await Promise.all(
    ["", "q=%E3%81%AE", "q=zzqx", "page=99", "orderby=like&pageSize=50"].map(
      async (query) => ["/api/search", await get(`/api/search?${query}`)] as const,
    ),
  )),
  ["/api/search", await get("/api/search", { method: "POST" })],
  ["/api/search", await get("/api/search", { headers: { "If-None-Match": "*" } })],
  ["/api/search", await unavailable("/api/search")],
  ...publishedPosts(snapshot).map(
    ({ postId }) => ["/api/posts/{postId}", fileResponse(`api/posts/${postId}.json`)] as const,
  ),
  ["/api/posts/{postId}", notModified()],
  ["/api/posts/{postId}", await unavailable("/api/posts/1")],
  ["/api/posts/{postId}", await get("/api/posts/x")],
  ["/api/posts/{postId}", await get("/api/posts/999999999")],
  ["/api/openapi.json", fileResponse("api/openapi.json")],
  ["/api/openapi.json", notModified()],
  ["/api/openapi.json", await get("/api/openapi.json", { method: "POST" })],
  // The function is asked only where there is no file.
  ["/api/openapi.json", await get("/api/openapi.json")],
];

/** Where the answers violate a description. */
async function violations(openApi: OpenApi): Promise<string[]> {
  const validate = createValidator(openApi);
  const found = answers.map(async ([path, response]) => {
    const places = await validate(path, response.clone());
    return places.map((place) => `${path} ${response.status} ${place}`);
  });
  return (await Promise.all(found)).flat();
}

test("api/openapi.json links a license that has only a name to the page", () => {
  const { info } = JSON.parse(file("api/openapi.json")) as { info: { license: object } };
  expect(info.license).toEqual({
    name: "Sample data: not for use elsewhere",
    url: "http://localhost:8888/",
  });
});

test("answers of every kind follow api/openapi.json", async () => {
  expect(await violations(description)).toEqual([]);
});

const publishedFolder = join(import.meta.dirname, "published-openapi");
test.each(readdirSync(publishedFolder))(
  "answers violate nothing that published-openapi/%s describes",
  async (name) => {
    const published = JSON.parse(readFileSync(join(publishedFolder, name), "utf8")) as OpenApi;
    // A field that an earlier version does not know is an addition, which clients take.
    const isCurrent = name === `${apiVersion}.json`;
    const found = await violations(isCurrent ? published : withOpenObjects(published));
    // It named no other statuses.
    const undescribed = / status (?:304|404|503) is not described$/;
    expect(found.filter((one) => !undescribed.test(one))).toEqual([]);
    expect(
      answers.filter(([, { status }]) => status < 300 || status === 400).length,
    ).toBeGreaterThan(40);
  },
);

test("createValidator takes fields of a later version; contractRules and publishedRules do not", async () => {
  const answer = structuredClone(publishedPosts(snapshot)[0]);
  const later = { ...answer, tags: [{ tagId: 1, tagName: "a", colour: "red" }], language: "ja" };
  const response = new Response(JSON.stringify(later), fileResponse("api/posts/1.json"));
  expect(await createValidator(description)("/api/posts/{postId}", response)).toEqual([]);
  for (const rules of [contractRules(post), publishedRules(description, "Post")])
    expect(rules(later)).toEqual([
      '/ must NOT have additional properties: "language"',
      '/tags/0 must NOT have additional properties: "colour"',
    ]);
});

describe("the examples of api/openapi.json", () => {
  const examples = Object.entries(description.paths).flatMap(([path, { get: operation }]) =>
    Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
      Object.values(content).map(({ example }) => ({ path, status, example })),
    ),
  );
  test("exist for every answer with a body; search and post match their schemas", () => {
    expect(examples.map(({ path, status }) => `${path} ${status}`)).toEqual([
      "/api/search 200",
      "/api/search 405",
      "/api/search default",
      "/api/posts/{postId} 200",
      "/api/posts/{postId} 400",
      "/api/posts/{postId} 404",
      "/api/posts/{postId} default",
      "/api/openapi.json 200",
      "/api/openapi.json 405",
      "/api/openapi.json default",
    ]);
    const [search, , , read] = examples;
    expect(contractRules(searchResult)(search?.example)).toEqual([]);
    expect(contractRules(post)(read?.example)).toEqual([]);
  });
  test("contain ASCII only, and agree with each other", () => {
    expect(JSON.stringify(examples)).not.toMatch(/[^\u0020-\u007e]/);
    const [search, , , read] = examples.map(({ example }) => example);
    const { results, metadata, tagCounts } = search as SearchResult;
    const whole = read as Post;
    expect(metadata.count).toBe(results.length);
    expect(whole).toMatchObject({ postTitle: results[0]?.postTitle, countComments: 1 });
    expect(whole.comments).toHaveLength(whole.countComments);
    expect(whole.tags.map(({ tagName }) => tagName)).toEqual(results[0]?.tagNames);
    expect(tagCounts.map(({ tagName }) => tagName)).toEqual(results[0]?.tagNames);
    expect(whole.postTitle).toContain(metadata.query);
  });
});

/** The description with each of its schemas closed: what it does not name is an error. */
const closed: OpenApi = structuredClone(description);
for (const schema of Object.values(closed.components.schemas))
  Object.assign(schema, { additionalProperties: false });

test("answers have only fields that api/openapi.json describes", async () => {
  expect(await violations(closed)).toEqual([]);
});

describe("violations", () => {
  const without = (...keys: readonly string[]): OpenApi => {
    const copy = structuredClone(closed);
    const parent = keys.slice(0, -1).reduce<object>((value, key) => Reflect.get(value, key), copy);
    expect(Reflect.has(parent, keys.at(-1) ?? "")).toBe(true);
    Reflect.deleteProperty(parent, keys.at(-1) ?? "");
    return copy;
  };
  const fields = Object.entries(description.components.schemas).flatMap(([name, schema]) =>
    Object.keys(schema.properties).map((field) => [name, field] as const),
  );
  test.each(fields)(
    "finds answers that need the field %s.%s of the description",
    async (name, field) => {
      const weaker = without("components", "schemas", name, "properties", field);
      expect(await violations(weaker)).not.toEqual([]);
    },
  );

  const responses = Object.entries(description.paths).flatMap(([path, { get: operation }]) =>
    Object.keys(operation.responses).map((status) => [path, status] as const),
  );
  test.each(responses)(
    "finds answers that need the response %s %s of the description",
    async (path, status) => {
      const weaker = without("paths", path, "get", "responses", status);
      Reflect.deleteProperty(weaker.paths[path]?.get.responses ?? {}, "default");
      expect(await violations(weaker)).not.toEqual([]);
    },
  );
});

test("createValidator reports a Cache-Control other than the described one", async () => {
  const response = fileResponse("api/posts/1.json");
  response.headers.set("Cache-Control", "no-store");
  expect(await createValidator(description)("/api/posts/{postId}", response)).toEqual([
    "Cache-Control must be equal to constant",
  ]);
});
