/** The contract → the OpenAPI 3.1.0 description that /api/openapi.json serves. */
import { apiDescription, apiTitle, apiVersion, fairUse } from "../../functions/contract/api.ts";
import { errors, paths, successHeaders, type ErrorKind } from "../../functions/contract/http.ts";
import { postIdParameter, searchParameters } from "../../functions/contract/parameters.ts";
import { error, post, resources, searchResult } from "../../functions/contract/resources.ts";

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type JsonObject = { readonly [key: string]: Json };

/** A schema with every named resource inside it replaced by a reference to its component. */
function referenced(value: unknown, isComponent = false): Json {
  if (Array.isArray(value)) return value.map((element) => referenced(element));
  if (typeof value !== "object" || value === null) return value as Json;
  const named = resources.find((resource) => resource === value);
  if (named !== undefined && !isComponent) return { $ref: `#/components/schemas/${named.title}` };
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, referenced(inner)]));
}

/** Moves the description and examples of a parameter's schema to the parameter itself. */
function parameter(
  name: string,
  where: "query" | "path",
  { description, ...schema }: { readonly description: string },
  example: Json,
): JsonObject {
  return {
    name,
    in: where,
    required: where === "path",
    description,
    schema: referenced(schema),
    example,
  };
}

const exampleQuery: Readonly<Record<keyof typeof searchParameters, Json>> = {
  q: "名前",
  tags: "仕事",
  orderby: searchParameters.orderby.default,
  page: searchParameters.page.default,
  pageSize: searchParameters.pageSize.default,
};

const headers: JsonObject = {
  "Access-Control-Allow-Origin": {
    description: "Any origin may read the response.",
    schema: { type: "string", const: successHeaders["Access-Control-Allow-Origin"] },
  },
  "Cache-Control": {
    description: "How long browsers and shared caches may keep the response.",
    schema: { type: "string", const: successHeaders["Cache-Control"] },
  },
};

const json = (schema: Json, example?: Json): JsonObject => ({
  "application/json": { schema, ...(example === undefined ? {} : { example }) },
});

const failure = (kind: ErrorKind, description: string): JsonObject => ({
  description,
  content: json(referenced(error), { error: errors[kind].message }),
});

/**
 * The description of the API.
 *
 * @param siteUrl base address of the API, without a trailing slash
 */
export function openApiDocument(siteUrl: string): JsonObject {
  return {
    openapi: "3.1.0",
    info: {
      title: apiTitle,
      version: apiVersion,
      description: `${apiDescription} ${fairUse}`,
    },
    servers: [{ url: siteUrl }],
    security: [],
    tags: [
      { name: "posts", description: "Search and read posts." },
      { name: "meta", description: "The API about itself." },
    ],
    paths: {
      [paths.search]: {
        get: {
          operationId: "searchPosts",
          tags: ["posts"],
          summary: "Search posts by keyword and tags",
          description:
            "Returns one page of posts, without their bodies, whose title or text contains the keyword and that carry all the tags. Pass the postId of a hit to getPost to read it.",
          parameters: Object.entries(searchParameters).map(([name, schema]) =>
            parameter(name, "query", schema, exampleQuery[name as keyof typeof searchParameters]),
          ),
          responses: {
            200: {
              description: "The requested page; without results when nothing matches.",
              headers,
              content: json(referenced(searchResult)),
            },
          },
        },
      },
      [`${paths.posts}{postId}`]: {
        get: {
          operationId: "getPost",
          tags: ["posts"],
          summary: "Read one post",
          description:
            "Returns a post with its HTML body, comments, tags, similar posts and neighbours.",
          parameters: [parameter("postId", "path", postIdParameter, 1)],
          responses: {
            200: { description: "The post.", headers, content: json(referenced(post)) },
            [errors.invalidPostId.status]: failure(
              "invalidPostId",
              "The id is not a positive integer.",
            ),
            [errors.postNotFound.status]: failure("postNotFound", "No post has this id."),
          },
        },
      },
      [paths.openapi]: {
        get: {
          operationId: "getOpenApi",
          tags: ["meta"],
          summary: "Read this description",
          description: "Returns the OpenAPI 3.1.0 description of this API.",
          parameters: [],
          responses: {
            200: {
              description: "This document.",
              headers,
              content: json({ type: "object" }),
            },
          },
        },
      },
    },
    components: {
      schemas: Object.fromEntries(
        resources.map((resource) => [resource.title, referenced(resource, true)]),
      ),
    },
  };
}
