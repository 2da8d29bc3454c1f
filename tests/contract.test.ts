/** The published description against the contract, written down here once more by hand. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse as parseToml } from "smol-toml";
import { describe, expect, test } from "vitest";
import * as http from "../functions/contract/http.ts";
import { built, root, sample } from "./support/support.ts";

/** Fields of every resource: `?` stands for nullable. */
const fields: Record<string, Record<string, string>> = {
  SearchResult: { metadata: "SearchMetadata", tagCounts: "TagCount[]", results: "SearchHit[]" },
  SearchMetadata: {
    query: "string",
    count: "integer",
    page: "integer",
    totalPages: "integer",
    orderby: "string",
    hasMore: "boolean",
  },
  TagCount: { tagName: "string", count: "integer" },
  SearchHit: {
    postId: "integer",
    postTitle: "string",
    postUrl: "uri",
    postDateGmt: "date-time",
    countLikes: "integer",
    countDislikes: "integer",
    countComments: "integer",
    tagNames: "string[]",
  },
  Post: {
    postId: "integer",
    postTitle: "string",
    postUrl: "uri",
    postDateGmt: "date-time",
    postContentHtml: "string",
    commentStatus: "string",
    countLikes: "integer",
    countDislikes: "integer",
    countBookmarks: "integer",
    countComments: "integer",
    ogpImageUrl: "uri?",
    isWelcomed: "boolean?",
    isWelcomedExplanation: "string?",
    tags: "Tag[]",
    comments: "Comment[]",
    similarPosts: "PostSummary[]",
    previousPost: "PostSummary?",
    nextPost: "PostSummary?",
  },
  Tag: { tagName: "string", tagId: "integer" },
  Comment: {
    commentId: "integer",
    commentDateGmt: "date-time",
    commentAuthor: "string",
    commentContent: "string",
    likesCount: "integer",
    dislikesCount: "integer",
    commentParent: "integer",
  },
  PostSummary: { postId: "integer", postTitle: "string", postUrl: "uri" },
  Error: { error: "string" },
};

interface JsonSchema {
  readonly type?: string;
  readonly format?: string;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly $ref?: string;
  readonly properties?: Record<string, JsonSchema>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
}

function shortForm({ type, format, items, anyOf, $ref }: JsonSchema): string {
  if ($ref !== undefined) return $ref.replace("#/components/schemas/", "");
  if (anyOf !== undefined) {
    expect(anyOf[1]).toEqual({ type: "null" });
    return `${shortForm(anyOf[0] ?? {})}?`;
  }
  if (items !== undefined) return `${shortForm(items)}[]`;
  return format ?? type ?? "";
}

const document = JSON.parse(readFileSync(join(built(sample), "api/openapi.json"), "utf8")) as {
  openapi: string;
  info: { version: string };
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        parameters: { name: string; in: string; required: boolean; schema: object }[];
        responses: Record<
          string,
          {
            headers?: Record<string, { schema: object }>;
            content: Record<string, { schema: object; example?: object }>;
          }
        >;
      }
    >
  >;
  components: { schemas: Record<string, JsonSchema> };
};

test("it is OpenAPI 3.1.0 of version 1.0.0", () => {
  expect(document.openapi).toBe("3.1.0");
  expect(document.info.version).toBe("1.0.0");
});

describe("resources", () => {
  test("are these and no others", () => {
    expect(Object.keys(document.components.schemas).sort()).toEqual(Object.keys(fields).sort());
  });
  test.each(Object.entries(fields))("%s", (name, expected) => {
    const schema = document.components.schemas[name] ?? {};
    const found = Object.entries(schema.properties ?? {}).map(([field, inner]) => [
      field,
      shortForm(inner),
    ]);
    expect(Object.fromEntries(found)).toEqual(expected);
    expect([...(schema.required ?? [])].sort()).toEqual(Object.keys(expected).sort());
    expect(schema.additionalProperties).toBe(false);
  });
});

test("operations, parameters and answers", () => {
  const summary = Object.entries(document.paths).map(([path, methods]) => [
    path,
    Object.entries(methods).map(([method, { parameters, responses }]) => [
      method,
      parameters.map(({ name, in: where, required, schema }) => [name, where, required, schema]),
      Object.keys(responses),
    ]),
  ]);
  expect(summary).toEqual([
    [
      "/api/search",
      [
        [
          "get",
          [
            ["q", "query", false, { type: "string", default: "" }],
            ["tags", "query", false, { type: "string", default: "" }],
            [
              "orderby",
              "query",
              false,
              { type: "string", enum: ["timeDesc", "timeAsc", "like"], default: "timeDesc" },
            ],
            ["page", "query", false, { type: "integer", minimum: 1, default: 1 }],
            ["pageSize", "query", false, { type: "integer", minimum: 1, maximum: 50, default: 10 }],
          ],
          // Any client error has the shape of Error (the contract's section 7).
          ["200", "4XX"],
        ],
      ],
    ],
    [
      "/api/posts/{postId}",
      [["get", [["postId", "path", true, { type: "integer", minimum: 1 }]], ["200", "400", "404"]]],
    ],
    ["/api/openapi.json", [["get", [], ["200", "4XX"]]]],
  ]);
});

test("headers and error messages", () => {
  const { get } = document.paths["/api/posts/{postId}"] ?? {};
  expect(
    Object.entries(get?.responses["200"]?.headers ?? {}).map(([name, { schema }]) => [
      name,
      schema,
    ]),
  ).toEqual([
    ["Access-Control-Allow-Origin", { type: "string", const: "*" }],
    ["Cache-Control", { type: "string", const: "public, max-age=60, s-maxage=300" }],
  ]);
  expect(get?.responses["400"]?.content["application/json"]?.example).toEqual({
    error: "postId must be a positive integer",
  });
  expect(get?.responses["404"]?.content["application/json"]?.example).toEqual({
    error: "Post not found",
  });
});

describe("netlify.toml repeats what the contract declares", () => {
  const { headers } = parseToml(readFileSync(join(root, "netlify.toml"), "utf8")) as unknown as {
    headers: { for: string; values: Record<string, string> }[];
  };
  const valuesFor = (path: string): Record<string, string> =>
    headers.find((rule) => rule.for === path)?.values ?? {};
  const ofAll = valuesFor("/*");

  test("for every file", () => expect(ofAll).toEqual(http.siteHeaders));
  test("for the API's files", () => {
    const { "Cache-Control": cacheControl, ...rest } = http.successHeaders;
    expect({ ...valuesFor("/api/*"), "X-Content-Type-Options": "nosniff" }).toEqual(rest);
    for (const path of [`${http.paths.posts}*`, http.paths.openapi])
      expect(valuesFor(path)).toEqual({ "Cache-Control": cacheControl });
  });
  test("for errors", () =>
    expect({ ...valuesFor("/errors/*"), "X-Content-Type-Options": "nosniff" }).toEqual(
      http.errorHeaders,
    ));
  test("for the page and the catalog", () => {
    for (const path of [http.documents.ja, http.documents.en])
      expect(valuesFor(path)).toEqual({ Link: http.linkHeader });
    expect(valuesFor(http.documents.catalog)).toEqual({
      "Content-Type": http.catalogType,
      "Access-Control-Allow-Origin": "*",
      Link: http.linkHeader,
    });
  });
  test("and nothing else", () => expect(headers.length).toBe(8));
});
