/** Validates documents with ajv, against the contract or against a published description. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Schema } from "../../functions/contract/schema.ts";

/** Finds the violations in a document, each with its place; none when the document is valid. */
export type Rules = (document: unknown) => string[];

/** What ajv found, in words: the place in the document, then the rule that it breaks. */
const violations = (errors: readonly ErrorObject[] | null | undefined): string[] =>
  (errors ?? []).map(({ instancePath, message = "is not valid", params }) => {
    const extra: unknown = params["additionalProperty"];
    return `${instancePath || "/"} ${message}${extra === undefined ? "" : `: ${JSON.stringify(extra)}`}`;
  });

/** One compiler for each strictness: it compiles the schema of schemas once, which takes longer than most others. */
const compilers = new Map<boolean, Ajv2020>();

function getCompiler(strict: boolean): Ajv2020 {
  const known = compilers.get(strict);
  if (known !== undefined) return known;
  const ajv = new Ajv2020({ allErrors: true, strict, verbose: true });
  addFormats.default(ajv);
  compilers.set(strict, ajv);
  return ajv;
}

const toRules =
  (validate: ValidateFunction): Rules =>
  (document) =>
    validate(document) ? [] : violations(validate.errors);

/** What ajv makes of a schema of the contract; kept, as compiling takes longer than checking a hundred posts. */
export const compileSchema = <T>(schema: Schema<T> & object): ValidateFunction<T> =>
  getCompiler(true).compile<T>(schema);

/** The rules of a schema of the contract. */
export const contractRules = (schema: Schema<unknown> & object): Rules =>
  toRules(compileSchema(schema));

/** An OpenAPI document, as far as its schemas are needed. */
export interface Description {
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

/**
 * The rules of a named schema of a published OpenAPI document, whoever wrote it. Its schemas are open, so that clients
 * take new fields; what is checked here has exactly the fields that they name.
 */
export function publishedRules({ components }: Description, schema: string): Rules {
  const closed = Object.entries(components.schemas).map(([name, open]) => [
    name,
    { ...open, additionalProperties: false },
  ]);
  const validate = getCompiler(false).compile({
    $ref: `#/components/schemas/${schema}`,
    components: { schemas: Object.fromEntries(closed) as object },
  });
  return toRules(validate);
}
