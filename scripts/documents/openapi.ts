/** The contract → the OpenAPI 3.1.0 description that /api/openapi.json serves. */
import { apiVersion } from "../../functions/contract/api.ts";
import { errors, successHeaders, type ErrorKind } from "../../functions/contract/http.ts";
import { operations, operationTags, type Operation } from "../../functions/contract/operations.ts";
import { error, resources } from "../../functions/contract/resources.ts";
import { aboutApi, type Presentation } from "./presentation.ts";
import type { ExampleParameters } from "./example-calls.ts";

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

/** For calls without errors of their own: a layer in front of the API may refuse a request. */
const otherFailure: JsonObject = {
  "4XX": { description: "The request was refused.", content: json(referenced(error)) },
};

function responsesOf({ success, body, failures }: Operation): JsonObject {
  const isResource = resources.some((resource) => resource === body);
  const failed = Object.entries(failures).map(([kind, description]): [string, JsonObject] => {
    const { status, message } = errors[kind as ErrorKind];
    return [String(status), { description, content: json(referenced(error), { error: message }) }];
  });
  return {
    200: {
      description: success,
      headers,
      content: json(isResource ? referenced(body) : { type: "object" }),
    },
    ...(failed.length > 0 ? Object.fromEntries(failed) : otherFailure),
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
    parameters: Object.entries(parameters).map(([name, { description: text, ...schema }]) => ({
      name,
      in: parametersIn,
      required: parametersIn === "path",
      description: text,
      schema: referenced(schema),
      example: examples[name as keyof ExampleParameters],
    })),
    responses: responsesOf(operation),
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
 * The description of the API.
 *
 * @param examples values for its parameters that find something in the snapshot
 */
export function openApiDocument(
  { siteUrl, postUrl, presentation }: Publication,
  examples: ExampleParameters,
): JsonObject {
  const { collection, title } = presentation;
  return {
    openapi: "3.1.0",
    info: {
      title: title.en,
      version: apiVersion,
      description: aboutApi(presentation),
      contact: collection.contact ?? { name: "Documentation", url: `${siteUrl}/` },
      license: collection.license ?? {
        name: "Terms of the site that publishes the posts",
        url: new URL(postUrl).origin,
      },
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
  };
}
