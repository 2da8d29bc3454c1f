/** Lists a folder with all folders below it. */
import { readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * Everything below a folder that is not a folder itself, by its path there with slashes, and each empty folder, with
 * a slash at the end. Links are listed and not followed, which Node's own recursive listing does: it would leave the
 * folder.
 */
export function* entriesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) {
      yield entry.name;
      continue;
    }
    let isEmpty = true;
    for (const path of entriesBelow(join(folder, entry.name))) {
      isEmpty = false;
      yield `${entry.name}/${path}`;
    }
    if (isEmpty) yield `${entry.name}/`;
  }
}

/** The files and links of `entriesBelow`. */
export const filesBelow = (folder: string): string[] =>
  [...entriesBelow(folder)].filter((path) => !path.endsWith("/"));
