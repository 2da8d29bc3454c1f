/** The contract → the OpenAPI 3.1.0 description that /api/openapi.json serves. */
import { apiVersion } from "../../functions/contract/api.ts";
import {
  errorHeaders,
  errors,
  successHeaders,
  type ErrorKind,
} from "../../functions/contract/http.ts";
import { operations, operationTags, type Operation } from "../../functions/contract/operations.ts";
import { error, resources } from "../../functions/contract/resources.ts";
import { withOpenObjects } from "../../functions/contract/schema.ts";
import { aboutApi, type Presentation } from "./presentation.ts";
import type { ExampleParameters } from "./example-calls.ts";
import type { ShownSchema } from "./page/fields.ts";

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

/** A whole value from the examples of its fields. */
function makeExample({ examples, items, properties = {} }: ShownSchema): Json {
  if (examples !== undefined) return (examples[0] ?? null) as Json;
  if (items !== undefined) return [makeExample(items)];
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, makeExample(field)]),
  );
}

const anyOrigin: JsonObject = {
  "Access-Control-Allow-Origin": {
    description: "Any origin may read the response.",
    schema: { type: "string", const: successHeaders["Access-Control-Allow-Origin"] },
  },
};
const entityTag: JsonObject = {
  ETag: {
    description:
      "Identifies this state of the answer. A HEAD request gives it without the body; send it as `If-None-Match` to learn whether anything changed.",
    schema: { type: "string" },
    example: '"3f2a9c0d41b7"',
  },
};
const cacheControl = (description: string, value: string): JsonObject => ({
  "Cache-Control": { description, schema: { type: "string", const: value } },
});
const successDescribed: JsonObject = {
  ...anyOrigin,
  ...cacheControl(
    "How long browsers and shared caches may keep the response.",
    successHeaders["Cache-Control"],
  ),
  ...entityTag,
};
const errorDescribed: JsonObject = {
  ...anyOrigin,
  ...cacheControl("Nothing keeps an error.", errorHeaders["Cache-Control"]),
};

/** Every call takes it: HTTP's way to ask whether an answer changed. */
const ifNoneMatch: JsonObject = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description: "The `ETag` of an answer that the client has; 304 means that it is still right.",
  schema: { type: "string" },
};

const json = (schema: Json, example: Json): JsonObject => ({
  "application/json": { schema, example },
});

const failure = (description: string, kind: ErrorKind): JsonObject => ({
  description,
  headers: errorDescribed,
  content: json(referenced(error), { error: errors[kind].message }),
});

function describeResponses({ success, body, failures }: Operation): JsonObject {
  const isResource = resources.some((resource) => resource === body);
  const own = Object.entries({
    ...failures,
    // For a call without errors of its own. Linters want one that is the client's.
    ...(Object.keys(failures).length === 0
      ? { methodNotAllowed: "The method is not GET, HEAD or OPTIONS." }
      : {}),
  });
  return {
    200: {
      description: success,
      headers: successDescribed,
      content: json(isResource ? referenced(body) : { type: "object" }, makeExample(body)),
    },
    304: { description: "Nothing changed since the answer with this `ETag`.", headers: entityTag },
    ...Object.fromEntries(
      own.map(([kind, description]): [string, JsonObject] => [
        String(errors[kind as ErrorKind].status),
        failure(description, kind as ErrorKind),
      ]),
    ),
    default: failure("Any other error. After a 5xx, ask again later.", "internal"),
  };
}

function operationObject(operation: Operation, examples: ExampleParameters): JsonObject {
  const { id, tag, summary, description, parametersIn, parameters } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    // The schema's description and example are moved to the parameter itself, where tools look.
    parameters: [
      ...Object.entries(parameters).map(([name, { description: text, ...schema }]) => ({
        name,
        in: parametersIn,
        required: parametersIn === "path",
        description: text,
        schema: referenced(schema),
        example: examples[name as keyof ExampleParameters],
      })),
      ifNoneMatch,
    ],
    responses: describeResponses(operation),
  };
}

/** Where the API and the posts are published, and what they are. */
export interface Publication {
  /** Base URL of the API, without a trailing slash. */
  readonly siteUrl: string;
  /** URL of some post's page. */
  readonly postUrl: string;
  readonly presentation: Presentation;
}

/**
 * The terms of the posts. OpenAPI takes a name alone, but the rules of Redocly and swagger-parser want a place to read
 * more: the page names the license, too.
 */
function describeLicense({ siteUrl, postUrl, presentation }: Publication): JsonObject {
  const { license } = presentation.collection;
  if (license === undefined)
    return { name: "Terms of the site that publishes the posts", url: new URL(postUrl).origin };
  const isNameAlone = license.identifier === undefined && license.url === undefined;
  return isNameAlone ? { ...license, url: `${siteUrl}/` } : license;
}

/**
 * The description of the API.
 *
 * @param examples values for its parameters that find something in the snapshot
 */
export function openApiDocument(publication: Publication, examples: ExampleParameters): JsonObject {
  const { siteUrl, presentation } = publication;
  const { collection, title } = presentation;
  return withOpenObjects({
    openapi: "3.1.0",
    info: {
      title: title.en,
      version: apiVersion,
      description: aboutApi(presentation),
      contact: collection.contact ?? { name: "Documentation", url: `${siteUrl}/` },
      license: describeLicense(publication),
    },
    servers: [{ url: siteUrl }],
    security: [],
    tags: Object.entries(operationTags).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(
      Object.values(operations).map((operation) => [
        operation.path,
        { get: operationObject(operation, examples) },
      ]),
    ),
    components: {
      schemas: Object.fromEntries(
        resources.map((resource) => [resource.title, referenced(resource, true)]),
      ),
    },
  });
}
