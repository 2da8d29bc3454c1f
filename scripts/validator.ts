/** Validates documents against the contract with ajv. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Schema } from "../functions/contract/schema.ts";

const ajv = new Ajv2020({ allErrors: true, strict: true });
addFormats.default(ajv);

/** A function that gives the problems of a document, each with its place; none when it is valid. */
export function problemsAgainst(schema: Schema<unknown> & object): (document: unknown) => string[] {
  const validate: ValidateFunction = ajv.compile(schema);
  return (document) =>
    validate(document)
      ? []
      : (validate.errors ?? []).map(
          ({ instancePath, message }) => `${instancePath || "/"} ${message}`,
        );
}
