/** Validates documents with ajv, against the contract or against a published description. */
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Schema } from "../../functions/contract/schema.ts";

/** Tells the problems of a document, each with its place; none when it is valid. */
export type Rules = (document: unknown) => string[];

function rulesOf(schema: object, strict: boolean): Rules {
  const ajv = new Ajv2020({ allErrors: true, strict });
  addFormats.default(ajv);
  const validate = ajv.compile(schema);
  return (document) =>
    validate(document)
      ? []
      : (validate.errors ?? []).map(
          ({ instancePath, message }) => `${instancePath || "/"} ${message}`,
        );
}

/** The rules of a schema of the contract. */
export const contractRules = (schema: Schema<unknown> & object): Rules => rulesOf(schema, true);

/** An OpenAPI document, as far as its schemas are needed. */
export interface Description {
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

/** The rules of a named schema of a published OpenAPI document, whoever wrote it. */
export const publishedRules = ({ components }: Description, schema: string): Rules =>
  rulesOf({ $ref: `#/components/schemas/${schema}`, components }, false);
