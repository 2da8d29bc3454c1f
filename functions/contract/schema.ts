/**
 * Builders for JSON Schema 2020-12 literals that TypeScript can read as types.
 *
 * One declaration serves four readers: ajv compiles it, the OpenAPI document embeds it, `Static`
 * turns it into a type, and code reads its bounds (`searchParameters.pageSize.maximum`).
 * Only the keywords that this API needs exist here.
 */

declare const staticType: unique symbol;

/** A JSON Schema whose instances have the TypeScript type `T`. The type exists at compile time only. */
export interface Schema<T> {
  readonly [staticType]?: T;
}

/** The TypeScript type of the values that a schema accepts. */
export type Static<S> = S extends Schema<infer T> ? T : never;

interface Described {
  readonly description: string;
  /** Values for documentation; the first is a part of the example of a whole answer. */
  readonly examples?: readonly unknown[];
}

type ObjectFields = Readonly<Record<string, Schema<unknown> & object>>;

/** An object schema in which the fields `R` are required, by default all, and no other field is allowed. */
export type RecordSchema<F extends ObjectFields, R extends keyof F = keyof F> = Schema<
  { readonly [K in R]: Static<F[K]> } & { readonly [K in Exclude<keyof F, R>]?: Static<F[K]> }
> &
  Described & {
    readonly type: "object";
    readonly title: string;
    readonly properties: F;
    readonly required: readonly (R & string)[];
    readonly additionalProperties: false;
  };

/** A whole number, with any bounds given. */
export const integer = <const O extends Described>(
  options: O,
): Schema<number> & { readonly type: "integer" } & O => ({ type: "integer", ...options });

/** A text, with its format where it has one. */
export const string = <const O extends Described>(
  options: O,
): Schema<string> & { readonly type: "string" } & O => ({ type: "string", ...options });

/** One text out of a fixed list. */
export const oneOf = <const V extends readonly string[], const O extends Described>(
  values: V,
  options: O,
): Schema<V[number]> & { readonly type: "string"; readonly enum: V } & O => ({
  type: "string",
  enum: values,
  ...options,
});

/** True or false. */
export const boolean = <const O extends Described>(
  options: O,
): Schema<boolean> & { readonly type: "boolean" } & O => ({ type: "boolean", ...options });

/** A list whose elements all follow one schema. */
export const array = <S extends Schema<unknown>, const O extends Described>(
  items: S,
  options: O,
): Schema<readonly Static<S>[]> & { readonly type: "array"; readonly items: S } & O => ({
  type: "array",
  items,
  ...options,
});

/** An object with any names, whose values all follow one schema. */
export const dictionary = <S extends Schema<unknown>, const O extends Described>(
  values: S,
  options: O,
): Schema<Readonly<Record<string, Static<S>>>> & {
  readonly type: "object";
  readonly additionalProperties: S;
} & O => ({ type: "object", additionalProperties: values, ...options });

/** What `schema` accepts, or `null`. The description moves outside, where documentation tools look. */
export const nullable = <S extends Schema<unknown> & object>(
  schema: S,
  options: Described,
): Schema<Static<S> | null> & {
  readonly anyOf: readonly [S, { readonly type: "null" }];
} & Described => ({ ...options, anyOf: [schema, { type: "null" }] });

/** An object of exactly these fields. `title` is its name in the documentation. */
export const object = <F extends ObjectFields, R extends keyof F & string = keyof F & string>(
  title: string,
  description: string,
  properties: F,
  required: readonly R[] = Object.keys(properties) as R[],
): RecordSchema<F, R> => ({
  type: "object",
  title,
  description,
  properties,
  required,
  additionalProperties: false,
});

/**
 * A schema as it is published: objects may have other fields. A client that validates strictly must take the fields
 * of a later version.
 */
export const withOpenObjects = <S extends object>(schema: S): S =>
  JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      key === "additionalProperties" && value === false ? undefined : value,
    ),
  ) as S;

/** An object of some of these fields. */
export const partialObject = <F extends ObjectFields>(
  title: string,
  description: string,
  properties: F,
): RecordSchema<F, never> => object(title, description, properties, []);

/** A text, or one in some of these languages. */
export const languageTexts = <L extends string, const O extends Described>(
  languages: readonly L[],
  text: Schema<string> & object,
  options: O,
) => {
  const properties = Object.fromEntries(languages.map((language) => [language, text]));
  const each = { type: "object", properties, minProperties: 1, additionalProperties: false };
  return { ...options, anyOf: [text, each] } as Schema<string | { readonly [K in L]?: string }> & O;
};
