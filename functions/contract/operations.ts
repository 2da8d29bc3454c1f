/** Every call of the API, declared once: the OpenAPI document, the documentation page and llms.txt read this. */
import { apiTitle, apiVersion } from "./api.ts";
import { paths, type ErrorKind } from "./http.ts";
import { postIdParameter, searchParameters } from "./parameters.ts";
import { post, searchResult } from "./resources.ts";
import type { Schema } from "./schema.ts";

/** A parameter's schema, with its description. */
export type OperationParameter = Schema<unknown> & {
  readonly type: string;
  readonly description: string;
};

/** Groups of calls. */
export const operationTags = {
  posts: "Search and read posts.",
  meta: "The API about itself.",
} as const;

/** A call: always GET. */
export interface Operation {
  /** Safe as the name of an agent's tool: letters only. */
  readonly id: string;
  readonly path: string;
  /** Group in documentation. */
  readonly tag: keyof typeof operationTags;
  readonly summary: string;
  /** At most 300 characters, which is what agent platforms take. */
  readonly description: string;
  readonly parametersIn: "query" | "path";
  readonly parameters: Readonly<Record<string, OperationParameter>>;
  /** What a success means. */
  readonly success: string;
  /** Schema of its body. */
  readonly body: { readonly title: string };
  /** Errors of its own, with what leads to them. */
  readonly failures: Readonly<Partial<Record<ErrorKind, string>>>;
}

/** The OpenAPI document, whose schema is not the API's to state. */
const openApi = {
  title: "OpenAPI",
  type: "object",
  examples: [{ openapi: "3.1.0", info: { title: apiTitle, version: apiVersion }, paths: {} }],
} as const;

export const operations = {
  search: {
    id: "searchPosts",
    path: paths.search,
    tag: "posts",
    summary: "Search posts by keyword and tags",
    description:
      "Returns one page of posts, without their bodies, whose title or text contains the keyword and that carry all the tags. Pass the postId of a hit to getPost to read it.",
    parametersIn: "query",
    parameters: searchParameters,
    success: "The requested page; `results` is empty when nothing matches.",
    body: searchResult,
    failures: {},
  },
  post: {
    id: "getPost",
    path: `${paths.posts}{postId}`,
    tag: "posts",
    summary: "Read one post",
    description:
      "Returns a post with its HTML body, comments, tags, similar posts, and the previous and next post.",
    parametersIn: "path",
    parameters: { postId: postIdParameter },
    success: "The post.",
    body: post,
    failures: {
      invalidPostId: "The id is not a positive integer.",
      postNotFound: "No post has this id.",
    },
  },
  openapi: {
    id: "getOpenApi",
    path: paths.openapi,
    tag: "meta",
    summary: "Read the OpenAPI description",
    description: "Returns the OpenAPI 3.1.0 description of this API.",
    parametersIn: "query",
    parameters: {},
    success: "The description.",
    body: openApi,
    failures: {},
  },
} as const satisfies Readonly<Record<string, Operation>>;
