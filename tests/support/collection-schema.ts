/** data/collection.schema.json, with which editors complete data/collection.json. As a program, it writes the file. */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { collectionFile } from "../../functions/contract/collection.ts";

/** The file. */
export const schemaFile = resolve(import.meta.dirname, "../../data/collection.schema.json");

/** Its content. */
export const collectionSchema: unknown = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  ...collectionFile,
};

if (process.argv[1] === import.meta.filename)
  writeFileSync(schemaFile, `${JSON.stringify(collectionSchema, null, 2)}\n`);
