/** What the Netlify CLI answers: the fields that a release reads, checked, since another version may give others. */
import type { Schema } from "../../functions/contract/schema.ts";
import { Failure } from "../cli/command.ts";
import { contractRules } from "../lib/json-schema.ts";

/** What an answer must be, as a JSON Schema. Fields that it does not name are allowed. */
export type AnswerSchema<T> = Schema<T> & Readonly<Record<string, unknown>>;

/** Fields of an answer that a message names. */
const namedAtMost = 12;

const text = { type: "string", minLength: 1 } as const;

/** Of `netlify api getSite`. */
export interface SiteAnswer {
  readonly id: string;
  readonly ssl_url?: string | null;
  readonly url?: string | null;
  readonly published_deploy?: { readonly id: string; readonly locked?: boolean | null } | null;
}
export const siteAnswer: AnswerSchema<SiteAnswer> = {
  type: "object",
  required: ["id"],
  properties: {
    id: text,
    ssl_url: { type: "string", nullable: true },
    url: { type: "string", nullable: true },
    published_deploy: {
      type: "object",
      nullable: true,
      required: ["id"],
      properties: { id: text, locked: { type: "boolean", nullable: true } },
    },
  },
};

/** Of `netlify deploy`. */
export interface DeployAnswer {
  readonly deploy_id: string;
  readonly deploy_url: string;
}
export const deployAnswer: AnswerSchema<DeployAnswer> = {
  type: "object",
  required: ["deploy_id", "deploy_url"],
  properties: { deploy_id: text, deploy_url: text },
};

/** Of `netlify env:get`: the value by the variable's name; empty where it is not set. */
export type VariableAnswer = Readonly<Record<string, string>>;
export const variableAnswer: AnswerSchema<VariableAnswer> = {
  type: "object",
  additionalProperties: { type: "string" },
};

/** What `netlify build` writes of the functions that it bundled. */
export interface FunctionsAnswer {
  readonly functions: readonly { readonly path: string; readonly runtimeVersion: string }[];
}
export const functionsAnswer: AnswerSchema<FunctionsAnswer> = {
  type: "object",
  required: ["functions"],
  properties: {
    functions: {
      type: "array",
      items: {
        type: "object",
        required: ["path", "runtimeVersion"],
        properties: { path: text, runtimeVersion: text },
      },
    },
  },
};

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
