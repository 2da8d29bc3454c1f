/** What the Netlify CLI answers: the fields that a release reads, checked, since another version may give others. */
import {
  array,
  boolean,
  mapping,
  nullable,
  openedSchema,
  record,
  string,
  type Schema,
  type Static,
} from "../../functions/contract/schema.ts";
import { Failure } from "../cli/command.ts";
import { contractRules } from "../lib/json-schema.ts";

/** What an answer must be. Fields that it does not name are allowed. */
export type AnswerSchema<T> = Schema<T> & object;

/** Fields of an answer that a message names. */
const namedAtMost = 12;

const text = string({ minLength: 1, description: "A text that is not empty." });
const orNull = <S extends Schema<unknown> & object>(schema: S) =>
  nullable(schema, { description: "Null where there is none." });
const url = orNull(string({ description: "A URL; empty where there is none." }));
const isLocked = orNull(boolean({ description: "Whether no other deploy becomes live." }));
const publishedDeploy = record("Deploy", "What is live.", { id: text, locked: isLocked }, ["id"]);

/** Of `netlify api getSite`. */
export const siteAnswer = openedSchema(
  record(
    "Site",
    "A site.",
    { id: text, ssl_url: url, url, published_deploy: orNull(publishedDeploy) },
    ["id"],
  ),
);

/** Of `netlify deploy`. */
export const deployAnswer = openedSchema(
  record("Draft", "A deploy that only its own URL leads to.", {
    deploy_id: text,
    deploy_url: text,
  }),
);

/** Of `netlify env:get`: the value by the variable's name; empty where it is not set. */
export const variableAnswer = mapping(string({ description: "A value." }), {
  description: "Values by name.",
});

const bundle = record("Function", "A bundle.", { path: text, runtimeVersion: text });
/** What `netlify build` writes of the functions that it bundled. */
export const functionsAnswer = openedSchema(
  record("Functions", "All bundles.", { functions: array(bundle, { description: "Bundles." }) }),
);
export type FunctionsAnswer = Static<typeof functionsAnswer>;

/** Of a call whose answer is not read. */
export const anyAnswer: AnswerSchema<unknown> = {};

/**
 * Checks an answer.
 *
 * @param asked what was asked, for messages
 * @throws Failure that says what was asked and what came. It shows no values: some are private
 */
export function checkedAnswer<T>(value: unknown, schema: AnswerSchema<T>, asked: string): T {
  const [problem] = contractRules(schema)(value);
  if (problem !== undefined) throw notUsable(asked, `${kindOf(value)} came, of which ${problem}`);
  return value as T;
}

/**
 * The origin of a URL in an answer.
 *
 * @param url undefined where the answer has none
 * @throws Failure where that is no URL of a site
 */
export function originIn(url: string | undefined, asked: string): string {
  if (url !== undefined && /^https?:/.test(url) && URL.canParse(url)) return new URL(url).origin;
  throw notUsable(asked, url === undefined ? "no URL came" : `the URL ${JSON.stringify(url)} came`);
}

const notUsable = (asked: string, what: string): Failure =>
  new Failure(
    `${asked} gave what a release cannot use: ${what}. Another version of the Netlify CLI may be installed: run npm ci.`,
  );

/** What a JSON value is, in words. */
function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value !== "object") return `a ${typeof value}`;
  const names = Object.keys(value).slice(0, namedAtMost);
  return `an object with ${names.join(", ") || "no fields"}`;
}
