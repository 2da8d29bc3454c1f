/** data/collection.json: what a publisher says of the collection. Every problem is reported, with what to write. */
import { isUtf8 } from "node:buffer";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ErrorObject } from "ajv/dist/2020.js";
import {
  collectionFile,
  isLanguage,
  type CollectionFile,
} from "../../functions/contract/collection.ts";
import { Failure } from "../cli/command.ts";
import { httpUrl } from "../export/column-rules.ts";
import { compileSchema } from "../lib/json-schema.ts";
import { suggestSimilar, escapeControlChars } from "../lib/text.ts";
import { redactUrl } from "../lib/http.ts";

/** The file that is read where no other is named. */
export const defaultCollectionFile = "data/collection.json";

/** Characters of a value that a message shows. */
const shownCharacters = 60;

/**
 * Reads the file.
 *
 * @param file undefined for the usual one, which need not be there
 * @param folder where the usual one is looked for
 * @throws Failure with every problem: its place, the value, and what to write
 */
export function readCollectionFile(file: string | undefined, folder = ""): CollectionFile {
  const path = file ?? join(folder, defaultCollectionFile);
  if (file === undefined && !existsSync(path)) return {};
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new Failure(`build stopped: ${path} cannot be read: ${(error as Error).message}`);
  }
  if (!isUtf8(bytes))
    throw new Failure(
      `build stopped: ${path} is not UTF-8. Save it as UTF-8: characters would be lost.`,
    );
  const collection = parseCollection(bytes.toString("utf8"), path);
  const { language } = collection;
  if (language !== undefined && !isLanguage(language))
    throw notUsable(path, [
      `language: "${language}" is the code of no language. Japanese is "ja", Korean "ko", Chinese "zh", English "en".`,
    ]);
  return collection;
}

/**
 * Reads what a collection says of itself.
 *
 * @param text JSON
 * @param place where it is, for messages
 * @throws Failure as `readCollectionFile`
 */
export function parseCollection(text: string, place: string): CollectionFile {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""), (name, one: unknown) => {
      if (typeof one === "string" && !one.isWellFormed())
        throw new Error(`${JSON.stringify(one.slice(0, shownCharacters))} holds half a character`);
      // Browsers show URLs with letters of any script, and people type them.
      return name === "url" && typeof one === "string" ? (httpUrl(one) ?? one) : one;
    });
  } catch (error) {
    throw new Failure(
      `build stopped: ${place} is not JSON: ${escapeControlChars((error as Error).message)}`,
    );
  }
  const validate = compileSchema<CollectionFile>(collectionFile);
  if (!validate(value)) throw notUsable(place, describeErrors(validate.errors ?? []));
  return value;
}

const notUsable = (place: string, problems: readonly string[]): Failure =>
  new Failure(
    [
      `build stopped: ${place} cannot be used:`,
      ...problems.map((problem) => `  ${escapeControlChars(problem)}`),
    ].join("\n"),
  );

/** What ajv found, a line for each place. Where none of several forms fits, only that is said. */
function describeErrors(errors: readonly ErrorObject[]): string[] {
  const forms = errors.filter(({ keyword }) => keyword === "anyOf");
  const isInside = ({ instancePath }: ErrorObject, form: ErrorObject): boolean =>
    instancePath === form.instancePath || instancePath.startsWith(`${form.instancePath}/`);
  // Nothing but an object has the members that exclude each other.
  const isOfObject = ({ keyword, data }: ErrorObject): boolean =>
    keyword !== "not" || (typeof data === "object" && data !== null && !Array.isArray(data));
  const shown = errors
    .filter(isOfObject)
    .filter((error) => forms.includes(error) || !forms.some((form) => isInside(error, form)));
  return [...new Set(shown.map(describeError))];
}

function describeError({
  keyword,
  instancePath,
  params,
  data,
  parentSchema = {},
}: ErrorObject): string {
  const path = instancePath.slice(1).replaceAll("/", ".");
  const { properties = {}, description = "" } = parentSchema as {
    readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
    readonly description?: string;
  };
  const at = (name: string): string => (path === "" ? name : `${path}.${name}`);
  if (keyword === "additionalProperties") {
    const name = String(params["additionalProperty"]);
    const known = Object.keys(properties);
    const near = suggestField(name, known);
    const advice = near === undefined ? `Known are ${known.join(", ")}.` : `Did you mean ${near}?`;
    return `${at(name)}: this name is not known. ${advice}`;
  }
  if (keyword === "required") {
    const name = String(params["missingProperty"]);
    return `${at(name)}: is missing. ${properties[name]?.description ?? ""}`;
  }
  if (keyword === "not") return `${path}: has both identifier and url. Give one of them.`;
  const json = JSON.stringify(typeof data === "string" ? redactUrl(data) : data);
  const value = json.length > shownCharacters ? `${json.slice(0, shownCharacters)}…` : json;
  const names = Object.keys(properties);
  const form =
    keyword === "type" && names.length > 0 ? ` Write an object, with ${names.join(", ")}.` : "";
  return `${path === "" ? "the file" : path}: ${value} cannot be used. ${description}${form}`;
}

/** The name that is nearest to another, where one is near. */
export const suggestField = (name: string, known: readonly string[]): string | undefined =>
  suggestSimilar(name, known);
